"""Page of a report: from a stored verdict to the words of one of its players. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from string import ascii_lowercase
from types import MappingProxyType
from typing import Literal, NamedTuple

from episodes.dataset.vocabulary import DIFFERENT_ARG, SAME_ARG, TEMPORAL, TERMINAL
from episodes.drawing.timeline import Lane
from episodes.evaluation import PropositionOutcome, Verdict
from episodes.evaluation.account import Account
from episodes.evaluation.account_sentences import capital, seat_words
from episodes.evaluation.partnr_explanation import CONSTRAINTS_BROKEN, MISSING_STEPS
from matchmaking.study.treatment import Explanation
from server.reports.account_times import account_on_clock
from server.reports.decisions import Choice
from server.reports.hand_words import YOU, hand_of, hand_words
from server.reports.placements import Placement
from server.reports.task_clock import ON_TIME, TaskClock
from server.sessions.disclosure import told_programs
from server.sessions.spec import TICK_S, SessionSpec

Mark = Literal["done", "void", "missing"]
"""Mark of a step: done and counted; done but not as the task asks; not done."""
Tone = Literal["good", "some", "none", "unknown"]
TASK_OVER, TRY_OVER = "This task is over.", "This try is over."
SUCCESS, FAILURE = "Task complete.", "Task not complete."
"""Sentences of conditions that explain little."""
HELD_SUCCESS = "Task complete, as the rules count it: not everything was put down."


class Actor(NamedTuple):
    """Name that the reader sees behind a seat; ``look`` chooses colour and shape.

    ``note`` says what drives it, where the reader is told and would not expect it.
    """

    name: str
    kind: str
    look: str
    note: str = ""


class Row(NamedTuple):
    number: int
    """Number of the step, as in the pictures; the parts of a step ("2 of 3") share it."""
    label: str
    """Number with a letter where a step has parts: ``1b``."""
    text: str
    mark: Mark
    mark_text: str
    at: str
    actor: Actor | None
    note: str
    tick: int | None = None
    """Tick to watch: when it came true, or was undone again; None: it never came true."""


class Point(NamedTuple):
    """A thing that was wrong at the end, and what would have put it right."""

    text: str
    mend: tuple[str, ...]


class Share(NamedTuple):
    """Part of one seat in the task; ``steps`` are the labels of those that it made true."""

    actor: Actor
    steps: tuple[str, ...]
    walked_m: int
    actions: int
    messages: int


class Decided(NamedTuple):
    """A decision of a policy.

    ``at`` is counted from the start, times are in seconds; ``thought`` is empty where no model was
    asked.
    """

    at: str
    words: str
    trouble: str
    took: str
    thought: str


class Report(NamedTuple):
    sentence: str
    tone: Tone
    percent: int | None
    explanation: str
    """PARTNR's explanation, word for word."""
    points: tuple[Point, ...]
    """Our explanation: with places, names as the player sees them, and what to do."""
    rows: tuple[Row, ...]
    lasted: str


_PARTS = [f"{more}{letter}" for more in ("", *ascii_lowercase) for letter in ascii_lowercase]
"""Names of the parts of a step: ``a`` to ``zz``."""
_BROKEN = {
    TEMPORAL: "but not in the order that the task asks for",
    TERMINAL: "but it was undone before the end",
    SAME_ARG: "but not all with the same thing or place",
    DIFFERENT_ARG: "but not with different things or places",
}
_ENDS = {
    "time_limit": "Time ran out.",
    "left": "It ended because somebody left, or was away for too long.",
    "abandoned": "This home was closed because no page of it was open any more.",
    "operator": "It was ended by whoever runs this site.",
    "failed": "It was interrupted by a technical problem.",
}


def make_report(
    verdict: Verdict,
    end_reason: str,
    ticks: int,
    actors: Mapping[str, Actor],
    numbers: Mapping[int, int] = MappingProxyType({}),
    words: Mapping[int, str] = MappingProxyType({}),
    clock: TaskClock = ON_TIME,
    placed: Mapping[int, Placement] = MappingProxyType({}),
) -> Report:
    """Make the report for the player whose view ``actors`` (by seat id) is.

    Times are those of ``clock``, as the players saw it.
    ``numbers`` are those of the steps by the task's propositions, where pictures have them, and
    ``words`` those of the verdict's rows; a row without has the evaluator's words. ``placed`` are
    the placements of rows whose things were in a hand (`placements.py`).
    """
    percent = None if verdict.percent_complete is None else _percent(verdict)
    done = sum(1 for p in verdict.propositions if p.satisfied and p.valid)
    sentence, tone = _sentence(verdict, done)
    if verdict.success and any(p.holder is not None for p in placed.values()):
        sentence = HELD_SUCCESS
    if verdict.success is not True and end_reason in _ENDS:
        sentence = f"{_ENDS[end_reason]} {sentence}"
    return Report(
        sentence,
        tone,
        percent,
        _explanation(verdict),
        _points(account_on_clock(verdict, clock, _put_down(verdict, placed)), actors),
        tuple(
            sorted(
                (
                    _row(
                        p,
                        verdict,
                        actors,
                        numbers,
                        words.get(p.index) or _plain(p),
                        clock,
                        placed.get(p.index),
                    )
                    for p in verdict.propositions
                ),
                key=_place,
            )
        ),
        clock.at(ticks),
    )


def explained(
    report: Report, explanation: Explanation, released: str, *, is_over: bool = True
) -> Report:
    """Return what a condition of a study shows of a report; ``released`` is PARTNR's text.

    ``is_over`` tells whether the task has no further try.
    """
    match explanation:
        case "ours":
            return report._replace(explanation=_in_plain_words(report))
        case "none":
            sentence = TASK_OVER if is_over else TRY_OVER
            return Report(sentence, "unknown", None, "", (), (), report.lasted)
        case "verdict":
            released = ""
        case "partnr":
            pass
    sentence = SUCCESS if report.tone == "good" else FAILURE
    return Report(sentence, report.tone, report.percent, released, (), (), report.lasted)


def _in_plain_words(report: Report) -> str:
    """Return PARTNR's explanation as players read it: missing steps by the names of things."""
    heading, *lines = report.explanation.split("\n")
    if heading == MISSING_STEPS:
        heading = "These steps are missing:"
        lines = [f" - {row.text}" for row in report.rows if row.mark == "missing"]
    elif heading == CONSTRAINTS_BROKEN:
        heading = "Every step was done, but not all in the way that the task asks for:"
    return "\n".join([heading, *lines])


def shares(
    lanes: Sequence[Lane],
    verdict: Verdict,
    actors: Mapping[str, Actor],
    numbers: Mapping[int, int],
    placed: Mapping[int, Placement] = MappingProxyType({}),
) -> tuple[Share, ...]:
    """Tell who did how much, the reader first; who put something down did it."""
    labels = _labels(verdict, numbers)
    droppers = {index: p.seat for index, p in placed.items() if p.seat is not None}
    found = [
        Share(
            actors[lane.seat],
            tuple(
                labels[p.index]
                for p in sorted(
                    verdict.propositions, key=lambda p: (_number(p, numbers), labels[p.index])
                )
                if droppers.get(p.index, p.by_seat) == lane.seat and p.satisfied
            ),
            round(lane.walked_m),
            len(lane.acts),
            len(lane.chats),
        )
        for lane in lanes
        if lane.seat in actors
    ]
    return tuple(sorted(found, key=lambda share: share.actor.name != YOU))


def blockages(
    lanes: Iterable[Lane], actors: Mapping[str, Actor], clock: TaskClock = ON_TIME
) -> tuple[str, ...]:
    """Tell who stood in whose way, in the order of time, which is the task's clock."""
    found = [
        (wait, actors[lane.seat].name)
        for lane in lanes
        for wait in lane.waits
        if lane.seat in actors and wait.by in actors
    ]
    told = []
    for wait, name in sorted(found, key=lambda f: f[0].start):
        whose = "your" if name == YOU else f"{name}'s"
        seconds = round((wait.end - wait.start) * TICK_S)
        who = capital(actors[wait.by].name)
        told.append(f"{clock.at(wait.start)} {who} stood in {whose} way for {seconds} s.")
    return tuple(told)


def departures(
    lanes: Iterable[Lane], actors: Mapping[str, Actor], clock: TaskClock = ON_TIME
) -> tuple[str, ...]:
    """Tell who left before the end, in the order of time, which is the task's clock."""
    found = [(lane.left, actors[lane.seat].name) for lane in lanes if lane.seat in actors]
    return tuple(
        f"{clock.at(left)} {capital(name)} left, and did not come back."
        for left, name in sorted((left, name) for left, name in found if left is not None)
    )


def decisions(
    choices: Iterable[Choice], actors: Mapping[str, Actor], clock: TaskClock = ON_TIME
) -> dict[Actor, list[Decided]]:
    """Return the decisions of each policy, by seat, at times of the task's clock."""
    found: dict[Actor, list[Decided]] = {}
    for choice in choices:
        if choice.seat in actors:
            thought = "" if choice.thought_s is None else f"{choice.thought_s:.1f} s"
            decided = Decided(
                clock.at(choice.tick),
                choice.words,
                choice.trouble,
                f"{choice.took_s:.1f} s",
                thought,
            )
            found.setdefault(actors[choice.seat], []).append(decided)
    return found


def open_policies(spec: SessionSpec, actors: Mapping[str, Actor]) -> dict[str, Actor]:
    """Return the actors of which the reader may know that a program drives them, by seat."""
    told = told_programs(spec)
    return {s.seat.seat_id: actors[s.seat.seat_id] for s in spec.seats if s.seat.seat_id in told}


def _place(row: Row) -> tuple[int, str]:
    return row.number, row.label


def _number(p: PropositionOutcome, numbers: Mapping[int, int]) -> int:
    return numbers.get(p.original, p.original + 1)


def _labels(verdict: Verdict, numbers: Mapping[int, int]) -> dict[int, str]:
    """Return what each proposition is called: its step's number, with a letter for parts.

    The step itself asks for all its things, and comes last.
    """
    parts: dict[int, list[int]] = {}
    for p in sorted(verdict.propositions, key=lambda p: (p.index == p.original, p.index)):
        parts.setdefault(_number(p, numbers), []).append(p.index)
    return {
        index: f"{number}{part}" if len(found) > 1 else str(number)
        for number, found in parts.items()
        for part, index in zip(_PARTS, found, strict=False)
    }


def limit_words(limit_s: float) -> str:
    """Return the limit of a task in words: "1 minute", "5 minutes", "1:17 minutes"."""
    minutes, seconds = divmod(round(limit_s), 60)
    if seconds:
        return f"{minutes}:{seconds:02} minutes"
    return f"{minutes} minute" if minutes == 1 else f"{minutes} minutes"


def _percent(verdict: Verdict) -> int:
    assert verdict.percent_complete is not None
    percent = round(100 * verdict.percent_complete)
    # Rounding must not tell somebody that all is done when it is not, or that nothing is.
    if verdict.success is False:
        percent = min(percent, 99)
    return max(percent, 1) if verdict.percent_complete > 0 else percent


def _sentence(verdict: Verdict, done: int) -> tuple[str, Tone]:
    total = len(verdict.propositions)
    if verdict.success is None:
        return "This task could not be judged.", "unknown"
    if verdict.success:
        return "Task complete: everything is where it should be.", "good"
    if done == 0 and not any(p.satisfied for p in verdict.propositions):
        return "Nothing that the task asks for was done yet.", "none"
    if all(p.satisfied for p in verdict.propositions):
        return "Every step was done, but not quite in the way the task asks.", "some"
    return f"{done} of {total} steps done.", "some"


def _explanation(verdict: Verdict) -> str:
    if verdict.success is None:
        return verdict.reason or "The evaluator was not available."
    return verdict.explanation or "Nothing is missing."


def _put_down(verdict: Verdict, placed: Mapping[int, Placement]) -> dict[int, int]:
    """Return when things were put down, by the ticks at which the rules had counted them."""
    found = [(p, placed[p.index].tick) for p in verdict.propositions if p.index in placed]
    return {
        p.satisfied_tick: tick
        for p, tick in found
        if p.satisfied_tick is not None and tick is not None
    }


def _points(account: Account | None, actors: Mapping[str, Actor]) -> tuple[Point, ...]:
    if account is None:
        return ()
    told = [(s.text, s.mend) for s in account.shortfalls]
    told += [(b.text, b.mend) for b in account.breaches]
    return tuple(
        Point(as_read(text, actors), tuple(as_read(step, actors) for step in mend))
        for text, mend in told
    )


def as_read(text: str, actors: Mapping[str, Actor]) -> str:
    """Return an evaluator's sentence with the names of a report: it says the human, the robot."""
    for seat, actor in actors.items():
        words = seat_words(seat)
        text = re.sub(rf"\bin the hand of {re.escape(words)}\b", hand_of(actor.name), text)
        text = re.sub(rf"\bby {re.escape(words)}\b", f"by {actor.name}", text)
    return text


def _row(
    p: PropositionOutcome,
    verdict: Verdict,
    actors: Mapping[str, Actor],
    numbers: Mapping[int, int],
    text: str,
    clock: TaskClock,
    placed: Placement | None,
) -> Row:
    number, label = _number(p, numbers), _labels(verdict, numbers)[p.index]
    actor = actors.get(p.by_seat) if p.by_seat else None
    if not p.satisfied or p.satisfied_tick is None:
        return Row(number, label, text, "missing", "Missing", "", None, "")
    done_tick, in_hand = p.satisfied_tick, ""
    if placed is not None:
        in_hand = hand_words(placed, {seat: a.name for seat, a in actors.items()}, clock)
        if placed.tick is not None:
            done_tick = placed.tick
            actor = actors.get(placed.seat) if placed.seat else actor
    at = clock.at(done_tick)
    undone = " ".join(filter(None, (in_hand, _undone(p, actors, clock))))
    tick = p.broken_tick if p.broken_tick is not None and not p.holds_now else done_tick
    if placed is not None and placed.tick is None:
        # Nobody ever put it down there: that the rules count it is all that can be said.
        return Row(
            number,
            label,
            text,
            "done" if p.valid else "void",
            "Counts" if p.valid else "Does not count",
            "",
            None,
            undone,
            tick,
        )
    if p.valid:
        return Row(number, label, text, "done", "Done", at, actor, undone, tick)
    reasons = [_BROKEN.get(c.type, "") for c in verdict.constraints if p.index in c.invalid]
    note = "Done, " + " and ".join(dict.fromkeys(r for r in reasons if r)) + "."
    note = f"{note} {undone}".strip()
    return Row(number, label, text, "void", "Does not count", at, actor, note, tick)


def _plain(p: PropositionOutcome) -> str:
    """Return the evaluator's words: names of classes."""
    is_done = p.satisfied and p.satisfied_tick is not None
    return _capital(p.text if is_done else p.should_text or p.text)


def _undone(p: PropositionOutcome, actors: Mapping[str, Actor], clock: TaskClock) -> str:
    if p.holds_now or p.broken_tick is None:
        return ""
    actor = actors.get(p.broken_by_seat) if p.broken_by_seat else None
    by = f" by {actor.name}" if actor else ""
    return f"Undone at {clock.at(p.broken_tick)}{by}."


def _capital(text: str) -> str:
    text = text.replace('"', "").strip().removeprefix("Object ")
    return text[:1].upper() + text[1:]
