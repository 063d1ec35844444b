"""Covers with multiplicities by trying everything, and random problems to try."""

from __future__ import annotations

from typing import NamedTuple

from dcells_async import Problem


class Bounded(NamedTuple):
    """A problem as plain data; a color of None is no color."""

    bounds: dict
    secondary: list
    options: list

    def problem(self) -> Problem:
        """Give what the library makes of it."""
        return Problem.from_options(
            [
                [item if color is None else (item, color) for item, color in option]
                for option in self.options
            ],
            self.bounds,
            self.secondary,
            multiplicity=self.bounds,
        )

    def covers(self) -> list[frozenset]:
        """Give all covers: take or leave every option in turn, and see."""
        found = []
        times = dict.fromkeys(self.bounds, 0)
        uses = {item: [] for item in self.secondary}

        def fits(option):
            return all(
                times[item] < self.bounds[item][1]
                if item in times
                else not uses[item]
                or (color is not None and set(uses[item]) == {color})
                for item, color in option
            )

        def decide(taken, number):
            if number > len(self.options):
                if all(times[item] >= low for item, (low, _) in self.bounds.items()):
                    found.append(frozenset(taken))
                return
            decide(taken, number + 1)
            option = self.options[number - 1]
            if fits(option):
                for item, color in option:
                    if item in times:
                        times[item] += 1
                    else:
                        uses[item].append(color)
                decide([*taken, number], number + 1)
                for item, _ in option:
                    if item in times:
                        times[item] -= 1
                    else:
                        uses[item].pop()

        decide([], 1)
        return found


def random_problem(rng, *, most=3, options=10) -> Bounded:
    """Draw a problem; `most` is the highest upper bound, `options` their number."""
    bounds = {}
    for item in "abcd"[: rng.randint(1, 4)]:
        high = rng.randint(1, most)
        bounds[item] = (rng.randint(0, min(2, high)) if most > 1 else 1, high)
    secondary = ["x", "y"][: rng.randint(0, 2)]
    drawn = []
    for _ in range(rng.randint(0, options)):
        few = rng.sample(sorted(bounds), rng.randint(1, min(3, len(bounds))))
        option = [(item, None) for item in few]
        option += [
            (item, rng.choice([None, "A", "A", "B"]))
            for item in secondary
            if rng.random() < 0.4
        ]
        rng.shuffle(option)
        drawn.append(option)
    return Bounded(bounds, secondary, drawn)
