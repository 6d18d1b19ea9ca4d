"""Recordings scored again, and the traces, errors and metrics that are made from them."""

from __future__ import annotations

from pathlib import Path

import pytest

from episodes.errors import error_log, goal_errors
from episodes.evaluation import Account
from episodes.metrics import goal_conditions, partnr, rows_of, seat_shares
from server.recording.recorded_houses import RecordedHouses
from server.recording.recordings import Recording, RecordingError, find_recordings, read_recording
from server.recording.rescoring import score_recording
from server.recording.traces import trace_of
from server.recording.verdict_differences import differences
from server.robots.baselines.scripted_player import Done, PutAnywhere, Take
from server.sessions.evaluation import task_of
from server.sessions.intents import Act
from tests.server.recording.short_recordings import HUMAN, record


def read(path: Path) -> Recording:
    (found,) = read_recording(path)
    return found


@pytest.mark.parametrize("number", range(1, 7))
def test_V2_the_same_verdict_field_for_field(tmp_path: Path, number: int) -> None:
    path = tmp_path / "a.jsonl"
    result = record(path, number)
    assert result.verdict.success
    scored = score_recording(read(path))
    assert scored.comparable
    assert scored.differences() == []
    assert scored.online == result.verdict


def test_other_semantics_are_no_mistake(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    record(path, 6, lambda steps: steps[2:])
    released = score_recording(read(path), "released")
    assert released.verdict.semantics == "released"
    assert not released.comparable
    found = differences(score_recording(read(path)).verdict, released.verdict)
    assert "semantics" in {d.path for d in found}
    with pytest.raises(ValueError, match="documented"):
        score_recording(read(path), "invented")


def test_V2_the_house_is_needed_for_the_explanation_only(tmp_path: Path, houses_dir: Path) -> None:
    path = tmp_path / "a.jsonl"
    record(path, 3, lambda steps: steps[2:])
    assert RecordedHouses(tmp_path).surroundings(read(path).header) is None
    scored = score_recording(read(path), houses=RecordedHouses(houses_dir))
    account = scored.verdict.account
    assert isinstance(account, Account)
    assert "The towel should be inside chest of drawers" in account.text
    assert "in the bathroom" in account.text
    assert scored.differences() == []


def test_a_torn_recording_scores_to_where_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    record(path, 1)
    data = path.read_bytes()
    path.write_bytes(data[: len(data) * 2 // 3])
    recording = read(path)
    assert recording.lost_bytes > 0
    assert recording.result is None
    scored = score_recording(recording)
    assert scored.verdict.status == "ok"
    assert scored.differences() == []


def test_what_is_no_recording(tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").write_bytes(b"")
    (tmp_path / "other.jsonl").write_text('{"hello": 1}\n')
    (tmp_path / "notes.txt").write_text("nothing")
    for path in find_recordings([tmp_path]):
        with pytest.raises(RecordingError, match=path.name):
            read_recording(path)
    assert [p.name for p in find_recordings([tmp_path])] == ["empty.jsonl", "other.jsonl"]
    with pytest.raises(RecordingError, match="no such"):
        find_recordings([tmp_path / "nowhere"])


def test_trace_of_a_session(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    result = record(path, 4)
    trace = trace_of(read(path), actors={HUMAN: "program"})
    assert trace.ticks == result.ticks
    assert trace.task_id == "4"
    assert differences(trace.verdict, result.verdict, ignore=frozenset({"account"})) == []
    assert trace.propositions
    assert [p.value for p in trace.percents] == sorted(p.value for p in trace.percents)
    assert trace.percents[-1].value == 1.0
    verbs = [a.verb for a in trace.attempts if a.seat == HUMAN]
    assert {"pick", "clean", "place", "open"} <= set(verbs)
    placed = next(a for a in trace.attempts if a.verb == "place")
    assert placed.target is not None
    assert placed.where is not None
    assert {h.by for h in trace.happenings} == {HUMAN}
    human = next(s for s in trace.seats if s.seat == HUMAN)
    assert human.actor == "program"
    assert human.distance_m > 3


def test_metrics_of_a_session(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    record(path, 1)
    recording = read(path)
    trace = trace_of(recording)
    found = partnr(trace)
    assert found.success == 1.0
    assert (found.offloading, found.offloading_study) == (0.0, 0.0)
    # Two placements raised percent complete; two picks and the opening of a drawer did not.
    assert found.extraneous == pytest.approx(1 - 2 / sum(a.accepted for a in trace.attempts))
    assert found.extraneous_study == 0.0
    _, human = seat_shares(trace)
    assert human.work_share == 1.0
    goals = goal_conditions(trace)
    assert goals is not None
    assert (goals.unmet_at_start, goals.unmet_at_end) == (2, 0)
    propositions = recording.header.task.evaluation_propositions
    assert len(rows_of(trace, propositions, trace.ticks)) > 30


def test_errors_of_a_session(tmp_path: Path, houses_dir: Path) -> None:
    """Try what is far away, has nothing to open or is not there; then undo a goal."""
    path = tmp_path / "a.jsonl"

    def undo(steps: list) -> list:  # type: ignore[type-arg]
        return [*steps[:-1], Take(steps[0].target), PutAnywhere(), Done()]

    tries = [
        Act(901, "pick", "unicorn_:0000"),
        Act(902, "pick", "plate_2_:0000"),
        Act(903, "open", "plate_2_:0000"),
    ]
    record(path, 2, undo, tries=tries)
    recording = read(path)
    surroundings = RecordedHouses(houses_dir).surroundings(recording.header)
    assert surroundings is not None
    trace = trace_of(recording)
    found = error_log(trace, within=surroundings.within, things=frozenset(surroundings.labels))
    wrong = [(r.error_class, r.subclass) for r in found.records if r.error_class != "OK"]
    assert wrong[:3] == [
        ("HALLUCINATION", "object"),
        ("MISSING_STEP", None),
        ("AFFORDANCE", "not_openable"),
    ]
    assert len(found.records) == len(trace.attempts)
    goals = goal_errors(trace, task_of(recording.header.task, recording.header.classes))
    assert {(g.cause, g.agent) for g in goals} == {("undone", HUMAN)}
