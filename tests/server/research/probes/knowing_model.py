"""A model that answers probes from the plan of an expert, right or in a way that is known."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from server.research.probes.answers import (
    Actions,
    Called,
    Fact,
    Goals,
    Operators,
    Probe,
    Subgoals,
)
from server.research.probes.operators import OPERATORS
from server.research.probes.problem import Problem
from server.robots.baselines.expert import plan
from server.robots.baselines.scripted_player import Change, Put, Take
from server.robots.models import ModelAnswer, ModelError, ModelRequest
from server.sessions.core import SessionCore

_CALLS = {
    "clean": ("Clean", "is_clean"),
    "fill": ("Fill", "is_filled"),
    "power_on": ("PowerOn", "is_powered_on"),
    "power_off": ("PowerOff", "is_powered_off"),
}


def goals_of(problem: Problem) -> Goals:
    """Take the first choice wherever there is one."""
    facts = []
    names = problem.name_of
    for proposition in problem.evaluation.propositions:
        args = proposition.args
        things = args.get("object_handles") or args["entity_handles_a"]
        others = (
            args.get("receptacle_handles") or args.get("room_ids") or args.get("entity_handles_b")
        )
        other = names[others[0]] if others else ""
        for thing in things[: int(args.get("number") or 1)]:
            facts.append(Fact(proposition.function_name, names[thing], other))  # noqa: PERF401
    return Goals(tuple(facts))


def actions_of(core: SessionCore) -> Actions:
    """Return the expert's errands, with what is shut opened first."""
    names, made, opened = core.names.graph, [], set()

    def call(action: str, *arguments: str) -> None:
        made.append(Called(action, arguments))

    def open_up(handle: str | None) -> None:
        if handle is not None and handle not in opened:
            opened.add(handle)
            call("Open", names[handle])

    for goal in plan(core):
        thing = names[goal.thing]
        if goal.thing in core.world.objects:
            open_up(core.shut_in(goal.thing))
        for step in goal.ways[0]:
            match step:
                case Take():
                    call("Pick", thing)
                case Put(target, relation, near):
                    if relation == "within" and any(f == target for f, _ in core.world.joints):
                        open_up(target)
                    where = f"floor_{names[target]}" if relation == "floor" else names[target]
                    beside = ("none", "none") if near is None else ("next_to", names[near])
                    call("Place", thing, "on" if relation == "floor" else relation, where, *beside)
                case Change(verb, _):
                    call(_CALLS[verb][0], thing)
    return Actions(tuple(made))


def subgoals_of(actions: Actions) -> Subgoals:
    """Return what each action brings about."""
    steps = []
    for action, arguments in ((c.action, c.arguments) for c in actions.actions):
        match action:
            case "Open":
                fact = Fact("is_open", arguments[0])
            case "Pick":
                fact = Fact("holding", arguments[0])
            case "Place" if arguments[3] == "next_to":
                fact = Fact("is_next_to", arguments[0], arguments[4])
            case "Place" if arguments[2].startswith("floor_"):
                room = arguments[2].removeprefix("floor_")
                fact = Fact("is_in_room", arguments[0], room)
            case "Place":
                kind = "is_inside" if arguments[1] == "within" else "is_on_top"
                fact = Fact(kind, arguments[0], arguments[2])
            case _:
                fact = Fact(dict(_CALLS.values())[action], arguments[0])
        steps.append((fact,))
    return Subgoals(tuple(steps))


def right_answers(problem: Problem, core: SessionCore) -> dict[Probe, Any]:
    actions = actions_of(core)
    return {
        "goals": goals_of(problem),
        "subgoals": subgoals_of(actions),
        "actions": actions,
        "operators": Operators(OPERATORS),
    }


class Knows:
    """Answers by the instruction in the prompt; ``errs`` may change an answer's text."""

    def __init__(
        self,
        answers: Mapping[str, Mapping[Probe, Any]],
        errs: Callable[[Probe, str], str | ModelError] = lambda _probe, text: text,
    ) -> None:
        """``answers`` are by something that only one task's prompts have in them."""
        self.answers = answers
        self.errs = errs
        self.requests: list[ModelRequest] = []

    async def complete(self, request: ModelRequest) -> ModelAnswer:
        self.requests.append(request)
        assert not isinstance(request.prompt, str)
        probe: Any = request.purpose.removeprefix("probe ")
        asked = request.prompt[-1].content
        key = next(iter(self.answers)) if probe == "operators" else next(
            k for k in self.answers if k in asked
        )  # fmt: skip
        text = self.errs(probe, msgspec.json.encode(self.answers[key][probe]).decode())
        if isinstance(text, ModelError):
            raise text
        return ModelAnswer(text=text, finish_reason="stop", model="knows")
