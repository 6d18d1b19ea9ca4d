"""Words of the rows of a report, with the names that players read. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from episodes.drawing.steps import TaskSteps
from episodes.evaluation import PropositionOutcome, Verdict
from episodes.evaluation.account import Expectation, Named
from episodes.evaluation.account_sentences import capital, expected_text, reached_text


def row_words(steps: TaskSteps, verdict: Verdict) -> dict[int, str]:
    """Return the words of each row of a verdict, by its index."""
    found: dict[int, str] = {}
    for step in steps.steps:
        found |= _of_step(step.expected, rows_of(step.expected, verdict))
    return found


def rows_of(step: Expectation, verdict: Verdict) -> list[PropositionOutcome]:
    """Return the rows of a step: its copies, which ask for one, two and so on, then itself."""
    rows = [p for p in verdict.propositions if p.original == step.index]
    return sorted(rows, key=lambda p: (p.index == step.index, p.index))


def enumerated_rows(
    step: Expectation, verdict: Verdict
) -> Iterable[tuple[int, PropositionOutcome]]:
    """Yield the rows of a step, each with how many things it asks for."""
    rows = rows_of(step, verdict)
    if len(rows) == 1:
        yield step.numbers[0], rows[0]
    else:
        yield from enumerate(rows, 1)


def _of_step(step: Expectation, rows: Sequence[PropositionOutcome]) -> dict[int, str]:
    found = {}
    left = list(step.groups[0])
    # Where all are asked for, what is left is what is missing.
    asks_for_all = len(rows) > 1 and step.numbers[0] == len(left)
    for part, row in enumerate(rows, 1):
        if row.satisfied:
            text = _reached(step, row, left, part)
        elif len(rows) == 1:
            text = step.text
        else:
            group = (left.pop(0),) if asks_for_all and left else tuple(left or step.groups[0])
            asked = msgspec.structs.replace(step, groups=(group, *step.groups[1:]), numbers=(1,))
            text = expected_text(asked)
        found[row.index] = f"{capital(text)}."
    return found


def _reached(step: Expectation, row: PropositionOutcome, left: list[Named], part: int) -> str:
    """Tell what came about, and take the thing that it came about with from what is left."""
    things = recorded_in(step, row, 0)
    places = recorded_in(step, row, 1) if len(step.groups) > 1 else []
    fresh = [thing for thing in things if thing in left] or (left[:] if len(left) == 1 else [])
    for thing in fresh:
        left.remove(thing)
    return reached_text(step, fresh or list(step.groups[0]), places, 0 if fresh else part)


def recorded_in(step: Expectation, row: PropositionOutcome, group: int) -> list[Named]:
    """Return those of a group of an expectation with which a row came true."""
    values = list((row.satisfied_with or {}).values())[: len(step.groups)]
    recorded = values[group] if group < len(values) else []
    keys = recorded if isinstance(recorded, (list, tuple)) else [recorded]
    return [thing for thing in step.groups[group] if thing.handle in keys]
