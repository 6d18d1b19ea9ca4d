"""`cohabit study problems`: what people of a study have reported, and when it paused."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from server.cli.databases import in_database
from server.cli.options import StudyName
from server.cli.settings import read_settings
from server.cli.stop import StopError
from server.cli.study.opened_studies import found_study
from server.cli.terminal import echo

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncSession

    from server.store.visit_models import StudyPauseRow, TroubleRow


def problems(name: StudyName) -> None:
    """List what people of a study have reported, and when and why its recruiting paused."""
    from server.store.study_pauses import pauses_of, troubles_of

    async def work(db: AsyncSession) -> tuple[list[StudyPauseRow], list[TroubleRow]]:
        await found_study(db, name)
        return await pauses_of(db, name), await troubles_of(db, name)

    pauses, troubles = in_database(read_settings(), work)
    for pause in pauses:
        until = f"until {_time(pause.resumed_at)}" if pause.resumed_at else "and is paused still"
        echo(f"{_time(pause.paused_at)} paused ({pause.cause}) {until}: {pause.text}")
    for trouble in troubles:
        where = f"at {trouble.place}" + (f", {trouble.session_id}" if trouble.session_id else "")
        echo(f"{_time(trouble.reported_at)} {trouble.visit_id} {where}: {_one_line(trouble.text)}")
    echo(f"{len(troubles)} problems reported, {len(pauses)} pauses")


def resume(name: StudyName) -> None:
    """Let a study that has paused its recruiting take people again."""
    from server.store.operator_acts import COMMAND_LINE, note_act
    from server.store.study_pauses import resume_study
    from server.wall_clock import utc_now

    async def work(db: AsyncSession) -> int:
        await found_study(db, name)
        ended = await resume_study(db, name, utc_now())
        if ended:
            note_act(db, COMMAND_LINE, "resume_study", name, utc_now(), study=name)
        return ended

    if not in_database(read_settings(), work):
        raise StopError(f"study {name!r} has not paused its recruiting")
    echo(
        f"{name} takes people again. What made it pause may do so again: what is spent stays "
        "spent, and a study that has all its groups has them still."
    )


def _time(at: datetime) -> str:
    return at.strftime("%Y-%m-%d %H:%M:%SZ")


def _one_line(text: str) -> str:
    # What people write must not look like lines of ours, nor drive a terminal.
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())
