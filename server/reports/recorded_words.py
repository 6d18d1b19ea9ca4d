"""Words of a report's rows from a recording alone, while its pictures are still being drawn."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from episodes.bounded_files import UnreadableError
from episodes.drawing.steps import named_steps
from episodes.evaluation import EvaluationError, Verdict
from server.recording.archive import read_log
from server.recording.log_records import Line
from server.recording.recordings import Recording, RecordingError, began_at
from server.recording.replay import RecoveryError, episodes_in
from server.reports.placements import Placement, placements
from server.reports.step_words import row_words
from server.reports.task_clock import pauses_of


class StepWords(NamedTuple):
    """Numbers of the steps by the task's propositions, and words of a verdict's rows by its.

    ``placements`` say when what was carried by was put down, ``pauses`` when the clock stood.
    """

    numbers: dict[int, int]
    words: dict[int, str]
    placements: dict[int, Placement]
    pauses: tuple[tuple[int, int], ...] = ()


NO_WORDS = StepWords({}, {}, {})


def recorded_words(log: Path, episode_id: str, verdict: Verdict) -> StepWords:
    """Read an episode's words from its recording alone, which takes a moment: without its house.

    Nothing where the recording or the episode is not there, or is of an old release.
    """
    try:
        for header, raw in episodes_in(read_log(log)):
            if header.episode_spec.episode_id == episode_id and header.surroundings is not None:
                steps = named_steps(header.task, header.surroundings, verdict)
                numbers = {s.expected.index: s.number for s in steps.steps}
                lines, start = _lines(Recording(log, header, raw, None, 0))
                placed = placements(steps, verdict, lines, start) if lines else {}
                words = row_words(steps, verdict)
                return StepWords(numbers, words, placed, pauses_of(lines, start))
    except (OSError, UnreadableError, RecoveryError, EvaluationError, KeyError):
        # The evaluator's words are there in any case.
        return NO_WORDS
    return NO_WORDS


def _lines(recording: Recording) -> tuple[list[Line], int]:
    """Return the lines of an episode and its start; none where a line of it cannot be read."""
    try:
        lines = list(recording.decoded())
    except RecordingError:
        return [], recording.header.tick
    start = began_at(lines)
    return lines, recording.header.tick if start is None else start
