"""Groups of studies and stays in the database: what counts, who met whom, what a restart finds."""

from __future__ import annotations

from datetime import timedelta
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace
from sqlalchemy import select

from matchmaking.assignment.records import Drawn
from matchmaking.matches import Match
from matchmaking.matchmakers.registry import matchmaker_of
from matchmaking.study import Study
from matchmaking.study.design import Tasks
from matchmaking.study.pages import Lobby, Play
from matchmaking.study_key import Mode
from matchmaking.tickets import State, Ticket, Wish
from matchmaking.visits import Standing, route_of
from server.lobby.ticket_records import TicketRecords
from server.recruiting.registry import NAMING_PEOPLE
from server.sessions.spec import SessionSpec
from server.store import Database
from server.store.draws import ForkedLedgerError, append_draws, draws_of
from server.store.identifiers import new_id
from server.store.models import EpisodeRow, MatchRow
from server.store.participants import add_participant
from server.store.sessions import add_match, add_session, close_session
from server.store.study_groups import Course, courses_of, exposures_of, started_groups
from server.store.tickets import add_ticket, end_ticket, people_met
from server.store.visits import Arrival, begin_visit
from tests.matchmaking.made_places import places_of
from tests.matchmaking.study.made_studies import CONSENT, PAIR_CELL, study
from tests.server.store.test_database import NOW

pytestmark = pytest.mark.processes

OF = study(
    factors=(),
    cells=(replace(PAIR_CELL, levels={}),),
    pages=(CONSENT, Lobby(), Play(episodes=2)),
)


async def begin(
    database: Database, of: Study = OF, ready_s: tuple[float, ...] = (), **changes: Any
) -> tuple[str, Match]:
    """Store two people of a study who were put together; return their session and match.

    ``ready_s`` are the times after the question at which they were ready.
    """
    tickets, places = [], places_of(of)
    async with database.transaction() as db:
        for number in range(2):
            person = new_id("par")
            add_participant(db, person, person, NOW)
            ticket = Ticket(
                new_id("tic"),
                person,
                Wish.STUDY,
                float(number),
                State.WAITING,
                study=of.key,
                rtt_ms=40.0,
            )
            tickets.append(ticket)
            await db.flush()
            add_ticket(db, ticket, 1, NOW, member="main")
        (match,) = matchmaker_of(of, lambda _: True)(tickets, 9.0, Random(1), places)
        assert match.place is not None
        plan = places.deal(match.place, [ticket.participant_id for ticket in tickets])
        assert match.decision is not None
        decision = match.decision.answered(dict(zip(match.ticket_ids, ready_s, strict=False)))
        match = replace(match, plan=plan, decision=decision, **changes)
        match_id = new_id("mat")
        add_match(db, match_id, match, 7, 2, NOW)
        await db.flush()
        for ticket in tickets:
            assert await end_ticket(db, ticket.ticket_id, State.MATCHED, NOW, match_id)
        spec = SessionSpec.of(new_id("ses"), match.team, 7)
        add_session(db, spec, match_id, match, "tasks.json.gz", NOW, member="main")
    return spec.session_id, match


async def judge(
    database: Database, session_id: str, match: Match, tasks: int, success: bool = True
) -> None:
    """Store verdicts of so many tasks of a session."""
    assert match.plan is not None
    async with database.transaction() as db:
        for number, task in enumerate(match.plan.tasks[:tasks]):
            row = EpisodeRow(
                episode_id=new_id("epi"),
                session_id=session_id,
                order_index=number,
                dataset="tasks.json.gz",
                task_id=task.task_id,
                scene_id="house_1",
                try_index=0,
                opened_at=NOW,
                ended_at=NOW,
                verdict={"percent_complete": 1.0},
                success=success,
                simulator="household",
                profile="cohabit@2",
                semantics="documented",
                server_version="0",
            )
            db.add(row)


async def close(database: Database, session_id: str) -> None:
    async with database.transaction() as db:
        await close_session(db, session_id, "finished", NOW)


async def course(database: Database, of: Study = OF) -> Course | None:
    """Return the course of the first group of a study."""
    async with database.transaction() as db:
        return (await courses_of(db, of.key, [0])).get(0)


async def test_a_group_plays_and_has_completed_once_all_its_tasks_are_judged(
    database: Database,
) -> None:
    assert await course(database) is None
    session_id, match = await begin(database)
    people = tuple(sorted(a.participant_id for a in match.assignments))
    found = await course(database)
    assert found is not None
    assert (tuple(sorted(found.people)), *found[1:]) == (people, False, False, None)
    await judge(database, session_id, match, 2)
    found = await course(database)
    assert found is not None
    assert found.is_complete
    await close(database, session_id)
    found = await course(database)
    assert found is not None
    assert (found.is_complete, found.closed) == (True, "finished")


async def test_K3_a_group_that_broke_off_has_not_completed(database: Database) -> None:
    session_id, match = await begin(database)
    await judge(database, session_id, match, 1)
    await close(database, session_id)
    found = await course(database)
    assert found is not None
    assert (found.is_complete, found.closed) == (False, "finished")


async def test_a_task_that_failed_is_tried_again_before_the_group_has_completed(
    database: Database,
) -> None:
    of = replace(OF, tasks=Tasks(tries=2))
    session_id, match = await begin(database, of)
    await judge(database, session_id, match, 2, success=False)
    found = await course(database, of)
    assert found is not None
    assert not found.is_complete


async def test_a_group_with_a_substitute_is_marked(database: Database) -> None:
    await begin(database, is_substituted=True)
    found = await course(database)
    assert found is not None
    assert found.is_substituted


async def test_K2_groups_of_another_version_or_mode_or_study_are_not_counted(
    database: Database,
) -> None:
    for other in (replace(OF, version=2), replace(OF, mode="pilot"), replace(OF, name="other")):
        await begin(database, other)
    assert await course(database) is None
    assert await course(database, replace(OF, mode="pilot")) is not None
    async with database.transaction() as db:
        assert await started_groups(db, OF.key) == []


async def test_exposure_and_waits_of_a_group_are_known(database: Database) -> None:
    session_id, match = await begin(database, ready_s=(2.5, 4.0))
    await judge(database, session_id, match, 1)
    ann, ben = (a.participant_id for a in match.assignments)
    async with database.transaction() as db:
        (met,) = await exposures_of(db, [ann], "tasks.json.gz")
        assert await exposures_of(db, [ann], "others.json.gz") == [], "another set has other tasks"
        (group,) = await started_groups(db, OF.key)
    assert match.plan is not None
    assert (met.task_id, met.house) == (match.plan.tasks[0].task_id, "house_1")
    assert (met.partners, met.condition, met.try_index) == ((ben,), "pair", 0)
    assert (group.place, sorted(group.people)) == (0, sorted([ann, ben]))
    assert group.waits_s == (9.0, 8.0), "until the group was there, however late it began"
    assert group.others_s == (4.0, 2.5), "each waited for the other"


async def test_draws_are_stored_once_and_nobody_else_writes_them(database: Database) -> None:
    drawn = [
        Drawn(at=0.0, place=n, stage="match", stratum="", block=0, arm="pair", who=("par",))
        for n in range(3)
    ]
    async with database.transaction() as db:
        await append_draws(db, OF.key, 0, drawn[:2])
    async with database.transaction() as db:
        # The answer to the first attempt was lost.
        await append_draws(db, OF.key, 0, drawn)
    async with database.transaction() as db:
        assert await draws_of(db, OF.key) == drawn
        assert await draws_of(db, replace(OF, version=2).key) == []
    with pytest.raises(ForkedLedgerError, match="two servers draw for it"):
        async with database.transaction() as db:
            await append_draws(db, OF.key, 1, [drawn[0]])


async def test_L14_a_match_keeps_its_condition_and_how_it_was_decided(database: Database) -> None:
    _, match = await begin(database)
    async with database.transaction() as db:
        row = (await db.scalars(select(MatchRow))).one()
    assert (row.study, row.study_version, row.study_mode) == ("partners", 1, "live")
    assert (row.policy, row.cell, row.is_substituted) == ("balanced", "pair", False)
    assert row.decision is not None
    assert row.decision["reason"] == "full"
    assert [c["ticket_id"] for c in row.decision["candidates"]] == list(match.ticket_ids)
    assert [c["wait_s"] for c in row.decision["candidates"]] == [9.0, 8.0]
    assert [c["rtt_ms"] for c in row.decision["candidates"]] == [40.0, 40.0]


async def test_people_who_sat_in_one_session_have_met(database: Database) -> None:
    _, match = await begin(database)
    await begin(database)
    ann, ben = (a.participant_id for a in match.assignments)
    async with database.transaction() as db:
        assert await people_met(db, ann) == frozenset({ben})
        assert await people_met(db, "par_nobody") == frozenset()


@pytest.mark.parametrize(
    ("recruiter", "mode", "is_known"),
    [
        ("prolific", "live", True),
        ("prolific", "pilot", True),
        # Its ids are made up.
        ("prolific", "test", False),
        # A label is somebody else's in another study.
        ("lab", "live", False),
    ],
)
async def test_people_who_met_in_an_earlier_study_have_met(
    database: Database, recruiter: str, mode: Mode, is_known: bool
) -> None:
    _, match = await begin(database)
    before = [a.participant_id for a in match.assignments]
    ann, ben, cat = new_id("par"), new_id("par"), new_id("par")
    async with database.transaction() as db:
        for person, of, who in (
            (before[0], "first", "a"),
            (before[1], "first", "b"),
            (ann, "then", "a"),
            (ben, "then", "b"),
            (cat, "then", "c"),
        ):
            if of == "then":
                add_participant(db, person, person, NOW)
                await db.flush()
            arrival = Arrival(of, 1, mode, recruiter, "en", who, {})
            await begin_visit(
                db, new_id("vis"), person, arrival, Standing.at_start(route_of(OF.pages)), NOW
            )
    async with database.transaction() as db:
        met = await people_met(db, ann, NAMING_PEOPLE)
        assert met == (frozenset({ben, before[1]}) if is_known else frozenset())
        assert await people_met(db, cat, NAMING_PEOPLE) == frozenset()
        assert ann in await people_met(db, before[1], NAMING_PEOPLE) or not is_known


async def test_L3_a_restart_finds_the_stays_that_were_not_over(database: Database) -> None:
    async def nobody_left(_seats: object) -> None:
        pass

    later = NOW + timedelta(seconds=50)
    records = TicketRecords(database, "main", nobody_left, now=lambda: NOW)
    after = TicketRecords(database, "main", nobody_left, now=lambda: later)
    _, match = await begin(database)
    async with database.transaction() as db:
        for name in ("par_new", "par_gone", "par_other"):
            add_participant(db, name, name, NOW)
    ann = match.assignments[0].participant_id
    arrival = Arrival("partners", OF.version, OF.mode, "direct", "en", None, {})
    start = Standing.at_start(route_of(OF.pages))
    async with database.transaction() as db:
        await begin_visit(db, "vis_ann", ann, arrival, start, NOW)
    waits = Ticket("tic_1", ann, Wish.STUDY, 0.0, study=OF.key, rtt_ms=55.0)
    robot = Ticket("tic_2", "par_new", Wish.ROBOT, 0.0, robot="expert:partner")
    gone = Ticket("tic_3", "par_gone", Wish.PERSON, 0.0)
    async with database.transaction() as db:
        for ticket in (waits, robot, gone):
            add_ticket(db, ticket, 0, NOW, member="main")
        elsewhere = Ticket("tic_4", "par_other", Wish.PERSON, 0.0)
        add_ticket(db, elsewhere, 0, NOW, member="another")
    await records.ticket_ended(gone, State.GONE)
    partner = frozenset({match.assignments[1].participant_id})
    assert await after.live_tickets(1000.0) == [
        replace(waits, joined_at=950.0, met=partner),
        replace(robot, joined_at=950.0),
    ]
