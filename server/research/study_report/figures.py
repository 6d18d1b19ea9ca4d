"""Figures of a report, as SVG that stands in its page."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter
from numpy.typing import NDArray

from server.research.study_report.comparison import Difference
from server.research.study_report.estimates import Mean
from server.research.study_report.export_tables import Frame

# Okabe and Ito's colours: told apart by people with any kind of colour vision; shapes say the same.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
STYLE: Any = {
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "svg.hashsalt": "cohabit",
    "svg.fonttype": "path",
}


def means_figure(rows: Frame, means: Sequence[Mean], label: str, *, is_share: bool) -> str:
    """Draw the groups' means of each condition as points, with mean and interval beside them.

    Conditions without values are left out.
    """
    means = [found for found in means if found.n]
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(6.4, 0.62 * len(means) + 1.1))
        axes = figure.subplots()
        for number, found in enumerate(means):
            colour = COLOURS[number % len(COLOURS)]
            groups = rows[rows["condition"] == found.condition].groupby("group_id")["value"].mean()
            axes.scatter(
                groups,
                number + 0.12 + _heights(groups.to_numpy(float)),
                s=14,
                color=colour,
                alpha=0.6,
                linewidths=0,
            )
            _interval(axes, number - 0.1, found.mean, found.low, found.high, number)
        axes.set_yticks(range(len(means)), [found.condition for found in means])
        axes.set_ylim(len(means) - 0.45, -0.5)
        axes.set_xlabel(label)
        if is_share:
            axes.set_xlim(-0.03, 1.03)
            axes.xaxis.set_major_formatter(PercentFormatter(1.0))
        axes.grid(axis="x", color="#dddddd", linewidth=0.6)
        axes.set_axisbelow(True)
        return _svg(figure)


def differences_figure(found: Sequence[tuple[str, Difference]], label: str) -> str:
    """Draw a difference in each set of the data, with the line of no difference."""
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(6.4, 0.36 * len(found) + 0.9))
        axes = figure.subplots()
        axes.axvline(0, color="#555555", linewidth=0.9, linestyle="--")
        for number, (_, one) in enumerate(found):
            if one.estimate is not None:
                _interval(axes, number, one.estimate, one.low, one.high, 0 if number == 0 else 6)
        axes.set_yticks(range(len(found)), [name for name, _ in found])
        axes.set_ylim(len(found) - 0.4, -0.6)
        axes.set_xlabel(label)
        axes.grid(axis="x", color="#dddddd", linewidth=0.6)
        axes.set_axisbelow(True)
        return _svg(figure)


def _heights(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how far up each point stands, so that equal ones stand side by side."""
    equal = pd.Series(np.round(values, 6))
    place: NDArray[np.float64] = equal.groupby(equal).cumcount().to_numpy(float)
    return place * min(0.06, 0.36 / max(1.0, float(place.max(initial=0.0))))


def _interval(
    axes: Any, y: float, middle: float, low: float | None, high: float | None, number: int
) -> None:
    colour = COLOURS[number % len(COLOURS)]
    if low is not None and high is not None:
        axes.plot([low, high], [y, y], color=colour, linewidth=2, solid_capstyle="butt")
    axes.plot([middle], [y], MARKERS[number % len(MARKERS)], color=colour, markersize=7)


def _svg(figure: Figure) -> str:
    stream = io.StringIO()
    figure.savefig(
        stream, format="svg", bbox_inches="tight", metadata={"Date": None, "Creator": None}
    )
    text = stream.getvalue()
    # Within a page there is no XML declaration, nor a document type.
    return text[text.index("<svg") :]
