"""Cells of CSV files: one text for each value, the same whoever writes it and wherever."""

from __future__ import annotations

from datetime import UTC, datetime

from episodes.visible_text import spreadsheet_cell

Value = str | int | float | bool | datetime | None
"""Value of a cell; None is one that is missing."""


def cell(value: Value) -> str:
    """Return the text of a value: missing is empty, times are UTC with milliseconds.

    Texts that a spreadsheet would take for a formula are led by an apostrophe.
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        stamp = value.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="milliseconds")
        return f"{stamp}Z"
    if isinstance(value, float):
        # Ten digits: what sums of different order differ in is none of them.
        return "" if value != value else f"{value:.10g}"
    return str(spreadsheet_cell(value))
