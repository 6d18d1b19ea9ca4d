"""Settings of ``helper``, and of how it runs programs."""

from __future__ import annotations

from typing import Literal

import msgspec

from server.robots.policies.shared.generation import Generation


class RunSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of how programs are run."""

    checks: bool = True
    """Whether preconditions are checked before each call."""
    repairs: bool = True
    """Whether the model repairs a failed line, once."""
    tries_again: bool = True
    """Whether a line that has no other thing or place is tried once more as it is."""
    goes_on: bool = True
    """Whether, while the partner has what a line needs, lines that do not need it are run."""
    lets_go: bool = True
    """Whether a call is stopped once what is looked for is seen, or the partner takes what is
    fetched."""
    rechecks: int = 3
    """Most times that what does not hold any more is done again: at the end, or where something is
    to be put beside it."""
    looks: int = 14
    """Most places that are looked at, without a hint, for one thing."""
    views: int = 3
    """Number of sides from which a place that somebody named is looked at."""
    partner_wait_s: float = 60.0
    """Longest wait for what the partner holds or was asked to do (seconds)."""
    requests: int = 8
    """Most requests to the partner for what the own body cannot do."""
    most_failures: int | None = None
    """Failed skill calls after which the program is over; None: no limit."""
    most_left: int | None = None
    """Lines given up after which the program is over; None: no limit."""
    repairs_until: int | None = None
    """Failed calls after which nothing is repaired any more; None: no limit."""


class HelperSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of ``helper``, by default for play with people; presets have the paper's."""

    generation: Generation = Generation(max_tokens=1200)
    variant: Literal["prompts", "shared"] = "shared"
    """HELPER-X_P: the nearest of four templates, and examples of its domain; HELPER-X_S: one
    template, and examples of all."""
    examples: int = 3
    retrieval: Literal["words", "embedding", "first"] = "words"
    """Retrieval by BM25, by embeddings, or the first examples as they stand (no retrieval)."""
    embedding_url: str = ""
    """OpenAI-compatible server of embeddings."""
    embedding_model: str = "all-mpnet-base-v2"
    memory: str = ""
    """File of memories from play, read beside the built-in ones."""
    grows: bool = False
    """Whether programs that ran without a flaw are added to that file, for later episodes."""
    routines: bool = False
    """Whether what the partner wants remembered under a name is added to that file."""
    extended: bool = True
    """Whether the language has All and wait_until_done, which the paper's has not."""
    shows: Literal["home", "kinds"] = "home"
    """Contents of the prompt: rooms, furniture and known objects, or only which kinds of things
    there are, as in the paper."""
    explores: int = 0
    """Rooms that are looked through before the program is asked for, the nearest first."""
    tidies: bool = True
    """Whether rooms that are to be tidied, with nothing more said, are looked through first, and
    the model is told what seems out of place there."""
    domain: Literal["", "dialogue", "task", "steps", "tidy"] = ""
    """Domain whose template and examples to use with ``prompts``, whatever the input is (HELPER;
    with another domain's, its ablation); empty: the nearest."""
    states: bool = True
    """Whether to tell, with ``home``, what is clean, filled, on …"""
    bad_answer: Literal["ask again", "drop"] = "ask again"
    """Handling of lines that mean nothing: ask for the program once more, or leave them out."""
    locator: bool = True
    places: int = 3
    questions: int = 2
    """Most questions to the partner in an episode. A partner that does not answer is not asked
    again."""
    asks_which: bool = False
    """Whether to ask also where several things of the kind are known."""
    answer_wait_s: float = 12.0
    listens: bool = True
    """Whether what the partner says while a program runs is heeded; else only once it has run."""
    replans: int = 6
    """Most programs that are asked for anew because of what the partner says."""
    feedback_rounds: int = 2
    feedback_wait_s: float = 6.0
    context_chars: int | None = None
    """Longest prompt (characters); None: no limit."""
    running: RunSettings = RunSettings()
