from __future__ import annotations

from itertools import product

import pytest

from dcells_async.puzzles.walls import contrasting, walls

GRID = list(product(range(3), range(3)))


def test_walls_single_cell_is_a_box() -> None:
    assert walls({(4, -7): 0}) == "╭───╮\n│   │\n╰───╯"
    assert walls({(4, -7): 0}, size=(1, 2)) == "╭─╮\n╰─╯"


def test_walls_of_single_cells_make_a_full_grid() -> None:
    picture = walls({cell: k for k, cell in enumerate(GRID)}, size=(1, 2))
    assert picture == "╭─┬─┬─╮\n├─┼─┼─┤\n├─┼─┼─┤\n╰─┴─┴─╯"


def test_walls_within_a_region_are_left_out() -> None:
    assert walls(dict.fromkeys(GRID, 0), size=(1, 2)) == (
        "╭─────╮\n│     │\n│     │\n╰─────╯"
    )


def test_walls_where_regions_meet_at_a_corner_only_cross() -> None:
    assert walls({(0, 0): 0, (1, 1): 0}, size=(1, 2)) == "╭─╮\n╰─┼─╮\n  ╰─╯"


def test_walls_shade_fills_the_whole_region() -> None:
    picture = walls({(0, 0): 0, (0, 1): 0, (0, 2): 1}, shades={0: "█"})
    assert picture == "╭───────┬───╮\n│███████│   │\n╰───────┴───╯"


def test_walls_colors_stay_inside_the_walls() -> None:
    picture = walls({(0, 0): 0, (0, 1): 1}, colors={0: 0, 1: 1})
    assert picture.splitlines()[1] == (
        "│\x1b[48;5;203m   \x1b[0m│\x1b[48;5;215m   \x1b[0m│"
    )


@pytest.mark.parametrize("available", [2, 3, 12])
def test_contrasting_checkerboard_never_repeats_across_a_wall(available: int) -> None:
    regions = {cell: k for k, cell in enumerate(GRID)}
    numbers = contrasting(regions, dict.fromkeys(range(9), 0), available)
    for (row, column), region in regions.items():
        for other in ((row + 1, column), (row, column + 1)):
            if other in regions:
                assert numbers[region] != numbers[regions[other]]


def test_contrasting_without_enough_numbers_repeats_rather_than_fails() -> None:
    assert contrasting({(0, 0): 0, (0, 1): 1}, {0: 0, 1: 0}, 1) == {0: 0, 1: 0}


def test_walls_labels_are_in_the_middle_of_their_cells() -> None:
    regions = dict.fromkeys([(0, 0), (0, 1), (0, 2)], 0)
    labels = {(0, 0): "7", (0, 1): "17", (0, 2): "117"}
    assert walls(regions, labels=labels).splitlines()[1] == "│ 7   17 117│"


def test_walls_labels_where_cells_have_no_inside_end_above_them() -> None:
    regions = dict.fromkeys(product(range(2), range(3)), 0)
    picture = walls(regions, size=(1, 2), labels={(1, 2): "117"})
    assert picture == "╭─────╮\n│  117│\n╰─────╯"


def test_walls_labels_are_seen_on_shades_and_colors() -> None:
    picture = walls({(0, 0): 0}, labels={(0, 0): "7"}, shades={0: "░"}, colors={0: 1})
    assert picture.splitlines()[1] == "│\x1b[48;5;215m░7░\x1b[0m│"


def test_walls_around_a_zone_are_heavy_and_meet_the_others() -> None:
    regions = {cell: k for k, cell in enumerate(GRID)}
    picture = walls(regions, size=(1, 2), zone={(1, 1)})
    assert picture == "╭─┬─┬─╮\n├─╆━╅─┤\n├─╄━╃─┤\n╰─┴─┴─╯"


def test_walls_around_a_zone_pass_through_regions() -> None:
    picture = walls(dict.fromkeys(GRID, 0), size=(1, 2), zone={(1, 1)})
    assert picture == "╭─────╮\n│ ┏━┓ │\n│ ┗━┛ │\n╰─────╯"
    whole = walls(dict.fromkeys(GRID, 0), size=(1, 2), zone=set(GRID))
    assert whole == "┏━━━━━┓\n┃     ┃\n┃     ┃\n┗━━━━━┛"
