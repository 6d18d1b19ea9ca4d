"""The clock of a task as people saw it: what a report tells, beside pauses."""

from __future__ import annotations

from pathlib import Path

from server.recording.recordings import read_recording
from server.reports.page import make_report
from server.reports.task_clock import TaskClock, pauses_of
from server.sessions.intents import Finish
from server.sessions.spec import TICK_RATE
from tests.server.reports.test_report_page import ACTORS
from tests.server.sessions.test_endings import TWO_PEOPLE, run, session
from tests.server.web.doubles import proposition, verdict


def test_a_pause_is_not_counted() -> None:
    clock = TaskClock(waited=300, pauses=((900, 1500), (3000, 3300)))
    told = [(600, "0:10"), (900, "0:20"), (1200, "0:20"), (1500, "0:20"), (1800, "0:30")]
    assert [(tick, clock.at(tick)) for tick, _ in told] == told
    assert clock.at(100) == "0:00"
    # What was paused before the clock started is not left out twice.
    assert TaskClock(waited=300, pauses=((0, 600),)).at(900) == "0:10"


def test_a_report_tells_the_time_of_the_clock_that_stood_in_a_pause() -> None:
    made = make_report(
        verdict(proposition(0)), "finished", 6000, ACTORS, clock=TaskClock(pauses=((30, 1230),))
    )
    plain = make_report(verdict(proposition(0)), "finished", 4800, ACTORS)
    assert made.lasted == plain.lasted == "2:40"
    tick = proposition(0).satisfied_tick
    assert tick is not None
    assert made.rows[0].at == TaskClock(pauses=((30, 1230),)).at(tick) != plain.rows[0].at


def test_the_pauses_of_a_recorded_episode_are_known(tmp_path: Path) -> None:
    recording = session(TWO_PEOPLE, pause_while_away=True)
    core = recording.core
    run(recording, 10 * TICK_RATE)
    core.set_presence("human_1", "reconnecting", 90.0)
    run(recording, 40 * TICK_RATE)
    core.set_presence("human_1", "connected")
    run(recording, 5 * TICK_RATE)
    recording.step([("human_0", Finish()), ("human_1", Finish())])
    file = tmp_path / "paused.jsonl"
    file.write_bytes(recording.data())
    (episode,) = read_recording(file)
    start = core.state.started_tick
    assert start is not None
    ((since, until),) = pauses_of(episode.decoded(), start)
    assert abs(since - 10 * TICK_RATE) <= 2
    assert abs(until - since - 40 * TICK_RATE) <= 2
