"""The declarations of the eight people: four to build beside, four held out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from server.robots.baselines.people import settings as of
from server.robots.playing.seat_options import SeatOptions
from server.robots.policy_spec import DEFAULT, PolicySpec, Preset, SeatSetup
from server.sessions.player import Player

SEATING = SeatOptions(shares_views=False, partner="seen", think_s=0.3, closes_s=None)
"""A person knows what it has seen itself, and takes a moment between two things.

Its pauses are part of its manner, whoever has finished.
"""


def _seeded(settings: of.PersonSettings, seed: int) -> of.PersonSettings:
    return msgspec.structs.replace(settings, seed=settings.seed + seed)


def _player(module: str, name: str) -> Callable[[Any, SeatSetup], Player]:
    def build(settings: of.PersonSettings, setup: SeatSetup) -> Player:
        from importlib import import_module

        from server.robots.baselines.people.player import PersonPlayer

        person = getattr(import_module(f"server.robots.baselines.people.{module}"), name)
        policy = person(settings, setup.seat)
        return PersonPlayer(setup.seat, policy, setup.options.thinker, setup.seating)

    return build


def _person(
    kind: str, settings: of.PersonSettings, *, held_out: bool = False, speed: float = 1.0
) -> PolicySpec[Any, Player]:
    seating = msgspec.structs.replace(SEATING, speed=speed)
    return PolicySpec(
        name=f"person-{kind}",
        title=f"Person, {kind}",
        build=_player(kind, kind.capitalize()),
        presets={DEFAULT: Preset(settings=settings, seating=seating)},
        seeded=_seeded,
        bodies=("human",),
        needs_model=False,
        privileged=True,
        is_person=True,
        offered=False,
        held_out=held_out,
    )


PEOPLE = (
    _person("slow", of.SlowSettings(), speed=0.6),
    _person("erring", of.ErringSettings()),
    _person("passive", of.PassiveSettings()),
    _person("contrary", of.ContrarySettings()),
    _person("misunderstanding", of.MisunderstandingSettings(), held_out=True),
    _person("learning", of.LearningSettings(), held_out=True),
    _person("wandering", of.WanderingSettings(), held_out=True),
    _person("talking", of.TalkingSettings(), held_out=True),
)
"""All eight, in the order of docs/partners.md."""
