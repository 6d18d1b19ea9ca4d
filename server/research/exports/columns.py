"""Columns and tables of an export, each with what it means: the codebook is made from them."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

import msgspec

Kind = Literal["text", "integer", "number", "boolean", "time"]


class Column(msgspec.Struct, frozen=True, kw_only=True):
    """A column, with its entry in the codebook."""

    name: str
    definition: str
    source: str
    """Place that its values come from: a table of the database, the log, or the study file."""
    in_release: str = ""
    """Definition in a release; empty: the same."""
    kind: Kind = "text"
    unit: str = ""
    is_outcome: bool = False
    """Whether it tells how well people did, so that it is left out while the study is open."""


def file_of(table: str) -> str:
    """Return the file of a table of texts within an export."""
    return f"data/description-{table}_data.csv"


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """A table; each row is one observation."""

    name: str
    row: str
    """Thing that a row stands for."""
    columns: tuple[Column, ...]
    is_outcome: bool = False
    """Whether the number of its rows tells outcomes, so that it is left out whole."""
    format: Literal["csv", "parquet"] = "csv"

    @property
    def file(self) -> str:
        """File within the export.

        Psych-DS wants tables below ``data``, in CSV, with pairs of keyword and value before
        ``_data``, and takes no other files there.
        """
        if self.format == "parquet":
            return f"{self.name}.parquet"
        return file_of(self.name)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of its columns, in their order."""
        return tuple(column.name for column in self.columns)

    def blinded(self, outcomes: Collection[str]) -> Table | None:
        """Return the table without outcomes; None: nothing of it is left.

        ``outcomes`` are further columns that tell them, as ``table.column``.
        """
        if self.is_outcome:
            return None
        kept = tuple(
            c for c in self.columns if not c.is_outcome and f"{self.name}.{c.name}" not in outcomes
        )
        return msgspec.structs.replace(self, columns=kept)
