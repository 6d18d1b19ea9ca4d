"""Practice of a tutorial: what of it is missing, as its recording shows, and how long is left."""

from __future__ import annotations

import asyncio
import sys
from datetime import datetime, timedelta

import msgspec
import structlog

from matchmaking.study.pages import Tutorial
from matchmaking.tutorials import PRACTICE
from server.recording.archive import PACKED_SUFFIX
from server.recording.tutorial_criterion import Skill
from server.settings import Settings
from server.store.tickets import DoneTask, first_match_at
from server.web.participants.visit_context import VisitContext

log = structlog.get_logger(__name__)

CHECK_S = 20.0
"""Longest time (s) for reading a recording."""


async def practice_left_s(at: VisitContext, when: datetime | None = None) -> float | None:
    """Return how long somebody may practise from a time on (s); None: for as long as they like.

    It counts from their first home there; below 0 they are late. ``when`` is now where nothing is
    said.
    """
    page = at.page
    if not isinstance(page, Tutorial) or page.limit_s is None:
        return None
    async with at.state.database.transaction() as db:
        began_at = await first_match_at(db, at.visit.participant_id, PRACTICE)
    passed = timedelta() if began_at is None else (when or at.state.now()) - began_at
    return page.limit_s - passed.total_seconds()


async def missing_practice(settings: Settings, task: DoneTask) -> list[Skill]:
    """Return the steps of a tutorial that were not done before its task was.

    Nobody is held back for a recording that cannot be read: its loss is none of their doing.
    """
    packed = settings.archive_dir / f"{task.session_id}{PACKED_SUFFIX}"
    path = packed if packed.exists() else settings.log_path(task.session_id)
    check = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "server.recording.tutorial_check",
        str(path),
        task.seat_id,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        output, complaint = await asyncio.wait_for(check.communicate(), CHECK_S)
        return msgspec.json.decode(output, type=list[Skill])
    except TimeoutError:
        check.kill()
        await check.wait()
        log.warning("tutorial.unreadable", session=task.session_id, reason="it took too long")
    except msgspec.DecodeError:
        last = complaint.decode(errors="replace").strip().rpartition("\n")[2]
        log.warning("tutorial.unreadable", session=task.session_id, reason=last)
    return []
