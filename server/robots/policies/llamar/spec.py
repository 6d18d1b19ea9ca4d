"""Declaration of ``llamar``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec

from server.robots.playing.seat_options import SeatOptions
from server.robots.policies.llamar.settings import LlamarSettings
from server.robots.policies.shared.generation import Generation, seeded
from server.robots.policies.shared.presets import BESIDE_A_PERSON, PARTNR_TOOLS, PLANNERS_DECIDE
from server.robots.policy_spec import DEFAULT, PolicySpec, Preset, SeatSetup

if TYPE_CHECKING:
    from server.robots.policies.llamar.policy import Llamar

_PAPER = LlamarSettings(
    # The paper gives neither a temperature nor a longest answer.
    generation=Generation(retries=False, max_tokens=1000),
    exploration="headings",
    calls="always",
    objects="near",
    bad_answer="result",
    hears=False,
    lets_go=False,
    confirms_done=False,
    reopens=False,
    blocks_repeats=None,
    most_decisions=30,
)
_ACTOR_ALONE: dict[str, Any] = {
    "planner": False,
    "corrector": "off",
    "memory": False,
    "trace": True,
}
"""The paper's Act: no lists and no memory, but everything that was done."""


def _paper(**changed: Any) -> Preset[LlamarSettings]:
    """Return LLaMAR's main setting, or what its ablations leave of it.

    Beside a person it decides for one body, which the paper never does.
    """
    return Preset(
        settings=msgspec.structs.replace(_PAPER, **changed),
        seating=SeatOptions(tells_finish=False, tools=PARTNR_TOOLS),
        ending=PLANNERS_DECIDE,
    )


def build_llamar(
    settings: LlamarSettings,
    setup: SeatSetup,
    oracle: Callable[[], tuple[str, ...]] | None = None,
) -> Llamar:
    """Build the policy of one seat; a centralised team's seats share the mind of an episode.

    An ``oracle`` returns the completed subtasks in the Verifier's place; the first seat's answers
    for the whole of a centralised team. Raises NoLibraryError where a similarity by embedding has
    no server.
    """
    from server.robots.policies.llamar.exploration import EmbeddingSimilarity
    from server.robots.policies.llamar.policy import Team
    from server.robots.policies.shared.embedding import embed_at

    def team() -> Team:
        if settings.similarity == "words":
            return Team(settings, oracle=oracle)
        embed = embed_at(settings.embedding_url, settings.embedding_model)
        return Team(settings, EmbeddingSimilarity(embed), oracle=oracle)

    mind = setup.shared(team) if settings.arrangement == "centralised" else team()
    return mind.seat(setup.seat, setup.model)


LLAMAR = PolicySpec(
    name="llamar",
    title="LLaMAR",
    description="Keeps a list of subtasks: one part plans, one acts, one corrects, one checks.",
    build=build_llamar,
    presets={
        DEFAULT: Preset(settings=LlamarSettings(), seating=BESIDE_A_PERSON),
        "suggests": Preset(settings=LlamarSettings(most_suggestions=20), seating=BESIDE_A_PERSON),
        "paper": _paper(),
        "paper-centralised": _paper(arrangement="centralised"),
        "paper-actor": _paper(**_ACTOR_ALONE),
        "paper-actor-centralised": _paper(**_ACTOR_ALONE, arrangement="centralised"),
    },
    seeded=seeded,
    one_mind=lambda settings: settings.arrangement == "centralised",
    least_bodies=1,
)
