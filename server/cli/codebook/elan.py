"""`cohabit codebook elan`: notes of an export as files that ELAN opens."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Annotated

import typer

from server.cli.stop import StopError
from server.cli.terminal import echo


def elan(
    export: Annotated[Path, typer.Argument(help="Folder of `cohabit study export`.")],
    out: Annotated[Path, typer.Option(help="Folder to make, which is not there yet.")],
) -> None:
    """Write a file of ELAN for each episode of an export that somebody has coded.

    What an export leaves out is in no file. Tiers are named by the code and the coder's number.
    """
    from server.coding.elan import Timed, eaf
    from server.research.exports.columns import file_of
    from server.research.exports.export_folder import ExportFolder, ExportFolderError

    codings, notes = _rows(export / file_of("codings")), _rows(export / file_of("notes"))
    episodes: dict[str, list[Timed]] = {row["episode_id"]: [] for row in codings}
    try:
        for row in notes:
            begins_ms, ends_ms = (round(1000 * float(row[name])) for name in ("t_s", "ends_s"))
            timed = Timed(
                row["coder"],
                f"{row['codebook']}:{row['code']}",
                begins_ms,
                ends_ms,
                row.get("note_words") or "",
            )
            episodes[row["episode_id"]].append(timed)
    except (KeyError, ValueError) as error:
        raise StopError(f"{export} has notes that no export writes: {error}") from error
    if any("/" in episode or episode.startswith(".") for episode in episodes):
        raise StopError(f"{export} has episodes that no export writes")
    if not episodes:
        raise StopError(f"nobody has finished coding an episode of {export}")
    try:
        with ExportFolder(out) as folder:
            for episode, found in episodes.items():
                folder.file(f"{episode}.eaf", eaf(found))
    except ExportFolderError as error:
        raise StopError(str(error)) from error
    echo(f"{out}: {len(episodes)} episodes")


def _rows(path: Path) -> list[dict[str, str]]:
    try:
        with path.open(encoding="utf-8", newline="") as stream:
            return list(csv.DictReader(stream))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise StopError(
            f"{path} cannot be read ({error}); the export of a study that is open has no notes"
        ) from error
