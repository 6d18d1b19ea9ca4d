"""Settings of ``react`` and ``react-rag``."""

from __future__ import annotations

from typing import Literal

import msgspec

from server.robots.policies.shared.generation import Generation


class ReactSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of ``react``; the defaults are for play with people, presets have the papers'."""

    generation: Generation = Generation()
    arrangement: Literal["decentralised", "centralised"] = "decentralised"
    """Arrangement of models: one for this seat, or one for all (`CentralPlanner`)."""
    most_calls: int | None = None
    """Calls after which one model for all seats has finished; None: no limit."""
    information: Literal["summary", "tools"] = "summary"
    """Way in which the state of the world is learnt: told with each result, or asked for with
    tools."""
    objects: Literal["all", "changes"] = "all"
    """Objects told after each action: all that are known, or those that changed."""
    states: bool = True
    """Whether to tell which things are clean, filled, on …"""
    bad_answer: Literal["result", "ask again"] = "ask again"
    """Handling of an answer that is no valid call: it becomes a failed action, or is asked for once
    more."""
    hears: bool = True
    """Whether it is told the chat, and what its partner says or does ends its waiting."""
    most_lines: int = 0
    """Most lines that it may say in an episode."""
    confirms_done: bool = True
    """Whether it is asked once more before it stops."""
    repeats: int | None = 2
    """Equal calls in a row after which it is told to do something else; None: never."""
    context_chars: int | None = 32_000
    """Length beyond which a conversation loses its oldest object lists, then its oldest turns
    (characters)."""


class RagSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    react: ReactSettings = ReactSettings()
    library: str = ""
    """File of traces that `cohabit robots traces` wrote."""
    retrieval: Literal["words", "embedding"] = "words"
    """Retrieval by BM25, or by embeddings."""
    embedding_url: str = ""
    """OpenAI-compatible server of embeddings: a vLLM server has one model, not both kinds."""
    embedding_model: str = "all-mpnet-base-v2"
    """Embedding model; the default is PARTNR's."""
