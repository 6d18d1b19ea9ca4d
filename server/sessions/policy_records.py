"""The records that the log keeps of a policy: its model calls and the skills that it ran.

Of a call: what was asked, what was answered, and how late.
"""

from __future__ import annotations

import msgspec


class CallRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A model call. Times are in seconds, ages in ticks; None is what the server does not tell.

    The ticks are filled in by whoever runs the policy.
    """

    purpose: str
    """The one of a policy's prompts that it was: ``act``, ``plan``, ``locate`` …"""
    model: str
    prompt: str
    """The messages as one text, or empty where only the hash is kept.

    In a log it may be only what follows the start that it shares with an earlier one
    (`prompt_deduplication`).
    """
    prompt_sha256: str
    """The hash of the whole prompt."""
    completion: str
    parameters: dict[str, float | int | str | bool | None]
    seed: int | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cached_tokens: int | None = None
    first_token_s: float | None = None
    queue_s: float | None = None
    """The wait in this process for one of the places for calls at once.

    The server's own queue is in the time to the first token.
    """
    latency_s: float = 0.0
    retries: int = 0
    in_flight: int = 0
    """Calls of this process that were under way when it was made, itself left out."""
    grammar: str = ""
    grammar_sha256: str = ""
    parsed: str = ""
    """Reading of the completion: a call, or why there is none."""
    error: str = ""
    seat: str = ""
    asked_tick: int = 0
    applied_tick: int | None = None
    observed_tick: int = 0
    """Tick at which what it was shown was last seen; ``asked_tick`` less this is its age."""
    prompt_base: str = ""
    """The hash of the earlier prompt with which it shares its start."""
    prompt_shared: int = 0
    """The length of that start in characters (Unicode code points)."""
    overtaken: bool = False
    """Whether the world had changed in what the answer is about by the time it came."""
    prefetched: bool = False
    """Whether it was asked while the call before still ran, as though that had succeeded."""
    stale: str = ""
    """Reason why an answer did not count: what it had assumed, or the world, had changed."""
    finish_reason: str = ""
    """Reason for the end: ``stop``, or ``length`` where the largest number of tokens cut it off."""


class SkillRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A skill call that is over. Ticks are the session's."""

    seat: str
    call: str
    """The call as it was made: ``Pick[cup_0]``."""
    response: str
    began: int
    ended: int
