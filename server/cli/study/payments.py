"""`cohabit study payments`: what a study owes to whom."""

from __future__ import annotations

import os
import stat
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from server.cli.databases import in_database
from server.cli.options import StudyName
from server.cli.settings import read_settings
from server.cli.stop import StopError
from server.cli.terminal import echo

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncSession

    from server.recruiting.payments import Payments


def payments(
    name: StudyName,
    table: Annotated[
        Path | None,
        typer.Option("--csv", help="File for a table with a row for each visit."),
    ] = None,
    prolific: Annotated[
        Path | None,
        typer.Option("--prolific", help="File for the lines of Prolific's bulk bonus form."),
    ] = None,
    mode: Annotated[str, typer.Option(help="Kind of visits: live, pilot or test.")] = "live",
) -> None:
    """Count up what a study owes to whom, with what an hour of it paid.

    The files have the ids of the recruiter: keep them apart from the data.
    """
    from server.recruiting.payments import (
        UnknownStudyError,
        not_in_bulk,
        payments_csv,
        payments_of,
        prolific_bulk,
    )
    from server.store.missing_keys import check_keys
    from server.store.operator_acts import COMMAND_LINE, note_act
    from server.wall_clock import utc_now

    if mode not in ("live", "pilot", "test"):
        raise StopError(f"expected live, pilot or test for --mode, got {mode!r}")
    files = [str(file) for file in (table, prolific) if file is not None]

    async def work(db: AsyncSession) -> Payments:
        await check_keys(db, name)
        found = await payments_of(db, name, utc_now(), mode)
        if files:
            # They say who took part, and what is paid by them.
            detail = f"{mode}, written to {', '.join(files)}"
            note_act(db, COMMAND_LINE, "payments", name, utc_now(), study=name, detail=detail)
        return found

    try:
        found = in_database(read_settings(), work)
    except UnknownStudyError as error:
        raise StopError(str(error)) from error
    for file, text in ((table, payments_csv), (prolific, prolific_bulk)):
        if file is not None:
            _write(file, text(found))
    if prolific is not None and (left_out := not_in_bulk(found)):
        names = ", ".join(row.visit_id for row in left_out)
        echo(
            f"warning: {len(left_out)} visits are not in {prolific}, because their ids are not of "
            f"Prolific's form (24 hexadecimal digits): {names}",
            err=True,
        )
    _report(found)


def _write(file: Path, text: str) -> None:
    try:
        # Who took part is for nobody else on this machine.
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT, 0o600)
        with open(descriptor, "w", encoding="utf-8") as stream:
            if stat.S_ISREG(os.fstat(descriptor).st_mode):
                # A file that is there may be readable by others.
                os.fchmod(descriptor, 0o600)
                os.ftruncate(descriptor, 0)
            stream.write(text)
    except OSError as error:
        raise StopError(f"cannot write {file}: {error}") from error


def _report(found: Payments) -> None:
    from server.recruiting.payments import amount

    pay = found.study.pay
    endings = Counter(str(row.ending) for row in found.rows)
    owed = Counter(dict.fromkeys(endings, 0))
    for row in found.rows:
        owed[str(row.ending)] += row.owed.total
    for ending, count in sorted(endings.items()):
        echo(f"{ending:<18} {count:>5}  {amount(owed[ending]):>10} {pay.currency}")
    echo(f"{'all':<18} {len(found.rows):>5}  {amount(found.total):>10} {pay.currency}")
    if found.going_on:
        echo(f"{found.going_on} visits go on and are not reckoned yet")
    if found.lost:
        echo(
            f"warning: {len(found.lost)} visits are not reckoned, because the database has lost "
            f"the version of the study that they are in: {', '.join(found.lost)}",
            err=True,
        )
    if found.hourly is not None:
        hourly = amount(round(found.hourly))
        echo(f"an hour paid {hourly} {pay.currency} (median of those who completed)")
    if low := found.too_low():
        echo(
            f"warning: {len(low)} visits were paid less than {amount(pay.least_hourly)} "
            f"{pay.currency} an hour: raise the pay, or shorten the study",
            err=True,
        )
    if high := found.at_ceiling():
        names = ", ".join(row.visit_id for row in high)
        echo(
            f"warning: the time of {len(high)} visits came to more than the study pays for the "
            f"time of one (pay.time_ceiling), which is what they are owed: {names}. Somebody was "
            "away in them, waited for long, or the clock of the server was set on",
            err=True,
        )
    if pay.cap is not None and found.total > pay.cap:
        echo(f"warning: that is more than the cap of {amount(pay.cap)} {pay.currency}", err=True)
