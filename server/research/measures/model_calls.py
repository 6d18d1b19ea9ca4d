"""Model calls: how often a robot asked its model, how long it thought, and what came of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from statistics import fmean

from server.research.measures.doings import Doings
from server.research.measures.measure import Measure, Value
from server.sessions.policy_records import CallRecord
from server.sessions.spec import TICK_RATE

Calls = Sequence[CallRecord]


def _of_seats(number: Callable[[Calls], float | None]) -> Callable[[Doings], Iterator[Value]]:
    """Return the computation of a number of each seat's calls; None: it asked no model."""

    def compute(doings: Doings) -> Iterator[Value]:
        for seat in doings.seats:
            calls = [call for call in doings.calls if call.seat == seat]
            yield Value(seat, number(calls) if calls else None)

    return compute


def _tokens(calls: Calls) -> float | None:
    counts = [(call.prompt_tokens, call.completion_tokens) for call in calls]
    known = [
        prompt + answer for prompt, answer in counts if prompt is not None and answer is not None
    ]
    return float(sum(known)) if len(known) == len(calls) else None


CALLS = Measure(
    name="model_calls",
    version=1,
    definition="Calls of a language model by the policy of the seat; empty: it made none.",
    unit="count",
    source="model calls",
    compute=_of_seats(lambda calls: float(len(calls))),
)
THINK_TIME = Measure(
    name="think_time",
    version=1,
    definition="Mean time from a model call to its answer, waiting for a place included.",
    unit="s",
    source="model calls",
    compute=_of_seats(lambda calls: fmean(c.latency_s + (c.queue_s or 0.0) for c in calls)),
)
INFORMATION_AGE = Measure(
    name="information_age",
    version=1,
    definition="Mean age of what the policy was shown when it asked its model: time since it was "
    "last seen.",
    unit="s",
    source="model calls",
    compute=_of_seats(
        lambda calls: fmean(c.asked_tick - c.observed_tick for c in calls) / TICK_RATE
    ),
)
STALE_ANSWERS = Measure(
    name="stale_answers",
    version=1,
    definition="Share of a model's answers that did not count, because what they had assumed, or "
    "the world, had changed by the time they came.",
    unit="share from 0 to 1",
    source="model calls",
    compute=_of_seats(lambda calls: fmean(bool(c.stale) for c in calls)),
)
MODEL_TOKENS = Measure(
    name="model_tokens",
    version=1,
    definition="Tokens of all prompts and answers; empty: the model's server did not tell.",
    unit="count",
    source="model calls",
    compute=_of_seats(_tokens),
)
