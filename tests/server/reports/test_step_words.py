"""The words of a report's rows: which thing, by the name that everybody reads."""

from __future__ import annotations

from pathlib import Path

import pytest

from episodes.drawing.steps import steps_of
from episodes.houses import first_house
from server.recording.recordings import read_recording
from server.reports.recorded_words import NO_WORDS, recorded_words
from server.reports.step_words import row_words
from tests.server.recording.short_recordings import Script, record


def words(folder: Path, number: int, script: Script = list) -> list[str]:
    """Return the words of the rows after a first task was played so far, by their parts."""
    log = folder / f"ses_{number}.jsonl"
    record(log, number, script)
    (recording,) = read_recording(log)
    assert recording.result is not None
    verdict = recording.result.verdict
    steps = steps_of(recording.header.task, *first_house(), verdict, "people")
    return [row for _, row in sorted(row_words(steps, verdict).items())]


def test_each_row_of_a_step_with_two_things_says_which(tmp_path: Path) -> None:
    both, first = words(tmp_path, 1)
    assert {both, first} == {
        "The red book is on the coffee table.",
        "The blue book is on the coffee table.",
    }


def test_a_recording_alone_has_the_same_words_before_anything_is_drawn(tmp_path: Path) -> None:
    log = tmp_path / "ses_1.jsonl"
    record(log, 1, list)
    (recording,) = read_recording(log)
    assert recording.result is not None
    verdict, header = recording.result.verdict, recording.header
    steps = steps_of(header.task, *first_house(), verdict, header.spec.labels)
    said = recorded_words(log, recording.episode_id, verdict)
    assert said.words == row_words(steps, verdict) != {}
    assert said.numbers == {0: 1}
    assert recorded_words(log, "epi_other", verdict) == NO_WORDS
    assert recorded_words(tmp_path / "none", "epi_1", verdict) == NO_WORDS


def test_what_is_missing_is_what_is_not_there_yet(tmp_path: Path) -> None:
    both, first = words(tmp_path, 1, lambda steps: steps[: len(steps) // 2])
    colour = first.split()[1]
    other = {"red": "blue", "blue": "red"}[colour]
    assert first == f"The {colour} book is on the coffee table."
    assert both == f"The {other} book should be on the coffee table."
    nothing = words(tmp_path, 1, lambda _: [])
    assert set(nothing) == {
        "The red book should be on the coffee table.",
        "The blue book should be on the coffee table.",
    }


@pytest.mark.parametrize("done", [True, False])
def test_states_and_things_beside_each_other(tmp_path: Path, done: bool) -> None:
    script: Script = list if done else lambda _: []
    is_ = "is" if done else "should be"
    plate, cup, beside = words(tmp_path, 2, script)
    assert plate == f"The plate {is_} on the dining table."
    assert cup == f"The cup {is_} on the dining table."
    assert beside == f"The cup {is_} next to the plate."
    clean, _ = words(tmp_path, 4, script)
    assert clean == f"The cup {is_} clean."


def test_of_two_of_three_things_those_that_did_it_are_named(tmp_path: Path) -> None:
    rows = words(tmp_path, 6)
    toys = [row for row in rows if "wardrobe" in row]
    assert len(set(toys)) == len(toys) == 2
    missing = [row for row in words(tmp_path, 6, lambda _: []) if "wardrobe" in row]
    assert {row.split(" should be ")[0] for row in missing} == {
        "The toy truck, the stuffed toy or the ball"
    }
