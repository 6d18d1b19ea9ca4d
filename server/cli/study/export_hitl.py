"""`cohabit study export-hitl`: the attempts of a study for PARTNR's scripts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from server.cli.settings import read_settings
from server.cli.stop import StopError
from server.cli.study.opened_studies import ModeOption, Version
from server.cli.study.stored_studies import logs_of, note_handed_out, read_stored
from server.cli.terminal import echo, progress


def export_hitl(
    name: Annotated[str, typer.Argument(help="Name of the study, which is closed.")],
    out: Annotated[Path, typer.Option(help="Folder to make, which is not there yet.")],
    version: Version = None,
    mode: ModeOption = None,
) -> None:
    """Write the attempts of a study as habitat-hitl records them, for PARTNR's scripts.

    There is a collection for each condition. Exporting twice gives the same bytes.
    """
    from server.research.exports.context import ExportContext
    from server.research.exports.export_folder import ExportFolderError, refuse_taken
    from server.research.exports.hitl_files import write_hitl
    from server.web.secret_key import secret_key

    settings = read_settings()

    try:
        refuse_taken(out)
        stored = read_stored(settings, name, version, mode)
        if not stored.is_closed:
            raise StopError(
                f"{name} is open, and these files are outcomes: close it first "
                f"(`cohabit study close {name}`)"
            )
        context = ExportContext(stored, secret_key(settings.data_dir))
        note_handed_out(settings, "export", name, f"to {out}, attempts for PARTNR's scripts")
        logs = logs_of(settings)
        with progress("attempts") as tell:
            found = write_hitl(context, logs, out, tell)
    except ExportFolderError as error:
        raise StopError(str(error)) from error
    told = ", ".join(f"{place} {count}" for place, count in sorted(found.episodes.items()))
    echo(f"{out}: attempts by condition: {told or 'none'}")
    for missing in found.left_out:
        echo(f"left out: {missing.subject}: {missing.reason}")
