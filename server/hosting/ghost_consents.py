"""Consents of those whom ghosts replay, asked again whenever a session begins."""

from __future__ import annotations

import asyncio

from episodes.teams import Team
from matchmaking.study.pages import Permission
from server.hosting.hosted_session import HostError
from server.robots.policy_spec import RobotError
from server.robots.registry.replayed_sessions import WITHDRAWN, replayed_sessions
from server.store.consents import sessions_without
from server.store.database import Database


async def refuse_withdrawn(database: Database, team: Team) -> None:
    """Raise HostError where a ghost of a team replays somebody who has withdrawn since."""
    ghosts = [name for name in team.policies.values() if name.startswith("ghost")]
    if not ghosts:
        return
    try:
        replayed = await asyncio.to_thread(replayed_sessions, ghosts)
    except RobotError as error:
        raise HostError(str(error)) from error
    async with database.transaction() as db:
        without = await sessions_without(db, Permission.REPLAY)
    for name, spec in replayed.items():
        if spec.session_id in without:
            raise HostError(f"{name}: {WITHDRAWN}")
