"""The model server that is asked, and how; from settings, and from one process to another."""

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
"""The variable that hands a server to a process of ours, key included.

What stands in a command line can be read by everybody on the machine. It is no setting: `cohabit`
refuses it.
"""


@dataclass(frozen=True)
class ModelServer:
    """The server of models, and how it is to be asked."""

    url: str
    """Address of the server with the version: ``http://127.0.0.1:8100/v1``."""
    api_key: str = dataclasses.field(default="", repr=False)
    model: str = ""
    """The model to ask; empty: the first that the server names."""
    deadline_s: float = 60.0
    concurrency: int = 16
    """The most calls at once; more wait here, where they can be cancelled without a trace."""

    @classmethod
    def of(cls, settings: Settings) -> ModelServer | None:
        """Return the server that the settings name, if they name one."""
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
    """Return the variables by which a process knows the server."""
    return {} if server is None else {VARIABLE: msgspec.json.encode(server).decode()}


def from_environment(environment: Mapping[str, str]) -> ModelServer | None:
    """Read the server that `to_environment` has put there; None: there is none.

    Raises msgspec.MsgspecError for what it has not written.
    """
    text = environment.get(VARIABLE, "")
    return msgspec.json.decode(text, type=ModelServer) if text else None
