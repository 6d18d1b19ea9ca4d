"""The end of an episode: who has finished, how long robots are waited for, and success."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from copy import copy
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec import UNSET

from episodes.dataset import Task
from episodes.teams import Team
from server.recording.log_checksums import verify
from server.recording.log_records import encode
from server.recording.log_writer import keyframe_of
from server.recording.replay import episodes_in, fold_all, resume
from server.sessions.core import SessionCore
from server.sessions.events import (
    Event,
    FinishChanged,
    LimitChanged,
    OccupantChanged,
    PhaseChanged,
    PresenceChanged,
)
from server.sessions.intents import Finish, Ready
from server.sessions.spec import TICK_RATE, Ending, SessionSpec
from server.sessions.state import Seated
from tests.server.sessions.first_house_sessions import (
    HUMAN,
    ROBOT,
    Recording,
    episode_spec,
    simulator,
    task,
)

BESIDE_A_ROBOT = "human=person,robot=expert"
TWO_PEOPLE = "human=person,human=person,robot=expert"


def session(team: str, chosen: Task | None = None, **options: Any) -> Recording:
    """Return a recorded session whose episode runs; policies are names that nobody plays."""
    chosen = chosen or task(2)
    given = {"ending": Ending(), **options}
    spec = SessionSpec.of("ses_1", Team.parse(team), 1, **given)
    limit = episode_spec(chosen, time_limit_s=900.0)
    recording = Recording(SessionCore(spec, limit, chosen, simulator()))
    recording.step([(seat, Ready()) for seat in recording.core.seats])
    assert recording.core.phase == "running"
    return recording


def run(recording: Recording, ticks: int) -> None:
    for _ in range(ticks):
        recording.step()


# Finishing


def test_a_robot_has_twenty_seconds_after_the_last_person() -> None:
    recording = session(TWO_PEOPLE)
    core = recording.core
    recording.step([("human_0", Finish())])
    run(recording, 30 * TICK_RATE)
    assert core.phase == "running"
    recording.step([("human_1", Finish())])
    run(recording, 20 * TICK_RATE - 1)
    assert core.phase == "running"
    assert PhaseChanged("ended", "finished") in recording.step().events


def test_a_robot_has_twenty_seconds_after_the_last_unfinished_person_left(tmp_path: Path) -> None:
    recording = session(TWO_PEOPLE, finish_wait_s=0.0)
    core = recording.core
    recording.step([("human_0", Finish())])
    run(recording, 60 * TICK_RATE)
    core.set_presence("human_1", "gone")
    recording.step()
    run(recording, 10 * TICK_RATE)
    file = tmp_path / "left.jsonl"
    file.write_bytes(recording.data())
    again, log, _ = resume(file, simulator, now=1.0)
    assert again.seats["human_1"].left_tick == core.seats["human_1"].left_tick
    log.close(1.0)
    run(recording, 10 * TICK_RATE - 1)
    assert core.phase == "running"
    assert PhaseChanged("ended", "finished") in recording.step().events


def test_who_had_finished_and_leaves_gives_robots_no_more_time() -> None:
    recording = session(TWO_PEOPLE, finish_wait_s=0.0)
    core = recording.core
    recording.step([("human_0", Finish()), ("human_1", Finish())])
    run(recording, 15 * TICK_RATE)
    core.set_presence("human_1", "gone")
    run(recording, 5 * TICK_RATE - 1)
    assert core.phase == "running"
    assert PhaseChanged("ended", "finished") in recording.step().events


def test_a_robot_that_finishes_is_not_waited_for() -> None:
    recording = session(BESIDE_A_ROBOT)
    recording.step([(HUMAN, Finish())])
    assert PhaseChanged("ended", "finished") in recording.step([(ROBOT, Finish())]).events


@pytest.mark.parametrize(("wait", "ticks"), [(0.0, 1), (2.0, 61)])
def test_how_long_a_robot_has_is_an_option(wait: float, ticks: int) -> None:
    recording = session(BESIDE_A_ROBOT, ending=Ending(robot_wait_s=wait))
    steps = itertools.count(1)
    asked: list[Any] = [(HUMAN, Finish())]
    assert next(n for n in steps if _ended(recording, asked if n == 1 else [])) == ticks


def _ended(recording: Recording, asked: list[Any]) -> bool:
    return PhaseChanged("ended", "finished") in recording.step(asked).events


def test_without_a_wait_the_policies_decide() -> None:
    recording = session(BESIDE_A_ROBOT, ending=Ending(robot_wait_s=None), finish_wait_s=0.0)
    recording.step([(HUMAN, Finish())])
    run(recording, 60 * TICK_RATE)
    assert recording.core.phase == "running"
    assert _ended(recording, [(ROBOT, Finish())])


def test_without_people_the_policies_decide() -> None:
    recording = session("human=scripted,robot=expert,robot=expert")
    core = recording.core
    assert recording.step([(seat, Finish()) for seat in ("human_0", "robot_0")]).events
    run(recording, 130 * TICK_RATE)
    assert (core.phase, core.time_limit_ticks) == ("running", 900 * TICK_RATE)
    assert _ended(recording, [("robot_1", Finish())])


@pytest.mark.parametrize(("stands", "ticks"), [("human_0", 20 * TICK_RATE), ("", None)])
def test_a_script_that_stands_for_a_person_is_followed_like_one(
    stands: str, ticks: int | None
) -> None:
    team = SessionSpec.of("ses_1", Team.parse("human=scripted,robot=expert"), 1).seats
    seats = tuple(
        msgspec.structs.replace(s, stands_for_person=True) if s.seat.seat_id == stands else s
        for s in team
    )
    spec = SessionSpec("ses_1", seats, 1, ending=Ending(), finish_wait_s=0.0)
    recording = Recording(SessionCore(spec, episode_spec(task(2)), task(2), simulator()))
    recording.step([(seat, Ready()) for seat in recording.core.seats])
    recording.step([(HUMAN, Finish())])
    ended = (n for n in range(1, 60 * TICK_RATE) if _ended(recording, []))
    assert next(ended, None) == ticks


def test_a_finish_taken_back_begins_the_wait_anew() -> None:
    recording = session(BESIDE_A_ROBOT)
    core = recording.core
    recording.step([(HUMAN, Finish())])
    run(recording, 19 * TICK_RATE)
    recording.step([(HUMAN, Finish(False))])
    run(recording, 5 * TICK_RATE)
    assert core.phase == "running"
    assert core.seats[HUMAN].finished_tick is UNSET
    recording.step([(HUMAN, Finish())])
    run(recording, 20 * TICK_RATE - 1)
    assert core.phase == "running"
    assert _ended(recording, [])


def test_only_a_person_that_finishes_leaves_the_others_less_time() -> None:
    recording = session(TWO_PEOPLE)
    events = recording.step([(ROBOT, Finish())]).events
    assert FinishChanged(ROBOT, True) in events
    assert not [e for e in events if isinstance(e, LimitChanged)]
    events = recording.step([("human_0", Finish())]).events
    assert [e for e in events if isinstance(e, LimitChanged)]


def test_the_limit_says_what_robots_have_after_the_last_person(tmp_path: Path) -> None:
    recording = session(TWO_PEOPLE)
    core = recording.core

    def left_s() -> float:
        assert core.state.limit is not None
        assert core.state.started_tick is not None
        return (core.state.limit - core.tick + core.state.started_tick) / TICK_RATE

    recording.step([("human_0", Finish())])
    assert left_s() == 120.0
    run(recording, 30 * TICK_RATE)
    recording.step([("human_1", Finish())])
    assert left_s() == 20.0
    run(recording, 15 * TICK_RATE)
    file = tmp_path / "finished.jsonl"
    file.write_bytes(recording.data())
    again, log, _ = resume(file, simulator, now=1.0)
    assert again.state.limit_of_programs
    log.close(1.0)
    # Who takes it back has what is left of the two minutes that the other gave.
    recording.step([("human_1", Finish(False))])
    assert left_s() == pytest.approx(120.0 - 45.0, abs=0.1)
    recording.step([("human_0", Finish(False))])
    assert core.state.limit == core.state.full_limit
    recording.step([("human_0", Finish()), ("human_1", Finish())])
    assert left_s() == 20.0


def test_no_time_of_a_pause_counts_as_waiting(tmp_path: Any) -> None:
    recording = session(TWO_PEOPLE, pause_while_away=True)
    core = recording.core
    recording.step([("human_0", Finish()), ("human_1", Finish())])
    run(recording, 10 * TICK_RATE)
    core.set_presence("human_1", "reconnecting", 90.0)
    run(recording, 40 * TICK_RATE)
    phase = core.phase
    assert phase == "paused"
    core.set_presence("human_1", "connected")
    recording.step()
    # What the log tells is what the session knows, the tick of a finish included.
    file = tmp_path / "paused.jsonl"
    file.write_bytes(recording.data())
    again, log, _ = resume(file, simulator, now=1.0)
    assert again.seats["human_1"].finished_tick == core.seats["human_1"].finished_tick
    log.close(1.0)
    run(recording, 10 * TICK_RATE - 2)
    phase = core.phase
    assert phase == "running"
    run(recording, 2)
    assert core.phase == "ended"


# Leaving


@pytest.mark.parametrize("people", [2, 3, 5])
def test_one_of_several_who_leaves_ends_nothing(people: int) -> None:
    recording = session(f"{people}human")
    core = recording.core
    core.set_presence("human_0", "gone")
    run(recording, 30 * TICK_RATE)
    assert core.phase == "running"
    recording.step([(f"human_{n}", Finish()) for n in range(1, people)])
    assert core.result().reason == "finished"


@pytest.mark.parametrize("people", [2, 3, 5])
def test_the_last_unfinished_who_leaves_ends_it_in_that_tick(people: int) -> None:
    recording = session(f"{people}human")
    recording.step([(f"human_{n}", Finish()) for n in range(1, people)])
    run(recording, TICK_RATE)
    assert recording.core.phase == "running"
    recording.core.set_presence("human_0", "gone")
    assert _ended(recording, [])


@pytest.mark.parametrize("finishes", [True, False])
def test_who_leaves_after_finishing_has_done_their_part(finishes: bool) -> None:
    recording = session("2human")
    core = recording.core
    recording.step([("human_0", Finish())] if finishes else [])
    run(recording, 2 * TICK_RATE)
    core.set_presence("human_0", "gone")
    run(recording, TICK_RATE)
    recording.step([("human_1", Finish())])
    assert core.phase == "ended"
    assert set(core.result().gone) == (set() if finishes else {"human_0"})


def test_a_policy_in_place_of_who_left_is_waited_for_like_a_robot() -> None:
    recording = session("2human")
    core = recording.core
    core.set_presence("human_0", "gone")
    core.set_occupant("human_0", "expert", stands_in=True)
    core.set_presence("human_0", "connected")
    recording.step([("human_1", Finish())])
    run(recording, 20 * TICK_RATE - 1)
    assert core.phase == "running"
    assert _ended(recording, [])


# Older sessions


def test_what_older_sessions_write_is_what_they_wrote() -> None:
    recording = session(BESIDE_A_ROBOT, ending=UNSET)
    core = recording.core
    events = recording.step([(ROBOT, Finish())]).events
    assert [e for e in events if isinstance(e, LimitChanged)]
    recording.step([(ROBOT, Finish(False)), (HUMAN, Finish())])
    run(recording, 30 * TICK_RATE)
    assert core.phase == "running"
    assert b"finished_tick" not in encode(keyframe_of(core))
    assert b'"ending"' not in recording.data()


def test_a_wait_is_a_number_of_seconds_or_none() -> None:
    for wrong in (-1.0, float("inf"), float("nan")):
        with pytest.raises(ValueError, match="expected a robot_wait_s of 0 or more seconds"):
            Ending(robot_wait_s=wrong)
    assert msgspec.json.encode(Ending(robot_wait_s=None)).endswith(b'"robot_wait_s":null}')


# Whatever happens

OCCUPANTS = st.sampled_from(["human=person", "robot=person", "human=scripted", "robot=expert"])
WAIT_TICKS = 12
DEEDS = st.tuples(
    st.integers(0, 4),
    st.sampled_from(["finish", "finish", "withdraw", "leave", "return", "drop", "stand in"]),
    st.integers(0, 2 * WAIT_TICKS),
)


def _do(core: SessionCore, seat: str, deed: str) -> None:
    mine = core.spec.seats[list(core.seats).index(seat)].policy
    match deed:
        case "finish" | "withdraw":
            core.submit(seat, Finish(deed == "finish"))
        case "leave":
            core.set_presence(seat, "gone")
        case "return":
            core.set_presence(seat, "connected")
            if core.seats[seat].stands_in:
                core.set_occupant(seat, "")
        case "drop":
            core.set_presence(seat, "reconnecting", 30.0)
        case "stand in" if not mine:
            core.set_presence(seat, "gone")
            core.set_occupant(seat, "expert", stands_in=True)
            core.set_presence(seat, "connected")


@settings(max_examples=settings().max_examples // 3)
@given(
    st.lists(OCCUPANTS, min_size=1, max_size=5),
    st.lists(DEEDS, max_size=12),
    st.booleans(),
)
@example(["human=person"] * 2, [(0, "finish", 0), (1, "stand in", 11)], False)
def test_an_episode_ends_once_and_neither_early_nor_late(
    occupants: list[str], deeds: list[tuple[int, str, int]], pauses: bool
) -> None:
    recording = session(
        ",".join(occupants),
        ending=Ending(robot_wait_s=WAIT_TICKS / TICK_RATE),
        pause_while_away=pauses,
        finish_wait_s=0.0,
    )
    core = recording.core
    seats = list(core.seats)
    played_since = dict.fromkeys(seats, 0)
    """Ticks that were played since each seat's last finish."""
    played_without: dict[str, int] = {}
    """Ticks that were played since somebody left without having finished."""

    def who_left(events: Sequence[Event], was: Mapping[str, Seated]) -> None:
        a_policys = {seat for seat, seated in was.items() if seated.policy}
        finished = {seat for seat, seated in was.items() if seated.finished}
        for event in events:
            match event:
                case OccupantChanged(seat, policy):
                    (a_policys.add if policy else a_policys.discard)(seat)
                case FinishChanged(seat, done):
                    (finished.add if done else finished.discard)(seat)
                case PresenceChanged(seat, presence) if seat not in a_policys | finished:
                    played_without.pop(seat, None)
                    if presence == "gone":
                        played_without[seat] = 0

    def ticks(count: int) -> None:
        while count > 0 and core.phase != "ended":
            count -= 1
            before = core.phase
            was = {seat: copy(core.seats[seat]) for seat in seats}
            if before == "running":
                played_without.update({seat: n + 1 for seat, n in played_without.items()})
            who_left(recording.step().events, was)
            for seat, seated in core.seats.items():
                if seated.finished and not was[seat].finished:
                    played_since[seat] = 0
                elif before == "running":
                    played_since[seat] += 1
            if core.phase == "running" and before != "paused":
                there = [s for s in seats if core.seats[s].presence != "gone"]
                people = [s for s in there if not core.seats[s].policy]
                assert not there or not all(core.seats[s].finished for s in there)
                assert (
                    not people
                    or not all(core.seats[s].finished for s in people)
                    or min([*(played_since[s] for s in people), *played_without.values()])
                    < WAIT_TICKS
                )

    for number, deed, wait in deeds:
        if core.phase != "ended":
            _do(core, seats[number % len(seats)], deed)
            ticks(1 + wait)
    there = [s for s in seats if core.seats[s].presence != "gone"]
    people = [s for s in there if not core.seats[s].policy]
    if core.state.end_reason == "finished":
        assert all(core.seats[s].finished for s in (people or there))
        if not all(core.seats[s].finished for s in there):
            assert people
    elif core.state.end_reason == "left":
        assert not people
    events = [e for t in recording.ticks for e in t.events if isinstance(e, PhaseChanged)]
    assert sum(e.phase == "ended" for e in events) == (core.phase == "ended")
    header, lines = episodes_in(verify(recording.data()).data)[-1]
    told = fold_all(header, lines).state
    assert (told.phase, told.end_reason, told.ended_tick) == (
        core.phase,
        core.state.end_reason,
        core.state.ended_tick,
    )
    assert {s: v.finished_tick for s, v in told.seats.items()} == {
        s: v.finished_tick for s, v in core.seats.items()
    }
