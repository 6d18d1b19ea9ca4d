"""Checks of the machine: database, keys, the server that runs, operators, disk, clock and mail."""

from __future__ import annotations

import asyncio
import math
import os
import shutil
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple, TypeVar

from sqlalchemy import func, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from matchmaking.study import Study
from matchmaking.study.opening_rules import groups_wanted
from matchmaking.study.pages import Play
from server.cli.doctor_checks import (
    Finding,
    check_disk,
    check_operators,
    check_recordings,
    check_secret_key,
)
from server.cli.doctor_checks import check_database as database_of_doctor
from server.cli.preflight.checks import Found, Level, Subject, fail, in_thread, ok, warn, worst
from server.owner_lock import holder_of, lock_files
from server.personal.key_folder import KeyFolder, KeysError
from server.recruiting.operator_mail import OperatorMail
from server.recruiting.operator_notices import channels_of
from server.recruiting.operator_webhook import OperatorWebhook
from server.sessions.spec import TICK_RATE
from server.settings import Settings
from server.store import Database, DatabaseError
from server.store.member_lock import member_holder
from server.store.missing_keys import check_no_key_is_missing
from server.store.models import RecordingRow, SessionRow
from server.store.visit_models import VisitRow

T = TypeVar("T")
MOST_AHEAD = timedelta(seconds=60)
"""Most by which rows may lie in the future: servers of one database have clocks of their own."""
MOST_APART_S = 5.0
"""Most by which the clocks of this machine and of the database may differ."""


def of_doctor(finding: Finding, note: Level = "warn") -> Found:
    """Return a finding of `cohabit doctor`; ``note`` is what its notes are here."""
    level: Level = {"ok": "ok", "note": note, "problem": "fail"}[finding.level]
    return Found(level, finding.text, finding.remedy)


async def in_database(
    settings: Settings, work: Callable[[AsyncSession], Awaitable[T]], *, writes: bool = False
) -> T:
    """Read the server's database, and change nothing of its schema.

    Raises DatabaseError, with ``writes`` also for one that cannot be written.
    """
    file = settings.sqlite_file
    if file is not None and not file.exists():
        # Asking would make its folder.
        raise DatabaseError(f"{file} does not exist yet: `cohabit serve` makes it")
    database = Database(settings.database, settings.database_wait_s)
    try:
        await database.check_release()
        if writes:
            await database.check_writing()
        async with database.transaction() as db:
            return await work(db)
    finally:
        await database.close()


async def check_database(subject: Subject) -> Found:
    """Check that it answers, is whole, of this release and can be written."""
    settings = subject.settings
    found = of_doctor(await in_thread(database_of_doctor, settings))
    if found.level != "ok":
        return found
    try:
        n_visits = await in_database(settings, _visits, writes=True)
    except DatabaseError as error:
        said, _, advice = str(error).rpartition(": ")
        return fail(said or advice, advice)
    recordings = of_doctor(await in_thread(check_recordings, settings))
    if recordings.level != "ok":
        return recordings
    what = f"{settings.database_kind}, of this release, can be written; {n_visits} visits so far"
    return ok(what)


async def _visits(db: AsyncSession) -> int:
    return await db.scalar(select(func.count()).select_from(VisitRow)) or 0


async def check_keys(subject: Subject) -> Found:
    """Check that no key of people's words is missing, and that new ones can be made."""
    settings = subject.settings
    token_key = of_doctor(await in_thread(check_secret_key, settings))
    if token_key.level != "ok":
        return token_key
    keys = KeyFolder(settings.keys)
    try:
        await in_database(settings, lambda db: check_no_key_is_missing(db, keys))
    except KeysError as error:
        found, _, remedy = str(error).partition(": ")
        return fail(found, remedy)
    if not keys.exists():
        return fail(f"{keys.path} has no keys yet", "start the server: `cohabit serve` makes them")
    try:
        await in_thread(_write_once, keys.path)
    except OSError as error:
        return fail(
            f"{keys.path} cannot be written ({error.strerror}), and everybody who comes needs a "
            "key",
            "let the user that runs the server write there, on a disk with room",
        )
    return ok(f"none is missing in {keys.path} ({len(keys.people())} people), and more can be made")


def _write_once(folder: Path) -> None:
    """Write as much as many keys take, and take it away again. Raises OSError."""
    with tempfile.TemporaryFile(dir=folder) as file:
        file.write(bytes(1 << 16))
        file.flush()
        os.fsync(file.fileno())


async def check_server(subject: Subject) -> Found:
    """Check that one server runs on these data, and only one."""
    settings = subject.settings
    for file in lock_files(settings):
        holder = holder_of(file)
        if holder is None:
            continue
        if holder.leaves_within_s is not None:
            return fail(f"{holder} is about to stop", "wait until the next one has started")
        return ok(f"{holder} is the one that writes {file.parent}")
    with suppress(DatabaseError):
        if (member := await member_holder(settings)) is not None:
            return fail(
                f"the database is held by {member}, and no server runs on {settings.data_dir}",
                "run preflight where that server's data are (COHABIT_DATA_DIR)",
            )
    return fail(f"no server runs on {settings.data_dir}", "cohabit serve")


async def check_operators_here(subject: Subject) -> Found:
    """Check that operators have accounts, so that whoever acts is known by name."""
    return of_doctor(await in_thread(check_operators, subject.settings))


# Disk


class Rates(NamedTuple):
    """Bytes that a second of a session takes, while it is open and in the archive."""

    log: float
    packed: float
    sessions: int
    """Sessions that were measured; 0: the usual rates."""


USUAL = Rates(log=7000.0, packed=0.25 * 7000.0, sessions=0)
"""Rates of a pair before any session was packed here: bytes of log as docs/performance.md measures
them, of which the archive keeps a quarter at most."""


async def check_disk_room(subject: Subject) -> Found:
    """Check that the disk has room for what the declared sample will record."""
    settings = subject.settings
    found = of_doctor(await in_thread(check_disk, settings))
    if found.level != "ok" or subject.study is None:
        return found
    try:
        rates = await in_database(settings, measured_rates)
    except DatabaseError:
        rates = USUAL
    groups, group_s = groups_wanted(subject.study), seconds_of_group(subject.study, settings)
    at_once = min(groups, settings.capacity)
    needed = group_s * (rates.packed * groups + rates.log * at_once)
    places = (settings.recordings_dir, *settings.recordings_dir.absolute().parents)
    folder = next(place for place in places if place.exists())
    free = shutil.disk_usage(folder).free - settings.disk_reserve_mb * 1e6
    per_minute = 60 * rates.packed / 1e6
    measured = f"measured of {rates.sessions} sessions" if rates.sessions else "none measured yet"
    told = (
        f"{groups} groups of at most {group_s / 60:.0f} minutes record up to {_size(needed)} "
        f"({per_minute:.2f} MB a minute in the archive, {measured}; {at_once} open at once); "
        f"{_size(free)} are free"
    )
    if free < needed:
        return fail(
            told, f"make {_size(needed - free)} of room below {folder}, or a smaller sample"
        )
    if free < 2 * needed:
        return warn(told, "make more room: a second wave, or another study, would not fit")
    return ok(told)


def _size(n_bytes: float) -> str:
    return f"{n_bytes / 1e9:.1f} GB" if abs(n_bytes) >= 1e9 else f"{n_bytes / 1e6:.0f} MB"


async def measured_rates(db: AsyncSession) -> Rates:
    """Return the rates of the recordings in the archive; the usual ones where there is none."""
    row = (
        await db.execute(
            select(
                func.count(),
                func.sum(RecordingRow.ticks),
                func.sum(RecordingRow.log_bytes),
                func.sum(RecordingRow.packed_bytes),
            ).where(RecordingRow.ticks >= 60 * TICK_RATE)
        )
    ).one()
    count, ticks, log_bytes, packed_bytes = row
    if not count:
        return USUAL
    seconds = int(ticks) / TICK_RATE
    return Rates(int(log_bytes) / seconds, int(packed_bytes) / seconds, count)


def seconds_of_group(study: Study, settings: Settings) -> float:
    """Return the longest that a group plays, all tries of all its tasks (s)."""
    play = study.page_of(Play)
    tasks = study.tasks_of_a_visit if play is not None else 0
    n_tasks = (tasks or len(study.tasks.ids) or 1) + len(study.tasks.practice)
    return n_tasks * study.tasks.tries * (study.tasks.limit_s or settings.time_limit_s)


# Clock


async def check_clock(subject: Subject) -> Found:
    """Check this machine's clock against itself, the database and what lies in it."""
    settings = subject.settings
    if settings.clock_rate != 1:
        return fail(
            f"the clock goes {settings.clock_rate:g} times as fast (COHABIT_CLOCK_RATE)",
            "take COHABIT_CLOCK_RATE and COHABIT_CLOCK_SINCE away: they are for tests",
        )
    if (jump_s := await _jump(subject)) > 0.5:
        return fail(
            f"the time of day moved by {jump_s:.1f} s more or less than time passed",
            "let one program alone set the clock (chrony or systemd-timesyncd)",
        )
    now = subject.now()
    newest = await in_database(settings, _newest)
    if newest is not None and newest > now + MOST_AHEAD:
        return fail(
            f"it is {now:%Y-%m-%d %H:%M:%S} UTC here, and the database has rows of "
            f"{newest:%Y-%m-%d %H:%M:%S}",
            "set this machine's clock right (timedatectl set-ntp true)",
        )
    if settings.database_kind == "postgresql":
        apart_s = await in_database(settings, lambda db: _apart(db, subject))
        if abs(apart_s) > MOST_APART_S:
            return fail(
                f"the database's clock is {apart_s:+.1f} s from this machine's",
                "let both follow one time server (timedatectl set-ntp true)",
            )
        return ok(f"{now:%Y-%m-%d %H:%M:%S} UTC, {apart_s:+.1f} s from the database's")
    return ok(f"{now:%Y-%m-%d %H:%M:%S} UTC; no row is of a later time, and time goes evenly")


async def _jump(subject: Subject) -> float:
    """Return by how much the time of day moves otherwise than time passes (s)."""
    wall, steady = subject.now(), time.monotonic()
    await asyncio.sleep(0.2)
    passed = (subject.now() - wall).total_seconds()
    return math.fabs(passed - (time.monotonic() - steady))


async def _newest(db: AsyncSession) -> datetime | None:
    times = [
        await db.scalar(select(func.max(column)))
        for column in (SessionRow.opened_at, VisitRow.arrived_at)
    ]
    return max((at for at in times if at is not None), default=None)


async def _apart(db: AsyncSession, subject: Subject) -> float:
    theirs = await db.scalar(text("SELECT extract(epoch FROM clock_timestamp())"))
    return float(theirs or 0) - subject.now().timestamp()


# Mail


async def check_notices(subject: Subject) -> Found:
    """Check that operators hear of pauses and of what people report. Nothing is sent."""
    channels = channels_of(subject.settings)
    if not channels:
        return warn(
            "operators are told of nothing: pauses and reports of problems stand at /operator only",
            "set COHABIT_OPERATOR_MAIL with COHABIT_SMTP_URL, or COHABIT_OPERATOR_WEBHOOK",
        )
    found = []
    for channel in channels:
        assert isinstance(channel, OperatorMail | OperatorWebhook)
        try:
            found.append(ok(await channel.try_out()))
        except OSError as error:
            told = str(error) or type(error).__name__
            is_mail = isinstance(channel, OperatorMail)
            names = "COHABIT_SMTP_URL" if is_mail else "COHABIT_OPERATOR_WEBHOOK"
            what = "the mail server takes no mail" if is_mail else "the webhook cannot be reached"
            found.append(fail(f"{what} ({told})", f"see {names}"))
    return worst(found)
