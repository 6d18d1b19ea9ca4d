"""`cohabit study export`: the data of a study as tables."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from server.cli.databases import in_database
from server.cli.options import StudyName
from server.cli.settings import read_settings
from server.cli.stop import StopError
from server.cli.study.opened_studies import ModeOption, Version, found_run
from server.cli.study.stored_studies import logs_of, read_stored
from server.cli.terminal import echo, progress

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncSession


def export(
    name: StudyName,
    out: Annotated[Path, typer.Option(help="Folder to make, which is not there yet.")],
    with_texts: Annotated[
        bool,
        typer.Option(
            "--with-texts", help="Export answers in words and chat, too: they are personal data."
        ),
    ] = False,
    with_states: Annotated[
        bool,
        typer.Option(
            "--with-states",
            help="Export bodies and hands at each tick, too, as Parquet: large; "
            "needs the extra `parquet`.",
        ),
    ] = False,
    measure: Annotated[
        list[Path] | None,
        typer.Option(help="Python file with a measure of your own; may be repeated."),
    ] = None,
    unblind_as: Annotated[
        str, typer.Option(help="Your name, to export outcomes before the end. It is stored.")
    ] = "",
    because: Annotated[str, typer.Option(help="Reason for that. It is stored, too.")] = "",
    version: Version = None,
    mode: ModeOption = None,
) -> None:
    """Write the data of a study as tables with a codebook; until it is closed without outcomes.

    The folder has the shape of Psych-DS. Exporting twice gives the same bytes.
    """
    from server.research.exports.context import ExportContext
    from server.research.exports.export import write_export
    from server.research.exports.export_folder import ExportFolderError, refuse_taken
    from server.research.measures.measure_files import MeasureFileError, measures_of
    from server.store.operator_acts import COMMAND_LINE, note_act
    from server.store.study_runs import note_unblinding
    from server.wall_clock import utc_now
    from server.web.secret_key import secret_key

    settings = read_settings()
    who, why = unblind_as.strip(), because.strip()
    if bool(who) != bool(why):
        raise StopError(
            "expected a name and a reason, which are stored: --unblind-as NAME --because REASON"
        )

    async def unblind(db: AsyncSession) -> None:
        run = await found_run(db, name, version, mode)
        if who and run.closed_at is None:
            note_unblinding(db, run, who, why, utc_now())
        # Before it is written: nothing leaves the server without a row.
        kinds = ["outcomes"] if who or run.closed_at is not None else []
        kinds += ["texts"] * with_texts + ["states"] * with_states
        what = f"to {out}, with {', '.join(kinds)}" if kinds else f"to {out}, without outcomes"
        note_act(db, COMMAND_LINE, "export", name, utc_now(), study=name, detail=what)

    if with_states:
        refuse_without_pyarrow()
    try:
        refuse_taken(out)
        measures = measures_of(measure or ())
    except (ExportFolderError, MeasureFileError) as error:
        raise StopError(str(error)) from error
    in_database(settings, unblind)
    stored = read_stored(settings, name, version, mode)
    context = ExportContext(
        stored, secret_key(settings.data_dir), with_texts=with_texts, measures=measures
    )
    logs = logs_of(settings)
    with_outcomes = stored.is_closed or bool(who)
    try:
        with progress("episodes") as tell:
            found = write_export(
                context,
                logs,
                out,
                with_outcomes=with_outcomes,
                with_states=with_states,
                tell=tell,
            )
    except ExportFolderError as error:
        raise StopError(str(error)) from error
    told = ", ".join(f"{count} {table}" for table, count in found.rows.items())
    echo(f"{out}: {told}")
    if not with_outcomes:
        echo(
            f"{name} is open: outcomes are left out until it is closed (`cohabit study close "
            f"{name}`). Who must have them gives a name and a reason, which are stored: "
            "--unblind-as NAME --because REASON"
        )
    if stored.manifest.study.purpose == "exploratory":
        echo("exploratory: no analysis was declared before these data")


def refuse_without_pyarrow() -> None:
    """Raise StopError where states cannot be written, before anything is."""
    try:
        import pyarrow  # noqa: F401
    except ModuleNotFoundError as error:
        raise StopError(
            "states are written as Parquet by pyarrow, which is not installed: install it with "
            "`pip install 'cohabit[parquet]'`, or export without --with-states"
        ) from error
