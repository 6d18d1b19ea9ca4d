"""`cohabit codebook elan`: finished codings as files that ELAN opens."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from server.cli.codebook.books import BookName
from server.cli.codebook.finished import OfStudy, finished_with
from server.cli.stop import StopError
from server.cli.terminal import echo


def elan(
    name: BookName,
    out: Annotated[Path, typer.Option(help="Folder to make, which is not there yet.")],
    study: OfStudy = "",
) -> None:
    """Write a file of ELAN for each episode that somebody has finished.

    Tiers are named by the code and the coder's account. The times are those of a replay's clips.
    """
    from server.coding.elan import eaf
    from server.research.exports.export_folder import ExportFolder, ExportFolderError
    from server.sessions.spec import TICK_RATE
    from server.store.codings import FinishedCoding
    from server.wall_clock import utc_now

    book, found = finished_with(name, study)
    episodes: dict[str, list[FinishedCoding]] = {}
    for finished in found:
        episodes.setdefault(finished.coding.episode_id, []).append(finished)
    try:
        with ExportFolder(out) as folder:
            for episode, of_episode in episodes.items():
                notes = [note for one in of_episode for note in one.coding.notes]
                text = eaf(book, notes, of_episode[0].start, TICK_RATE, utc_now())
                folder.file(f"{episode}.eaf", text)
    except ExportFolderError as error:
        raise StopError(str(error)) from error
    echo(f"{out}: {len(episodes)} episodes")
