"""Tables as they were when the stored files were made: what came later is left out."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable

import msgspec

from server.research.trials.table_output import TOLD

LATER_COLUMNS = (
    "robot's share", "in hand", "idle s", "until finished", "until success",
)  # fmt: skip
"""Columns of a trial's table that came after the stored files; with them came comparisons."""
TRIAL_FIELDS, METRIC_FIELDS = 9, 10
"""Fields of a row of a trial's table, and of one of metrics, when the stored files were made."""


def without_latency(text: str) -> bytes:
    """Return a table without the rows that tell how long a model took, and without later ones."""
    rows = list(csv.reader(io.StringIO(text)))
    kept = [r for r in rows if r[4] != "latency s"]
    assert len(kept) < len(rows), "there is no latency to leave out"
    return without_later_columns(_as_csv(kept).decode())


def without_later_columns(text: str) -> bytes:
    """Return a table without the columns, and the fields of its rows, that came later."""
    rows = csv.reader(io.StringIO(text))
    return _as_csv(
        row[:TRIAL_FIELDS]
        for row in rows
        if row[4] not in LATER_COLUMNS and not row[4].endswith("more than the first")
    )


def without_later_values(text: str) -> bytes:
    """Return a table for programs without later columns, errors, houses and comparisons."""
    lines_ = json.loads(text)
    for line in lines_:
        for later in ("differences", *TOLD):
            line.pop(later, None)
        line["values"] = {k: v for k, v in line["values"].items() if k not in LATER_COLUMNS}
        for value in line["values"].values():
            del value["error"], value["houses"]
    return msgspec.json.format(msgspec.json.encode(lines_)) + b"\n"


def without_later_metrics(text: str) -> bytes:
    """Return a table of metrics without those of both endings, and without later fields."""
    rows = [r for r in csv.reader(io.StringIO(text)) if r[6] != "ending"]
    return _as_csv(r[:METRIC_FIELDS] for r in rows)


def without_later_lines(text: str) -> bytes:
    """Return printed metrics without those of both endings."""
    kept = [line for line in text.splitlines(keepends=True) if not line.startswith("│ ending ")]
    assert len(kept) < text.count("\n"), "there are no later lines to leave out"
    return "".join(kept).encode()


def _as_csv(rows: Iterable[list[str]]) -> bytes:
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerows(rows)
    return written.getvalue().encode()
