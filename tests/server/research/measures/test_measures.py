"""Measures against hand-made episodes, and against an independent count from a raw log."""

from __future__ import annotations

import json
from math import pi
from pathlib import Path

import pytest
from msgspec.structs import replace

from episodes.bounded_files import LARGEST
from episodes.errors import CLASSES
from episodes.evaluation.verdict import PropositionChange
from episodes.trace import Attempt
from server.recording.log_records import decode
from server.recording.recordings import read_recording
from server.research.measures import (
    area_under_percent,
    blocked,
    concurrent_activity,
    first_try_success,
    functional_delay,
    idle,
    rooms_searched_twice,
    selections,
    shared_room,
    target_conflicts,
    time_to_finish,
    time_to_success,
    turning,
)
from server.research.measures.doings import Span, doings_of, merged
from server.research.measures.doings import _Reader as doings_reader
from server.research.measures.error_classes import ERROR_MEASURES, MEANINGS
from server.research.measures.measure import TEAM, Value
from server.research.measures.measure_files import MeasureFileError, measures_of
from server.research.measures.model_calls import (
    CALLS,
    INFORMATION_AGE,
    MODEL_TOKENS,
    STALE_ANSWERS,
    THINK_TIME,
)
from server.research.measures.others_work import REDONE, TAKEN, UNDONE
from server.research.measures.registry import MEASURES
from server.research.measures.talk import LINES, WORDS
from tests.server.recording.short_recordings import record
from tests.server.research.measures.hand_made import HUMAN, ROBOT, alone, call, doings, values


def test_first_try_success() -> None:
    measure = first_try_success.MEASURE
    assert values(measure, doings()) == {TEAM: 1.0}
    assert values(measure, doings(solved=False)) == {TEAM: 0.0}
    assert values(measure, doings(try_index=1)) == {TEAM: None}


def test_time_to_success_is_censored_where_there_is_none() -> None:
    compute = time_to_success.MEASURE.compute
    assert list(compute(doings())) == [Value(TEAM, 200 / 30, False)]
    assert compute(doings(solved=False)) == [Value(TEAM, 10.0, True)]


def test_time_to_finish_is_censored_where_people_had_not_finished() -> None:
    compute = time_to_finish.MEASURE.compute
    assert compute(doings(end_reason="finished")) == [Value(TEAM, 10.0, False)]
    assert compute(doings(end_reason="time_limit")) == [Value(TEAM, 10.0, True)]


def test_area_under_percent() -> None:
    measure = area_under_percent.MEASURE
    # Half for 100 ticks, all for 100 more; up to a limit of 600, 300 more.
    assert values(measure, doings()) == {TEAM: pytest.approx(150 / 300)}
    assert values(measure, doings(limit_s=20.0)) == {TEAM: pytest.approx(450 / 600)}
    assert values(measure, doings(solved=False)) == {TEAM: pytest.approx(100 / 300)}


def test_concurrent_activity() -> None:
    assert values(concurrent_activity.MEASURE, doings()) == {TEAM: pytest.approx(20 / 300)}
    assert values(concurrent_activity.MEASURE, alone()) == {TEAM: None}


def test_idle() -> None:
    found = values(idle.MEASURE, doings())
    assert found == {ROBOT: pytest.approx(230 / 30), HUMAN: pytest.approx(185 / 30)}


def test_functional_delay_is_of_who_takes_over() -> None:
    # The robot's own pause from 60 to 90 is none; the person begins 20 ticks after it at 120.
    assert values(functional_delay.MEASURE, doings()) == {ROBOT: 0.0, HUMAN: pytest.approx(20 / 30)}
    assert values(functional_delay.MEASURE, alone()) == {HUMAN: None}


def test_turning_is_in_degrees() -> None:
    assert values(turning.MEASURE, doings()) == {ROBOT: 0.0, HUMAN: pytest.approx(180.0)}


def test_model_calls_are_of_the_seat_that_asked() -> None:
    assert values(CALLS, doings()) == {ROBOT: 2.0, HUMAN: None}
    assert values(THINK_TIME, doings()) == {ROBOT: pytest.approx(2.0), HUMAN: None}
    # 15 and 45 ticks of 1/30 s.
    assert values(INFORMATION_AGE, doings()) == {ROBOT: pytest.approx(1.0), HUMAN: None}
    assert values(STALE_ANSWERS, doings()) == {ROBOT: 0.5, HUMAN: None}
    assert values(MODEL_TOKENS, doings()) == {ROBOT: 215.0, HUMAN: None}
    untold = doings()._replace(calls=[call(prompt_tokens=None)])
    assert values(MODEL_TOKENS, untold) == {ROBOT: None, HUMAN: None}


def test_errors_are_counted_by_class_and_each_class_of_actions_is_a_measure() -> None:
    found = {measure.name: values(measure, doings()) for measure in ERROR_MEASURES}
    assert found["error_missing_step"] == {ROBOT: 0.0, HUMAN: 1.0}
    assert found["error_wrong_order"] == {ROBOT: 0.0, HUMAN: 0.0}
    of_actions = {name for name, (stage, _) in CLASSES.items() if stage != "goal"} - {"OK"}
    assert set(MEANINGS) == of_actions


def test_work_of_others_that_is_undone_and_done_again() -> None:
    found = doings()
    assert values(UNDONE, found) == {TEAM: 0.0}
    cup = [
        PropositionChange(100, 0, True, ROBOT),
        # Not looked at for a while: nobody undid it.
        PropositionChange(110, 0, False, HUMAN, "dependency"),
        PropositionChange(120, 0, True, ROBOT, "dependency"),
        PropositionChange(150, 0, False, HUMAN),
        PropositionChange(160, 0, True, HUMAN),
        # Their own work, and what nobody did.
        PropositionChange(170, 0, False, HUMAN),
        PropositionChange(180, 0, True, None),
        PropositionChange(190, 0, False, ROBOT),
        PropositionChange(200, 0, True, ROBOT),
    ]
    found = doings(propositions=tuple(cup))
    assert values(UNDONE, found) == {TEAM: 1.0}
    assert values(REDONE, found) == {TEAM: 1.0}
    assert values(UNDONE, alone()) == values(REDONE, alone()) == {TEAM: None}


def test_things_taken_that_another_had_put_down() -> None:
    # The robot put the cup down at 100 and takes it again at 250, which is its own.
    assert values(TAKEN, doings()) == {ROBOT: 0.0, HUMAN: 0.0}
    found = doings()
    more = (
        Attempt(255, ROBOT, "place", "cup", where="table|top"),
        Attempt(260, HUMAN, "pick", "cup", accepted=False, rule="within_reach"),
        Attempt(265, HUMAN, "pick", "cup"),
        Attempt(270, HUMAN, "place", "cup", where="table|top"),
        Attempt(275, HUMAN, "pick", "cup"),
    )
    attempts = (*found.trace.attempts, *more)
    found = found._replace(trace=replace(found.trace, attempts=attempts))
    assert values(TAKEN, found) == {ROBOT: 0.0, HUMAN: 1.0}
    assert values(TAKEN, alone()) == {HUMAN: None}


def test_target_conflicts() -> None:
    assert values(target_conflicts.MEASURE, doings()) == {TEAM: 1.0}
    assert values(target_conflicts.MEASURE, alone()) == {TEAM: None}


def test_blocked_is_undefined_where_bodies_pass() -> None:
    assert values(blocked.MEASURE, doings()) == {ROBOT: None, HUMAN: None}


def test_rooms_searched_twice() -> None:
    assert values(rooms_searched_twice.MEASURE, doings()) == {TEAM: 1.0}
    assert values(rooms_searched_twice.MEASURE, doings()._replace(rooms=None)) == {TEAM: None}


def test_shared_room_is_time_in_one_room_with_another() -> None:
    # Both are in the kitchen for the first 50 ticks; the robot has left when the person returns.
    assert values(shared_room.MEASURE, doings()) == {
        ROBOT: pytest.approx(50 / 30),
        HUMAN: pytest.approx(50 / 30),
    }
    assert values(shared_room.MEASURE, alone()) == {HUMAN: None}
    assert values(shared_room.MEASURE, doings()._replace(rooms=None)) == {ROBOT: None, HUMAN: None}


@pytest.mark.processes
def test_selections_of_a_recorded_episode_are_what_its_raw_lines_say(tmp_path: Path) -> None:
    assert values(selections.MEASURE, doings()._replace(selected={HUMAN: 3})) == {
        ROBOT: 0.0,
        HUMAN: 3.0,
    }
    path = tmp_path / "one.jsonl"
    record(path)
    lines = path.read_text().splitlines()
    running = next(i for i, line in enumerate(lines) if '["phase","running"' in line)
    at, told = next(
        (i, json.loads(line))
        for i, line in enumerate(lines)
        if i > running and line.startswith('{"type":"tick"')
    )
    reader = doings_reader([HUMAN, ROBOT], None)
    reader.take(decode(lines[running].encode()))
    told["i"] = [[HUMAN, ["select", "cup", None], None], [HUMAN, ["select", None, None], None]]
    reader.take(decode(json.dumps(told).encode()))
    assert (at > running, reader.selected) == (True, {HUMAN: 1})


def test_talk() -> None:
    assert values(LINES, doings()) == {ROBOT: 0.0, HUMAN: 2.0}
    assert values(WORDS, doings()) == {ROBOT: 0.0, HUMAN: 5.0}


def test_measures_of_the_papers_are_those_of_the_metrics() -> None:
    found = {measure.name: values(measure, doings()) for measure in MEASURES}
    assert found["task_offloading"] == {TEAM: 0.5}
    # Nine accepted actions, two of which raised percent complete.
    assert found["extraneous_effort"] == {TEAM: pytest.approx(7 / 9)}
    assert found["exploration"] == {TEAM: 20.0}
    assert found["work_share"] == {ROBOT: 0.5, HUMAN: 0.5}
    assert found["transport_rate"] == {TEAM: 1.0}
    assert len(found) == len(MEASURES), "each has a name of its own"


def test_pauses_of_half_a_second_are_part_of_an_activity() -> None:
    assert merged([1, 2, 17, 33, 400], 300) == [Span(0, 17), Span(32, 33)]


@pytest.mark.processes
def test_idle_of_a_recorded_episode_is_what_its_raw_lines_say(tmp_path: Path) -> None:
    path = tmp_path / "one.jsonl"
    record(path)
    (recording,) = read_recording(path, LARGEST)
    found = doings_of(recording)
    # Counted from the file, with nothing of ours: ticks with a line that moves the body or did.
    signs, started = set(), None
    for line in map(json.loads, path.read_bytes().splitlines()):
        if line["type"] != "tick":
            continue
        if started is None:
            if any(event[:2] == ["phase", "running"] for event in line.get("e", ())):
                started = line["t"]
            continue
        moved = any(change[:2] == ["agent", HUMAN] for change in line.get("c", ()))
        did = any(event[:2] == ["did", HUMAN] for event in line.get("e", ()))
        if (moved or did) and line["t"] - started <= found.trace.ticks:
            signs.add(line["t"] - started)
    assert signs
    ordered = sorted(signs)
    covered = set()
    for before, after in zip([None, *ordered], ordered, strict=False):
        near = before is not None and after - before <= 15
        covered |= set(range(before + 1 if near and before is not None else after, after + 1))
    idle_s = (found.trace.ticks - len(covered - {0})) / 30
    assert values(idle.MEASURE, found)[HUMAN] == pytest.approx(idle_s)


@pytest.mark.processes
def test_turning_of_a_recorded_episode_is_what_its_raw_lines_say(tmp_path: Path) -> None:
    path = tmp_path / "one.jsonl"
    record(path)
    (recording,) = read_recording(path, LARGEST)
    has_started, before, turned = False, 0.0, 0.0
    for line in map(json.loads, path.read_bytes().splitlines()):
        changes = line["changes"] if line["type"] == "keyframe" else line.get("c", ())
        for _, seat, pose in (change for change in changes if change[0] == "agent"):
            if seat == HUMAN and line["type"] == "tick":
                angle = abs(pose[1] - before) % (2 * pi)
                turned += min(angle, 2 * pi - angle) if has_started else 0.0
            before = pose[1] if seat == HUMAN else before
        has_started |= any(event[:2] == ["phase", "running"] for event in line.get("e", ()))
    assert turned > 0
    found = values(turning.MEASURE, doings_of(recording))[HUMAN]
    assert found == pytest.approx(turned * 180 / pi)


OWN = """
from server.research.measures.measure import Measure, of_team

MEASURE = Measure(
    name="attempts",
    version=1,
    definition="Actions that were tried.",
    unit="count",
    source="intents",
    compute=lambda doings: of_team(float(len(doings.trace.attempts))),
)
"""


def test_a_measure_of_ones_own_is_a_file(tmp_path: Path) -> None:
    file = tmp_path / "attempts.py"
    file.write_text(OWN)
    *_, measure = measures_of([file])
    assert values(measure, doings()) == {TEAM: 11.0}
    with pytest.raises(MeasureFileError, match="there is a measure 'attempts' already"):
        measures_of([file, file])


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("1 +", "cannot be run: SyntaxError"),
        ("import nowhere", "cannot be run: ModuleNotFoundError"),
        ("X = 1", "expected MEASURE = Measure"),
        ("MEASURES = []", "expected MEASURE = Measure"),
        (OWN.replace("Actions that were tried.", " "), "expected MEASURE = Measure"),
    ],
)
def test_a_file_without_a_measure_is_told(tmp_path: Path, text: str, says: str) -> None:
    file = tmp_path / "mine.py"
    file.write_text(text)
    with pytest.raises(MeasureFileError, match=says):
        measures_of([file])
