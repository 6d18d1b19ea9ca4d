"""The clock of a task: it waits until all people have begun, and the log says why it started."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET

from episodes.teams import Team
from server.recording.log_checksums import verify
from server.recording.replay import episodes_in, fold_all, resume
from server.sessions.core import SessionCore
from server.sessions.events import ClockStarted, LimitChanged, PhaseChanged
from server.sessions.intents import Act, Drive, Look, Place, Ready, Say, Select
from server.sessions.spec import TICK_RATE, Ending, SessionSpec
from server.sessions.task_clock import LONGEST_WAITS, TaskClock, is_a_start, rule_now
from tests.server.sessions.first_house_sessions import (
    HUMAN,
    ROBOT,
    Recording,
    episode_spec,
    simulator,
    task,
)

WAIT = 60 * TICK_RATE


def test_to_look_round_or_to_stand_is_no_start() -> None:
    starts = (Drive(0.5, 0), Act(1, "pick", "cup"), Place(1, (0, 0, 0), 0), Say("hi"), Ready())
    assert all(is_a_start(intent) for intent in starts)
    assert not any(is_a_start(i) for i in (Drive(0, 0), Look(1, 0), Select("cup")))


@given(
    begun=st.lists(st.booleans(), max_size=5),
    first=st.none() | st.integers(0, 10_000),
    after=st.integers(0, 10_000),
)
def test_it_waits_for_all_but_never_for_longer_than_it_says(
    begun: list[bool], first: int | None, after: int
) -> None:
    tick = (first or 0) + after
    rule = rule_now(TaskClock(first_tick=first), begun, 0, tick, WAIT)
    if all(begun):
        assert rule == "all"
    elif first is not None:
        assert rule == ("waited" if after >= WAIT else None)
    else:
        assert rule == ("waited" if tick >= LONGEST_WAITS * WAIT else None)


def pair(**options: Any) -> Recording:
    """Return a recorded session of two people with a minute for the task, whose episode runs."""
    spec = SessionSpec.pair("ses_1", 1)
    spec = msgspec.structs.replace(spec, ending=Ending(), **{"clock_wait_s": 60.0, **options})
    limited = episode_spec(task(2), time_limit_s=60.0)
    recording = Recording(SessionCore(spec, limited, task(2), simulator()))
    recording.step([(seat, Ready()) for seat in recording.core.seats])
    assert recording.core.phase == "running"
    return recording


def run(recording: Recording, ticks: int) -> None:
    for _ in range(ticks):
        recording.step()


def agrees(recording: Recording) -> None:
    """Check that the log tells of the clock what the session knows, and scores the same."""
    header, lines = episodes_in(verify(recording.data()).data)[-1]
    told, core = fold_all(header, lines), recording.core
    assert told.state.clock == core.state.clock
    assert (told.state.limit, told.state.full_limit) == (core.state.limit, core.state.full_limit)
    assert told.state.ended_tick == core.state.ended_tick
    assert told.scorer.verdict() == core.verdict()


def test_the_time_counts_from_when_both_have_begun() -> None:
    recording = pair()
    core = recording.core
    run(recording, 20 * TICK_RATE)
    assert core.clock_waits
    recording.step([(HUMAN, Drive(0.5, 0.0))])
    recording.step([(HUMAN, Drive(0.0, 0.0)), (ROBOT, Look(1.0, 0.0))])
    run(recording, 9 * TICK_RATE)
    assert core.clock_waits, "to look round is no start"
    events = recording.step([(ROBOT, Ready())]).events
    assert ClockStarted("all") in events
    assert core.started_tick is not None
    waited = core.tick - core.started_tick
    assert LimitChanged(waited + 60 * TICK_RATE, waited + 60 * TICK_RATE) in events
    run(recording, 60 * TICK_RATE - 1)
    assert core.phase == "running"
    assert PhaseChanged("ended", "time_limit") in recording.step().events
    result = core.result()
    assert (result.clock, result.clock_ticks) == ("all", waited)
    assert result.ticks == waited + 60 * TICK_RATE
    agrees(recording)


def test_who_does_not_begin_holds_nobody_up_for_more_than_the_wait() -> None:
    recording = pair()
    recording.step([(HUMAN, Drive(0.5, 0.0))])
    first = recording.core.tick
    while recording.core.clock_waits:
        recording.step()
    assert recording.core.tick == first + 60 * TICK_RATE
    assert recording.core.state.clock == TaskClock(recording.core.tick, "waited", first)
    agrees(recording)


def test_a_session_goes_on_from_its_log_with_the_clock_as_it_was(tmp_path: Path) -> None:
    recording = pair()
    recording.step([(HUMAN, Drive(0.5, 0.0))])
    run(recording, 12 * TICK_RATE)
    file = tmp_path / "waits.jsonl"
    file.write_bytes(recording.data())
    again, log, _ = resume(file, simulator, now=1.0)
    assert again.clock_waits
    assert again.state.clock == recording.core.state.clock
    assert again.seats[HUMAN].begun is True
    log.close(1.0)


def test_programs_alone_and_older_sessions_begin_at_once() -> None:
    recording = pair(clock_wait_s=UNSET)
    assert not recording.core.clock_waits
    assert recording.core.result is not None
    run(recording, 60 * TICK_RATE)
    assert (recording.core.result().clock, recording.core.result().clock_ticks) == ("start", 0)
    robots = SessionSpec.of("ses_1", Team.parse("human=expert,robot=expert"), 1, clock_wait_s=60.0)
    core = SessionCore(robots, episode_spec(task(2)), task(2), simulator())
    for seat in core.seats:
        core.submit(seat, Ready())
    core.step()
    core.step()
    assert not core.clock_waits
    assert core.state.clock == TaskClock(core.tick, "all")
