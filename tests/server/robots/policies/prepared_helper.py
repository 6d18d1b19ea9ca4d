"""``helper`` with a model that answers what a test says, in a home of a few things."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

from server.robots.playing.policy_player import PolicyPlayer
from server.robots.playing.thinkers import ChargedThinker
from server.robots.policies.helper.example_ranking import WordRanking
from server.robots.policies.helper.memory import memories_of
from server.robots.policies.helper.policy import Helper
from server.robots.policies.helper.settings import HelperSettings
from server.robots.policy import Heard, PolicyView
from server.robots.policy_spec import PlayerOptions
from server.robots.registry.registry import make_player
from tests.robot_doubles.prepared_answers import PreparedAnswers
from tests.server.robots.policies.test_golden_prompts import view
from tests.server.sessions.first_house_sessions import HUMAN, ROBOT


def helper(*answers: str | Exception, **changed: Any) -> tuple[Helper, PreparedAnswers]:
    model = PreparedAnswers(*answers)
    settings = HelperSettings(**changed)
    return Helper(model, settings, memories_of(settings.memory), WordRanking()), model


def cast(text: str) -> PolicyPlayer:
    """Return the player of a policy's name."""
    loop = asyncio.new_event_loop()
    loop.close()
    player = make_player(text, ROBOT, PlayerOptions(ChargedThinker(loop), PreparedAnswers()))
    assert isinstance(player, PolicyPlayer)
    return player


def purposes(model: PreparedAnswers) -> list[str]:
    return [request.purpose for request in model.requests]


def later(start: PolicyView, ticks: int, *heard: str) -> PolicyView:
    """Return the view after a while, with what was heard meanwhile."""
    tick = start.tick + ticks
    chat = (*start.chat, *(Heard(tick, HUMAN, text) for text in heard))
    return replace(start, tick=tick, chat=chat)


def all_seen() -> PolicyView:
    """Return a view in which everything is known and nobody has said anything."""
    made = replace(view(ROBOT, first=False), chat=(), history=(), partner_acts=())
    made.graph.objects.pop("lamp_x")
    made.graph.agents = {ROBOT: "kitchen_0", HUMAN: "kitchen_0"}
    return made
