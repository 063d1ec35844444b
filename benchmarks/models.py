"""Problems in the neutral form: the library's own models, and de Bruijn cycles."""

from benchmarks.puzzle import Puzzle
from dcells_async import Problem

__all__ = ["de_bruijn", "neutral"]


def neutral(problem: Problem) -> Puzzle:
    """Write a problem in the form that every contender is given."""
    primary = [str(item.label) for item in problem.items if item.primary]
    secondary = [str(item.label) for item in problem.items if not item.primary]
    options = [
        [":".join(part) if isinstance(part, tuple) else str(part) for part in option]
        for option in problem.options
    ]
    return Puzzle(primary, secondary, options)


def de_bruijn(n: int) -> Puzzle:
    """Arrange 2**n bits in a cycle that shows each word of n bits once.

    A word at a place gives its bits to n secondary items as colors. The word of zeros
    stands at place 0, which takes the rotations out.
    """
    length = 2**n
    options = []
    for word in range(length):
        bits = f"{word:0{n}b}"
        for place in range(length):
            if (word == 0) != (place == 0):
                continue
            colored = [f"x{(place + i) % length}:{bits[i]}" for i in range(n)]
            options.append([f"p{place}", f"w{bits}", *colored])
    places = [f"p{place}" for place in range(length)]
    words = [f"w{word:0{n}b}" for word in range(length)]
    return Puzzle([*places, *words], [f"x{i}" for i in range(length)], options)
