"""Declaration of ``finetuned``."""

from __future__ import annotations

from server.robots.policies.finetuned.settings import FinetunedSettings
from server.robots.policies.shared.generation import seeded
from server.robots.policies.shared.presets import ASKED_ONCE, BESIDE_A_PERSON, partnr_preset
from server.robots.policy import Policy
from server.robots.policy_spec import DEFAULT, PolicySpec, Preset, SeatSetup


def _build(settings: FinetunedSettings, setup: SeatSetup) -> Policy:
    from server.robots.policies.finetuned.policy import Finetuned

    return Finetuned(setup.model, settings)


FINETUNED = PolicySpec(
    name="finetuned",
    title="Finetuned",
    build=_build,
    presets={
        DEFAULT: Preset(settings=FinetunedSettings(), seating=BESIDE_A_PERSON),
        "partnr": partnr_preset(FinetunedSettings(generation=ASKED_ONCE)),
    },
    seeded=seeded,
    # PARTNR trained it on pairs: its format has one other agent.
    most_bodies=2,
    beside_its_kind=False,
    offered=False,
)
