"""Rules between the parts of a design: conditions that can be filled and told apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from matchmaking.study.conditions import Cell, Factor
from matchmaking.study.design import Design
from matchmaking.study.group_conditions import strata
from matchmaking.study.problems import Problem

MOST_FULL = 5
"""Most conditions of which a group gets all orders: 120 of them."""


def design_problems(
    design: Design, cells: Sequence[Cell], factors: Sequence[Factor]
) -> Iterator[Problem]:
    """Yield what of the conditions no assignment can fill."""
    if design.subjects == "within":
        yield from _within_problems(design, cells, factors)


def confounded(cells: Sequence[Cell], factors: Sequence[Factor]) -> Iterator[Problem]:
    """Yield what of the conditions no analysis can tell apart."""
    yield from unused_levels(cells, factors)
    yield from _same_levels(cells)


def unused_levels(cells: Sequence[Cell], factors: Sequence[Factor]) -> Iterator[Problem]:
    """Yield levels that no condition has: a factor with one level in use compares nothing."""
    for number, factor in enumerate(factors):
        used = {cell.levels.get(factor.name) for cell in cells}
        for level in factor.levels:
            if level not in used:
                yield Problem(
                    ("factors", number, "levels"),
                    f"no condition has the level {level!r}: add one, or leave the level out",
                )


def _same_levels(cells: Sequence[Cell]) -> Iterator[Problem]:
    first: dict[frozenset[tuple[str, str]], str] = {}
    for number, cell in enumerate(cells):
        levels = frozenset(cell.levels.items())
        if (other := first.setdefault(levels, cell.name)) != cell.name:
            yield Problem(
                ("cells", number, "levels"),
                f"{other!r} has the same levels, so that no analysis tells the two apart: name "
                "their difference as a factor",
            )


def _within_problems(
    design: Design, cells: Sequence[Cell], factors: Sequence[Factor]
) -> Iterator[Problem]:
    if len(cells) < 2:
        yield Problem(("design", "subjects"), "expected two conditions or more within a group")
        return
    if len({cell.treatment.explanation for cell in cells}) > 1:
        yield Problem(
            ("design", "subjects"),
            "expected 'between', because the explanation differs between conditions: what people "
            "learned from one cannot be taken away again",
        )
    if len({cell.people for cell in cells}) > 1:
        yield Problem(
            ("design", "subjects"),
            "expected as many people in each condition, because the same group plays them all",
        )
    for field in ("profile", "semantics", "simulator", "disclosure"):
        if len({getattr(cell.treatment, field) for cell in cells}) > 1:
            yield Problem(
                ("design", "subjects"),
                f"expected 'between', because the {field} differs between conditions, and a group "
                "plays all of its conditions in one session",
            )
    if len({cell.team for cell in cells}) > 1:
        yield Problem(
            ("design", "subjects"),
            "expected 'between', because the teams differ between conditions, and a group plays "
            "all of its conditions in one session",
        )
    for stratum in strata(cells, factors):
        yield from _order_problems(design, stratum)


def _order_problems(design: Design, cells: Sequence[Cell]) -> Iterator[Problem]:
    targets = {cell.target for cell in cells}
    if len(targets) > 1:
        yield Problem(
            ("cells",), f"expected the same target for all within a group, got {sorted(targets)}"
        )
    if design.order == "full" and len(cells) > MOST_FULL:
        yield Problem(
            ("design", "order"),
            f"expected 'williams' or 'random': all orders of {len(cells)} conditions are too many",
        )
        return
    if design.order == "random":
        return
    orders = orders_of(len(cells), design.order)
    if min(targets) % orders:
        yield Problem(
            ("cells",),
            f"expected targets that are a multiple of {orders}, the orders of {len(cells)} "
            f"conditions, so that each is used as often, got {min(targets)}",
        )


def orders_of(count: int, order: str) -> int:
    """Return the number of orders of a design."""
    if order == "full":
        product = 1
        for factor in range(2, count + 1):
            product *= factor
        return product
    return count if count % 2 == 0 else 2 * count
