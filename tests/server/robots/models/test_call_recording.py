"""Log records of model calls."""

from __future__ import annotations

import hashlib

import msgspec

from server.robots.models import (
    Constraint,
    DeadlineError,
    Message,
    ModelAnswer,
    ModelRequest,
    record,
)
from server.sessions.policy_records import CallRecord

GRAMMAR = 'root ::= "Wait[]"'
REQUEST = ModelRequest(
    purpose="act",
    prompt=(Message("system", "You are a robot."), Message("user", "What now?")),
    seed=4,
    stop=("Assigned!",),
    constraint=Constraint.grammar(GRAMMAR),
)


def test_an_answer_is_kept_whole() -> None:
    answer = ModelAnswer(
        text="Wait[]",
        finish_reason="stop",
        model="tiny",
        prompt_tokens=11,
        completion_tokens=3,
        cached_tokens=8,
        first_token_s=0.1,
        queue_s=0.0,
        latency_s=0.3,
        retries=1,
        in_flight=2,
    )
    kept = record(REQUEST, answer, parsed="Wait[]")
    prompt = "[system]\nYou are a robot.\n\n[user]\nWhat now?"
    assert kept.prompt == prompt
    assert kept.prompt_sha256 == hashlib.sha256(prompt.encode()).hexdigest()
    assert (kept.grammar, kept.grammar_sha256) == (
        GRAMMAR,
        hashlib.sha256(GRAMMAR.encode()).hexdigest(),
    )
    assert (kept.completion, kept.parsed, kept.error) == ("Wait[]", "Wait[]", "")
    assert (kept.model, kept.seed, kept.prompt_tokens, kept.cached_tokens) == ("tiny", 4, 11, 8)
    assert (kept.latency_s, kept.retries, kept.in_flight) == (0.3, 1, 2)
    assert (kept.first_token_s, kept.queue_s, kept.finish_reason) == (0.1, 0.0, "stop")
    assert kept.parameters["stop"] == "Assigned!"
    assert msgspec.json.decode(msgspec.json.encode(kept), type=CallRecord) == kept


def test_a_failure_is_kept_too() -> None:
    error = DeadlineError("no complete answer within 2 s")
    error.measured(latency_s=2.0, retries=1, queue_s=0.5, model="tiny")
    kept = record(REQUEST, error)
    assert (kept.queue_s, kept.model) == (0.5, "tiny")
    assert kept.error == "Deadline: no complete answer within 2 s"
    assert (kept.completion, kept.latency_s, kept.retries) == ("", 2.0, 1)
    assert kept.prompt


def test_constraints_read_the_same_however_their_keys_are_ordered() -> None:
    texts = {
        record(
            with_schema(schema), ModelAnswer(text="", finish_reason="stop", model="m")
        ).grammar_sha256
        for schema in ({"type": "object", "title": "a"}, {"title": "a", "type": "object"})
    }
    assert len(texts) == 1


def with_schema(schema: dict[str, str]) -> ModelRequest:
    return ModelRequest(purpose="plan", prompt="x", constraint=Constraint.json(schema))
