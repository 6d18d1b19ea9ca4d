"""Attempts without a verdict: exported, and not of the analysis by assigned condition."""

from __future__ import annotations

import asyncio
import csv
from pathlib import Path

import msgspec
import pytest

from episodes.evaluation import unavailable
from server.store import Database
from server.store.models import EpisodeRow
from tests.server.research.exports.made_data import Made, close_study, exported, make, url

pytestmark = pytest.mark.processes


async def _made(folder: Path) -> Made:
    made = await make(folder)
    await close_study(made)
    database = Database(url(made.database_file))
    try:
        async with database.transaction() as db:
            # It has no log from which it could be judged again.
            row = await db.get_one(EpisodeRow, "epi_2")
            row.verdict = msgspec.to_builtins(unavailable("a goal of no known kind", "documented"))
            row.percent_complete = row.success = None
    finally:
        await database.close()
    return made


def test_an_attempt_that_cannot_be_judged_is_not_assigned(tmp_path: Path) -> None:
    exported(asyncio.run(_made(tmp_path)), tmp_path / "data")
    with (tmp_path / "data" / "data" / "description-episodes_data.csv").open(newline="") as stream:
        found = {row["episode_id"]: row for row in csv.DictReader(stream)}
    told = [
        (row["verdict_final"], row["is_assigned"], row["is_per_protocol"])
        for row in (found["epi_1"], found["epi_2"])
    ]
    assert told == [("success", "true", "true"), ("unavailable", "false", "false")]
    assert found["epi_2"]["success"] == ""
