"""A check of a model server: what it offers, whether constraints hold, how fast it answers."""

from __future__ import annotations

import asyncio
import json
import re
import statistics
import time
from collections.abc import Callable
from typing import NamedTuple

from server.robots.models import Constraint, Message, ModelError, ModelRequest
from server.robots.models.client import ModelClient

CONCURRENCIES = (1, 4, 16)
TOKENS = 50
"""The tokens of each answer that is timed: about those of PARTNR's calls."""
_PLACES = ("kitchen_1", "bedroom_1", "bathroom_1")
_ALTERNATIVES = " | ".join(f'"{place}"' for place in _PLACES)


class Held(NamedTuple):
    """The result for one kind of constraint: whether answers obeyed it."""

    kind: str
    did: bool
    answer: str
    """The first that did not, or one that did; or the server's refusal."""


class Timing(NamedTuple):
    """The times of ``calls`` answers of ``tokens`` tokens each, asked for at once (seconds)."""

    calls: int
    median_s: float
    slowest_s: float
    first_token_s: float
    tokens_per_s: float
    """Tokens per second of all calls together."""


class _Probe(NamedTuple):
    constraint: Constraint
    is_obeyed: Callable[[str], bool]


def _is_json_call(text: str) -> bool:
    try:
        value = json.loads(text)
    except ValueError:
        return False
    return (
        isinstance(value, dict)
        and set(value) == {"tool", "room"}
        and value["tool"] in ("Navigate", "Explore")
        and value["room"] in _PLACES
    )


_PROBES = (
    _Probe(
        Constraint.grammar(
            'root ::= "Thought: " [a-z ]{3,20} "\\n" tool "[" room "]\\nAssigned!"\n'
            'tool ::= "Navigate" | "Explore"\n'
            f"room ::= {_ALTERNATIVES}\n"
        ),
        lambda text: bool(
            re.fullmatch(
                rf"Thought: [a-z ]{{3,20}}\n(Navigate|Explore)\[({'|'.join(_PLACES)})\]\nAssigned!",
                text,
            )
        ),
    ),
    _Probe(
        Constraint.json(
            {
                "type": "object",
                "properties": {
                    "tool": {"enum": ["Navigate", "Explore"]},
                    "room": {"enum": list(_PLACES)},
                },
                "required": ["tool", "room"],
                "additionalProperties": False,
            }
        ),
        _is_json_call,
    ),
    _Probe(
        Constraint.regex(r"(Pick|Place)\[[a-z]{3,8}_[0-9]{1,2}\]"),
        lambda text: bool(re.fullmatch(r"(Pick|Place)\[[a-z]{3,8}_[0-9]{1,2}\]", text)),
    ),
    _Probe(Constraint.choice(("Wait[]", "Done[]")), lambda text: text in ("Wait[]", "Done[]")),
)


async def constraints_held(client: ModelClient, tries: int = 5) -> list[Held]:
    """Try each kind of constraint, and return an entry for each.

    The prompt leads elsewhere, and the temperature is high: what is obeyed is the constraint and
    not the request.
    """
    return [await _held(client, probe, tries) for probe in _PROBES]


async def _held(client: ModelClient, probe: _Probe, tries: int) -> Held:
    kind = probe.constraint.kind
    text = ""
    for seed in range(tries):
        prompt = (Message("user", "Write a short poem about rain."),)
        request = ModelRequest(
            purpose="check",
            prompt=prompt,
            max_tokens=200,
            temperature=1.0,
            seed=seed,
            constraint=probe.constraint,
        )
        try:
            text = (await client.complete(request)).text
        except ModelError as error:
            return Held(kind, False, str(error))
        if not probe.is_obeyed(text):
            return Held(kind, False, text)
    return Held(kind, True, text)


async def timing(client: ModelClient, calls: int, tokens: int = TOKENS) -> Timing:
    """Time so many calls at once, each with a prompt of its own. Raises ModelError.

    An answer may be shorter than ``tokens`` where the model ends it.
    """
    requests = [
        ModelRequest(
            purpose="check",
            prompt=(Message("user", f"Count from {n + 1} up to one hundred, in words."),),
            max_tokens=tokens,
        )
        for n in range(calls)
    ]
    begun = time.perf_counter()
    answers = await asyncio.gather(*(client.complete(request) for request in requests))
    took_s = time.perf_counter() - begun
    made = sum(answer.completion_tokens or 0 for answer in answers)
    return Timing(
        calls,
        statistics.median(answer.latency_s for answer in answers),
        max(answer.latency_s for answer in answers),
        statistics.median(answer.first_token_s or 0.0 for answer in answers),
        made / took_s,
    )
