"""Ends of visits and stays in the lobby in exports, as a CONSORT diagram needs them."""

from __future__ import annotations

import asyncio
import csv
from pathlib import Path

import pytest

from matchmaking.tickets import State
from server.store import Database
from server.store.models import TicketRow
from server.store.visit_models import VisitRow, VisitStepRow
from tests.server.research.exports.made_data import Made, at, exported, make, url

pytestmark = pytest.mark.processes

ENDS = (
    ("vis_ann", "quiz", "ended", "screened_out", 4.0),
    ("vis_bob", "device", "ended", "screened_out", 4.0),
    ("vis_cyd", "play", "survey", "partner_left", 9.0),
    ("vis_cyd", "survey", "debrief", "partner_left", 10.0),
    ("vis_cyd", "debrief", "ended", "partner_left", 11.0),
    ("vis_dan", "lobby", "ended", "withdrew", 4.0),
)
STAYS = (
    ("ann", "study", State.UNREADY, 2.5, 2.8, None),
    ("ann", "study", State.GONE, 3.5, 3.75, None),
    ("eve", "study", State.WAITING, 5.0, None, None),
    ("dan", "study", State.GONE, 3.5, 3.75, None),
    ("bob", "robot", State.MATCHED, 0.5, 0.6, None),
)
"""Further stays in the lobby; Dan has withdrawn, and Bob's was the way into a practice."""


async def _add(made: Made) -> None:
    database = Database(url(made.database_file))
    try:
        async with database.transaction() as db:
            for visit_id, before, after, ending, minute in ENDS:
                visit = await db.get_one(VisitRow, visit_id)
                visit.n_steps += 1
                db.add(
                    VisitStepRow(
                        visit_id=visit_id,
                        number=visit.n_steps,
                        event="failed",
                        from_place=before,
                        from_page=0,
                        place=after,
                        page=1,
                        ending=ending,
                        at=at(minute),
                    )
                )
            for number, (name, wish, state, since, until, match) in enumerate(STAYS):
                db.add(
                    TicketRow(
                        ticket_id=f"tic_more_{number}",
                        participant_id=f"par_{name}",
                        wish=wish,
                        state=state,
                        is_first=state is State.GONE,
                        joined_at=at(since),
                        left_at=None if until is None else at(until),
                        n_waiting_at_join=3,
                        match_id=match,
                    )
                )
    finally:
        await database.close()


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the export of the study while it is open."""
    made = asyncio.run(make(tmp_path_factory.mktemp("study")))
    asyncio.run(_add(made))
    target = tmp_path_factory.mktemp("export") / "open"
    exported(made, target)
    return target


def rows(target: Path, table: str) -> list[dict[str, str]]:
    with (target / "data" / f"description-{table}_data.csv").open(newline="") as stream:
        return list(csv.DictReader(stream))


def test_a_visit_has_the_page_at_which_it_ended_and_at_which_that_was_decided(
    target: Path,
) -> None:
    assert [(v["ended_at_page"], v["decided_at_page"]) for v in rows(target, "visits")] == [
        ("quiz", "quiz"),
        ("device", "device"),
        ("debrief", "play"),
        ("lobby", "lobby"),
        ("", ""),
    ]


def test_stays_in_the_lobby_are_told_with_their_outcome(target: Path) -> None:
    ann, bob, cyd, _dan, eve = (visit["visit_id"] for visit in rows(target, "visits"))
    found = rows(target, "stays")
    told = [(s["visit_id"], s["stay_index"], s["outcome"], s["waited_s"]) for s in found]
    assert told == [
        (ann, "0", "matched", "60"),
        (ann, "1", "unready", "18"),
        (ann, "2", "gone", "15"),
        (bob, "0", "matched", "60"),
        (cyd, "0", "matched", "60"),
        (eve, "0", "matched", "60"),
        (eve, "1", "waiting", ""),
    ]
    groups = {group["group_id"] for group in rows(target, "groups")}
    assert {stay["group_id"] for stay in found} == {"", *groups}
    assert found[2]["group_fell"] == "true"
