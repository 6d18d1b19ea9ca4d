"""Output of a trial's table for people (in parts that fit 80 columns) and for programs."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import msgspec
from rich import box
from rich.table import Table
from rich.text import Text

from episodes.visible_text import spreadsheet_cell, visible
from server.research.trials.plan import names_of_pair
from server.research.trials.table import CALLS, COLUMNS, Column, Columns, Line, Value

PARTS: Final[Mapping[Columns, tuple[tuple[str, tuple[Column, ...]], ...]]] = {
    Columns.partnr: (
        ("What was reached", COLUMNS[Columns.partnr][:4]),
        ("Together", COLUMNS[Columns.partnr][4:]),
    ),
    Columns.llamar: (
        ("What was reached, as in LLaMAR's table 6", COLUMNS[Columns.llamar][:4]),
        ("How long it took, and what was reached within 30 calls", COLUMNS[Columns.llamar][4:]),
    ),
}
"""Parts of the table by paper, none wider than 80 columns, however long names are."""
CALL_PARTS: Final = (
    ("Model calls", CALLS[:4]),
    ("Answers that came late, and what the server had kept", CALLS[4:]),
)
"""Parts about model calls, as narrow."""


def tables_of(lines: Sequence[Line], columns: Columns = Columns.partnr) -> Iterator[Table]:
    """Yield the parts of the table; one without figures (no model was asked) is left out."""
    reached = ((title, tuple(c.heading for c in part)) for title, part in PARTS[columns])
    for title, headings in (*reached, *CALL_PARTS):
        shown = [h for h in headings if any(h in line.values for line in lines)]
        if not shown:
            continue
        table = Table(title=title, title_justify="left", box=box.SIMPLE, pad_edge=False, leading=1)
        # Names go on in the next line; figures are never broken.
        pairs = _are_pairs(lines)
        table.add_column("robot, and\npartner" if pairs else "team", overflow="fold")
        for heading in ("n", *shown):
            table.add_column(heading.replace(" ", "\n"), justify="right", no_wrap=True)
        for line in lines:
            cells = [_cell(line.values.get(heading)) for heading in shown]
            table.add_row(_names(line, pairs), str(line.episodes), *cells)
        yield table
    yield from _comparison(lines)


def _comparison(lines: Sequence[Line]) -> Iterator[Table]:
    """Yield the part that compares each team with the first, if any is."""
    compared = [line for line in lines if line.differences is not None]
    if not compared:
        return
    title = "More than the first team on the same tasks (below 0: less)"
    table = Table(title=title, title_justify="left", box=box.SIMPLE, pad_edge=False, leading=1)
    table.add_column("team", overflow="fold")
    headings = list(dict.fromkeys(h for line in compared for h in line.differences or ()))
    for heading in headings:
        table.add_column(heading.replace(" ", "\n"), justify="right", no_wrap=True)
    for line in compared:
        cells = [_cell((line.differences or {}).get(heading)) for heading in headings]
        table.add_row(_names(line, pairs=False), *cells)
    yield table


def to_csv(lines: Sequence[Line]) -> str:
    """Return the table as tidy CSV: a row for each value."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    are_pairs = _are_pairs(lines)
    columns = ("task_type", "episodes", "column", "mean", "low", "high", "tasks")
    writer.writerow((*(("robot", "partner") if are_pairs else ("team",)), *columns))
    for line in lines:
        names = _named(line, are_pairs).values()
        compared = {f"{h}, more than the first": v for h, v in (line.differences or {}).items()}
        for heading, value in (*line.values.items(), *compared.items()):
            low, high = value.interval or ("", "")
            figures = (heading, value.mean, low, high, value.tasks)
            cells = (*names, line.task_type, line.episodes, *figures)
            writer.writerow(map(spreadsheet_cell, cells))
    return text.getvalue()


def to_json(lines: Sequence[Line]) -> str:
    """Return the table as JSON: an object for each line."""
    plain = [
        {
            **_named(line, _are_pairs(lines)),
            "episodes": line.episodes,
            "values": _plain(line.values),
            "task_type": line.task_type,
            **({} if line.differences is None else {"differences": _plain(line.differences)}),
        }
        for line in lines
    ]
    return msgspec.json.format(msgspec.json.encode(plain)).decode()


def _plain(values: Mapping[str, Value]) -> dict[str, dict[str, object]]:
    return {
        heading: {
            "mean": value.mean,
            "interval": None if value.interval is None else list(value.interval),
            "tasks": value.tasks,
        }
        for heading, value in values.items()
    }


def _are_pairs(lines: Sequence[Line]) -> bool:
    return all(names_of_pair(line.team) for line in lines)


def _named(line: Line, are_pairs: bool) -> dict[str, str]:
    """Return what names a line: the columns that pairs always had, or the team written out."""
    names = names_of_pair(line.team) if are_pairs else None
    if names is None:
        return {"team": line.team.written_out}
    return {"robot": names[0], "partner": names[1]}


def _names(line: Line, pairs: bool) -> Text:
    names = names_of_pair(line.team) if pairs else None
    bodies = [f"{member.seat.kind}={member.occupant}" for member in line.team.members]
    named = f"  {line.task_type}" if line.task_type else "\n".join(names or bodies)
    # Markup is not read in it: names may have brackets.
    return Text(visible(named))


def _cell(value: Value | None) -> str:
    if value is None:
        return "-"
    text = _figure(value.mean)
    if value.interval is not None:
        text += f"\n{_figure(value.interval.low)}..{_figure(value.interval.high)}"
    return text


def _figure(value: float) -> str:
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.2f}"
