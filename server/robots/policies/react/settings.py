"""What can be varied of ``react`` and ``react-rag``."""

from __future__ import annotations

from typing import Literal

import msgspec

from server.robots.policies.shared.generation import Generation


class ReactSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of ``react``. The defaults are for playing with people, presets have the papers'."""

    generation: Generation = Generation()
    arrangement: Literal["decentralised", "centralised"] = "decentralised"
    """A model for this seat, or one for both (`CentralPlanner`)."""
    most_calls: int | None = None
    """Of one model for both seats: after so many it has finished."""
    information: Literal["summary", "tools"] = "summary"
    """The state of the world is told with each result, or has to be asked for with tools."""
    objects: Literal["all", "changes"] = "all"
    """After each action the model is told all known objects, or those that changed."""
    states: bool = True
    """Tell which things are clean, filled, on …"""
    bad_answer: Literal["result", "ask again"] = "ask again"
    """An answer that is no valid call becomes a failed action, or is asked for once more."""
    hears: bool = True
    """It is told what is said in the chat, and what its partner says or does ends its waiting."""
    most_lines: int = 0
    """So many lines it may say in an episode."""
    confirms_done: bool = True
    """Asked once more before it stops."""
    repeats: int | None = 2
    """After so many equal calls in a row it is told to do something else."""
    context_chars: int | None = 32_000
    """Longer conversations lose their oldest object lists, then their oldest turns."""


class RagSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    react: ReactSettings = ReactSettings()
    library: str = ""
    """The file of traces that `cohabit robots traces` wrote."""
    retrieval: Literal["words", "embedding"] = "words"
    """By BM25, or by embeddings."""
    embedding_url: str = ""
    """An OpenAI-compatible server of embeddings: a vLLM server has one model, not both kinds."""
    embedding_model: str = "all-mpnet-base-v2"
    """PARTNR's."""
