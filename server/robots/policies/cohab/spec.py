"""Declaration of ``cohab``."""

from __future__ import annotations

from server.robots.policies.cohab.settings import CohabSettings
from server.robots.policies.shared.presets import BESIDE_A_PERSON
from server.robots.policy import Policy
from server.robots.policy_spec import DEFAULT, PolicySpec, Preset, SeatSetup, Tuning


def _build(settings: CohabSettings, setup: SeatSetup) -> Policy:
    from server.robots.policies.cohab.policy import Cohab

    return Cohab(setup.model, settings)


TUNED = Tuning(
    beside=(
        "scripted:slow",
        "scripted:erring",
        "scripted:passive",
        "scripted:contrary",
        "person-slow",
        "person-erring",
        "person-passive",
        "person-contrary",
    ),
    tasks="30 tasks",
    split="train",
)
COHAB = PolicySpec(
    name="cohab",
    title="Cohab",
    description="Reads the task, asks when it is unsure, and plans by itself.",
    build=_build,
    presets={
        DEFAULT: Preset(settings=CohabSettings(), seating=BESIDE_A_PERSON, tuned=TUNED),
    },
)
