"""What can be varied of ``helper``, and of how it runs programs."""

from __future__ import annotations

from typing import Literal

import msgspec

from server.robots.policies.shared.generation import Generation


class Running(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How programs are run."""

    checks: bool = True
    """Pre-conditions are checked before each call."""
    repairs: bool = True
    """A failed line is repaired by the model, once."""
    tries_again: bool = True
    """A line that has no other thing or place is tried once more as it is."""
    goes_on: bool = True
    """While the partner has what a line needs, lines that do not need it are run."""
    lets_go: bool = True
    """A call is stopped once what is looked for is seen, or the partner takes what is fetched."""
    rechecks: int = 3
    """So often what does not hold any more is done again: at the end, or where something is to be
    put beside it."""
    looks: int = 14
    """So many places are looked at, without a hint, for one thing."""
    views: int = 3
    """From so many sides a place is looked at that somebody named."""
    partner_wait_s: float = 60.0
    """So long one waits for what the partner holds or was asked to do."""
    requests: int = 8
    """So often the partner may be asked to do what the own body cannot."""
    most_failures: int | None = None
    """After so many failed calls of skills it is over."""
    most_left: int | None = None
    """After so many lines that were given up it is over."""
    repairs_until: int | None = None
    """After so many failed calls nothing is repaired any more."""


class HelperSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of ``helper``, by default for playing with people; presets have the paper's."""

    generation: Generation = Generation(max_tokens=1200)
    variant: Literal["prompts", "shared"] = "shared"
    """HELPER-X_P: the nearest of four templates, and examples of its domain; HELPER-X_S: one
    template, and examples of all."""
    examples: int = 3
    retrieval: Literal["words", "embedding", "first"] = "words"
    """By BM25, by embeddings, or the first ones as they stand (no retrieval)."""
    embedding_url: str = ""
    """An OpenAI-compatible server of embeddings."""
    embedding_model: str = "all-mpnet-base-v2"
    memory: str = ""
    """A file of memories from play, read beside the built-in ones."""
    grows: bool = False
    """Programs that ran without a flaw are added to that file, for later episodes."""
    routines: bool = False
    """What the partner wants remembered under a name is added to that file."""
    extended: bool = True
    """The language has All and wait_until_done, which the paper's has not."""
    shows: Literal["home", "kinds"] = "home"
    """The model is told rooms, furniture and known objects, or only which kinds of things there
    are, as in the paper."""
    explores: int = 0
    """So many rooms are looked through before the program is asked for, the nearest first."""
    tidies: bool = True
    """What is to be tidied without saying more is looked through before, and the model is told what
    seems out of place there."""
    domain: Literal["", "dialogue", "task", "steps", "tidy"] = ""
    """With ``prompts``: this template and its examples whatever the input is (HELPER; with another
    domain's, its ablation); empty: the nearest."""
    states: bool = True
    """With ``home``: tell what is clean, filled, on …"""
    bad_answer: Literal["ask again", "drop"] = "ask again"
    """Lines that mean nothing: the program is asked for once more, or they are left out."""
    locator: bool = True
    places: int = 3
    questions: int = 2
    """So many the partner is asked in an episode. Who does not answer is not asked again."""
    asks_which: bool = False
    """Also where several things of the kind are known."""
    answer_wait_s: float = 12.0
    listens: bool = True
    """What the partner says while a program runs is heeded; else only once it has run."""
    replans: int = 6
    """So often."""
    feedback_rounds: int = 2
    feedback_wait_s: float = 6.0
    context_chars: int | None = None
    """How long a prompt may be."""
    running: Running = Running()
