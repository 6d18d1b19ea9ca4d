"""Prepared modules of ``llamar``, and sessions in which they play."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from typing import Any

from server.robots.baselines.scripted_player import Done, ScriptedPlayer
from server.robots.models import ModelAnswer, ModelRequest
from server.robots.models.call_record import prompt_text
from server.robots.playing.thinkers import ChargedThinker
from server.robots.policy_spec import PlayerOptions
from server.robots.registry.registry import make_player
from server.sessions.core import SessionCore
from server.sessions.results import EpisodeResult
from server.worker.unpaced_runner import run
from tests.server.sessions.first_house_sessions import HUMAN, ROBOT, core_of, task


class Replies:
    """Model double whose modules give prepared answers, the last one for ever.

    An error among them is raised.
    """

    def __init__(self, **answers: Sequence[Mapping[str, object] | str | Exception]) -> None:
        self.answers = {role: list(given) for role, given in answers.items()}
        self.requests: list[ModelRequest] = []

    async def complete(self, request: ModelRequest) -> ModelAnswer:
        self.requests.append(request)
        given = self.answers.get(request.purpose, [{}])
        answer = given.pop(0) if len(given) > 1 else given[0]
        if isinstance(answer, Exception):
            raise answer
        text = answer if isinstance(answer, str) else json.dumps(answer)
        return ModelAnswer(text=text, finish_reason="stop", model="says")

    @property
    def roles(self) -> list[str]:
        return [request.purpose for request in self.requests]

    def asked(self, role: str) -> list[str]:
        """Return what a module was told, without what it is told each time."""
        return [
            prompt_text(r).rpartition("[user]\n")[2] for r in self.requests if r.purpose == role
        ]


def plan(*subtasks: str) -> dict[str, object]:
    return {"reason": "so", "plan": list(subtasks)}


def act(call: str, memory: str = "none", subtask: str = "none") -> dict[str, object]:
    about = {"failure": "none", "memory": memory, "reason": "so"}
    return {**about, "robot subtask": subtask, "robot action": call}


def completed(*subtasks: str) -> dict[str, object]:
    return {"reason": "so", "completed": list(subtasks)}


def play(
    loop: asyncio.AbstractEventLoop,
    text: str,
    model: Any,
    *others: Any,
    core: SessionCore | None = None,
    max_ticks: int = 20_000,
) -> tuple[Any, EpisodeResult | None]:
    player: Any = make_player(text, ROBOT, PlayerOptions(ChargedThinker(loop, 0.1), model))
    people = others or (ScriptedPlayer(HUMAN, [Done()]),)
    return player, run(core or core_of(task(2)), [player, *people], max_ticks)


def both_of(loop: asyncio.AbstractEventLoop, model: Any, text: str) -> list[Any]:
    """Return the players of a model that decides for both bodies."""
    company: dict[str, Any] = {}
    thinker = ChargedThinker(loop, 0.1)
    return [
        make_player(text, seat, PlayerOptions(thinker, model, company=company))
        for seat in (ROBOT, HUMAN)
    ]


def rooms() -> list[str]:
    core = core_of(task(2))
    return [core.names.graph[room.room_id] for room in core.simulator.scene.rooms]
