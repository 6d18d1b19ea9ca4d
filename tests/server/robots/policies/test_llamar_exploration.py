"""Exploration towards what is most like the open subtasks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from episodes.names import Names
from episodes.poses import IDENTITY, Pose
from episodes.scene import Furniture
from episodes.worldgraph import Known, Place
from server.robots.baselines.scripted_player import Done, ScriptedPlayer
from server.robots.models import UnavailableError
from server.robots.playing.policy_player import PolicyPlayer
from server.robots.playing.thinkers import ChargedThinker
from server.robots.policies.llamar.exploration import (
    HEADINGS,
    EmbeddingSimilarity,
    around,
    by_heading,
    by_room,
    by_words,
    heading,
)
from server.robots.policies.llamar.policy import Team
from server.robots.policy import PolicyView
from server.robots.registry.registry import configured
from server.worker.unpaced_runner import run
from tests.server.robots.policies.llamar_replies import Replies, act, completed, plan
from tests.server.robots.policies.test_golden_prompts import view
from tests.server.sessions.first_house_sessions import HUMAN, ROBOT, core_of, task


def kitchen(**places: tuple[float, float]) -> PolicyView:
    """Return the view from the middle of a kitchen of 4 by 4 m; furniture is at x, z from there."""
    made = view("robot_0", first=False)
    graph = made.graph
    here, beyond = graph.scene.rooms
    beyond = msgspec.structs.replace(beyond, polygon=tuple((x + 10, z) for x, z in beyond.polygon))
    furniture = tuple(
        Furniture(handle, "table", here.room_id, Pose((2.0 + x, 0.0, 2.0 + z), IDENTITY))
        for handle, (x, z) in places.items()
    )
    graph.scene = msgspec.structs.replace(graph.scene, furniture=furniture, rooms=(here, beyond))
    graph.rooms = dict.fromkeys(places, here.room_id)
    graph.objects = {}
    names = {handle: f"{handle}_{number}" for number, handle in enumerate(places)}
    graph.names = Names({**graph.names.graph, **names}, {})
    return replace(made, position=(2.0, 0.0, 2.0))


@pytest.mark.parametrize(
    ("there", "name"),
    [
        ((0, -1), "north"),
        ((1, 0), "east"),
        ((0, 1), "south"),
        ((-1, 0), "west"),
        ((0.3, -1), "north"),
        ((-1, -0.9), "west"),
    ],
)
def test_quarters_are_named_from_minus_z(there: tuple[float, float], name: str) -> None:
    assert HEADINGS[heading((5.0, 0.0, 5.0), (5.0 + there[0], 0.0, 5.0 + there[1]))] == name


def test_what_is_seen_is_told_by_quarter() -> None:
    shown = kitchen(stove=(0, -1), shelf=(1, 0), sink=(-1, 0))
    shown.graph.objects = {"cup_x": Known(Place("furniture", "shelf"))}
    north, east, south, west = around(shown)
    # The bedroom lies beyond the shelf.
    assert (north, east, south, west) == ("stove", "shelf cup bedroom", "", "sink")


async def test_it_goes_towards_what_is_most_like_the_subtasks() -> None:
    shown = kitchen(stove=(0, -1), shelf=(1.5, 0), sink=(-1, 0), table=(1, 0))
    way = await by_heading(shown, ["find the pan near the sink", "wash it"], (), by_words)
    assert way is not None
    assert (str(way.call), way.goal, way.towards) == ("Navigate[sink_2]", "sink", "west")
    # Two subtasks outweigh one: the scores are summed.
    subtasks = ["put it in the sink", "look on the shelf", "look under the table"]
    way = await by_heading(shown, subtasks, (), by_words)
    assert way is not None
    assert way.goal == "table"


async def test_where_there_is_nothing_left_the_next_best_heading_is_taken() -> None:
    shown = kitchen(stove=(0, -1), sink=(-1, 0))
    way = await by_heading(shown, ["the sink"], {"sink"}, by_words)
    assert way is not None
    assert way.towards == "north"
    assert await by_heading(shown, ["the sink"], {"sink", "stove"}, by_words) is None


async def test_of_equals_it_takes_the_first_and_then_the_nearest() -> None:
    shown = kitchen(far=(0, -1.5), near=(0, -1), other=(1, 0))
    way = await by_heading(shown, ["qwerty"], (), by_words)
    assert way is not None
    assert way.goal == "near"


async def test_embeddings_are_summed_as_cosines() -> None:
    async def embed(texts: Sequence[str]) -> list[list[float]]:
        known = {"a": [2.0, 0.0], "b": [0.0, 1.0], "east": [3.0, 3.0], "north": [0.0, 0.0]}
        return [known[text] for text in texts]

    scores = await EmbeddingSimilarity(embed)(["a", "b"], ["north", "east", "a"])
    assert scores == pytest.approx([0.0, 2**0.5, 1.0])


async def test_by_room_the_likeliest_that_it_has_not_been_in() -> None:
    shown = view("robot_0", first=False)
    way = await by_room(shown, ["find the cup in the bedroom"], (), by_words)
    assert way is not None
    assert str(way.call) == "Explore[bedroom_1]"
    way = await by_room(shown, ["find the cup in the bedroom"], {"bedroom_0"}, by_words)
    assert way is not None
    assert str(way.call) == "Explore[kitchen_1]"
    plain = replace(shown, tools=tuple(s for s in shown.tools if s.name != "Explore"))
    way = await by_room(plain, ["qwerty"], {"kitchen_0"}, by_words)
    assert way is not None
    assert str(way.call) == "Navigate[bedroom_1]"
    assert await by_room(shown, [], {"kitchen_0", "bedroom_0"}, by_words) is None


def test_where_similarities_cannot_be_had_the_exploration_goes_on_later(loop: Any) -> None:
    asked: list[Sequence[str]] = []

    async def score(subtasks: Sequence[str], texts: Sequence[str]) -> list[float]:
        asked.append(subtasks)
        if len(asked) == 2:
            raise UnavailableError("gone")
        return [0.0] * len(texts)

    model = Replies(planner=[plan("find cup")], actor=[act("Explore[]"), act("Done[]")],
                 verifier=[completed()])  # fmt: skip
    settings = configured("llamar:exploration=headings,confirms_done=false").setup.settings
    policy = Team(settings, score).seat(ROBOT, model)
    player = PolicyPlayer(ROBOT, policy, ChargedThinker(loop, 0.1))
    run(core_of(task(2)), [player, ScriptedPlayer(HUMAN, [Done()])], 20_000)
    assert asked == [("find cup",)] * 4
    assert len(player.take_skills()) == 3
    assert policy.team.decisions == 1
