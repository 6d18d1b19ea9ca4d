"""Skills run in a session, under both rule profiles: what they do, say, and when they end."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest

from episodes.dataset import Episode
from episodes.names import floor_key
from episodes.poses import IDENTITY, Pose, Vec3
from episodes.tasks import first_tasks
from episodes.worldgraph import UNKNOWN, Known, WorldGraph
from server.sessions.core import SessionCore
from server.skills import (
    SKILLS,
    SUCCESS,
    TOO_LONG,
    Body,
    Call,
    SkillRun,
    failure,
    learn,
    parse,
)
from server.skills.navigate import NEAR_M
from server.skills.running import WAIT_TICKS
from server.skills.walking import heading
from tests.server.sessions.playing import HUMAN, ROBOT, started

PROFILES = ("cohabit", "partnr")
pytestmark = pytest.mark.parametrize("profile", PROFILES)


def task_with(*words: str) -> Episode:
    """The first task whose propositions use predicates with these words."""
    for episode in first_tasks():
        names = " ".join(p.function_name for p in episode.evaluation_propositions)
        if all(word in names for word in words):
            return episode
    raise AssertionError(words)


def graph_of(core: SessionCore) -> WorldGraph:
    graph = WorldGraph(core.simulator.scene, core.simulator.catalogue, core.names)
    graph.observe_all(core.world)
    return graph


class Doing:
    """One body of a session, asked for one skill after another."""

    def __init__(self, profile: str, episode: Episode | None = None, seat: str = HUMAN) -> None:
        self.core = started(episode, profile=profile)
        self.body = Body(seat, self.core)
        self.ticks = 0
        self.phrases: set[str] = set()

    def name(self, handle: str) -> str:
        return self.core.names.graph[handle]

    def __call__(self, text: str, graph: WorldGraph | None = None) -> str:
        kind = self.core.world.bodies[self.body.seat].kind
        return self.run(parse(text, kind), graph)

    def run(self, call: Call, graph: WorldGraph | None = None) -> str:
        skill = SkillRun(self.body, call, graph or graph_of(self.core))
        self.ticks = 0
        for _ in range(3000):
            for intent in skill.intents():
                self.core.submit(self.body.seat, intent)
            if skill.response:
                return skill.response
            self.phrases.add(skill.phrase)
            skill.see(self.core.step())
            self.ticks += 1
        raise AssertionError(f"{call} never ended")

    # What there is in the house

    def free(self) -> list[str]:
        """Objects that lie in the open with nothing on them."""
        view = self.core.view
        return [
            h
            for h in self.core.world.objects
            if view.shut_in(h) is None and view.inside(h) is None and view.resting_on(h) is None
        ]

    def furniture(self, kind: str = "on", opening: bool = False) -> list[str]:
        """Furniture with a receptacle of a kind, large ones first, with or without doors."""
        surfaces = self.core.surfaces.of
        found = [
            h
            for h, among in surfaces.items()
            if any(s.receptacle.kind == kind and (s.part is not None) == opening for s in among)
        ]
        return sorted(
            found,
            key=lambda h: -max(s.receptacle.half_x * s.receptacle.half_z for s in surfaces[h]),
        )

    def far(self, handles: Sequence[str]) -> str:
        return max(handles, key=lambda h: self.core.view.distance(self.body.seat, h))

    def lay(self, handle: str, point: Vec3) -> None:
        pose = Pose(point, IDENTITY)
        self.core.simulator.set_pose(handle, pose)
        self.core.world.objects[handle] = pose
        self.core.world.supports[handle] = "floor"
        self.core.view.forget()


# Navigate and Explore


def test_navigate_ends_near_and_facing(profile: str) -> None:
    do = Doing(profile)
    thing = do.far(do.free())
    assert do(f"Navigate[{do.name(thing)}]") == SUCCESS
    agent = do.core.world.agents[HUMAN]
    assert do.core.view.distance(HUMAN, thing) <= NEAR_M
    assert do.core.view.can_see(HUMAN, thing)
    wanted = heading(agent.position, do.core.world.objects[thing].position)
    assert abs(math.remainder(agent.yaw - wanted, math.tau)) <= 0.45
    assert do.ticks <= 600
    assert all(p.startswith("Walking in ") for p in do.phrases)
    assert do(f"Pick[{do.name(thing)}]") == SUCCESS


def test_navigate_to_furniture_rooms_and_floors(profile: str) -> None:
    do = Doing(profile)
    bench = do.far(do.furniture())
    assert do(f"Navigate[{do.name(bench)}]") == SUCCESS
    assert do.core.view.distance(HUMAN, bench) <= NEAR_M
    here = do.body.position
    for room in do.core.simulator.scene.rooms[:3]:
        key = floor_key(room.room_id) if room.contains(here) else room.room_id
        assert do(f"Navigate[{do.name(key)}]") == SUCCESS
        assert room.contains(do.body.position)


def test_navigate_tells_what_is_in_a_hand(profile: str) -> None:
    do = Doing(profile)
    thing = do.free()[0]
    name = do.name(thing)
    other = Body(ROBOT, do.core)
    assert do(f"Navigate[{name}]") == SUCCESS
    assert do(f"Pick[{name}]") == SUCCESS
    assert do(f"Navigate[{name}]") == failure("Failed! This object is already held by this agent.")
    do.body = other
    assert do(f"Navigate[{name}]") == failure("Failed! This object is held by another agent.")


def test_navigate_looks_again_while_it_walks(profile: str) -> None:
    do = Doing(profile)
    thing = do.far(do.free())
    skill = SkillRun(do.body, parse(f"Navigate[{do.name(thing)}]", "human"), graph_of(do.core))
    for _ in range(5):
        for intent in skill.intents():
            do.core.submit(HUMAN, intent)
        skill.see(do.core.step())
    do.core.effects.pick(ROBOT, thing)
    skill.intents()
    assert skill.response == failure("Failed! This object is held by another agent.")


def test_navigate_where_nobody_can_go(profile: str) -> None:
    do = Doing(profile)
    thing = do.free()[0]
    do.lay(thing, (60.0, 0.0, 60.0))
    name = do.name(thing)
    assert do(f"Navigate[{name}]") == failure(
        f"Could not find a suitable nav target for {name}. Possibly inaccessible."
    )


def test_explore_goes_to_everything_in_a_room(profile: str) -> None:
    do = Doing(profile)
    scene = do.core.simulator.scene
    room = next(r for r in scene.rooms if sum(f.room_id == r.room_id for f in scene.furniture) >= 3)
    near: set[str] = set()
    step = do.core.step

    def watch() -> object:
        tick = step()
        near.update(
            f.handle
            for f in scene.furniture
            if f.room_id == room.room_id and do.core.view.distance(HUMAN, f.handle) <= NEAR_M
        )
        return tick

    do.core.step = watch  # type: ignore[method-assign, assignment]
    assert do(f"Explore[{do.name(room.room_id)}]") == SUCCESS
    assert near == {f.handle for f in scene.furniture if f.room_id == room.room_id}


def test_explore_an_empty_room_and_no_room(profile: str) -> None:
    do = Doing(profile)
    room = do.core.simulator.scene.rooms[0]
    graph = graph_of(do.core)
    for furniture in graph.furniture_of(room.room_id)[1:]:
        del graph.rooms[furniture]
    name = do.name(room.room_id)
    told = failure(f"There is no furniture in {name} room. Explore another room.")
    assert do(f"Explore[{name}]", graph) == told
    thing = do.name(do.free()[0])
    assert "There is no furniture in" in do(f"Explore[{thing}]")


# Pick


def test_pick_succeeds_near_and_fails_far_and_with_a_full_hand(profile: str) -> None:
    do = Doing(profile)
    first, second = do.free()[:2]
    far = do.name(do.far(do.free()))
    assert do(f"Pick[{far}]") == failure("Failed to pick! Not close enough to the object.")
    assert do(f"Navigate[{do.name(first)}]") == SUCCESS
    assert do(f"Pick[{do.name(first)}]") == SUCCESS
    assert do.ticks <= 25
    assert do.core.world.held[HUMAN] == first
    assert do(f"Pick[{do.name(second)}]") == failure(
        f"Failed to pick {do.name(second)}! The arm is currently grasping {do.name(first)}."
    )


def test_pick_what_is_shut_in_or_lost_or_fixed(profile: str) -> None:
    do = Doing(profile, first_tasks()[0])
    shut = next(h for h in do.core.world.objects if do.core.shut_in(h))
    assert do(f"Pick[{do.name(shut)}]") == failure(
        "Failed to pick! Object is in a closed furniture, you need to open the furniture first."
    )
    graph = graph_of(do.core)
    graph.objects[shut] = Known(UNKNOWN)
    assert do(f"Pick[{do.name(shut)}]", graph) == failure(
        "Failed to pick! No Furniture found for the Object."
    )
    table = do.name(do.furniture()[0])
    assert do(f"Pick[{table}]").endswith("cannot be carried")


# Place


def _holding(profile: str) -> tuple[Doing, str]:
    do = Doing(profile)
    thing = do.free()[0]
    assert do(f"Navigate[{do.name(thing)}]") == SUCCESS
    assert do(f"Pick[{do.name(thing)}]") == SUCCESS
    return do, thing


def test_place_on_furniture_in_reach(profile: str) -> None:
    do, thing = _holding(profile)
    table = do.furniture()[0]
    name = do.name(table)
    assert do(f"Navigate[{name}]") == SUCCESS
    do.phrases.clear()
    assert do(f"Place[{do.name(thing)}, on, {name}, none, none]") == SUCCESS
    assert do.ticks <= 25
    assert do.phrases == {f"Placing {do.name(thing)} on {name}"}
    assert do.core.world.supports[thing].startswith(table)  # type: ignore[union-attr]


def test_place_on_the_floor_where_one_stands(profile: str) -> None:
    do, thing = _holding(profile)
    room = next(r for r in do.core.simulator.scene.rooms if r.contains(do.body.position))
    floor = do.name(floor_key(room.room_id))
    assert do(f"Place[{do.name(thing)}, on, {floor}, none, none]") == SUCCESS
    assert do.core.simulator.on_floor(thing)


def test_place_fails_with_reasons(profile: str) -> None:
    do = Doing(profile)
    thing, other = do.free()[:2]
    name, far = do.name(thing), do.name(do.far(do.furniture()))
    place = f"Place[{name}, on, {far}, none, none]"
    assert do(place) == failure("Failed to place! The agent is not holding any object.")
    assert do(f"Navigate[{name}]") == SUCCESS
    assert do(f"Pick[{name}]") == SUCCESS
    far = do.name(do.far(do.furniture()))
    assert do(f"Place[{name}, on, {far}, none, none]") == failure(
        f"Failed to place! Not close enough to {far} or occluded."
    )
    room = do.name(do.core.simulator.scene.rooms[0].room_id)
    assert do(f"Place[{name}, on, {room}, none, none]") == failure(
        f"Failed to place! {room} is neither furniture nor a floor."
    )
    del other


def test_place_next_to_what_is_elsewhere(profile: str) -> None:
    do, thing = _holding(profile)
    table = do.furniture()[0]
    rest = [h for h in do.core.world.objects if h != thing]
    other = max(rest, key=lambda h: do.core.simulator.gap(h, table))
    names = (do.name(thing), do.name(table), do.name(other))
    assert do(f"Navigate[{names[1]}]") == SUCCESS
    told = do(f"Place[{names[0]}, on, {names[1]}, next_to, {names[2]}]")
    assert told.startswith(failure(f"No valid placements found for entity {names[1]}."))
    assert names[2] in told


def test_placing_another_thing_than_is_held(profile: str) -> None:
    do, thing = _holding(profile)
    other = next(h for h in do.core.world.objects if h != thing)
    table = do.furniture()[0]
    assert do(f"Navigate[{do.name(table)}]") == SUCCESS
    told = do(f"Place[{do.name(other)}, on, {do.name(table)}, none, none]")
    if profile == "partnr":
        # Its skill puts down what the hand holds.
        assert told == SUCCESS
        assert HUMAN not in do.core.world.held or do.core.world.held[HUMAN] is None
    else:
        assert told == failure(
            f"Failed to place! The agent is holding {do.name(thing)}, not {do.name(other)}."
        )


# Rearrange


@pytest.mark.parametrize("seat", [HUMAN, ROBOT])
def test_rearrange_out_of_what_is_closed(profile: str, seat: str) -> None:
    do = Doing(profile, first_tasks()[0], seat)
    thing = next(h for h in do.core.world.objects if do.core.shut_in(h))
    table = do.furniture()[0]
    call = f"Rearrange[{do.name(thing)}, on, {do.name(table)}, none, none]"
    assert do(call) == SUCCESS
    assert do.ticks <= 1000
    assert do.core.world.supports[thing].startswith(table)  # type: ignore[union-attr]


def test_rearrange_into_what_is_closed(profile: str) -> None:
    do = Doing(profile)
    thing = min(do.free(), key=lambda h: do.core.view.template(h).box[1][1])
    cabinet = next(f for f in do.furniture("within", opening=True))
    call = f"Rearrange[{do.name(thing)}, within, {do.name(cabinet)}, none, none]"
    assert do(call) == SUCCESS
    assert do.core.simulator.within(thing) >= {cabinet}


def test_rearrange_next_to(profile: str) -> None:
    do = Doing(profile)
    table = do.furniture()[0]
    first, second = do.free()[:2]
    names = do.name(first), do.name(second), do.name(table)
    assert do(f"Rearrange[{names[0]}, on, {names[2]}, none, none]") == SUCCESS
    assert do(f"Rearrange[{names[1]}, on, {names[2]}, next_to, {names[0]}]") == SUCCESS
    assert do.core.simulator.gap(first, second) <= 0.5


def test_rearrange_fails_with_reasons(profile: str) -> None:
    do = Doing(profile)
    first, second = do.free()[:2]
    table = do.name(do.furniture()[0])
    room = do.name(do.core.simulator.scene.rooms[0].room_id)
    told = do(f"Rearrange[{do.name(first)}, on, {room}, none, none]")
    assert told == failure(f"Failed to place! {room} is neither furniture nor a floor.")
    do.lay(second, (60.0, 0.0, 60.0))
    told = do(f"Rearrange[{do.name(second)}, on, {table}, none, none]")
    assert "Possibly inaccessible" in told
    do.core.effects.pick(HUMAN, second)
    told = do(f"Rearrange[{do.name(first)}, on, {table}, none, none]")
    assert told == failure(
        f"Failed to pick {do.name(first)}! The arm is currently grasping {do.name(second)}."
    )


# Open, Close, states


def test_open_and_close(profile: str) -> None:
    do = Doing(profile)
    cabinet = do.far(do.furniture("within", opening=True))
    name = do.name(cabinet)
    far = f"Failed to Open! {name} is occluded or too far from agent to Open."
    assert do(f"Open[{name}]") == failure(far)
    assert do(f"Navigate[{name}]") == SUCCESS
    assert do(f"Open[{name}]") == SUCCESS
    assert do.ticks <= 10
    part = next(p for (f, p), v in do.core.world.joints.items() if f == cabinet and v)
    assert do.core.view.opened(cabinet, part) == 1.0
    assert do(f"Close[{name}]") == SUCCESS
    assert do.core.view.opened(cabinet, part) == 0.0
    bare = next(f for f in do.furniture() if not do.core.view.template(f).parts)
    assert do(f"Open[{do.name(bare)}]") == failure(
        f"{do.name(bare)} is not articulated - and cannot be Opened"
    )


def test_open_with_something_in_the_hand(profile: str) -> None:
    do, _ = _holding(profile)
    cabinet = do.name(do.furniture("within", opening=True)[0])
    assert do(f"Navigate[{cabinet}]") == SUCCESS
    assert do(f"Open[{cabinet}]") == SUCCESS


def test_wait_succeeds_after_its_time(profile: str) -> None:
    do = Doing(profile)
    assert do("Wait") == SUCCESS
    assert do.ticks == WAIT_TICKS
    assert do.phrases == {"Waiting"}


def test_wash_and_fill(profile: str) -> None:
    do = Doing(profile, task_with("is_clean"))
    thing = next(
        h
        for h in do.free()
        if do.core.world.states.get((h, "is_clean")) is False
        and do.core.view.template(h).cleaned_under_faucet
    )
    name = do.name(thing)
    tap = do.core.view.taps[0]
    assert do(f"Navigate[{name}]") == SUCCESS
    assert do(f"Pick[{name}]") == SUCCESS
    if do.core.view.faucet_distance(HUMAN) > do.body.rules.faucet_m:
        assert do(f"Clean[{name}]") == failure(
            f"{name} requires faucet to clean, but agent is not near faucet."
        )
    assert do(f"Navigate[{do.name(tap)}]") == SUCCESS
    assert do(f"Clean[{name}]") == SUCCESS
    assert do.core.world.states[thing, "is_clean"] is True
    if profile == "partnr":
        assert do(f"Clean[{name}]") == SUCCESS
    else:
        assert "already clean" in do(f"Clean[{name}]")


def test_states_fail_with_reasons(profile: str) -> None:
    do = Doing(profile)
    dull = next(h for h in do.free() if not do.core.view.template(h).affords)
    for tool, state in (
        ("Clean", "is_clean"),
        ("Fill", "is_filled"),
        ("Pour", "is_filled"),
        ("PowerOn", "is_powered_on"),
        ("PowerOff", "is_powered_on"),
    ):
        assert do(f"{tool}[{do.name(dull)}]") == failure(
            f"The targeted object does not afford the state: {state}"
        )


def test_switching_needs_to_be_near(profile: str) -> None:
    do = Doing(profile)
    lamp = next(
        (h for (h, s) in do.core.world.states if s == "is_powered_on"),
        None,
    )
    assert lamp is not None
    name = do.name(lamp)
    on = "PowerOff" if do.core.world.states[lamp, "is_powered_on"] else "PowerOn"
    reach = do.body.rules.state_reach_m
    if do.core.view.distance(HUMAN, lamp) <= reach:
        away = do.far(do.furniture())
        assert do(f"Navigate[{do.name(away)}]") == SUCCESS
    words = "power off" if on == "PowerOff" else "power on"
    distance = do.core.view.distance(HUMAN, lamp)
    assert do(f"{on}[{name}]") == failure(
        f"Agent too far from object to {words}: Distance {distance:.2f}"
    )
    assert do(f"Navigate[{name}]") == SUCCESS
    assert do(f"{on}[{name}]") == SUCCESS


# Names, caps, graphs


def test_names_that_are_not_there(profile: str) -> None:
    do = Doing(profile)
    assert do("Pick[unicorn_7]") == failure(
        "Node with name unicorn_7 not present in the graph. "
        "Explore to find it first, or use the exact name of something that is known."
    )
    name = do.name(do.free()[0])
    stem = name.rsplit("_", 1)[0]
    told = do(f"Navigate[{stem}_999]")
    assert f"Node with name {stem}_999 not present in the graph. Use an exact name" in told
    unseen = WorldGraph(do.core.simulator.scene, do.core.simulator.catalogue, do.core.names)
    assert "not present in the graph" in do(f"Pick[{name}]", unseen)


def test_every_cap_ends_a_skill(profile: str) -> None:
    do = Doing(profile)
    name = do.name(do.far(do.free()))
    table = do.name(do.far(do.furniture()))
    room = do.name(do.core.simulator.scene.rooms[-1].room_id)
    for text in (
        f"Navigate[{name}]",
        f"Explore[{room}]",
        f"Rearrange[{name}, on, {table}, none, none]",
    ):
        call = parse(text, "human")
        short = Call(call.skill._replace(cap=4), call.arguments)
        assert do.run(short) == failure(TOO_LONG)
        assert do.ticks == 4
    caps = {s.name: s.cap for s in SKILLS.values()}
    assert (caps["Navigate"], caps["Explore"], caps["Rearrange"], caps["Pick"], caps["Open"]) == (
        600, 2400, 1000, 25, 10,
    )  # fmt: skip


def test_what_graphs_learn_from_success(profile: str) -> None:
    do = Doing(profile)
    graph = graph_of(do.core)
    thing, table = do.free()[0], do.furniture()[0]
    name, on = do.name(thing), do.name(table)
    learn(graph, HUMAN, parse(f"Pick[{name}]", "human"))
    assert graph.held(HUMAN) == thing
    learn(graph, HUMAN, parse(f"Place[{name}, on, {on}, none, none]", "human"))
    assert graph.objects[thing].place.key == table
    learn(graph, HUMAN, parse(f"Clean[{name}]", "human"))
    assert ("is_clean", True) in graph.objects[thing].states
    before = dict(graph.objects)
    learn(graph, HUMAN, parse("Wait", "human"))
    learn(graph, HUMAN, parse("Pick[unicorn_1]", "human"))
    assert graph.objects == before
