"""Tables of an export, read as they lie in its folder."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import msgspec
import pandas as pd

from matchmaking.study import Study
from server.research.studies.manifest import Manifest

Frame: TypeAlias = pd.DataFrame


class ReportError(Exception):
    """Error for an export from which no report can be made; the text says what to do."""


class Export(NamedTuple):
    """An export: its manifest, its codebook, and the tables that it has."""

    manifest: Manifest
    codebook: dict[str, Any]
    tables: dict[str, Frame]

    @property
    def study(self) -> Study:
        """The study as it was frozen."""
        return self.manifest.study

    @property
    def is_release(self) -> bool:
        """Whether it is of those alone who agreed to sharing, without times of day."""
        return bool(self.codebook.get("licence"))

    @property
    def has_outcomes(self) -> bool:
        """Whether it was made after the study had closed, or was unblinded."""
        return "episodes" in self.tables

    def table(self, name: str) -> Frame:
        """Return a table; one that was left out has no rows and no columns."""
        return self.tables.get(name, pd.DataFrame())


def read_export(folder: Path) -> Export:
    """Read an export. Raises ReportError."""
    if not folder.is_dir():
        raise ReportError(
            f"{folder}: expected the folder of an export, as `cohabit study export` makes it"
        )
    try:
        manifest = msgspec.json.decode((folder / "manifest.json").read_bytes(), type=Manifest)
        codebook = msgspec.json.decode((folder / "codebook.json").read_bytes(), type=dict[str, Any])
        tables = {
            told["name"]: _table(folder / told["file"], told["columns"])
            for told in codebook["tables"]
            # States are for whoever wants to draw ways: a report has no use for them.
            if told["file"].endswith(".csv")
        }
    except (OSError, msgspec.MsgspecError, KeyError, TypeError, ValueError, csv.Error) as error:
        raise ReportError(
            f"{folder} cannot be read as an export ({type(error).__name__}: {error}): make it "
            "again with `cohabit study export`, and do not edit it"
        ) from error
    return Export(manifest, codebook, tables)


def _table(file: Path, columns: list[dict[str, str]]) -> Frame:
    with file.open(encoding="utf-8", newline="") as stream:
        names, *rows = csv.reader(stream)
    if names != [column["name"] for column in columns]:
        raise ValueError(f"{file.name} has other columns than the codebook says")
    if any(len(row) != len(names) for row in rows):
        raise ValueError(f"{file.name} has a row with more or fewer cells than columns")
    frame = pd.DataFrame(rows, columns=names, dtype=object)
    for column in columns:
        name, kind = column["name"], column["type"]
        if kind in ("integer", "number"):
            frame[name] = pd.to_numeric(frame[name].replace("", None))
        elif kind == "boolean":
            if not frame[name].isin(["true", "false", ""]).all():
                raise ValueError(f"{file.name}: expected true or false in {name}")
            frame[name] = frame[name].map({"true": True, "false": False, "": None})
    return frame
