"""Classes of errors after the Embodied Agent Interface: what was wrong with what a seat tried."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from episodes.errors import REGISTRY_VERSION
from server.research.measures.doings import Doings
from server.research.measures.measure import Measure, Value

PREFIX = "error_"
"""Start of the names of these measures."""
MEANINGS: Mapping[str, str] = {
    "MISSING_STEP": "a step that it needs had not been done",
    "WRONG_ORDER": "what it needs had held before, and no longer did",
    "ADDITIONAL_STEP": "what it would bring about held already",
    "AFFORDANCE": "the thing cannot be used so",
    "UNOBSERVED_OBJECT": "the policy had never seen the thing",
    "EXECUTION_FAILURE": "it was sound, and was not carried out: no way there, stuck, out of time",
    "HALLUCINATION": "there is no such thing or skill",
    "PARSING": "it cannot be read as a call",
    "ARG_NUMBER": "it has too few or too many arguments",
}
"""Meaning of each class of an action, from `episodes.errors`."""


def _of(error_class: str) -> Callable[[Doings], list[Value]]:
    return lambda doings: [
        Value(seat, float(doings.errors.get(seat, {}).get(error_class, 0))) for seat in doings.seats
    ]


ERROR_MEASURES = tuple(
    Measure(
        name=f"{PREFIX}{error_class.lower()}",
        version=int(REGISTRY_VERSION),
        definition=f"Actions of the seat in which {meaning} ({error_class} of the Embodied Agent "
        "Interface, or an addition to it).",
        unit="count",
        source="intents, skill calls, changes",
        compute=_of(error_class),
    )
    for error_class, meaning in MEANINGS.items()
)
