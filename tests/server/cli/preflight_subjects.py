"""Subjects for tests of the preflight: a study that may open, and one check at a time."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec

from matchmaking.study import Study
from server.cli.preflight.checks import Result, Subject, run_checks
from server.cli.preflight.list_of_checks import CHECKS
from server.settings import Settings
from server.store import Database
from tests.server.web.participants.visitors import PAIR, short_study


def study_of(**changes: Any) -> Study:
    """Return a study of pairs that lacks nothing."""
    made = short_study(name="homes", contact="lab@uni-nowhere.edu", cells=(PAIR,))
    return msgspec.structs.replace(made, **changes)


def checked(name: str, settings: Settings, study: Study | None = None, **more: Any) -> Result:
    """Run one check, and return its result."""
    check = next(each for each in CHECKS if each.name == name)
    told: list[Result] = []
    results = asyncio.run(run_checks([check], Subject(settings, study, **more), told.append))
    assert results == told
    return results[0]


def made_database(settings: Settings) -> None:
    """Make the database of settings, as a first start does."""

    async def make() -> None:
        database = Database(settings.database)
        await database.upgrade()
        await database.close()

    asyncio.run(make())
