"""Output of the table of coordination, for people and for programs."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from typing import Final

import msgspec
from rich import box
from rich.table import Table

from episodes.metrics.clusters import FEW_HOUSES
from episodes.visible_text import spreadsheet_cell
from server.research.coordination.attempts import CIRCUMSTANCES, Source
from server.research.coordination.lines import MEASURES, Coordination, Line
from server.research.trials.table_output import figure

PARTS: Final = (
    ("What was reached", MEASURES[:3]),
    ("Together", MEASURES[3:]),
)


def tables_of(found: Coordination, sources: Sequence[Source]) -> Iterator[Table]:
    """Yield the tables for a terminal: means, differences, and circumstances of the sources."""
    for title, measures in PARTS:
        yield _means(title, measures, found.lines)
    for measure in MEASURES:
        compared = [line for line in found.lines if measure in line.differences]
        if compared:
            yield _differences(measure, compared, found.base)
    yield _circumstances(sources)


def _table(title: str) -> Table:
    return Table(title=title, title_justify="left", box=box.SIMPLE, pad_edge=False, leading=1)


def _means(title: str, measures: Sequence[str], lines: Sequence[Line]) -> Table:
    table = _table(title)
    table.add_column("team", overflow="fold")
    for heading in ("attempts\ntasks", *(measure.replace(" ", "\n") for measure in measures)):
        table.add_column(heading, justify="right", no_wrap=True)
    for line in lines:
        cells = []
        for measure in measures:
            mean = line.means.get(measure)
            cells.append("-" if mean is None else _with_interval(mean.mean, mean.interval))
        name = f"{line.team}\n{line.source}"
        table.add_row(name, f"{line.attempts}\n{line.tasks}", *cells)
    return table


def _differences(measure: str, lines: Sequence[Line], base: str) -> Table:
    table = _table(f"{measure}: more than {base}, on the same tasks (below 0: less)")
    table.add_column("team", overflow="fold")
    for heading in ("tasks\nhouses", "more", "effect", "p\nHolm"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("matched by")
    for line in lines:
        compared, matched_by = line.differences[measure]
        one = compared.found
        table.add_row(
            f"{line.team}\n{line.source}",
            f"{one.tasks}\n{one.houses}",
            _with_interval(one.mean, one.interval),
            "-" if one.effect is None else figure(one.effect),
            f"{one.p:.3f}\n{compared.corrected:.3f}",
            matched_by,
        )
    return table


def _circumstances(sources: Sequence[Source]) -> Table:
    table = _table("What was different, beside who played (≠: not the same in all)")
    table.add_column("")
    for source in sources:
        table.add_column(source.name, overflow="fold")
    for name in CIRCUMSTANCES:
        told = [source.circumstances.get(name, "not known") for source in sources]
        table.add_row(f"{name} ≠" if differs(told) else name, *told)
    return table


def differs(told: Sequence[str]) -> bool:
    """Tell whether a circumstance is not the same in all sources, or not known of one."""
    return len(set(told)) > 1 or "not known" in told


def notes_of(found: Coordination, sources: Sequence[Source]) -> Iterator[str]:
    """Yield what is to be known beside the figures."""
    yield (
        "Means are over tasks, of the mean of a task's attempts; differences are matched by task, "
        "and by seed where both have the same. Intervals (95 %) and tests have houses as units; "
        "Holm corrects for the comparisons of a measure."
    )
    yield (
        f"An attempt that was not solved within {found.limit_s:g} s counts as {found.limit_s:g} s "
        "to success."
    )
    if any(
        one.compared.found.houses < FEW_HOUSES
        for line in found.lines
        for one in line.differences.values()
    ):
        yield (
            f"Rough: of fewer than {FEW_HOUSES} houses; there is no interval of fewer than five."
        )
    if len(sources) > 1:
        differing = [
            name
            for name in CIRCUMSTANCES
            if differs([source.circumstances.get(name, "not known") for source in sources])
        ]
        if differing:
            yield (
                "Between sources, teams differ in more than who played: "
                f"{', '.join(differing)}. Such a difference is no effect of the partner alone."
            )
    if any(one.matched_by == "task" for line in found.lines for one in line.differences.values()):
        yield "Where differences are matched by task alone, bodies began at other places."
    alone = [line.name for line in found.lines[1:] if not line.differences]
    if alone:
        yield f"No task in common with {found.base}: {', '.join(alone)}."
    for source in sources:
        for reason, count in source.left_out.items():
            yield f"{source.name}: {count} attempts are left out: {reason}."
    if found.other_houses:
        yield (
            f"{found.other_houses} attempts are left out: their house is another one of the same "
            "name, built anew between the sources."
        )


def to_csv(found: Coordination) -> str:
    """Return the table as CSV: a row for each team and measure."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*_rows(found)[0]])
    for row in _rows(found):
        writer.writerow(["" if v is None else spreadsheet_cell(v) for v in row.values()])
    return text.getvalue()


def to_json(found: Coordination, sources: Sequence[Source]) -> str:
    """Return the table as JSON, with the circumstances of the sources."""
    plain = {
        "base": found.base,
        "limit_s": found.limit_s,
        "rows": _rows(found),
        "sources": [
            {"name": s.name, "circumstances": s.circumstances, "left_out": s.left_out}
            for s in sources
        ],
        "notes": list(notes_of(found, sources)),
    }
    return msgspec.json.format(msgspec.json.encode(plain)).decode()


def _rows(found: Coordination) -> list[dict[str, str | float | None]]:
    rows: list[dict[str, str | float | None]] = []
    for line in found.lines:
        for measure, mean in line.means.items():
            difference = line.differences.get(measure)
            one = None if difference is None else difference.compared
            low, high = mean.interval or (None, None)
            less, more = (None, None) if one is None else one.found.interval or (None, None)
            rows.append(
                {
                    "source": line.source,
                    "kind": line.kind,
                    "team": line.team,
                    "attempts": line.attempts,
                    "measure": measure,
                    "mean": mean.mean,
                    "low": low,
                    "high": high,
                    "tasks": mean.tasks,
                    "difference": None if one is None else one.found.mean,
                    "difference_low": less,
                    "difference_high": more,
                    "common_tasks": None if one is None else one.found.tasks,
                    "houses": None if one is None else one.found.houses,
                    "p": None if one is None else one.found.p,
                    "p_holm": None if one is None else one.corrected,
                    "matched_by": None if difference is None else difference.matched_by,
                }
            )
    return rows


def _with_interval(mean: float, interval: tuple[float, float] | None) -> str:
    told = figure(mean)
    if interval is None:
        return told
    low, high = interval
    return f"{told}\n{figure(low)}..{figure(high)}"
