"""Table of what the export lacks, each with the reason."""

from __future__ import annotations

from typing import NamedTuple

from server.research.exports.cells import Value
from server.research.exports.columns import Column, Table

TABLE = Table(
    name="leftout",
    row="thing that the export lacks",
    columns=(
        Column(
            name="subject",
            definition="Episode, group, or table of this export.",
            source="export",
        ),
        Column(
            name="lacks",
            definition="Part of it that is missing: all, log, measure, or outcomes.",
            source="export",
        ),
        Column(name="reason", definition="Reason.", source="export"),
    ),
)


class LeftOut(NamedTuple):
    """A thing that the export lacks."""

    subject: str
    lacks: str
    reason: str

    def cells(self) -> dict[str, Value]:
        """Return the row of the table."""
        return {"subject": self.subject, "lacks": self.lacks, "reason": self.reason}
