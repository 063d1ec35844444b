"""Diagrams in files, in other libraries, and in pictures."""

from __future__ import annotations

import os
import stat
import struct
import xml.etree.ElementTree as ET
from hashlib import sha256

import pytest
from diagrams import diagram_of, tilings

from dcells_async import Diagram, DlxWarning, Problem
from dcells_async.diagram import saving
from dcells_async.diagram.steps import at_once

unix = pytest.mark.skipif(os.name == "nt", reason="files differ there")

PAIR = Problem.from_dlx("a b | x\na b x:red |7\na x:blue\nb x:blue")
COVERS = [(1,), (2, 3)]


def pair(problem=PAIR):
    return diagram_of(problem, COVERS)


def board(rows, columns):
    cells = [(r, c) for r in range(rows) for c in range(columns)]
    options, nodes, root = tilings(cells)
    return Diagram(Problem.from_options(options, primary=cells), *nodes, root=root)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "family.zdd"


# -- files -----------------------------------------------------------------------------


def test_diagram_comes_back_with_its_problem(path):
    pair().save(path)
    loaded = Diagram.load(path)
    assert loaded.problem == PAIR
    assert list(loaded) == list(pair())
    assert loaded.max_weight().price == 7
    assert [*path.parent.iterdir()] == [path]


@pytest.mark.parametrize("covers", [[], [()]])
def test_smallest_families_come_back(path, covers):
    problem = Problem.from_options([["x"]], multiplicity={"x": (0, 1)}, primary=["x"])
    diagram_of(problem, covers).save(str(path))
    loaded = Diagram.load(str(path))
    assert loaded.problem == problem
    assert [cover.numbers for cover in loaded] == covers


def test_diagram_comes_back_for_the_problem_at_hand(path):
    pair().save(path)
    assert Diagram.load(path, PAIR).problem is PAIR


def test_saving_over_a_file_replaces_it(path):
    path.write_bytes(b"something")
    pair().save(path)
    pair().save(path)
    assert list(Diagram.load(path)) == list(pair())


@unix
def test_replaced_file_keeps_its_permissions(path):
    path.touch()
    path.chmod(0o640)
    pair().save(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert list(Diagram.load(path)) == list(pair())


@unix
@pytest.mark.parametrize("is_there", [True, False])
def test_link_is_followed(path, tmp_path, is_there):
    (tmp_path / "folder").mkdir()
    target = tmp_path / "folder" / "target"
    if is_there:
        target.touch()
    path.symlink_to(target)
    pair().save(path)
    assert path.is_symlink()
    assert list(Diagram.load(target)) == list(pair())
    assert [*target.parent.iterdir()] == [target]


@unix
def test_what_is_no_regular_file_is_left_alone(path, tmp_path):
    os.mkfifo(path)
    with pytest.raises(OSError, match=r"not a regular file.*family\.zdd"):
        pair().save(path)
    assert path.is_fifo()
    with pytest.raises(IsADirectoryError, match="not a regular file"):
        pair().save(tmp_path)
    assert [*tmp_path.iterdir()] == [path]


def test_savings_at_the_same_time_do_not_disturb_each_other(path):
    # One thread, as a worker of several event loops' tasks may be.
    steps = [saving.save(diagram, path) for diagram in (board(2, 3), board(2, 2))]
    for _ in zip(*steps, strict=False):
        pass
    at_once(steps[0])
    assert list(Diagram.load(path, board(2, 3).problem)) == list(board(2, 3))
    at_once(steps[1])
    assert list(Diagram.load(path, board(2, 2).problem)) == list(board(2, 2))
    assert [*path.parent.iterdir()] == [path]


def test_labels_that_cannot_be_written_need_the_problem(path):
    diagram = board(2, 3)
    diagram.save(path)
    with pytest.raises(ValueError, match=r"hand the problem over"):
        Diagram.load(path)
    loaded = Diagram.load(path, diagram.problem)
    assert list(loaded) == list(diagram)
    assert loaded.problem.options[0][0] == (0, 0)


def test_numbers_as_labels_do_not_come_back_as_strings(path):
    problem = Problem.from_options([[1, 2], [1], [2]], primary=[1, 2])
    pair(problem).save(path)
    with pytest.raises(ValueError, match=r"hand the problem over"):
        Diagram.load(path)
    assert Diagram.load(path, problem).count() == 2


def test_dropped_options_are_no_hindrance_and_no_second_warning(path):
    text = "a b | x\na b\nx\na\nb"
    with pytest.warns(DlxWarning):
        problem = Problem.from_dlx(text)
    diagram_of(problem, [(1,), (3, 4)]).save(path)
    assert [cover.numbers for cover in Diagram.load(path)] == [(3, 4), (1,)]


@pytest.mark.parametrize(
    "other", ["a b | x\na b x:red\na x:blue\nb x:red", "a b\na b\na\nb", "a\na\na\na"]
)
def test_another_problem_is_refused(path, other):
    pair().save(path)
    with pytest.raises(ValueError, match="another problem"):
        Diagram.load(path, Problem.from_dlx(other))


def test_prices_make_no_other_problem(path):
    pair().save(path)
    repriced = Problem.from_dlx("a b | x\na b x:red\na x:blue |9\nb x:blue")
    assert Diagram.load(path, repriced).max_weight().price == 9


def test_every_damaged_byte_is_noticed(path):
    pair().save(path)
    whole = path.read_bytes()
    for at in range(len(whole)):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 4]) + whole[at + 1 :])
        with pytest.raises(ValueError, match=r"damaged|no file of a diagram|version"):
            Diagram.load(path)


def test_every_missing_end_is_noticed(path):
    pair().save(path)
    whole = path.read_bytes()
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        with pytest.raises(ValueError, match=r"damaged|no file of a diagram"):
            Diagram.load(path)
    path.write_bytes(whole + b"\0")
    with pytest.raises(ValueError, match="damaged"):
        Diagram.load(path)


def test_later_version_is_refused(path):
    pair().save(path)
    whole = bytearray(path.read_bytes()[:-32])
    struct.pack_into("<I", whole, 8, 2)
    path.write_bytes(bytes(whole) + sha256(whole).digest())
    with pytest.raises(ValueError, match=r"has version 2 of the format; .* reads 1"):
        Diagram.load(path)


def test_file_that_is_not_there():
    with pytest.raises(FileNotFoundError):
        Diagram.load("nowhere.zdd")


def test_folder_that_is_not_there(tmp_path):
    with pytest.raises(FileNotFoundError):
        pair().save(tmp_path / "nowhere" / "family.zdd")


# -- other libraries -------------------------------------------------------------------


def test_oxidd_has_the_same_family():
    zbdd = pytest.importorskip("oxidd.zbdd")
    diagram = board(4, 5)
    family = diagram.to_oxidd()
    assert family.sat_count_float(len(diagram.problem.options)) == 95
    assert family.node_count() == diagram.nodes
    n_options = len(diagram.problem.options)
    for cover in diagram.sample(20):
        assert family.eval((k, k in cover.indices) for k in range(n_options))
        assert not family.eval((k, k in cover.indices[1:]) for k in range(n_options))
    manager = zbdd.ZBDDManager(10_000, 10_000, 1)
    assert diagram.to_oxidd(manager) == diagram.to_oxidd(manager)
    part = diagram.restrict(avoid=[1])
    assert part.to_oxidd(manager) == diagram.to_oxidd(manager).subset0(0)
    assert part.to_oxidd(manager) != diagram.to_oxidd(manager)
    with pytest.raises(ValueError, match="31 variables, and the problem 3 options"):
        pair().to_oxidd(manager)


def test_oxidd_has_the_smallest_families():
    pytest.importorskip("oxidd")
    assert diagram_of(PAIR, []).to_oxidd().node_count() == 1
    assert diagram_of(PAIR, [()]).to_oxidd().sat_count_float(3) == 1


def test_graphillion_has_the_same_family():
    pytest.importorskip("graphillion")
    diagram = board(4, 4)
    family = diagram.to_graphillion()
    assert family.len() == 36
    assert {frozenset(s) for s in family} == {frozenset(c.numbers) for c in diagram}
    # A set written down by its elements must be found: it is in normal form.
    assert family == type(family)([set(cover.numbers) for cover in diagram])


@pytest.mark.parametrize("covers", [[], [()]])
def test_graphillion_has_the_smallest_families(covers):
    pytest.importorskip("graphillion")
    family = diagram_of(PAIR, covers).to_graphillion()
    assert [set(s) for s in family] == [set(cover) for cover in covers]


@pytest.mark.parametrize("library", ["oxidd", "graphillion"])
def test_missing_library_is_named(library, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, library, None)
    monkeypatch.setitem(__import__("sys").modules, f"{library}.zbdd", None)
    with pytest.raises(ImportError, match=rf"dcells-async\[{library}\]"):
        getattr(pair(), f"to_{library}")()


# -- pictures --------------------------------------------------------------------------


def test_dot_has_every_edge():
    assert pair().to_dot().splitlines() == [
        "digraph {",
        '  0 [shape=box, label="⊥"]',
        '  1 [shape=box, label="⊤"]',  # noqa: RUF001
        '  2 [label="3: b x:blue"]',
        '  3 [label="2: a x:blue"]',
        '  4 [label="1: a b x:red"]',
        "  2 -> 0 [style=dashed]",
        "  2 -> 1",
        "  3 -> 0 [style=dashed]",
        "  3 -> 2",
        "  4 -> 3 [style=dashed]",
        "  4 -> 1",
        "}",
    ]


def test_dot_escapes_what_names_may_hold():
    problem = Problem.from_options([['a"\\'], ["b"], ["c"]])
    assert r'label="1: a\"\\"' in pair(problem).to_dot()


@pytest.mark.parametrize("covers", [[], [()], [(1,)], COVERS])
def test_svg_is_well_formed_and_has_every_node_and_edge(covers):
    problem = Problem.from_options([["<a&b>"], ["c" * 99], ["d"]])
    diagram = diagram_of(problem, covers)
    picture = diagram._repr_svg_()
    root = ET.fromstring(picture)
    parts = [part.tag.rpartition("}")[2] for part in root]
    assert parts.count("rect") == parts.count("text") == diagram.nodes
    assert parts.count("path") == 2 * sum(v > 1 for v in range(len(diagram.options)))
    assert "…" in picture or covers != COVERS


def test_large_diagram_is_not_drawn():
    assert board(6, 6).nodes > 100
    assert board(6, 6)._repr_svg_() is None
