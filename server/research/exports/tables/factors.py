"""Columns of a study's factors, which several tables have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from matchmaking.study import Study
from server.research.exports.cells import Value
from server.research.exports.columns import Column

PREFIX = "f_"


def factor_columns(study: Study, whose: str) -> tuple[Column, ...]:
    """Return a column for each factor; ``whose`` says whose level it is."""
    return tuple(
        Column(
            name=PREFIX + factor.name,
            definition=f"Level of the factor {factor.name} of {whose}: "
            f"{', '.join(factor.levels)}. Empty: it has none, or several one after another.",
            source="draws",
        )
        for factor in study.factors
    )


def factor_cells(factors: Sequence[str], levels: Mapping[str, str]) -> dict[str, Value]:
    """Return the cells of these columns."""
    return {PREFIX + name: levels.get(name) for name in factors}
