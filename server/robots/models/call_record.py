"""A model call as the log keeps it."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import Any

import msgspec

from server.robots.models.request import Constraint, ModelAnswer, ModelError, ModelRequest
from server.sessions.policy_records import CallRecord


def record(
    request: ModelRequest, outcome: ModelAnswer | ModelError, *, parsed: str = ""
) -> CallRecord:
    """Record a call and what it came to. ``parsed`` is what the policy read out of it."""
    prompt = prompt_text(request)
    constraint = constraint_text(request.constraint) if request.constraint else ""
    about: dict[str, Any] = {
        "purpose": request.purpose,
        "prompt": prompt,
        "prompt_sha256": _sha256(prompt),
        "seed": request.seed,
        "parameters": _parameters(request),
        "grammar": constraint,
        "grammar_sha256": _sha256(constraint) if constraint else "",
        "parsed": parsed,
        "latency_s": outcome.latency_s,
        "retries": outcome.retries,
        "in_flight": outcome.in_flight,
        "queue_s": outcome.queue_s,
        "model": outcome.model or request.model,
    }
    if isinstance(outcome, ModelError):
        error = f"{type(outcome).__name__.removesuffix('Error')}: {outcome}"
        return CallRecord(completion="", error=error, **about)
    return CallRecord(
        completion=outcome.text,
        finish_reason=outcome.finish_reason,
        prompt_tokens=outcome.prompt_tokens,
        completion_tokens=outcome.completion_tokens,
        cached_tokens=outcome.cached_tokens,
        first_token_s=outcome.first_token_s,
        **about,
    )


def prompt_text(request: ModelRequest) -> str:
    """Write the prompt as one text: each message behind its role."""
    if isinstance(request.prompt, str):
        return request.prompt
    return "\n\n".join(f"[{m.role}]\n{m.content}" for m in request.prompt)


def constraint_text(constraint: Constraint) -> str:
    """Return a grammar or regular expression as it is, the others as JSON with sorted keys."""
    if isinstance(constraint.value, str):
        return constraint.value
    return msgspec.json.encode(constraint.value, order="sorted").decode()


def _parameters(request: ModelRequest) -> dict[str, float | int | str | bool | None]:
    return {
        "max_tokens": request.max_tokens,
        "temperature": request.temperature,
        "stop": " | ".join(request.stop),
        "constraint": request.constraint.kind if request.constraint else None,
        "deadline_s": request.deadline_s,
        "may_retry": request.may_retry,
        "endpoint": "completions" if isinstance(request.prompt, str) else "chat",
    }


@lru_cache(maxsize=64)
def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
