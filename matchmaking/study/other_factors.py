"""Other factors of a comparison: those that can be held equal where attempts are compared.

Attempts go missing by condition: rules take them away, groups break off. Where they are compared as
they are, what one factor does to those that are left would stand in the difference of another one.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from matchmaking.study.analysis import Hypothesis
from matchmaking.study.conditions import Cell
from matchmaking.study.study import Study


def other_factors(
    study: Study, hypothesis: Hypothesis, terms: Sequence[str] = ()
) -> tuple[str, ...]:
    """Return the factors beside the one of a hypothesis which attempts at its levels differ in.

    They are taken one after another, those of most levels first (of two of which one follows from
    the other it is the finer), as long as some condition of both levels has the same levels of them
    all, and none follows from the others, nor from the ``terms`` that a model has anyway.
    """
    cells = [c for c in study.cells if c.levels.get(hypothesis.factor) in hypothesis.levels]
    taken = [factor.name for factor in study.factors if factor.name in terms]
    counts = {f.name: len({cell.levels[f.name] for cell in cells}) for f in study.factors}
    found: list[str] = []
    for name in sorted(counts, key=lambda each: -counts[each]):
        if name in (hypothesis.factor, *taken) or counts[name] < 2:
            continue
        names = [*taken, *found, name]
        if _is_shared(cells, hypothesis, names) and are_apart(cells, [hypothesis.factor, *names]):
            found.append(name)
    return tuple(found)


def _is_shared(cells: Sequence[Cell], hypothesis: Hypothesis, names: Sequence[str]) -> bool:
    """Tell whether conditions of both levels have the same levels of some factors."""
    first, second = (
        {tuple(c.levels[n] for n in names) for c in cells if c.levels[hypothesis.factor] == level}
        for level in hypothesis.levels
    )
    return bool(first & second)


def are_apart(cells: Sequence[Cell], factors: Sequence[str]) -> bool:
    """Tell whether no factor follows from the others, in a model with an intercept."""
    columns = [[1] * len(cells)]
    for factor in factors:
        for level in sorted({cell.levels[factor] for cell in cells})[1:]:
            is_at = (cell.levels[factor] == level for cell in cells)
            columns.append(list(map(int, is_at)))
    return _rank(columns) == len(columns)


def _rank(columns: Sequence[Sequence[int]]) -> int:
    """Return the rank of a matrix, by elimination in exact numbers."""
    rest = [list(map(Fraction, column)) for column in columns]
    rank = 0
    for place in range(len(rest[0])):
        pivot = next((row for row in rest if row[place]), None)
        if pivot is None:
            continue
        rest.remove(pivot)
        rank += 1
        rest = [
            [a - b * row[place] / pivot[place] for a, b in zip(row, pivot, strict=True)]
            for row in rest
        ]
    return rank
