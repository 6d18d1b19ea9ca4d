"""Which model server is asked, and how; from settings, and from one process to another."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    # Workers read no settings, and have no need of what reads them.
    from server.settings import Settings

VARIABLE = "COHABIT_MODEL_SERVER"
"""Hands a server to a process of ours, key included: what stands in a command line can be read by
everybody on the machine. No setting: `cohabit` refuses it."""


@dataclass(frozen=True)
class ModelServer:
    """Where models are, and how they are to be asked."""

    url: str
    """With the version: ``http://127.0.0.1:8100/v1``."""
    api_key: str = dataclasses.field(default="", repr=False)
    model: str = ""
    """Empty: the first that the server names."""
    deadline_s: float = 60.0
    concurrency: int = 16
    """Calls at once; more wait here, where they can be cancelled without a trace."""

    @classmethod
    def of(cls, settings: Settings) -> ModelServer | None:
        """The one that the settings name, if they name one."""
        if not settings.model_url:
            return None
        return cls(
            settings.model_url,
            api_key=settings.model_key,
            model=settings.model_name,
            deadline_s=settings.model_deadline_s,
            concurrency=settings.model_concurrency,
        )


def to_environment(server: ModelServer | None) -> dict[str, str]:
    """What a process is given to know the server by."""
    return {} if server is None else {VARIABLE: msgspec.json.encode(server).decode()}


def from_environment(environment: Mapping[str, str]) -> ModelServer | None:
    """What `to_environment` has put there; None: there is no server.

    Raises msgspec.MsgspecError for what it has not written.
    """
    text = environment.get(VARIABLE, "")
    return msgspec.json.decode(text, type=ModelServer) if text else None
