"""Marks of a timeline's steps: where something was put down, not where a hand held it."""

from __future__ import annotations

from pathlib import Path

from episodes.drawing.steps import steps_of
from episodes.drawing.timeline import Course, draw_timeline
from episodes.houses import first_house
from server.recording.recordings import read_recording
from server.replays.moments import marks_of
from server.reports.course import played
from server.robots.baselines.scripted_player import Go, Put, Rest, Step, Take
from tests.server.recording.short_recordings import HUMAN, Script, record


def course(folder: Path, script: Script) -> Course:
    """Return the course of the first task, of two books, played by a script."""
    log = folder / "ses_1.jsonl"
    record(log, 1, script)
    (recording,) = read_recording(log)
    assert recording.result is not None
    steps = steps_of(recording.header.task, *first_house(), recording.result.verdict, "people")
    story = played(recording.header, recording.decoded(), steps, lambda key: key)
    films = marks_of(story.course.steps, 0, steps)
    assert [mark.text.endswith("(in a hand, never put down there)") for mark in films] == [
        mark.is_held for mark in story.course.steps
    ]
    return story.course


def over_the_table(steps: list[Step], *then: Step) -> list[Step]:
    """Return a solution after whose last walk a thing is held over the table."""
    *before, last, done = steps
    assert isinstance(last, Put)
    return [*before, Go(last.target), Rest(60), *then, done]


def acts(found: Course) -> list[int]:
    lane = next(lane for lane in found.lanes if lane.seat == HUMAN)
    return [act.tick for act in lane.acts]


def test_a_step_is_marked_where_its_last_thing_was_put_down(tmp_path: Path) -> None:
    # Away with it, and back: what comes and goes in a hand is no step done and none undone.
    found = course(
        tmp_path,
        lambda steps: over_the_table(
            steps, Go("wardrobe_2_:0000"), Rest(30), Go("table_4_:0000"), Rest(60), steps[-2]
        ),
    )
    (mark,) = found.steps
    assert (mark.tick, mark.holds, mark.by) == (acts(found)[-1], True, "the person")
    assert not mark.is_held


def test_what_is_taken_away_again_is_undone(tmp_path: Path) -> None:
    def away(steps: list[Step]) -> list[Step]:
        *before, done = steps
        return [*before, Take("book_1_:0000"), Go("wardrobe_2_:0000"), done]

    found = course(tmp_path, away)
    assert [mark.holds for mark in found.steps] == [True, False]
    assert acts(found)[-2] == found.steps[0].tick < acts(found)[-1] <= found.steps[1].tick


def test_what_was_never_put_down_is_marked_empty_where_the_rules_count_it(tmp_path: Path) -> None:
    found = course(tmp_path, over_the_table)
    (mark,) = found.steps
    assert mark.is_held
    assert mark.tick > acts(found)[-1]
    drawn = draw_timeline(found)
    assert "step 1 held there by the person" in drawn
    assert "step 1 done" not in drawn
