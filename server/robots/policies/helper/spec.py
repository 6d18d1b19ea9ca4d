"""Declaration of ``helper``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

from server.robots.playing.seat_options import SeatOptions
from server.robots.policies.helper.settings import HelperSettings, RunSettings
from server.robots.policies.shared.generation import Generation, seeded
from server.robots.policies.shared.presets import BESIDE_A_PERSON, PARTNR_TOOLS, PLANNERS_DECIDE
from server.robots.policy import Policy
from server.robots.policy_spec import DEFAULT, PolicySpec, Preset, RobotError, SeatSetup

if TYPE_CHECKING:
    from server.robots.policies.helper.example_ranking import Ranking

HELPERX_STEPS = 1000
_HELPERX = HelperSettings(
    generation=Generation(retries=False, max_tokens=1200),
    retrieval="embedding",
    extended=False,
    shows="kinds",
    tidies=False,
    bad_answer="drop",
    questions=0,
    listens=False,
    feedback_rounds=0,
    running=RunSettings(
        tries_again=False,
        goes_on=False,
        lets_go=False,
        rechecks=0,
        views=1,
        most_failures=30,
        most_left=10,
        repairs_until=20,
    ),
)
"""HELPER-X's budgets; what has no part in its paper (a partner's talk, waiting) is off."""


def _helperx(
    variant: Literal["prompts", "shared"], *, questions: bool = False
) -> Preset[HelperSettings]:
    settings = msgspec.structs.replace(_HELPERX, variant=variant)
    if questions:
        settings = msgspec.structs.replace(settings, questions=HELPERX_STEPS, asks_which=True)
    seating = SeatOptions(max_decisions=HELPERX_STEPS, tells_finish=False, tools=PARTNR_TOOLS)
    return Preset(settings=settings, seating=seating, ending=PLANNERS_DECIDE)


def _build(settings: HelperSettings, setup: SeatSetup) -> Policy:
    from server.robots.policies.helper.memory import memories_of
    from server.robots.policies.helper.policy import Helper

    for growing, is_on in (("grows", settings.grows), ("routines", settings.routines)):
        if is_on and not settings.memory:
            raise RobotError(f"helper:{growing}=true needs a file to grow: memory=FILE")
    memories = memories_of(settings.memory)
    return Helper(setup.model, settings, memories, _ranking(settings))


def _ranking(settings: HelperSettings) -> Ranking:
    from server.robots.policies.helper.example_ranking import (
        EmbeddingRanking,
        PositionRanking,
        WordRanking,
    )
    from server.robots.policies.shared.embedding import embed_at

    match settings.retrieval:
        case "words":
            return WordRanking()
        case "first":
            return PositionRanking()
        case "embedding":
            return EmbeddingRanking(embed_at(settings.embedding_url, settings.embedding_model))


HELPER = PolicySpec(
    name="helper",
    title="HELPER-X",
    description="Writes a small program for the whole task, after examples, and repairs what "
    "fails.",
    build=_build,
    # A memory that grows is written by the trial itself.
    files=lambda s: () if s.grows or s.routines else (s.memory,),
    presets={
        DEFAULT: Preset(settings=HelperSettings(), seating=BESIDE_A_PERSON),
        "helperx-p": _helperx("prompts"),
        "helperx-s": _helperx("shared"),
        "helperx-p-questions": _helperx("prompts", questions=True),
        "helperx-s-questions": _helperx("shared", questions=True),
    },
    seeded=seeded,
)
