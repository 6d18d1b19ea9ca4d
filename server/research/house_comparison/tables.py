"""Measures as aligned lines of text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean

from server.research.house_comparison.measures import Measures

COLUMNS = (
    ("rooms", "{:.1f}"), ("furniture", "{:.1f}"), ("walkable m²", "{:.1f}"), ("closed", "{:.0%}"),
    ("way m", "{:.1f}"), ("tasks", "{:.0f}"), ("task way m", "{:.1f}"), ("clutter", "{:.1f}"),
    ("starts m", "{:.1f}"),
)  # fmt: skip
COMPARED = ("walkable m²", "closed", "way m", "task way m", "clutter", "starts m")
"""Columns that are measured on both simulators rather than read from the scene."""


def table(rows: Sequence[tuple[Sequence[str], Measures]], names: Sequence[str]) -> list[str]:
    """Return a line per row, each with its names; the first line has those of the columns."""
    cells = [[*names, *(name for name, _ in COLUMNS)]]
    for said, measures in rows:
        values = zip(COLUMNS, measures, strict=True)
        cells.append([*said, *("-" if v is None else form.format(v) for (_, form), v in values)])
    return aligned(cells, len(names))


def differences(ours: Mapping[str, Measures], theirs: Mapping[str, Measures]) -> list[str]:
    """Return Habitat's differences from the household, by measure: mean over houses and largest.

    The same houses are in both. Lengths, areas and counts differ in per cent, shares in points.
    """
    cells = [["Habitat against household", "mean", "largest", "in"]]
    for column, (name, form) in enumerate(COLUMNS):
        found = {
            scene_id: _difference(here, there, is_share="%" in form)
            for scene_id, measures in ours.items()
            if (here := measures[column]) is not None
            and (there := theirs[scene_id][column]) is not None
        }
        if name in COMPARED and found:
            unit = " points" if "%" in form else " %"
            worst = max(found, key=lambda scene_id: abs(found[scene_id]))
            mean = f"{fmean(found.values()):+.1f}{unit}"
            cells.append([name, mean, f"{found[worst]:+.1f}{unit}", worst])
    return aligned(cells, 1)


def _difference(here: float, there: float, *, is_share: bool) -> float:
    if is_share or not here:
        return 100 * (there - here)
    return 100 * (there - here) / here


def aligned(cells: Sequence[Sequence[str]], names: int) -> list[str]:
    """Align rows of equally many cells in columns; the first ``names`` left, the others right."""
    widths = [max(len(row[k]) for row in cells) for k in range(len(cells[0]))]
    return [
        "  ".join(
            cell.ljust(width) if k < names else cell.rjust(width)
            for k, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in cells
    ]
