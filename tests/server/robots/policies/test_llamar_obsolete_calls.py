"""``llamar`` stops a call that is of no use any more."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from episodes.worldgraph import Known, Place, WorldGraph
from server.robots.baselines.scripted_player import Done, Rest, ScriptedPlayer, Take
from server.robots.policies.llamar.obsolete_calls import is_found, is_taken
from tests.server.robots.calls import as_call
from tests.server.robots.policies.llamar_replies import (
    Replies,
    act,
    completed,
    plan,
    play,
    rooms,
)
from tests.server.robots.policies.test_golden_prompts import view
from tests.server.sessions.first_house_sessions import HUMAN, core_of, in_the_open, task

OURS = "llamar:confirms_done=false,prefetch=false"


def test_what_the_partner_has_taken_is_not_fetched(loop: Any) -> None:
    core = core_of(task(2))
    thing = in_the_open(core)
    name = core.names.graph[thing]
    for text, stopped in ((OURS, True), (f"{OURS},lets_go=false", False)):
        model = Replies(planner=[plan(f"take {name}")], corrector=[{}], verifier=[completed()],
                     actor=[act(f"Navigate[{rooms()[-1]}]"), act(f"Rearrange[{name}, on, "
                     f"{core.names.graph[core.simulator.scene.furniture[0].handle]}, none, none]"),
                     act("Done[]")])  # fmt: skip
        human = ScriptedPlayer(HUMAN, [Take(thing), Rest(600), Done()])
        player, _ = play(loop, f"{text},observability=full", model, human)
        last = player.take_skills()[-1]
        assert last.response.endswith("Stopped: something has changed") == stopped
    assert "tried Rearrange" in model.asked("corrector")[-1]


def test_a_search_ends_when_what_it_is_for_has_come_to_light(loop: Any) -> None:
    core = core_of(task(2))
    thing = in_the_open(core)
    name = core.names.graph[thing]
    graph = WorldGraph(core.simulator.scene, core.simulator.catalogue, core.names)
    room = core.names.graph[graph.room_at(core.world.pose(thing).position)]
    walks = {}
    for text in (OURS, f"{OURS},lets_go=false"):
        model = Replies(planner=[plan(f"put {name} on table_1, in {room}")], verifier=[completed()],
                     actor=[act("Explore[]"), act("Done[]")])  # fmt: skip
        player, _ = play(loop, text, model)
        (walks[text],) = player.take_skills()
        told = model.asked("actor")[1]
        assert "Result: Successful execution! Looked towards " in told
        visited = player.policy.team._visited
        assert len(visited) == (0 if text == OURS else 1)
    assert walks[OURS].ended < walks[f"{OURS},lets_go=false"].ended


@pytest.mark.parametrize(
    ("doing", "holder", "taken"),
    [
        ("Navigate[lamp_2]", "human_0", True),
        ("Rearrange[lamp_2, on, table_3, none, none]", "human_0", True),
        ("Navigate[lamp_2]", "robot_0", False),
        ("Navigate[table_3]", "human_0", False),
        ("Open[counter_2]", "human_0", False),
        ("Wait[]", "human_0", False),
    ],
)
def test_taken_is_what_is_in_the_partners_hand(doing: str, holder: str, taken: bool) -> None:
    made = view("robot_0", first=False)
    lamp = next(h for h in made.graph.objects if made.graph.names.graph[h] == "lamp_2")
    made.graph.objects[lamp] = Known(Place("agent", holder))
    assert is_taken(replace(made, doing=as_call(doing))) is taken


@pytest.mark.parametrize(
    ("subtask", "found"),
    [
        ("put cup_0 on table_3", True),
        ("find the Cups", True),
        ("find cup_7", False),
        ("open the cupboard", False),
    ],
)
def test_found_is_what_a_subtask_names(subtask: str, found: bool) -> None:
    made = view("robot_0", first=False)
    others = {h for h in made.graph.objects if made.graph.names.graph[h] != "cup_0"}
    assert is_found(made, others, [subtask]) is found
    assert not is_found(made, frozenset(made.graph.objects), [subtask])
