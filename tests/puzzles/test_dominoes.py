from __future__ import annotations

import random
import sys
import xml.etree.ElementTree as ET
from collections import Counter
from io import BytesIO
from itertools import product

import pytest
from diagrams import tilings

from dcells_async import XCC, Diagram, Problem, ProblemError
from dcells_async.puzzles.boards import Board
from dcells_async.puzzles.domino_pictures import chances, draw, tiling
from dcells_async.puzzles.dominoes import (
    Sweep,
    aztec,
    cut_rectangle,
    dominoes,
    kasteleyn,
    products,
)

SQUARES = {2: 2, 4: 36, 6: 6728, 8: 12988816}


def family(board: Board, sweep: Sweep = "rows") -> Diagram:
    """Build the diagram of all tilings cell by cell, in the order of the items."""
    problem = dominoes(board, sweep)
    place = {name: cell for cell, name in board.names.items()}
    cells = [place[str(item.label)] for item in problem.items]
    options, columns, root = tilings(cells)
    named = [tuple(board.names[cell] for cell in option) for option in options]
    assert named == [tuple(option) for option in problem.options]
    return Diagram(problem, *columns, root=root)


@pytest.mark.parametrize("n", SQUARES)
def test_square_has_the_known_number_of_tilings(n: int) -> None:
    assert family(Board.rectangle(n, n)).count() == SQUARES[n] == kasteleyn(n, n)


def test_sixteen_by_sixteen_has_a_number_of_31_digits() -> None:
    assert kasteleyn(16, 16) == 2444888770250892795802079170816


@pytest.mark.parametrize("rows", range(1, 8))
def test_formula_agrees_with_the_diagram(rows: int) -> None:
    for columns in range(1, 9):
        expected = family(Board.rectangle(rows, columns)).count()
        assert kasteleyn(rows, columns) == kasteleyn(columns, rows) == expected


def test_formula_for_a_strip_is_fibonacci() -> None:
    before, now = 1, 2
    for columns in range(2, 60):
        assert kasteleyn(2, columns) == now
        before, now = now, before + now


@pytest.mark.parametrize("order", range(1, 6))
def test_aztec_diamond_has_a_power_of_two_of_tilings(order: int) -> None:
    board = aztec(order)
    assert len(board) == 2 * order * (order + 1)
    by_rows, by_diagonals = family(board), family(board, "diagonals")
    assert by_rows.count() == by_diagonals.count() == 2 ** (order * (order + 1) // 2)


@pytest.mark.parametrize("order", range(1, 9))
def test_aztec_diamond_swept_by_diagonals_has_few_nodes(order: int) -> None:
    nodes = family(aztec(order), "diagonals").nodes
    assert nodes == (3 * order - 2) * 2**order + 4


@pytest.mark.parametrize("sweep", ["rows", "diagonals"])
def test_search_finds_the_same_tilings(sweep: Sweep) -> None:
    diagram = family(aztec(3), sweep)
    with XCC().solve(diagram.problem) as covers:
        found = {tuple(sorted(cover.numbers)) for cover in covers}
    assert found == {cover.numbers for cover in diagram}


@pytest.mark.parametrize("n", [2, 4, 8])
def test_cut_square_has_no_tiling(n: int) -> None:
    assert len(cut_rectangle(n, n)) == n * n - 2
    assert family(cut_rectangle(n, n)).nodes == 1


def test_cut_rectangle_may_have_tilings() -> None:
    assert family(cut_rectangle(2, 3)).count() == 1
    assert family(cut_rectangle(3, 4)).count() > 1


def test_heaviest_tiling_is_the_heaviest_of_all() -> None:
    diagram = family(Board.rectangle(5, 6))
    weights = products(diagram.problem, seed=20260907)
    each = [sum(weights[index] for index in cover.indices) for cover in diagram]
    assert diagram.max_weight(weights).price == max(each)
    assert diagram.weight_histogram(weights) == Counter(each)


def test_products_are_of_values_from_one_to_nine() -> None:
    problem = dominoes(Board.rectangle(6, 6))
    weights = products(problem)
    assert set(weights) <= {a * b for a, b in product(range(1, 10), repeat=2)}
    assert len(set(weights)) > 10
    assert weights == products(problem, 1, 9) != products(problem, 2)


def test_corners_of_a_random_aztec_tiling_are_frozen() -> None:
    """At order 8, the outermost cells of each corner go one way nearly always."""
    diagram = family(aztec(8), "diagonals")
    draws = diagram.sample(200, random.Random(3))
    top = [draw(cover, "letters").splitlines()[0].strip(".") for cover in draws]
    assert top.count("NN") > 150
    assert top.count("SS") == 0


# -- pictures --------------------------------------------------------------------------

TILING = [("00", "01"), ("02", "12"), ("10", "11")]


def test_letters_tell_direction_and_color_of_the_first_cell() -> None:
    square = [("00", "01"), ("02", "12"), ("10", "11"), ("03", "13")]
    assert draw(square, "letters") == "NNWE\nSSWE"


def test_walls_go_around_each_domino() -> None:
    assert draw(TILING) == "╭───┬─╮\n├───┤ │\n╰───┴─╯"


def test_colors_tell_the_direction() -> None:
    picture = draw(TILING, color=True)
    assert picture.count("\x1b[48;5;") >= 3


@pytest.mark.parametrize("order", [1, 4, 20])
def test_svg_has_a_rectangle_for_each_domino(order: int) -> None:
    # Rows of dominoes: a tiling of the diamond that needs no search.
    names = aztec(order).names
    cells = sorted(names)
    cover = [(names[a], names[b]) for a, b in zip(cells[::2], cells[1::2], strict=True)]
    root = ET.fromstring(tiling(cover).svg(cell=5))
    assert (root.get("width"), root.get("height")) == (str(10 * order),) * 2
    shapes = [(shape.get("width"), shape.get("height")) for shape in root]
    assert shapes == [("2", "1")] * (order * (order + 1))
    assert len({shape.get("fill") for shape in root}) == 2


def test_boards_anywhere_are_drawn() -> None:
    board = Board.rectangle(2, 2, origin=(50, -3))
    with XCC().solve(dominoes(board)) as covers:
        pictures = [draw(cover) for cover in covers]
    assert sorted(pictures) == ["╭───╮\n├───┤\n╰───╯", "╭─┬─╮\n│ │ │\n╰─┴─╯"]


def test_nothing_to_draw_is_drawn_as_nothing() -> None:
    assert draw([]) == draw([], "letters") == ""
    assert ET.fromstring(tiling([]).svg()) is not None


# -- errors ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        (lambda: aztec(0), "order 0"),
        (lambda: kasteleyn(0, 3), "positive sides"),
        (lambda: kasteleyn(3, -1), "positive sides"),
        (lambda: dominoes(aztec(1), "spirals"), "sweep must be one of"),  # type: ignore[arg-type]
        (lambda: draw(TILING, "runes"), "style must be one of"),  # type: ignore[arg-type]
        (lambda: draw([("00", "01", "02")]), "00 01 02 is no domino"),
        (lambda: tiling([("P", "00")]), "P 00 is no domino"),
        (lambda: cut_rectangle(1, 1), "."),
    ],
)
def test_nonsense_is_refused(call: object, reason: str) -> None:
    assert callable(call)
    with pytest.raises(ProblemError, match=reason):
        call()


def test_problem_is_the_plain_one() -> None:
    text = "00 01 10 11\n00 01\n00 10\n01 11\n10 11"
    assert dominoes(Board.rectangle(2, 2)) == Problem.from_dlx(text)


def test_png_shows_what_the_svg_does() -> None:
    image_of = pytest.importorskip("PIL.Image").open
    cover = next(iter(family(aztec(3))))
    picture = tiling(cover)
    image = image_of(BytesIO(picture.png(cell=8)))
    assert image.size == (48, 48)
    assert image.getpixel((0, 0))[3] == 0
    for (row, column), _, color in picture.parts:
        assert image.getpixel((8 * column + 3, 8 * row + 3)) == (*color, 255)
    line = image.getpixel((8 * picture.parts[0][0][1], 0))
    assert line == (0x22, 0x22, 0x22, 255)
    assert image_of(BytesIO(tiling([]).png())).size == (10, 10)


def test_png_without_pillow_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(ImportError, match=r"dcells-async\[png\]"):
        tiling([]).png()


def test_chances_mix_the_colors_of_all_tilings() -> None:
    board = aztec(4)
    diagram = family(board)
    picture = chances(diagram.problem, diagram.frequencies())
    cells = {}
    for cover in diagram:
        for (row, column), (below, behind), color in tiling(cover).parts:
            for cell in product(range(row, below), range(column, behind)):
                cells.setdefault(cell, []).append(color)
    assert [begin for begin, _, _ in picture.parts] == sorted(cells)
    for begin, (below, behind), mixed in picture.parts:
        assert (below, behind) == (begin[0] + 1, begin[1] + 1)
        colors = cells[begin]
        mean = [sum(part) / len(colors) for part in zip(*colors, strict=True)]
        assert mixed == pytest.approx(mean, abs=0.51)
    root = ET.fromstring(picture.svg())
    assert len(root) == 40
    assert "stroke" not in root.attrib


def test_chances_of_a_board_without_tilings_are_an_empty_picture() -> None:
    diagram = family(cut_rectangle(4, 4))
    assert chances(diagram.problem, diagram.frequencies()).parts == ()
