"""Settings of ``llamar``, its ablations among them."""

from __future__ import annotations

from typing import Literal

import msgspec

from server.robots.policies.shared.generation import Generation

Role = Literal["planner", "actor", "corrector", "verifier", "all"]
"""Module that a model call is for; ``all``: one call does the work of the four."""


class Models(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Models or adapters on the server by module; empty: that of ``generation``."""

    planner: str = ""
    actor: str = ""
    corrector: str = ""
    verifier: str = ""


class LlamarSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of ``llamar``, by default for play with people; presets have the paper's."""

    generation: Generation = Generation(max_tokens=700)
    models: Models = Models()
    arrangement: Literal["decentralised", "centralised"] = "decentralised"
    """Seats to decide for: this one, or all of its team at once (as in the paper)."""
    modules: Literal["separate", "one"] = "separate"
    """Model calls: one for each module, or one that does the work of all."""
    planner: bool = True
    """Whether there is a Planner; without it the Actor works alone, without subtasks, and so
    without a Verifier."""
    corrector: Literal["separate", "fused", "off"] = "separate"
    """A Corrector with a call of its own, the Actor's own words on what failed, or nothing on
    failures."""
    verifier: bool = True
    """Whether there is a Verifier; without it subtasks are open for as long as the Planner lists
    them."""
    memory: bool = True
    """Whether the Actor keeps notes for itself."""
    exploration: Literal["headings", "rooms", "chosen", "off"] = "rooms"
    """The way to look for things: towards the heading, or in the room, that is most like the open
    subtasks; in a room that the model chooses; or not at all."""
    rounds: int = 3
    """Walks of one exploration by headings (the paper's K)."""
    similarity: Literal["words", "embedding"] = "words"
    """Similarity by BM25, or by the cosine of embeddings."""
    embedding_url: str = ""
    """OpenAI-compatible server of embeddings."""
    embedding_model: str = "all-MiniLM-L6-v2"
    calls: Literal["always", "when needed"] = "when needed"
    """Occasions to ask the Corrector and the Verifier: after every decision, or the first only
    after a failure and the second only after something was done."""
    objects: Literal["known", "near"] = "known"
    """Objects that are told: all that are known, or those in the rooms of the bodies it decides
    for. The memory has to keep the others then, as in the paper."""
    states: bool = True
    """Whether to tell which things are clean, filled, on."""
    memory_chars: int = 600
    bad_answer: Literal["result", "ask again"] = "ask again"
    """Handling of an answer that cannot be read: it counts as a failed decision, or is asked for
    once more."""
    hears: bool = True
    """Whether it is told the chat, and what its partner says or does ends a ``Wait[]``."""
    most_suggestions: int = 0
    """Most suggestions to the partner; only where it decides for one seat."""
    trace: bool = False
    """Whether to tell all of its actions so far with what came of them, as the paper does for an
    Actor alone."""
    lets_go: bool = True
    """Whether a call is stopped when somebody else has taken what it goes for, and a search when
    what it is for has come to light."""
    confirms_done: bool = True
    """Whether ``Done[]`` while subtasks are open ends the task only when it is said twice."""
    reopens: bool = True
    """Whether the Planner can list again what was completed: partners undo things."""
    blocks_repeats: int | None = 3
    """Failures in a row after which the same call is not made again; None: no limit."""
    most_decisions: int | None = 100
    """Decisions after which it has finished; one exploration is one decision. None: no limit."""
