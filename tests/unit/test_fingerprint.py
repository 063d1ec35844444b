"""What tells problems apart, found once, and off the event loop if it takes long."""

from __future__ import annotations

import pickle

import pytest

from dcells_async import XCC, Problem
from dcells_async.fingerprint import fingerprint, is_long_work
from dcells_async.search.opening import Opening
from dcells_async.search.token import Origin

LARGE = Problem.from_options([[i, i + 1] for i in range(0, 5_000, 2)])


def test_fingerprint_is_that_of_files_and_tokens_there_are():
    colored = Problem.from_dlx("a b | x\na x:1\nb x:1\na b")
    whole = "5ca2ba52d27195466995f999074c5e456a5f5ed7ac7e5bfb6bbe134c573eee61"
    assert fingerprint(colored).hex().startswith("f8eebe5bfd9b550d7270a876e0ac0424")
    assert fingerprint(colored, with_prices=True).hex() == whole
    priced = Problem.from_options(["ab", "c"], "abc", prices=[3, 4])
    whole = "c42eb825866ef9ff08b3f14b261e02dafc3503b8ceb976f2277475b5e942821a"
    assert fingerprint(priced, with_prices=True).hex() == whole
    assert fingerprint(priced).hex().startswith("db09e833e45ac26f23e50e29e90885085568")


def test_fingerprints_differ_when_anything_does():
    problems = [
        Problem.from_options(["ab", "c"], "abc"),
        Problem.from_options(["ab", "c"], "acb"),
        Problem.from_options(["ab", "c"], "abcd"),
        Problem.from_options(["ab", "c", "c"], "abc"),
        Problem.from_options(["ab", "c"], "abc", multiplicity={"a": (0, 1)}),
        *(Problem.from_options(["ab", "c"], "abc", prices=[1, k]) for k in (2, 3)),
    ]
    digests = [fingerprint(problem, with_prices=True) for problem in problems]
    assert len({*digests}) == len(problems)
    # It is remembered, and goes along.
    again = [fingerprint(problem, with_prices=True) for problem in problems]
    copies = [pickle.loads(pickle.dumps(problem)) for problem in problems]
    assert again == digests == [problem.digest for problem in copies]
    assert (
        fingerprint(problems[-1])
        == fingerprint(problems[-2])
        == fingerprint(problems[0])
    )


@pytest.mark.parametrize(
    ("problem", "is_long"),
    [(LARGE, True), (Problem.from_options(["ab", "c"]), False)],
    ids=["large", "small"],
)
def test_long_work_is_done_before_the_search(problem, is_long):
    assert is_long_work(problem) == is_long
    opening = Opening(problem, XCC()._kernel, origin=Origin("a test"))
    work = opening.steps()
    while True:
        try:
            assert next(work) is False
        except StopIteration as end:
            session = end.value
            break
    assert (problem.digest is not None) == is_long
    token = session.token(0.0)
    assert token.digest == problem.digest.hex()


def test_search_without_tokens_needs_no_fingerprint():
    problem = Problem.from_options([[i, i + 1] for i in range(0, 5_000, 2)])
    assert is_long_work(problem)
    for _ in Opening(problem, XCC()._kernel).steps():
        pass
    assert problem.digest is None
