"""What of ``llamar`` can be varied, its ablations among it."""

from __future__ import annotations

from typing import Literal

import msgspec

from server.robots.policies.shared.generation import Generation

Role = Literal["planner", "actor", "corrector", "verifier", "all"]
"""Which module a call of the model is; ``all``: one call does the work of the four."""


class Models(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Models or adapters of the server by module; empty: that of ``generation``."""

    planner: str = ""
    actor: str = ""
    corrector: str = ""
    verifier: str = ""


class LlamarSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of ``llamar``, by default for playing with people; presets have the paper's."""

    generation: Generation = Generation(max_tokens=700)
    models: Models = Models()
    arrangement: Literal["decentralised", "centralised"] = "decentralised"
    """It decides for this seat, or for both at once (as in the paper)."""
    modules: Literal["separate", "one"] = "separate"
    """A call for each module, or one call that does the work of all."""
    planner: bool = True
    """Off: the Actor alone, without subtasks, and so without a Verifier."""
    corrector: Literal["separate", "fused", "off"] = "separate"
    """A call of its own; the Actor's own words on what failed; or nothing is said of failures."""
    verifier: bool = True
    """Off: subtasks are open for as long as the Planner lists them."""
    memory: bool = True
    """The Actor's notes for itself."""
    exploration: Literal["headings", "rooms", "chosen", "off"] = "rooms"
    """Where to look for things: towards the heading, or in the room, that is most like the open
    subtasks; in a room that the model chooses; or not at all."""
    rounds: int = 3
    """Of one exploration by headings (the paper's K)."""
    similarity: Literal["words", "embedding"] = "words"
    """BM25, or the cosine of embeddings."""
    embedding_url: str = ""
    """An OpenAI-compatible server of embeddings."""
    embedding_model: str = "all-MiniLM-L6-v2"
    calls: Literal["always", "when needed"] = "when needed"
    """The Corrector and the Verifier are asked after every decision, or only the first after a
    failure and the second after something was done."""
    objects: Literal["known", "near"] = "known"
    """What is told of objects: all that is known, or what is in the rooms of the bodies it decides
    for. Then the memory has to keep the others, as in the paper."""
    states: bool = True
    """Tell which things are clean, filled, on."""
    memory_chars: int = 600
    bad_answer: Literal["result", "ask again"] = "ask again"
    """An answer that cannot be read counts as a failed decision, or is asked for once more."""
    hears: bool = True
    """It is told the chat; what its partner says or does ends a ``Wait[]``."""
    most_suggestions: int = 0
    """So often it may say to its partner what they could do; only where it decides for one."""
    trace: bool = False
    """Tell all of its actions so far with what came of them, as the paper's Actor is told that is
    alone."""
    lets_go: bool = True
    """A call is stopped when somebody else has taken what it goes for, and a search when what it
    is for has come to light."""
    confirms_done: bool = True
    """``Done[]`` while subtasks are open ends it only when it is said twice."""
    reopens: bool = True
    """What was completed can be put on the list again by the Planner: partners undo things."""
    blocks_repeats: int | None = 3
    """The same call is not made again after it has failed so many times in a row."""
    most_decisions: int | None = 100
    """After so many it has finished; one exploration is one decision."""
