"""`cohabit study release`: the data of a study that may be given away."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from server.cli.settings import read_settings
from server.cli.stop import StopError
from server.cli.study.opened_studies import ModeOption, Version
from server.cli.study.stored_studies import logs_of, note_handed_out, read_stored
from server.cli.terminal import echo, progress


def release(
    name: Annotated[str, typer.Argument(help="Name of the study, which is closed.")],
    out: Annotated[Path, typer.Option(help="Folder to make, which is not there yet.")],
    licence: Annotated[
        str, typer.Option(help="CC0-1.0, CC-BY-4.0, CC-BY-SA-4.0, CC-BY-NC-4.0 or ODbL-1.0.")
    ],
    author: Annotated[
        list[str] | None,
        typer.Option(
            help="Author who is to be cited, as 'Family, Given'; may be repeated. Without it the "
            "researchers as the study names them."
        ),
    ] = None,
    without: Annotated[
        list[str] | None,
        typer.Option(help="Question whose answers are left out, such as age; may be repeated."),
    ] = None,
    version: Version = None,
    mode: ModeOption = None,
) -> None:
    """Write the data of those who agreed to sharing as tables, to give away.

    They have no times of day, no answers in words, no chat, and ids of their own; groups of which
    somebody did not agree are left out. Releasing twice gives the same bytes.
    """
    from server.research.exports.context import ExportContext
    from server.research.exports.export import write_export
    from server.research.exports.export_folder import ExportFolderError, refuse_taken
    from server.research.exports.release import (
        FEW,
        LICENCES,
        Release,
        ReleaseError,
        check,
        rare_answers,
    )
    from server.web.secret_key import secret_key

    settings = read_settings()

    names = {known.lower(): known for known in LICENCES}
    licence = names.get(licence.lower(), licence)
    terms = Release(licence, tuple(author or ()), frozenset(without or ()))
    try:
        refuse_taken(out)
        context = ExportContext(
            read_stored(settings, name, version, mode),
            secret_key(settings.data_dir),
            is_shared=True,
            without=terms.without,
        )
        check(context, terms)
        note_handed_out(settings, "release", name, f"to {out}, under {licence}")
        logs = logs_of(settings)
        with progress("episodes") as tell:
            found = write_export(context, logs, out, with_outcomes=True, release=terms, tell=tell)
    except (ExportFolderError, ReleaseError) as error:
        raise StopError(str(error)) from error
    told = ", ".join(f"{count} {table}" for table, count in found.rows.items())
    echo(f"{out}: {told}")
    echo(f"{len(context.visits)} of {len(context.stored.visits)} visits: the others did not agree")
    for question, people in rare_answers(context, terms).items():
        echo(
            f"{question}: {people} people gave an answer that fewer than {FEW} gave, by which "
            f"others may know them; --without {question} leaves it out"
        )
