"""Model double that plays all modules of ``llamar`` well.

It knows what each task wants, and reads how that stands from the prompt alone. What it has to keep
it keeps where the policy lets it, in the memory. Over HTTP it answers through
`tests.robot_doubles.served`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from server.robots.baselines.expert.goals import plan
from server.robots.baselines.scripted_player import Put
from server.robots.models import ModelAnswer, ModelRequest
from server.robots.models.call_record import prompt_text
from server.sessions.core import SessionCore
from tests.robot_doubles.llamar_mind import Mind
from tests.robot_doubles.model_answer import model_answer
from tests.robot_doubles.partnr import Wish, wishes_of

_ROLES = (
    ("You keep track", "all"),
    ("You keep the list", "planner"),
    ("You decide", "actor"),
    ("You find out why", "corrector"),
    ("You check which", "verifier"),
)


class LlamarDouble:
    """Model double with ``plans`` by instruction, and other calls that will do by the best one."""

    def __init__(self, plans: dict[str, list[Wish]], instead: dict[str, list[str]]) -> None:
        self.plans = plans
        self.instead = instead
        self.requests: list[ModelRequest] = []

    @classmethod
    def for_tasks(cls, cores: Iterable[SessionCore]) -> LlamarDouble:
        plans: dict[str, list[Wish]] = {}
        instead: dict[str, list[str]] = {}
        for core in cores:
            plans[core.task_text] = wishes_of(core)
            instead |= _others(core, plans[core.task_text])
        return cls(plans, instead)

    async def complete(self, request: ModelRequest) -> ModelAnswer:
        self.requests.append(request)
        prompt = prompt_text(request)
        text = self.answer(prompt)
        return model_answer("llamar double", prompt, text)

    def answer(self, prompt: str) -> str:
        wishes = next(w for task, w in self.plans.items() if f"Task: {task}\n" in prompt)
        role = min(
            ((prompt.find(f"\n\n{start}"), role) for start, role in _ROLES
             if f"\n\n{start}" in prompt)
        )[1]  # fmt: skip
        mind = Mind(wishes, prompt, self.instead)
        parts = {
            "planner": mind.plans, "actor": mind.acts, "corrector": mind.corrects,
            "verifier": mind.verifies, "all": mind.does_all,
        }  # fmt: skip
        return json.dumps(parts[role]())


def _others(core: SessionCore, wishes: list[Wish]) -> dict[str, list[str]]:
    """Return, for each call, the calls that put the thing elsewhere and will do as well."""
    names = core.names.graph
    found: dict[str, list[str]] = {}
    for goal, wish in zip(plan(core), wishes, strict=True):
        puts = [way[-1] for way in goal.ways[1:] if isinstance(way[-1], Put)]
        found[wish.call] = [
            f"Rearrange[{wish.thing}, {put.relation}, {names[put.target]}, none, none]"
            for put in puts
            if put.relation != "floor" and put.target in names
        ]
    return found
