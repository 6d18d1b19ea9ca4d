"""Late answers: what they are about has been taken, or something has been said."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from server.robots.baselines.scripted_player import Done, Rest, ScriptedPlayer, Speak, Take
from server.robots.models import ModelAnswer, ModelRequest
from server.robots.models.call_record import prompt_text
from server.robots.playing.policy_player import PolicyPlayer
from server.robots.playing.seat_options import SeatOptions
from server.robots.playing.thinkers import ChargedThinker
from server.robots.policies.shared.retrieval import Library, SolvedTrace
from server.robots.policy import Decision, Do, Finished, PolicyView
from server.robots.policy_spec import PlayerOptions
from server.robots.registry.registry import POLICIES, make_player
from server.sessions.core import SessionCore
from server.sessions.spec import TICK_RATE
from server.worker.unpaced_runner import run
from tests.server.robots.call_recorder import CallRecorder
from tests.server.sessions.first_house_sessions import HUMAN, ROBOT, core_of, in_the_open, task

SLOW_S = 12.0
MOVED = "was moved by somebody else before this was begun"


class RepeatingPolicy(CallRecorder):
    """Policy that decides the same each time, and at last that it has finished."""

    name = "decides"

    def __init__(self, *decisions: Decision) -> None:
        super().__init__()
        self.left = list(decisions)
        self.views: list[PolicyView] = []

    async def decide(self, view: PolicyView) -> Decision:
        self.views.append(view)
        decision = self.left.pop(0) if self.left else Finished()
        self.note(decision)
        return decision


def takes(core: SessionCore) -> ScriptedPlayer:
    """Return a partner who takes a thing while the robot thinks, and keeps it."""
    return ScriptedPlayer(HUMAN, [Take(in_the_open(core)), Rest(1500), Done()])


def play(
    loop: asyncio.AbstractEventLoop,
    policy: RepeatingPolicy,
    core: SessionCore,
    partner: ScriptedPlayer,
    **seating: Any,
) -> PolicyPlayer:
    sits = SeatOptions(**{"observability": "full", "revalidate": True, **seating})
    player = PolicyPlayer(ROBOT, policy, ChargedThinker(loop, SLOW_S), sits)
    run(core, [player, partner], 4000)
    return player


def test_it_is_told_why_and_asked_again_once(loop: Any) -> None:
    core = core_of(task(2))
    name = core.names.graph[in_the_open(core)]
    call = Do(f"Pick[{name}]")
    policy = RepeatingPolicy(call, call)
    player = play(loop, policy, core, takes(core))
    first, second, third = player.take_calls()
    assert (first.overtaken, first.stale, first.applied_tick) == (
        True, "the world had changed", None,
    )  # fmt: skip
    # Asked again at the next tick, and obeyed whatever has become of the world by then.
    assert second.asked_tick == first.asked_tick + SLOW_S * TICK_RATE + 1
    assert (second.stale, second.applied_tick is None) == ("", False)
    assert [s.call for s in player.take_skills()] == [call.text]
    told = [view.overtaken for view in policy.views]
    assert told == ["", f"Unexpected failure! - {name} {MOVED}. Nothing was done", ""]
    # What was not begun is nothing that it has done.
    assert [len(view.history) for view in policy.views] == [0, 0, 1]
    assert third.stale == ""


def test_who_wants_to_stop_hears_what_was_said_first(loop: Any) -> None:
    core = core_of(task(2))
    policy = RepeatingPolicy(Finished())
    human = ScriptedPlayer(HUMAN, [Rest(60), Speak("one more thing"), Rest(1200), Done()])
    player = play(loop, policy, core, human)
    one, two = player.take_calls()
    assert (one.stale, one.overtaken, one.applied_tick) == ("something was said", False, None)
    assert two.applied_tick is not None
    assert policy.views[1].overtaken.startswith("Unexpected failure! - Something was said")
    assert [line.text for line in policy.views[1].chat] == ["one more thing"]
    # Where that setting is off, it has finished.
    deaf = RepeatingPolicy(Finished())
    human = ScriptedPlayer(HUMAN, [Rest(60), Speak("one more thing"), Rest(1200), Done()])
    play(loop, deaf, core_of(task(2)), human, revalidate=False)
    assert len(deaf.views) == 1


def test_the_last_decision_of_a_cap_is_not_thrown_away(loop: Any) -> None:
    core = core_of(task(2))
    policy = RepeatingPolicy(Do(f"Pick[{core.names.graph[in_the_open(core)]}]"))
    player = play(loop, policy, core, takes(core), max_decisions=1)
    (call,) = player.take_calls()
    assert call.overtaken
    assert call.applied_tick is not None
    assert len(player.take_skills()) == 1


# Every policy that asks a model


class RepeatingModel:
    """Model double that always wants the same thing, in the way in which it is asked."""

    def __init__(self, core: SessionCore) -> None:
        graph = core.names.graph
        self.thing = graph[in_the_open(core)]
        self.table = next(n for n in graph.values() if n.startswith("table_"))
        self.prompts: list[str] = []

    async def complete(self, request: ModelRequest) -> ModelAnswer:
        self.prompts.append(prompt_text(request))
        call = f"Rearrange[{self.thing}, on, {self.table}, none, none]"
        if request.constraint is not None and "Rearrange" not in request.constraint.value:
            call = f"Navigate[{self.thing}]"
        goal = {"what": "on", "things": [self.thing], "where": [self.table]}
        about = {"failure": "none", "memory": "none", "reason": "so"}
        texts = {
            "act": f"Thought: That one.\n{call}\n",
            "meaning": json.dumps({"goals": [goal]}),
            "actor": json.dumps({**about, "robot subtask": "bring it", "robot action": call}),
            "planner": json.dumps({"reason": "so", "plan": ["bring it"]}),
            "corrector": json.dumps({"robot": "it was taken"}),
            "verifier": json.dumps({"reason": "so", "completed": []}),
        }
        text = texts.get(request.purpose, "")
        if not self.prompts[-1].startswith("[system]") and request.purpose == "act":
            text = call
        if "Thing(" in self.prompts[-1]:
            text = (
                f'it = Thing("{self.thing}")\nthere = Thing("{self.table}")\nit.bring_onto(there)'
            )
        return ModelAnswer(text=text, finish_reason="stop", model="speaks")


def cast(
    loop: asyncio.AbstractEventLoop, text: str, model: RepeatingModel, folder: Path
) -> PolicyPlayer:
    if text.startswith("react-rag"):
        path = folder / "traces.json"
        trace = SolvedTrace(name="epi_1", instruction="Tidy up.", text="Pick[cup_0]")
        Library([trace]).write(path)
        text += f",library={path},retrieval=words"
    player = make_player(
        f"{text},observability=full", ROBOT, PlayerOptions(ChargedThinker(loop, SLOW_S), model)
    )
    assert isinstance(player, PolicyPlayer)
    return player


OURS = ["react", "react-rag", "finetuned", "llamar", "helper", "cohab"]
PAPERS = [
    f"{policy}:{name}"
    for policy in OURS
    for name in POLICIES[policy].presets
    if name.startswith(("partnr", "paper", "helperx")) and "-centralised" not in name
]


# ``cohab`` plans from what is known when it has read.
@pytest.mark.parametrize(("policy", "stale"), [("helper", "the world had changed"), ("cohab", "")])
def test_a_plan_is_gone_through_anew_without_the_model(
    loop: Any, policy: str, stale: str, tmp_path: Path
) -> None:
    """The model is not asked, because what is wanted has not changed."""
    core = core_of(task(2))
    model = RepeatingModel(core)
    player = cast(loop, f"{policy}:default", model, tmp_path)
    assert player.seating.revalidate
    run(core, [player, takes(core)], 1100)
    (call,) = player.take_calls()
    assert (call.stale, call.applied_tick is None) == (stale, bool(stale))
    assert not any(model.thing in skill.call for skill in player.take_skills())


@pytest.mark.parametrize("policy", [p for p in OURS if p not in ("helper", "cohab")])
def test_ours_does_not_go_for_what_the_partner_has_taken(
    loop: Any, policy: str, tmp_path: Path
) -> None:
    core = core_of(task(2))
    model = RepeatingModel(core)
    player = cast(loop, f"{policy}:default", model, tmp_path)
    run(core, [player, takes(core)], 760)
    calls = player.take_calls()
    late = [call for call in calls if call.overtaken]
    assert late
    assert {(c.stale, c.applied_tick) for c in late if c.purpose != "verifier"} == {
        ("the world had changed", None)
    }
    again = next(c for c in calls if c.asked_tick > late[0].asked_tick)
    assert again.asked_tick == late[-1].asked_tick + SLOW_S * TICK_RATE + 1
    # It sees who has the thing now, and all but one, whose format has no place for it, are told.
    assert "held by" in model.prompts[len(late)]
    assert (MOVED in "".join(model.prompts)) == (policy != "finetuned")


@pytest.mark.parametrize("name", PAPERS)
def test_what_is_named_after_a_paper_goes_all_the_same_and_the_log_tells(
    loop: Any, name: str, tmp_path: Path
) -> None:
    core = core_of(task(2))
    model = RepeatingModel(core)
    retrieval = ",retrieval=words" if name.startswith("helper") else ""
    player = cast(loop, name + retrieval, model, tmp_path)
    assert not player.seating.revalidate
    run(core, [player, takes(core)], 760)
    late = [call for call in player.take_calls() if call.overtaken]
    assert late
    assert all(call.stale == "" and call.applied_tick is not None for call in late)
    assert model.thing in player.take_skills()[0].call
    assert MOVED not in "".join(model.prompts)
