"""Requests to a model, their answers and their failures. No network here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Self

Role = Literal["system", "user", "assistant"]


class Message(NamedTuple):
    role: Role
    content: str


@dataclass(frozen=True)
class Constraint:
    """The form of an answer, enforced while it is generated (vLLM's structured outputs).

    ``value`` is an EBNF text with the start rule ``root``, a JSON schema, a regular expression, or
    the texts to choose from.
    """

    kind: Literal["grammar", "json", "regex", "choice"]
    value: str | Mapping[str, Any] | tuple[str, ...]

    def __post_init__(self) -> None:
        wanted: dict[str, type | tuple[type, ...]] = {
            "grammar": str,
            "json": Mapping,
            "regex": str,
            "choice": tuple,
        }
        if not isinstance(self.value, wanted[self.kind]) or not self.value:
            raise ValueError(f"a {self.kind} constraint cannot be {self.value!r}")

    @classmethod
    def grammar(cls, ebnf: str) -> Constraint:
        return cls("grammar", ebnf)

    @classmethod
    def json(cls, schema: Mapping[str, Any]) -> Constraint:
        return cls("json", schema)

    @classmethod
    def regex(cls, pattern: str) -> Constraint:
        return cls("regex", pattern)

    @classmethod
    def choice(cls, texts: Sequence[str]) -> Constraint:
        return cls("choice", tuple(texts))


@dataclass(frozen=True, kw_only=True)
class ModelRequest:
    """A call of a model.

    ``prompt`` is a conversation, put into the model's chat template by the server; or a text that
    is continued as it stands, for models trained without a template.
    """

    purpose: str
    """Name of the policy's prompt, for the log: ``act``, ``plan`` …"""
    prompt: tuple[Message, ...] | str
    max_tokens: int = 250
    temperature: float = 0.0
    seed: int | None = 0
    stop: tuple[str, ...] = ()
    constraint: Constraint | None = None
    deadline_s: float | None = None
    """Seconds for all tries together, from `complete` on; None: the server's setting."""
    may_retry: bool = True
    """Whether a failed call is tried again; false in configurations named after a paper."""
    model: str = ""
    """A model or adapter of the server; empty: the server's setting."""


@dataclass(frozen=True, kw_only=True)
class ModelAnswer:
    """The answer to a call. Times are in seconds; None is what the server did not tell."""

    text: str
    finish_reason: str
    """Reason for the end: ``stop``, or ``length`` where ``max_tokens`` cut it off."""
    model: str
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cached_tokens: int | None = None
    """Prompt tokens served from the prefix cache."""
    first_token_s: float | None = None
    """Seconds from when the last try was sent."""
    queue_s: float | None = None
    """Seconds of waiting in this process for a free place among the calls at once."""
    latency_s: float = 0.0
    """Seconds from `complete` to the answer, with everything in between."""
    retries: int = 0
    in_flight: int = 0
    """Other calls of this process to the same server that were under way when this one was made."""


class ModelError(Exception):
    """A call that came to nothing. The text says what was expected and what came."""

    latency_s: float = 0.0
    retries: int = 0
    in_flight: int = 0
    queue_s: float | None = None
    model: str = ""
    """The model that was asked, as far as it came to that."""

    def measured(
        self,
        *,
        latency_s: float,
        retries: int = 0,
        in_flight: int = 0,
        queue_s: float | None = None,
        model: str = "",
    ) -> Self:
        """Keep how the call went, as in `ModelAnswer`, and return the error itself.

        Where an error arises nothing of this is known, only where the call as a whole was made.
        """
        self.latency_s = latency_s
        self.retries = retries
        self.in_flight = in_flight
        self.queue_s = queue_s
        self.model = model
        return self


class DeadlineError(ModelError):
    """A call whose time was over before the answer was there."""


class UnavailableError(ModelError):
    """A server that cannot be asked now: no connection, too many requests or a fault of its own.

    Also when calls are held back because of such faults.
    """

    def __init__(
        self,
        text: str,
        *,
        is_fault: bool = False,
        may_pass: bool = True,
        retry_after_s: float | None = None,
    ) -> None:
        """Keep what the failure means.

        ``is_fault``: it speaks against the server's health. ``may_pass``: asking again soon may
        help, after ``retry_after_s`` where the server said so.
        """
        super().__init__(text)
        self.is_fault = is_fault
        self.may_pass = may_pass
        self.retry_after_s = retry_after_s


class RefusedError(ModelError):
    """A request that the server will not answer, now or later; the text is the server's.

    ``status`` is HTTP's, where it came that far.
    """

    def __init__(self, text: str, status: int | None = None) -> None:
        super().__init__(text)
        self.status = status


TOO_LONG = "the prompt is too long for the context of the model"
"""Begin of the text of a `ContextLengthError`, by which records of calls tell it."""


class ContextLengthError(RefusedError):
    """A prompt that, with its answer, is longer than the model can read: it will not get shorter.

    A policy whose prompts only grow gets no answer any more.
    """


class AbandonedError(ModelError):
    """A call whose answer nobody waits for any more.

    It is never raised: the record of a call that was cancelled has it.
    """

    @classmethod
    def after(cls, seconds: float) -> AbandonedError:
        """Make the error of a call that was under way for so long."""
        return cls("nobody waits for it any more").measured(latency_s=seconds)


class GarbageError(ModelError):
    """An answer that is none of the protocol."""
