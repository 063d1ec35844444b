"""Long questions to a diagram: in steps, off the event loop, and cancellable."""

from __future__ import annotations

import random
import threading
from collections import Counter

import anyio
import pytest
from diagrams import in_order
from reference_mcc import random_problem

from dcells_async import COMPILED, ZDD, AwaitableDiagram, Diagram, PriceError
from dcells_async.diagram import saving, steps, weighed
from dcells_async.puzzles.boards import Board
from dcells_async.puzzles.dominoes import dominoes

BOARD = dominoes(Board.rectangle(6, 6))
WEIGHTS = [k % 7 for k in range(len(BOARD.options))]


def fresh():
    return ZDD(mrv=False).diagram(BOARD)


FAMILY = fresh()


QUESTIONS = {
    "count": lambda d: d.count(),
    "rank": lambda d: d.rank(FAMILY.unrank(77)),
    "unrank": lambda d: d.unrank(77),
    "random": lambda d: d.random(random.Random(3)),
    "sample": lambda d: d.sample(500, random.Random(3)),
    "frequencies": lambda d: d.frequencies(),
    "max_weight": lambda d: d.max_weight(WEIGHTS),
    "min_weight": lambda d: d.min_weight(WEIGHTS),
    "heaviest": lambda d: d.heaviest(30, WEIGHTS),
    "lightest": lambda d: d.lightest(30, WEIGHTS),
    "weight_histogram": lambda d: d.weight_histogram(WEIGHTS),
}


@pytest.mark.parametrize("question", QUESTIONS)
async def test_awaited_answer_is_the_one_given_at_once(question):
    ask = QUESTIONS[question]
    assert await ask(fresh().awaitable) == ask(FAMILY)


async def test_every_question_can_be_awaited(tmp_path):
    part = await FAMILY.awaitable.restrict(use=[1], avoid=[3])
    assert list(part) == list(FAMILY.restrict(use=[1], avoid=[3]))
    await FAMILY.awaitable.save(tmp_path / "saved")
    loaded = await AwaitableDiagram.load(tmp_path / "saved", BOARD)
    assert (loaded.count(), loaded.problem) == (6728, BOARD)
    # Whatever takes a walk through all nodes is there.
    both = {n for n in vars(AwaitableDiagram) if not n.startswith("_")}
    assert both == {*QUESTIONS, "restrict", "save", "load"}


async def test_errors_come_through():
    empty = FAMILY.restrict(use=[1], avoid=[1]).awaitable
    with pytest.raises(IndexError, match="no heaviest"):
        await empty.max_weight(WEIGHTS)
    with pytest.raises(IndexError, match="rank 6728: 6728 in all"):
        await FAMILY.awaitable.unrank(6728)
    with pytest.raises(PriceError):
        await FAMILY.awaitable.weight_histogram([1 << 62] * len(WEIGHTS))
    with pytest.raises(FileNotFoundError):
        await AwaitableDiagram.load("nowhere.zdd")


async def test_many_may_ask_at_once():
    diagram = fresh()
    answers = {}

    async def ask(name):
        answers[name] = await QUESTIONS[name](diagram.awaitable)

    async with anyio.create_task_group() as tasks:
        for name in QUESTIONS:
            tasks.start_soon(ask, name)
    assert answers == {name: ask(FAMILY) for name, ask in QUESTIONS.items()}


@pytest.mark.parametrize("question", QUESTIONS)
def test_steps_of_any_length_give_the_same(question, monkeypatch):
    """With steps as short as can be, every pass is left and taken up everywhere."""
    monkeypatch.setattr(steps, "_MOST_NODES", 7)
    monkeypatch.setattr(steps, "_STEP_S", 0.0)
    assert QUESTIONS[question](fresh()) == QUESTIONS[question](FAMILY)


def test_parts_and_files_in_steps_of_any_length_are_the_same(monkeypatch, tmp_path):
    whole = FAMILY.restrict(use=[5], avoid=[9])
    FAMILY.save(tmp_path / "whole")
    monkeypatch.setattr(steps, "_MOST_NODES", 3)
    monkeypatch.setattr(saving, "_PIECE", 5)
    part = fresh().restrict(use=[5], avoid=[9])
    for column in ("options", "lows", "highs"):
        assert list(getattr(part, column)) == list(getattr(whole, column))
    FAMILY.save(tmp_path / "pieces")
    assert (tmp_path / "pieces").read_bytes() == (tmp_path / "whole").read_bytes()
    loaded = Diagram.load(tmp_path / "pieces")
    assert list(loaded.lows) == list(FAMILY.lows)


async def test_work_is_done_elsewhere_and_ends_with_a_cancellation(monkeypatch):
    monkeypatch.setattr(steps, "_MOST_NODES", 1)
    threads, taken = set(), 0

    def counting():
        nonlocal taken
        while True:
            threads.add(threading.get_ident())
            taken += 1
            yield

    with anyio.CancelScope() as scope:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(steps.step_by_step, counting())
            while taken < 5:
                await anyio.sleep(0.001)
            scope.cancel()
    assert scope.cancelled_caught
    before = taken
    await anyio.sleep(0.02)
    assert taken == before
    assert threading.get_ident() not in threads


async def test_cancelled_saving_leaves_nothing(monkeypatch, tmp_path):
    monkeypatch.setattr(saving, "_PIECE", 1)
    with anyio.CancelScope() as scope:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(FAMILY.awaitable.save, tmp_path / "saved")
            while not list(tmp_path.iterdir()):
                await anyio.sleep(0.001)
            scope.cancel()
    assert scope.cancelled_caught
    assert list(tmp_path.iterdir()) == []


async def test_building_that_was_cancelled_at_its_end_can_be_awaited_again(monkeypatch):
    async with ZDD().build(BOARD) as building:
        await building.result.wait()
        monkeypatch.setattr(steps, "_MOST_NODES", 1)
        with anyio.move_on_after(0.01):
            await building
        monkeypatch.undo()
        assert (await building).count() == 6728
        assert await building is await building


async def test_walk_that_begins_too_late_says_so_in_the_block():
    with pytest.raises(ValueError, match="start is 6729, and there are 6728 covers"):
        async with fresh().solutions(6729) as result:
            async for _ in result.solutions:
                pass


async def test_walk_may_be_left_while_it_counts(monkeypatch):
    monkeypatch.setattr(steps, "_MOST_NODES", 1)
    async with fresh().solutions() as result:
        pass
    assert result.stats.covers == 0


def test_forgotten_beginnings_are_never_missed(monkeypatch):
    monkeypatch.setattr(weighed, "_SPARE", 0)
    draws = random.Random(1)
    weights = [draws.randint(0, 99) for _ in WEIGHTS]
    falling = sorted(weighed_all(weights), reverse=True)
    for k in (1, 2, 17, 400):
        found = FAMILY.heaviest(k, weights)
        assert [cover.price for cover in found] == falling[:k]
        assert len({cover.numbers for cover in found}) == k


def weighed_all(weights):
    return [sum(weights[index] for index in cover.indices) for cover in FAMILY]


# -- the engine's own diagrams, against brute force ----------------------------------


@pytest.mark.parametrize("most", [1, 3])
@pytest.mark.parametrize("mrv", [True, False])
def test_diagrams_of_the_engine_agree_with_brute_force(mrv, most, tmp_path):
    rng = random.Random(2026 + most)
    path = tmp_path / "saved"
    for _ in range(60 if COMPILED else 15):
        drawn = random_problem(rng, most=most)
        problem, covers = drawn.problem(), in_order(drawn.covers())
        diagram = ZDD(mrv=mrv, components=rng.random() < 0.5).diagram(problem)
        n_options = len(problem.options)
        assert [cover.numbers for cover in diagram] == covers, drawn
        assert [diagram.rank(cover) for cover in covers] == list(range(len(covers)))
        assert [diagram.unrank(k).numbers for k in range(len(covers))] == covers
        assert diagram.frequencies() == [
            sum(number in cover for cover in covers)
            for number in range(1, n_options + 1)
        ]
        weights = [rng.randint(-9, 9) for _ in range(n_options)]
        falling = sorted(
            (sum(weights[n - 1] for n in cover) for cover in covers), reverse=True
        )
        assert diagram.weight_histogram(weights) == Counter(falling)
        assert [c.price for c in diagram.heaviest(5, weights)] == falling[:5]
        assert [c.price for c in diagram.lightest(5, weights)] == falling[::-1][:5]
        use = rng.sample(range(1, n_options + 1), min(1, n_options))
        part = diagram.restrict(use)
        assert [c.numbers for c in part] == [c for c in covers if {*use} <= {*c}]
        diagram.save(path)
        loaded = Diagram.load(path, problem)
        assert [cover.numbers for cover in loaded] == covers
