"""States that nobody saved: refused, or searched on without harm.

A compiled kernel looks at no bounds. What could lead it astray would end the process,
and so this test.
"""

from __future__ import annotations

import random
import threading
import time
from array import array
from contextlib import suppress
from itertools import pairwise

import pytest
from problems import SMALL, dominoes, queens

from dcells_async import MCC, XCC, XCCDC, ZDD, Problem
from dcells_async.kernels.arrays import pack, unpack
from dcells_async.kernels.checking import COMPILED
from dcells_async.kernels.status import Status
from dcells_async.layout import Layout
from dcells_async.zdd import _Work

COLORED = "a b c | x y\na x:1\na x:2 y\nb x:1\nb c y:3\nc x:2\nc y:3\nb\nc"
MULTIPLE = Problem.from_options(
    ["abx", "bc", "ac", "a", "b", "c", "abc", "cx"],
    "abc",
    "x",
    multiplicity={"a": (1, 2), "b": 2, "c": (0, 2)},
    prices=[3, 1, 4, 1, 5, 9, 2, 6],
)
LARGEST = (1 << 31) - 1

PROBLEMS = [*map(Problem.from_dlx, [SMALL, COLORED, queens(5), dominoes(4, 3)])]

KERNELS = {
    "cells": XCC(kernel="cells")._kernel,
    "bits": XCC(kernel="bits")._kernel,
    "weighted": XCC(choose="weighted")._kernel,
    "xccdc": XCCDC()._kernel,
    "xccdc weighted": XCCDC(choose="weighted")._kernel,
    "xccdc failures": XCCDC(choose="failures")._kernel,
    "mcc": MCC()._kernel,
    "cheapest": XCC()._least_cost_kernel(1, None, "greedy"),
    "cheapest mcc": MCC()._least_cost_kernel(2, None, "greedy"),
    "zdd": lambda layout: _Work(ZDD(), ordered=True)._make(layout),
    "zdd parts": lambda layout: _Work(
        ZDD(mrv=False, components=True), ordered=False
    )._make(layout),
}


def forged(rng, state):
    """Change some numbers of a state, somewhere in its blocks of blocks."""
    blocks = unpack(state)
    at = rng.choice([k for k, block in enumerate(blocks) if block] or [0])
    with suppress(ValueError):
        if unpack(blocks[at]):
            blocks[at] = forged(rng, blocks[at])
            return pack(blocks)
    numbers = array("i", blocks[at])
    for _ in range(rng.choice([1, 1, 2, 9])):
        k = rng.randrange(len(numbers))
        near = numbers[k] + rng.choice([-2, -1, 1, 2])
        odd = rng.choice([-1, 0, 1, 7, 100, 1 << 20, LARGEST, -LARGEST])
        other = rng.choice([near, odd, rng.choice(numbers), rng.randrange(60)])
        numbers[k] = max(-LARGEST, min(other, LARGEST))
    blocks[at] = numbers.tobytes()
    return pack(blocks)


@pytest.mark.parametrize("name", KERNELS)
def test_forged_states_do_no_harm(name):
    rng = random.Random(name)
    problems = PROBLEMS
    if "mcc" in name or "zdd" in name:
        problems = [*PROBLEMS, MULTIPLE]
    refused = 0
    for _ in range(200):
        layout = Layout.of(rng.choice(problems))
        kernel = KERNELS[name](layout)
        kernel.prepare()
        for _ in range(rng.randrange(10)):
            if kernel.advance(rng.choice([1, 3, 30, 300]), 2) == Status.DONE:
                break
            if "zdd" not in name:
                kernel.take()
        state = kernel.save()
        other = KERNELS[name](layout)
        other.prepare()
        try:
            other.load(forged(rng, state))
        except (ValueError, OverflowError, MemoryError):
            refused += 1
            continue
        for _ in range(20):
            if other.advance(1000, 100) == Status.DONE:
                break
            if "zdd" not in name:
                other.take()
    assert 5 <= refused < 200


def changed(state, where, number):
    """Change one number of a state: a 64-bit one, in its blocks of blocks."""
    at, *rest = where
    if not rest:
        numbers = array("q", state)
        numbers[at] = number
        return numbers.tobytes()
    blocks = unpack(state)
    blocks[at] = changed(blocks[at], rest, number)
    return pack(blocks)


@pytest.mark.parametrize(
    ("name", "where", "number", "fault"),
    [
        ("mcc", (1, 1, 4), 12, "can be chosen again"),
        ("cheapest mcc", (1, 1, 4), 12, "can be chosen again"),
        ("zdd", (3, 0, 0), 0, "emptied too early"),
        ("zdd", (0, 1, 4), 0, "not undone"),
        ("zdd parts", (1, 3), 0, "later than now"),
    ],
)
def test_state_that_would_lead_astray_is_refused(name, where, number, fault):
    layout = Layout.of(MULTIPLE if "zdd" in name else PROBLEMS[3])
    reasons = set()
    for budget in range(1, 200, 3):
        kernel, other = KERNELS[name](layout), KERNELS[name](layout)
        kernel.prepare()
        other.prepare()
        # How far that is goes by the kernel; there are all kinds of states on the way.
        if "zdd" in name:
            kernel.advance(budget, 1)
        reasons.add(refusal(other, changed(kernel.save(), where, number)))
    assert any(fault in reason for reason in reasons)


def refusal(kernel, state):
    """Say why a state is refused; empty if it is taken."""
    try:
        kernel.load(state)
    except ValueError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("name", KERNELS)
def test_state_that_is_true_is_taken(name):
    for problem in PROBLEMS:
        layout = Layout.of(problem)
        kernel = KERNELS[name](layout)
        kernel.prepare()
        # After the search of a diagram, its nodes are numbered anew each time.
        budget = 500 if "zdd" in name else 7
        while kernel.advance(budget, 1) != Status.DONE:
            if "zdd" not in name:
                kernel.take()
            state = kernel.save()
            kernel = KERNELS[name](layout)
            kernel.prepare()
            kernel.load(state)
        assert kernel.depth <= 0


def longest_stand(work):
    """Tell for how much of some work another thread could do nothing at a stretch."""
    turns = [time.perf_counter()]
    thread = threading.Thread(target=work)
    thread.start()
    while thread.is_alive():
        time.sleep(0.0005)
        turns.append(time.perf_counter())
    gaps = [later - turn for turn, later in pairwise(turns)]
    return max(gaps) / (turns[-1] - turns[0])


@pytest.mark.skipif(not COMPILED, reason="nothing was compiled")
@pytest.mark.parametrize("name", ["cells", "mcc"])
def test_other_threads_run_while_a_deep_state_is_looked_through(name):
    n = 3_000
    layout = Layout.of(Problem.from_options([[i] for i in range(n) for _ in "ab"]))
    kernel, other = KERNELS[name](layout), KERNELS[name](layout)
    kernel.prepare()
    other.prepare()
    assert kernel.advance(n * n // 2 - n, 1) == Status.PAUSED
    assert kernel.depth > n // 5
    state = kernel.save()
    # Copying holds the lock, too; and so may what else the machine does.
    assert any(longest_stand(lambda: other.load(state)) < 0.6 for _ in range(30))
