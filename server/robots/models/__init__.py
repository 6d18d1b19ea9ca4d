"""Calls of a language model behind an OpenAI-compatible server."""

from server.robots.models.call_record import record
from server.robots.models.client import Completes
from server.robots.models.request import (
    AbandonedError,
    Constraint,
    DeadlineError,
    GarbageError,
    Message,
    ModelAnswer,
    ModelError,
    ModelRequest,
    RefusedError,
    UnavailableError,
)

__all__ = [
    "AbandonedError",
    "Completes",
    "Constraint",
    "DeadlineError",
    "GarbageError",
    "Message",
    "ModelAnswer",
    "ModelError",
    "ModelRequest",
    "RefusedError",
    "UnavailableError",
    "record",
]
