"""Presets that several policies share: ours for play beside a person, and PARTNR's figures."""

from __future__ import annotations

from typing import TypeVar

from server.robots.playing.seat_options import Observability, SeatOptions
from server.robots.policies.shared.generation import Generation
from server.robots.policy_spec import Preset
from server.sessions.spec import Ending

Settings = TypeVar("Settings")
BESIDE_A_PERSON = SeatOptions(prefetch=True, revalidate=True)
"""Seat options for play beside a person: everything that helps. Presets named after a paper have
none of it."""
PLANNERS_DECIDE = Ending(on_success=False, robot_wait_s=None)
"""The ending of episodes in papers: all planners have finished, or their calls are used up."""
ASKED_ONCE = Generation(retries=False)
"""PARTNR's generation: a failed model call is not made again."""
PARTNR_CALLS = 50 + 1
"""Model calls for one seat. PARTNR compares before it counts, so it makes one call more than its
threshold."""
PARTNR_CENTRAL_CALLS = 100 + 1
PARTNR_TOOLS = (
    "Navigate", "Explore", "Open", "Close", "Pick", "Place", "Wait",
    "Clean", "Fill", "Pour", "PowerOn", "PowerOff",
)  # fmt: skip
"""PARTNR's tools as its main text lists them, without Rearrange; only the human body has any of the
last five."""


def partnr_preset(settings: Settings, *, full: bool = False) -> Preset[Settings]:
    """Return PARTNR's decentralised setting: each seat has a model and calls of its own.

    With ``full`` observability the world graph of each seat holds everything; otherwise the human's
    holds only what its own body sees.
    """
    seating = _partnr_seating(full, max_decisions=PARTNR_CALLS)
    return Preset(settings=settings, seating=seating, asymmetric=not full, ending=PLANNERS_DECIDE)


def partnr_central_preset(settings: Settings, *, full: bool = False) -> Preset[Settings]:
    """Return PARTNR's centralised setting: one model for both seats, which counts its own calls."""
    seating = _partnr_seating(full, max_decisions=None)
    return Preset(settings=settings, seating=seating, ending=PLANNERS_DECIDE)


def _partnr_seating(full: bool, max_decisions: int | None) -> SeatOptions:
    observability: Observability = "full" if full else "partial"
    return SeatOptions(
        observability=observability,
        max_decisions=max_decisions,
        tells_finish=False,
        tools=PARTNR_TOOLS,
    )
