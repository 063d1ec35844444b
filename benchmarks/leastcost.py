"""Cheapest covers beside integer programming: ``python -m benchmarks.leastcost``.

Two families, as different as can be. In the cyclic latin square of n rows, with random
prices, taxes foresee most of what a transversal costs; in random set partitioning, at
fifty items, they foresee a fifth. Each line gives the optimum and, for our taxes from
one item after the other (greedy) and from the linear program (lp), the nodes and the
seconds of processor time; then the seconds of HiGHS and of CP-SAT, one thread each, or
what they had when their time was up. Highspy and ortools are used where they are
installed.
"""

from __future__ import annotations

import sys
import time
from importlib.util import find_spec
from random import Random
from typing import TYPE_CHECKING, Any

from dcells_async import COMPILED, XCC, Problem
from dcells_async.puzzles.transversal import cyclic, prices, transversal

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from dcells_async.pricing import TaxMethod

__all__ = ["main"]

PATIENCE_S = 60.0
"""The time that each solver gets for a line."""

SQUARES = (19, 21, 25, 27, 29, 31, 33)
PARTITIONS = ((30, 310), (40, 410), (50, 510), (60, 712))


def partition(n_items: int, n_options: int, seed: int) -> Problem:
    """Draw options of two to six items, at prices from 1 to 100."""
    draws = Random(seed)
    names = [f"i{k}" for k in range(n_items)]
    options = [draws.sample(names, draws.randint(2, 6)) for _ in range(n_options)]
    return Problem.from_options(
        options, names, prices=[draws.randint(1, 100) for _ in options]
    )


def ours(problem: Problem, taxes: TaxMethod) -> tuple[int | None, str]:
    """Give the optimum, and the nodes and seconds it took."""
    start = time.process_time()
    with XCC().cheapest(problem, taxes=taxes, timeout=PATIENCE_S) as covers:
        for _ in covers:
            pass
    spent = time.process_time() - start
    best = covers.stats.best_price
    if not covers.optimal:
        return None, f"{best} ({PATIENCE_S:.0f} s)"
    return best, f"{covers.stats.nodes:,} / {spent:.2f}"


def _rows(problem: Problem) -> list[list[int]]:
    place = {item.label: k for k, item in enumerate(problem.items)}
    return [[place[name] for name in option.names] for option in problem.options]


def highs(problem: Problem) -> tuple[int | None, str]:
    """Solve the set-partitioning program with HiGHS."""
    import highspy  # noqa: PLC0415

    solver = getattr(highspy, "_Highs", highspy.Highs)()
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("threads", 1)
    solver.setOptionValue("time_limit", PATIENCE_S)
    solver.setOptionValue("mip_rel_gap", 0.0)
    lp = highspy.HighsLp()
    rows = _rows(problem)
    lp.num_col_, lp.num_row_ = len(rows), len(problem.items)
    lp.col_cost_ = [float(option.price) for option in problem.options]
    lp.col_lower_, lp.col_upper_ = [0.0] * len(rows), [1.0] * len(rows)
    lp.row_lower_ = lp.row_upper_ = [1.0] * len(problem.items)
    lp.integrality_ = [highspy.HighsVarType.kInteger] * len(rows)
    lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    starts = [0]
    for row in rows:
        starts.append(starts[-1] + len(row))
    lp.a_matrix_.start_ = starts
    lp.a_matrix_.index_ = [item for row in rows for item in row]
    lp.a_matrix_.value_ = [1.0] * starts[-1]
    solver.passModel(lp)
    start = time.process_time()
    solver.run()
    spent = time.process_time() - start
    if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        value = solver.getInfo().objective_function_value
        return None, f"{value:.0f} ({PATIENCE_S:.0f} s)"
    return round(solver.getInfo().objective_function_value), f"{spent:.2f}"


def cp_sat(problem: Problem) -> tuple[int | None, str]:
    """Solve it with the constraint solver of OR-tools."""
    from ortools.sat.python import cp_model  # noqa: PLC0415

    model = cp_model.CpModel()
    chosen = [model.new_bool_var(f"o{k}") for k in range(len(problem.options))]
    of_item: list[list[Any]] = [[] for _ in problem.items]
    for variable, row in zip(chosen, _rows(problem), strict=True):
        for item in row:
            of_item[item].append(variable)
    for variables in of_item:
        model.add_exactly_one(variables)
    costs = [option.price for option in problem.options]
    model.minimize(sum(c * v for c, v in zip(costs, chosen, strict=True)))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_time_in_seconds = PATIENCE_S
    start = time.process_time()
    status = solver.solve(model)
    spent = time.process_time() - start
    if status != cp_model.OPTIMAL:
        has_any = status == cp_model.FEASIBLE
        value = f"{solver.objective_value:.0f}" if has_any else "none"
        return None, f"{value} ({PATIENCE_S:.0f} s)"
    return round(solver.objective_value), f"{spent:.2f}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; return 1 if two solvers disagree on an optimum."""
    wanted = list(sys.argv[1:] if arguments is None else arguments)
    solvers: list[tuple[str, Callable[[Problem], tuple[int | None, str]]]] = [
        ("greedy", lambda problem: ours(problem, "greedy"))
    ]
    if find_spec("highspy"):
        solvers.append(("lp", lambda problem: ours(problem, "lp")))
        solvers.append(("HiGHS", highs))
    if find_spec("ortools"):
        solvers.append(("CP-SAT", cp_sat))
    if not COMPILED:
        print("interpreted: these figures say nothing", file=sys.stderr)
    problems = {f"square {n}": transversal(cyclic(n), prices(n)) for n in SQUARES}
    for n_items, n_options in PARTITIONS:
        for seed in (1, 2, 3):
            name = f"partition {n_items}/{n_options} #{seed}"
            problems[name] = partition(n_items, n_options, seed)
    print("| problem | optimum | " + " | ".join(name for name, _ in solvers) + " |")
    print("|---|---:|" + "---:|" * len(solvers))
    wrong = 0
    for name, problem in problems.items():
        if wanted and not any(name.startswith(prefix) for prefix in wanted):
            continue
        results = [solve(problem) for _, solve in solvers]
        optima = {value for value, _ in results if value is not None}
        wrong += len(optima) > 1
        cells = [", ".join(map(str, sorted(optima))), *(text for _, text in results)]
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
