"""Tutorials: what somebody learns alone, in either body, beside a scripted helper."""

from __future__ import annotations

from episodes.bodies import SeatKind
from episodes.teams import Team
from matchmaking.offers import Offer

HELPER = "tutor"
"""Policy that plays the other body, and that plays in nothing else."""


def _offer(kind: SeatKind) -> Offer:
    other = "human" if kind == "robot" else "robot"
    return Offer(f"tutorial-{kind}", Team.parse(f"{kind}=person,{other}={HELPER}"), 1)


TUTORIALS: dict[SeatKind, Offer] = {kind: _offer(kind) for kind in ("human", "robot")}
"""Offers by the body that the person plays; they are on no card."""
PRACTICE = tuple(offer.name for offer in TUTORIALS.values())
"""Teams of stays that are for practice."""


def is_tutorial(team: Team) -> bool:
    """Tell whether a team plays a tutorial."""
    return HELPER in team.policies.values()
