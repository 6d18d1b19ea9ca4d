"""Data of a study as a server would have stored it, for tests of exports.

Two pairs of people and one person with a robot. The first pair played two tasks, of which the log
of one is there; of the second pair somebody has withdrawn; the third group plays.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from episodes.tasks import first_tasks
from matchmaking.assignment.assignment import Assignment
from matchmaking.assignment.group_plan import GroupPlan
from matchmaking.assignment.places import Places
from matchmaking.study import Study
from matchmaking.study.instruments.trust import TRUST
from matchmaking.study.pages import Lobby, Permission, Play, Quiz, Survey
from matchmaking.study.questions import Kind, Question
from matchmaking.tickets import State
from server.research.exports.context import ExportContext
from server.research.exports.export import Exported, write_export
from server.research.exports.played_episodes import Logs
from server.research.exports.stored_study import StoredStudy, stored_study
from server.research.measures.measure import Measure
from server.research.measures.registry import MEASURES
from server.research.studies.manifest import Manifest
from server.robots.baselines.scripted_player import Speak
from server.sessions.results import EpisodeResult
from server.sessions.spec import EpisodeSpec
from server.store import Database
from server.store.draws import append_draws
from server.store.episodes import Provenance, add_episode, note_watched, store_result
from server.store.models import (
    EpisodeRow,
    MatchRow,
    OccupancyRow,
    ParticipantRow,
    SessionRow,
    TicketRow,
)
from server.store.readings import add_reading
from server.store.shown_explanations import ShownExplanation, add_shown
from server.store.snapshots import hold_snapshot
from server.store.study_runs import add_run, run_of
from server.store.visit_models import VisitRow, VisitStepRow
from server.store.visit_records import add_answers, add_consent
from server.store.visits import note_withdrawal
from tests.matchmaking.study.made_studies import (
    CONSENT,
    PAIR_CELL,
    ROBOT_CELL,
    choice,
    scale,
    study,
)
from tests.server.recording.short_recordings import record

START = datetime(2026, 11, 2, 9, tzinfo=UTC)
KEY = "k" * 40
SHOWN = ShownExplanation(
    kind="verdict", place="between", language="en", text="On to the next task\nTask complete."
)
WORDS = Question(name="remarks", kind=Kind.WORDS, text={"en": "Anything else?"}, is_required=False)
NAME = Question(
    name="street", kind=Kind.WORDS, text={"en": "Where do you live?"}, is_identifying=True
)
OF = study(
    pages=(
        CONSENT,
        Quiz(questions=(choice("understood", ("yes",)),)),
        Lobby(),
        Play(episodes=2, after_each=Survey(name="each", questions=(scale(),))),
        Survey(questions=(*TRUST.questions, WORDS, NAME)),
    ),
    cells=(replace(PAIR_CELL, target=2), replace(ROBOT_CELL, target=2)),
    factors=study().factors,
)


class Made(NamedTuple):
    """A database with a study, and what is in it."""

    database_file: Path
    recordings_dir: Path
    people: list[str]


def url(file: Path) -> str:
    """Return the address of a database file."""
    return f"sqlite+aiosqlite:///{file}"


def at(minutes: float) -> datetime:
    """Return the time so many minutes after the start."""
    return START + timedelta(minutes=minutes)


class Maker:
    """Writer of the rows that a server would have written for a study."""

    def __init__(self, database: Database, recordings_dir: Path, of: Study) -> None:
        self.database, self.recordings_dir, self.of = database, recordings_dir, of
        self.now = 0.0
        tasks = [task.task_id for task in first_tasks()]
        assignment = Assignment(of, "secret 3", tasks)
        self.places = Places(of, assignment, lambda: at(self.now).timestamp())
        self.people: list[str] = []

    async def begin(self) -> None:
        """Store the study as one that was opened."""
        manifest = Manifest(
            study_name=self.of.name,
            version=self.of.version,
            frozen_at="2026-11-01T00:00:00+00:00",
            digests={"study": "1"},
            study=self.of,
        )
        async with self.database.transaction() as db:
            add_run(db, self.of.key, msgspec.to_builtins(manifest), at(-60))

    async def end(self) -> None:
        """Store the places that were drawn."""
        async with self.database.transaction() as db:
            await append_draws(db, self.of.key, 0, self.places.assignment.ledger.records)

    async def visit(self, name: str, place: str = "play", ending: str | None = None) -> str:
        """Store a visit that has come to the lobby; return the participant's id."""
        person, visit_id = f"par_{name}", f"vis_{name}"
        self.people.append(person)
        async with self.database.transaction() as db:
            db.add(ParticipantRow(participant_id=person, cookie_hash=name, created_at=at(0)))
            await db.flush()
            row = VisitRow(
                visit_id=visit_id,
                participant_id=person,
                study=self.of.name,
                study_version=self.of.version,
                mode=self.of.mode,
                recruiter="direct",
                language="en",
                place="ended" if ending else place,
                page=0,
                ending=ending,
                n_steps=2,
                arrived_at=at(0),
                here_since=at(3),
                ended_at=at(30) if ending else None,
            )
            db.add(row)
            await db.flush()
            steps = [("consent", "lobby", 2.0), ("lobby", "play", 3.0)]
            for number, (before, after, minute) in enumerate(steps, 1):
                db.add(
                    VisitStepRow(
                        visit_id=visit_id,
                        number=number,
                        event="done",
                        from_place=before,
                        from_page=0,
                        place=after,
                        page=1,
                        at=at(minute),
                    )
                )
            given = dict.fromkeys(Permission, True)
            add_consent(db, row, "1", "digest", given, at(1))
            await add_answers(db, visit_id, "quiz", 1, {"understood": "no"}, at(1.5))
            await add_answers(db, visit_id, "quiz", 2, {"understood": "yes"}, at(1.8))
        return person

    async def group(self, name: str, people: list[str], team: str) -> tuple[str, GroupPlan]:
        """Store a group with its session; return the session's id and the plan."""
        place = self.places.of(people[0])
        assert place is not None
        plan = self.places.deal(place.number, people)
        assert plan is not None
        self.places.begin(place.number, people, [60.0] * len(people))
        seats = ["human_0", "robot_0"]
        async with self.database.transaction() as db:
            db.add(
                MatchRow(
                    match_id=f"mat_{name}",
                    policy="balanced",
                    seed=1,
                    formed_at=at(3),
                    n_waiting=2,
                    team=team,
                    study=self.of.name,
                    study_version=self.of.version,
                    study_mode=self.of.mode,
                    cell=place.cell.name,
                    place=place.number,
                    plan=msgspec.to_builtins(plan),
                )
            )
            await db.flush()
            session = SessionRow(
                session_id=f"ses_{name}",
                match_id=f"mat_{name}",
                state="closed",
                seed=1,
                simulator="household",
                profile="cohabit",
                semantics="documented",
                dataset="first",
                spec={},
                opened_at=at(3),
                closed_at=at(20),
                close_reason="finished",
            )
            db.add(session)
            await db.flush()
            for seat, person in zip(seats, people, strict=False):
                db.add(
                    TicketRow(
                        ticket_id=f"tic_{person}",
                        participant_id=person,
                        wish="study",
                        rtt_ms=40.0,
                        state=State.MATCHED,
                        joined_at=at(2),
                        left_at=at(3),
                        n_waiting_at_join=1,
                        match_id=f"mat_{name}",
                    )
                )
                await db.flush()
                db.add(
                    OccupancyRow(
                        session_id=session.session_id,
                        seat_id=seat,
                        participant_id=person,
                        since=at(3),
                        until=at(20),
                    )
                )
        return session.session_id, plan

    async def episode(
        self, session_id: str, number: int, task_id: str, result: EpisodeResult
    ) -> None:
        """Store an episode with its verdict."""
        spec = EpisodeSpec(result.episode_id, "first", task_id)
        async with self.database.transaction() as db:
            session = await db.get_one(SessionRow, session_id)
            add_episode(db, session, spec, number, Provenance("0", "Do it.", "house_0001"), at(4))
            await db.flush()
            assert await store_result(db, result, at(8))
            for person in self.people[:2]:
                visit_id = f"vis_{person.removeprefix('par_')}"
                await add_answers(
                    db, visit_id, "each", 1, {"fluent": 6}, at(9), occasion=result.episode_id
                )


async def make(folder: Path, of: Study = OF) -> Made:
    """Store the study's data below a folder."""
    file, recordings = folder / "cohabit.db", folder / "recordings"
    recordings.mkdir(parents=True)
    database = Database(url(file))
    try:
        await database.upgrade()
        maker = Maker(database, recordings, of)
        await _fill(maker)
        return Made(file, recordings, maker.people)
    finally:
        await database.close()


async def _fill(maker: Maker) -> None:
    database = maker.database
    await maker.begin()
    ann = await maker.visit("ann", ending="completed")
    bob = await maker.visit("bob", ending="completed")
    cyd = await maker.visit("cyd", ending="completed")
    dan = await maker.visit("dan", ending="withdrew")
    eve = await maker.visit("eve")
    groups: dict[str, tuple[str, GroupPlan]] = {}
    for name, people in (("one", [ann, bob]), ("two", [cyd, dan]), ("three", [eve])):
        groups[name] = await maker.group(name, people, "human=person,robot=person")
    # The log is a session's; another one plays the same solved task and has no log.
    result = record(
        maker.recordings_dir / "one.jsonl",
        script=lambda steps: [Speak("=1+1 hello"), *steps],
        episode_id="epi_1",
    )
    (maker.recordings_dir / "one.jsonl").rename(maker.recordings_dir / "ses_one.jsonl")
    for number, task in enumerate(groups["one"][1].tasks):
        changed: dict[str, Any] = {"episode_id": f"epi_{number + 1}", "session_id": "ses_one"}
        await maker.episode("ses_one", number, task.task_id, replace(result, **changed))
    task_id = groups["two"][1].tasks[0].task_id
    await maker.episode(
        "ses_two", 0, task_id, replace(result, episode_id="epi_9", session_id="ses_two")
    )
    async with database.transaction() as db:
        await note_watched(db, "ses_one", at(8) - timedelta(seconds=12.5), at(30))
        (await db.get_one(EpisodeRow, "epi_2")).watched_s = 0.0
    maker.now = 20.0
    maker.places.complete(0, [ann, bob])
    answers: dict[str, Any] = {question.name: 5 for question in TRUST.questions}
    answers |= {"remarks": "=HYPERLINK(0)", "street": "Elm Street"}
    await maker.end()
    async with database.transaction() as db:
        for read_ms in (4200, 1300):
            await add_reading(db, "vis_ann", "epi_1", read_ms, at(9))
            await add_reading(db, "vis_dan", "epi_9", read_ms, at(9))
        for visit_id, episode_id, shown in (
            ("vis_ann", "epi_1", SHOWN),
            ("vis_ann", "epi_1", SHOWN),
            ("vis_ann", "epi_1", replace(SHOWN, place="report", text="=Task complete.")),
            ("vis_dan", "epi_9", SHOWN),
        ):
            await add_shown(db, visit_id, episode_id, shown, at(8.5))
            await db.flush()
        await add_answers(
            db, "vis_ann", "survey", 1, answers, at(25), identifying=frozenset({"street"})
        )
        await note_withdrawal(db, "vis_dan", at(26))


async def close_study(made: Made, of: Study = OF) -> None:
    """Note that the study is closed."""
    database = Database(url(made.database_file))
    try:
        async with database.transaction() as db:
            run = await run_of(db, of.key)
            assert run is not None
            run.closed_at = at(60)
    finally:
        await database.close()


def read(made: Made) -> StoredStudy:
    """Read the study as an export does."""

    async def work() -> StoredStudy:
        database = Database(url(made.database_file))
        try:
            async with database.transaction() as db:
                await hold_snapshot(db)
                run = await run_of(db, OF.key)
                assert run is not None
                return await stored_study(db, run)
        finally:
            await database.close()

    return asyncio.run(work())


def exported(
    made: Made,
    target: Path,
    *,
    with_texts: bool = False,
    measures: Sequence[Measure] = MEASURES,
) -> Exported:
    """Export the study, with outcomes if it is closed."""
    stored = read(made)
    logs = Logs(made.recordings_dir, made.recordings_dir / "archive", made.database_file.parent)
    context = ExportContext(stored, KEY, with_texts=with_texts, measures=measures)
    return write_export(context, logs, target, with_outcomes=stored.is_closed)
