"""Reports of things that were in a hand: put down, held at the end, or carried by."""

from __future__ import annotations

from pathlib import Path

import pytest

from episodes.drawing.steps import steps_of
from episodes.evaluation.account_sentences import clock
from episodes.houses import first_house
from server.recording.log_records import TickLine
from server.recording.recordings import read_recording
from server.reports.page import HELD_SUCCESS, Actor, Report, make_report
from server.reports.placements import placements
from server.reports.recorded_words import recorded_words
from server.robots.baselines.scripted_player import Go, Put, Rest, Step
from server.sessions.events import Did
from tests.server.recording.short_recordings import HUMAN, Script, record

YOU = Actor("you", "human", "human-1")


def report(folder: Path, script: Script) -> tuple[Report, dict[int, tuple[int, int]], list[int]]:
    """Return the report of the first task, its satisfied and placed ticks, and those of acts."""
    log = folder / "ses_1.jsonl"
    record(log, 1, script)
    (recording,) = read_recording(log)
    assert recording.result is not None
    verdict = recording.result.verdict
    steps = steps_of(recording.header.task, *first_house(), verdict, "people")
    lines = list(recording.decoded())
    start = next(
        (line.tick for line in lines if isinstance(line, TickLine) and line.events),
        recording.header.tick,
    )
    found = placements(steps, verdict, lines, start)
    # They are known before anything is drawn; words are as the recording has them.
    known = recorded_words(log, recording.episode_id, verdict).placements
    assert [(n, p.tick, p.seat, p.holder) for n, p in known.items()] == [
        (n, p.tick, p.seat, p.holder) for n, p in found.items()
    ]
    ticks = {
        p.index: (p.satisfied_tick or 0, found[p.index].tick or 0)
        for p in verdict.propositions
        if p.index in found
    }
    acts = [
        line.tick - start
        for line in lines
        if isinstance(line, TickLine)
        for event in line.events
        if isinstance(event, Did) and event.verb == "place"
    ]
    made = make_report(verdict, "finished", 9000, {HUMAN: YOU}, placed=found)
    return made, ticks, acts


def by_the_table(steps: list[Step], *then: Step) -> list[Step]:
    """Return a solution that ends at the table, with the last thing still in the hand."""
    *before, last, done = steps
    assert isinstance(last, Put)
    return [*before, Go(last.target), Rest(30), *then, done]


def test_what_is_still_in_the_hand_at_the_end_is_said_to_be(tmp_path: Path) -> None:
    made, _, _ = report(tmp_path, by_the_table)
    assert (made.percent, made.sentence) == (100, HELD_SUCCESS)
    held = [row for row in made.rows if row.mark_text == "Counts"]
    assert len(held) == 1
    assert held[0].at == ""
    assert "book was held at the coffee table by you at the end, not put down." in held[0].note


@pytest.mark.parametrize("other_way_round", [False, True])
def test_done_is_when_it_was_put_down_and_not_when_it_was_carried_by(
    tmp_path: Path, other_way_round: bool
) -> None:
    # Whichever came first: the evaluator names one of the two with which the last row came true.
    def carried_by(steps: list[Step]) -> list[Step]:
        first, done = steps[:2], steps[-1]
        steps = [*steps[2:-1], *first, done] if other_way_round else steps
        return by_the_table(steps, Rest(300), steps[-2])

    made, ticks, acts = report(tmp_path, carried_by)
    assert [row.actor for row in made.rows] == [YOU, YOU]
    ((came, put),) = [(came, put) for came, put in ticks.values() if put - came > 60]
    assert put == acts[-1]
    assert made.rows[1].at == clock(put)
    colour = "red" if other_way_round else "blue"
    assert [row.note for row in made.rows] == [
        "",
        f"At {clock(came)} the {colour} book was in your hand at the coffee table, and the rules "
        f"count that already; it was put down at {clock(put)}.",
    ]


def test_what_was_put_down_at_once_needs_no_word(tmp_path: Path) -> None:
    made, _, _ = report(tmp_path, list)
    assert [(row.mark_text, row.note) for row in made.rows] == [("Done", ""), ("Done", "")]
    assert made.sentence == "Task complete: everything is where it should be."
