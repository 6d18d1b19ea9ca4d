"""Moments and stretches that a film's timeline marks. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from episodes.drawing.steps import TaskSteps
from episodes.drawing.timeline import Lane, Span, StepMark
from episodes.evaluation.account_sentences import capital
from episodes.rules import VERB_TABLE
from server.recording.log_records import Line, ModelCalled, TickLine
from server.recording.prompt_deduplication import restored
from server.reports.decisions import choices_of
from server.sessions.events import Did, Said
from server.sessions.intents import Act, Place
from server.wire.film_messages import FilmCall, FilmLane, FilmMark, FilmMoment, FilmSpan

Label = Callable[[str], str]
Seats = Mapping[str, int]


def lanes_of(
    lanes: Iterable[Lane], start: int, calls: Sequence[FilmCall], seats: Seats
) -> tuple[FilmLane, ...]:
    """Return what each seat did when; ``start`` is the tick from which a lane's ticks count."""
    found = []
    for lane in lanes:
        number = seats[lane.seat]
        kinds: tuple[tuple[str, Sequence[Span]], ...] = (
            ("walk", lane.walks),
            ("hold", lane.holds),
            ("away", lane.away),
        )
        spans = [
            FilmSpan(kind, start + span.start, start + span.end, span.what)
            for kind, found_spans in kinds
            for span in found_spans
        ]
        spans += [FilmSpan("think", c.asked, c.applied) for c in calls if c.seat == number]
        found.append(FilmLane(number, lane.name, lane.look, tuple(spans)))
    return tuple(found)


def calls_of(lines: Iterable[Line], seats: Seats) -> tuple[FilmCall, ...]:
    """Return the calls of language models, with their whole prompts, in the order of the log."""
    records = restored(line.call for line in lines if isinstance(line, ModelCalled))
    return tuple(
        FilmCall(
            seats.get(call.seat, -1),
            call.purpose,
            call.model,
            call.asked_tick,
            call.asked_tick if call.applied_tick is None else call.applied_tick,
            round(call.latency_s, 3),
            call.prompt,
            call.completion,
            call.error,
        )
        for call in records
    )


def moments_of(
    lines: Sequence[Line], start: int, seats: Seats, label: Label
) -> tuple[FilmMoment, ...]:
    """Return what was done, said, refused and decided, in order. ``start``: the tick of play."""
    found = [*_events(lines, seats, label), *_decisions(lines, start, seats, label)]
    return tuple(sorted(found, key=lambda moment: moment.tick))


def marks_of(marks: Iterable[StepMark], start: int, steps: TaskSteps) -> tuple[FilmMark, ...]:
    """Return when steps of the task were done or undone."""
    texts = {step.number: capital(step.expected.text) for step in steps.steps}
    held = " (in a hand, never put down there)"

    def text(mark: StepMark) -> str:
        return texts.get(mark.number, "") + (held if mark.is_held else "")

    return tuple(FilmMark(start + mark.tick, mark.number, mark.holds, text(mark)) for mark in marks)


def _events(lines: Iterable[Line], seats: Seats, label: Label) -> Iterator[FilmMoment]:
    for line in lines:
        if not isinstance(line, TickLine):
            continue
        for event in line.events:
            match event:
                case Did(seat, verb, target) if seat in seats:
                    words = VERB_TABLE[verb].did.format(f"the {label(target)}")
                    yield FilmMoment("did", line.tick, seats[seat], words)
                case Said(seat, text) if seat in seats:
                    yield FilmMoment("said", line.tick, seats[seat], text)
        for heard in line.intents:
            if heard.refusal is None or heard.seat not in seats:
                continue
            asked = heard.intent
            words = "place" if isinstance(asked, Place) else "act"
            if isinstance(asked, Act):
                words = f"{asked.verb.replace('_', ' ')} the {label(asked.target)}"
            reason = heard.refusal.reason
            yield FilmMoment("refused", line.tick, seats[heard.seat], f"could not {words}", reason)


def _decisions(
    lines: Sequence[Line], start: int, seats: Seats, label: Label
) -> Iterator[FilmMoment]:
    """Yield what policies began, each with the last model's answer that counted before it."""
    answered = [
        (n, line.call)
        for n, line in enumerate(line for line in lines if isinstance(line, ModelCalled))
    ]
    for choice in choices_of(lines, start, label):
        if choice.seat not in seats:
            continue
        tick = start + choice.tick
        led = [
            n
            for n, call in answered
            if call.seat == choice.seat
            and call.applied_tick is not None
            and call.applied_tick <= tick
        ]
        yield FilmMoment(
            "decided",
            tick,
            seats[choice.seat],
            choice.words,
            choice.trouble,
            led[-1] if led and choice.thought_s is not None else -1,
        )
