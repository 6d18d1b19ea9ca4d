"""Parts of ``cohab`` on their own: how goals stand, ways, what the partner is up to, doorways."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from episodes.names import floor_key
from episodes.poses import Vec3
from episodes.worldgraph import UNKNOWN, Known, Place, WorldGraph
from server.robots.policies.cohab.doorways import aside, door_at, must_yield
from server.robots.policies.cohab.goal_status import GoalStatus
from server.robots.policies.cohab.instruction_goals import Goal
from server.robots.policies.cohab.moves import Memory
from server.robots.policies.cohab.partner_model import Partners
from server.robots.policies.cohab.planner import Planner
from server.robots.policies.cohab.settings import CohabSettings
from server.robots.policies.shared.walking_distances import Ways, flat
from server.robots.policy import Partner, PastCall, PolicyView, SeenAct
from server.skills.registry import skills_of
from tests.server.robots.calls import as_call
from tests.server.sessions.first_house_sessions import HUMAN, ROBOT, core_of, task


def graph_of(number: int) -> WorldGraph:
    """Return the graph of a first task with all that there is to know."""
    core = core_of(task(number))
    graph = WorldGraph(core.simulator.scene, core.simulator.catalogue, core.names)
    graph.observe_all(core.world)
    return graph


def view_of(graph: WorldGraph, at: Vec3, **changes: Any) -> PolicyView:
    view = PolicyView(
        seat=ROBOT, kind="robot", tick=100, instruction="", graph=graph.copy(),
        tools=skills_of("robot"), history=(), partner_acts=(), chat=(), position=at, room="",
    )  # fmt: skip
    return replace(view, **changes)


def named(graph: WorldGraph, start: str) -> str:
    """Return the first name that begins so."""
    return sorted(n for k, n in graph.names.graph.items() if n.startswith(start))[0]


def key(graph: WorldGraph, name: str) -> str:
    found = graph.find(name)
    assert found is not None
    return found


def planner_of(graph: WorldGraph, *goals: Goal) -> Planner:
    ways = Ways(graph.scene)
    return Planner(goals, Memory(), ways, Partners(ways))


def move_in(planner: Planner, view: PolicyView) -> str:
    planner.partners.follow(view)
    move = planner.next_move(view, planner.status(view))
    return "" if move is None else str(move.call or move.ask)


@pytest.fixture(scope="module")
def toys() -> WorldGraph:
    """Return a truck, a stuffed toy and a ball, each elsewhere."""
    return graph_of(6)


# What the partner does


def test_what_the_partner_carries_is_as_good_as_there(toys: WorldGraph) -> None:
    """Two of three things that will do are wanted: one lies there, one is on its way."""
    graph = toys.copy()
    truck, stuffed, ball = (named(graph, n) for n in ("toy_truck", "stuffed_toy", "ball"))
    table = named(graph, "table")
    goal = Goal(what="on", things=(truck, stuffed, ball), number=2, where=(table,))
    graph.objects[key(graph, truck)] = Known(Place("furniture", key(graph, table)))
    middle = graph.scene.rooms[0].middle
    assert "Rearrange" in move_in(planner_of(graph, goal), view_of(graph, middle))
    graph.picked(key(graph, stuffed), HUMAN)
    assert move_in(planner_of(graph, goal), view_of(graph, middle)) == ""


def test_what_the_partner_has_just_put_down_elsewhere_is_left_to_it_for_a_while(
    toys: WorldGraph,
) -> None:
    ball, table, bed = (named(toys, n) for n in ("ball", "table", "bed"))
    planner = planner_of(toys, Goal(what="on", things=(ball,), where=(table,)))
    acts = (SeenAct(90, HUMAN, as_call(f"Pick[{ball}]")),
            SeenAct(100, HUMAN, as_call(f"Place[{ball}, on, {bed}, none, none]")))  # fmt: skip
    middle = toys.scene.rooms[0].middle
    assert move_in(planner, view_of(toys, middle, partner_acts=acts)) == ""
    later = move_in(planner, view_of(toys, middle, partner_acts=acts, tick=1000))
    assert later.startswith(f"Rearrange[{ball}, on, {table}")


def test_what_the_partner_has_taken_away_is_brought_back_at_once_whatever_is_read_then(
    toys: WorldGraph,
) -> None:
    ball, table, bed = (named(toys, n) for n in ("ball", "table", "bed"))
    planner = planner_of(toys, Goal(what="on", things=(ball,), where=(table,)))
    planner.memory.undone.add(key(toys, ball))
    planner.memory.forget_goals()
    acts = (SeenAct(90, HUMAN, as_call(f"Pick[{ball}]")),
            SeenAct(100, HUMAN, as_call(f"Place[{ball}, on, {bed}, none, none]")))  # fmt: skip
    now = move_in(planner, view_of(toys, toys.scene.rooms[0].middle, partner_acts=acts))
    assert now.startswith(f"Rearrange[{ball}, on, {table}")


def test_a_partner_that_goes_on_to_what_comes_later_has_done_what_comes_first(
    toys: WorldGraph,
) -> None:
    """A thing's being switched on cannot be seen from everywhere."""
    ball, truck, table = (named(toys, n) for n in ("ball", "toy_truck", "table"))
    lamp = Goal(what="powered_on", things=(named(toys, "stand"),))
    later = (Goal(what="on", things=(ball,), where=(table,), after=(0,)),
             Goal(what="on", things=(truck,), where=(table,), after=(0,)))  # fmt: skip
    planner = planner_of(toys, lamp, *later)
    middle = toys.scene.rooms[0].middle
    assert "Rearrange" not in move_in(planner, view_of(toys, middle))
    graph = toys.copy()
    graph.placed(key(graph, ball), key(graph, table))
    acts = (SeenAct(90, HUMAN, as_call(f"Place[{ball}, on, {table}, none, none]")),)
    moved = move_in(planner, view_of(graph, middle, partner_acts=acts))
    assert moved.startswith(f"Rearrange[{truck}")


def test_the_thing_that_the_partner_walks_to_is_told_from_its_way(toys: WorldGraph) -> None:
    ball, truck, table = (named(toys, n) for n in ("ball", "toy_truck", "table"))
    goals = [Goal(what="on", things=(n,), where=(table,)) for n in (ball, truck)]
    planner = planner_of(toys, *goals)
    ways, partner = planner.ways, planner.partners
    status = GoalStatus(planner.goals, Memory(), toys)
    things = [key(toys, ball), key(toys, truck)]
    for thing in things:
        there = ways.places[status.place(thing)]
        far = max((r.middle for r in toys.scene.rooms), key=lambda p: ways.metres(p, there))
        door = min((d for d, _ in ways.doors), key=lambda d: ways.metres(d, there))
        for where in (far, door):
            partner.follow(view_of(toys, far, partners=(Partner(HUMAN, "person", "human", where),)))
        assert partner.likely_next(status, [thing]) == {thing}
        partner.follow(view_of(toys, far, partners=(Partner(HUMAN, "person", "human", far),)))
        assert partner.likely_next(status, [thing]) == set()


def test_of_two_things_in_one_place_the_first_is_the_one_that_the_partner_walks_to(
    toys: WorldGraph,
) -> None:
    """Names do not matter: a set would have them in another order in another process."""
    graph = toys.copy()
    ball, truck = (key(graph, named(graph, n)) for n in ("ball", "toy_truck"))
    graph.objects[truck] = graph.objects[ball]
    planner = planner_of(graph)
    status = GoalStatus((), Memory(), graph)
    there = planner.ways.places[status.place(ball)]
    far = max((r.middle for r in graph.scene.rooms), key=lambda p: planner.ways.metres(p, there))
    for where in (far, there):
        planner.partners.follow(
            view_of(graph, far, partners=(Partner(HUMAN, "person", "human", where),))
        )
    assert planner.partners.likely_next(status, [ball, truck]) == {ball}
    assert planner.partners.likely_next(status, [truck, ball]) == {truck}


# Order and ties


def test_a_thing_that_goes_on_elsewhere_has_not_to_go_back(toys: WorldGraph) -> None:
    ball, table, bed = (named(toys, n) for n in ("ball", "table", "bed"))
    first = Goal(what="on", things=(ball,), where=(table,))
    planner = planner_of(toys, first, Goal(what="on", things=(ball,), where=(bed,), after=(0,)))
    middle = toys.scene.rooms[0].middle
    assert f"on, {table}" in move_in(planner, view_of(toys, middle))
    graph = toys.copy()
    graph.placed(key(graph, ball), key(graph, table))
    assert f"on, {bed}" in move_in(planner, view_of(graph, middle))
    graph.picked(key(graph, ball), ROBOT)
    assert f"on, {bed}" in move_in(planner, view_of(graph, middle))
    graph.placed(key(graph, ball), key(graph, bed))
    assert planner.status(view_of(graph, middle)).is_done()


@pytest.mark.parametrize("tie", ["same_as", "apart_from", "one_place"])
def test_ties_leave_the_places_that_they_allow(toys: WorldGraph, tie: str) -> None:
    ball, truck = named(toys, "ball"), named(toys, "toy_truck")
    one, two = sorted(n for n in toys.names.graph.values() if n.startswith("table"))[:2]
    graph = toys.copy()
    graph.placed(key(graph, ball), key(graph, one))
    goals: tuple[Goal, ...]
    if tie == "one_place":
        goals = (Goal(what="on", things=(ball, truck), number=2, where=(one, two), one_place=True),)
    else:
        first = Goal(what="on", things=(ball,), where=(one, two))
        second = Goal(what="on", things=(truck,), where=(one, two), **{tie: (0,)})  # type: ignore[arg-type]
        goals = (first, second)
    planner = planner_of(graph, *goals)
    wanted = two if tie == "apart_from" else one
    middle = graph.scene.rooms[0].middle
    assert f"[{truck}, on, {wanted}," in move_in(planner, view_of(graph, middle))
    graph.placed(key(graph, truck), key(graph, two if wanted == one else one))
    assert not planner.status(view_of(graph, middle)).is_done()
    graph.placed(key(graph, truck), key(graph, wanted))
    assert planner.status(view_of(graph, middle)).is_done()


def test_a_place_that_the_partner_has_just_chosen_is_waited_for(toys: WorldGraph) -> None:
    ball, truck = named(toys, "ball"), named(toys, "toy_truck")
    one, two = sorted(n for n in toys.names.graph.values() if n.startswith("table"))[:2]
    first = Goal(what="on", things=(ball,), where=(one, two))
    second = Goal(what="on", things=(truck,), where=(one, two), same_as=(0,))
    graph, middle = toys.copy(), toys.scene.rooms[0].middle
    planner = planner_of(graph, first, second)
    graph.placed(key(graph, ball), key(graph, one))
    acts = (SeenAct(100, HUMAN, as_call(f"Place[{ball}, on, {one}, none, none]")),)
    assert "Rearrange" not in move_in(planner, view_of(graph, middle, partner_acts=acts))
    later = move_in(planner, view_of(graph, middle, partner_acts=acts, tick=1000))
    assert later.startswith(f"Rearrange[{truck}, on, {one}")


def test_what_is_asked_for_on_the_floor_and_in_a_room_is_put_down_once(toys: WorldGraph) -> None:
    ball = named(toys, "ball")
    room = next(r for r in toys.scene.rooms if len(toys.furniture_of(r.room_id)) > 1)
    goals = (
        Goal(what="on_floor", things=(ball,)),
        Goal(what="in_room", things=(ball,), where=(toys.names.graph[room.room_id],)),
    )
    floor = toys.names.graph[floor_key(room.room_id)]
    for ordered in (goals, goals[::-1]):
        planner = planner_of(toys, *ordered)
        call = move_in(planner, view_of(toys, toys.scene.rooms[0].middle))
        assert call == f"Rearrange[{ball}, on, {floor}, none, none]"


def test_a_partner_at_work_is_left_what_is_asked_for_first(toys: WorldGraph) -> None:
    ball, truck, table = (named(toys, n) for n in ("ball", "toy_truck", "table"))
    goals = [Goal(what="on", things=(n,), where=(table,)) for n in (ball, truck)]
    graph, middle = toys.copy(), toys.scene.rooms[0].middle
    # Both are as near.
    graph.objects[key(graph, truck)] = graph.objects[key(graph, ball)]
    for one, other in (goals, goals[::-1]):
        planner = planner_of(graph, one, other)
        acts = (SeenAct(90, HUMAN, as_call("Open[something]")),)
        first = move_in(planner, view_of(graph, middle, partner_acts=acts))
        assert first.startswith(f"Rearrange[{other.things[0]}")


def test_what_is_put_down_goes_next_to_what_is_there_already(toys: WorldGraph) -> None:
    """The thing does not go to where its companion still lies."""
    ball, truck, table = (named(toys, n) for n in ("ball", "toy_truck", "table"))
    goals = (
        Goal(what="on", things=(ball,), where=(table,)),
        Goal(what="on", things=(truck,), where=(table,)),
        Goal(what="next_to", things=(ball,), beside=truck),
    )
    graph, middle = toys.copy(), toys.scene.rooms[0].middle
    graph.placed(key(graph, ball), key(graph, table))
    planner = planner_of(graph, *goals)
    call = f"Rearrange[{truck}, on, {table}, next_to, {ball}]"
    assert move_in(planner, view_of(graph, middle)) == call
    graph.placed(key(graph, truck), key(graph, table))
    status = planner.status(view_of(graph, middle))
    assert not status.is_done()
    status.put_beside(key(graph, truck), key(graph, ball))
    assert planner.status(view_of(graph, middle)).is_done()


def test_what_another_robot_may_bring_meanwhile_is_looked_for_before_putting_down(
    toys: WorldGraph,
) -> None:
    """Two who set out with a thing each would put them down apart."""
    ball, truck, table = (named(toys, n) for n in ("ball", "toy_truck", "table"))
    planner = planner_of(
        toys,
        Goal(what="on", things=(ball,), where=(table,)),
        Goal(what="on", things=(truck,), where=(table,)),
        Goal(what="next_to", things=(ball,), beside=truck),
    )
    graph = toys.copy()
    here = planner.ways.places[GoalStatus((), Memory(), graph).place(key(graph, ball))]
    far = max((r.middle for r in graph.scene.rooms), key=lambda p: planner.ways.metres(p, here))
    partners = (Partner("robot_1", "robot 2", "robot", far),)

    def move(*history: str) -> str:
        past = tuple(PastCall(as_call(call), "Successful execution!", 0, 0) for call in history)
        return move_in(planner, view_of(graph, here, partners=partners, history=past))

    assert move() == f"Navigate[{ball}]"
    assert move(f"Navigate[{ball}]") == f"Pick[{ball}]"
    graph.picked(key(graph, ball), ROBOT)
    assert move(f"Pick[{ball}]") == f"Navigate[{table}]"
    assert move(f"Navigate[{table}]") == f"Place[{ball}, on, {table}, none, none]"
    graph.placed(key(graph, truck), key(graph, table))
    assert move(f"Navigate[{table}]") == f"Place[{ball}, on, {table}, next_to, {truck}]"


# Looking, ways and doors


def test_a_thing_is_looked_for_where_it_is_said_to_be(toys: WorldGraph) -> None:
    graph = toys.copy()
    ball = key(graph, named(graph, "ball"))
    table, middle = named(graph, "table"), graph.scene.rooms[0].middle
    del graph.objects[ball]
    for room in graph.scene.rooms:
        if len(graph.furniture_of(room.room_id)) < 2:
            continue
        found_in = (graph.names.graph[room.room_id],)
        goal = Goal(what="on", things=("ball",), where=(table,), found_in=found_in)
        call = move_in(planner_of(graph, goal), view_of(graph, middle))
        target = key(graph, call.removeprefix("Navigate[").removesuffix("]"))
        assert graph.rooms[target] == room.room_id


def test_doors_are_opened_last_and_not_while_the_partner_is_at_work(toys: WorldGraph) -> None:
    graph, middle = toys.copy(), toys.scene.rooms[0].middle
    table = named(graph, "table")
    del graph.objects[key(graph, named(graph, "ball"))]
    planner = planner_of(graph, Goal(what="on", things=("ball",), where=(table,)))
    view = view_of(graph, middle)
    planner.memory.passed.update(graph.rooms)
    move = planner.next_move(view, planner.status(view))
    assert move is not None
    assert not move.opens, "what was passed may have been seen from the wrong side"
    planner.memory.looked.update(graph.rooms)
    move = planner.next_move(view, planner.status(view))
    assert move is not None
    assert move.opens
    busy = view_of(graph, middle, partner_acts=(SeenAct(90, HUMAN, as_call("Open[something]")),))
    assert planner.next_move(busy, planner.status(busy)) is None
    planner.memory.opened.update(graph.rooms)
    again = planner.next_move(view, planner.status(view))
    assert again is not None
    assert not again.opens, "another round"


def test_doors_are_opened_beside_a_robot_at_work_which_knows_as_little(toys: WorldGraph) -> None:
    graph, middle = toys.copy(), toys.scene.rooms[0].middle
    table = named(graph, "table")
    del graph.objects[key(graph, named(graph, "ball"))]
    planner = planner_of(graph, Goal(what="on", things=("ball",), where=(table,)))
    planner.memory.looked.update(graph.rooms)
    robot = Partner("robot_1", "robot 2", "robot", middle)
    person = Partner(HUMAN, "person", "human", middle)
    for partners, opens in (((robot,), True), ((person, robot), False)):
        view = view_of(graph, middle, partners=partners)
        planner.partners.follow(view)
        move = planner.next_move(view, planner.status(view))
        assert (move is not None and move.opens) is opens


def test_one_thing_for_two_goals_apart_is_not_enough(toys: WorldGraph) -> None:
    """A second one is looked for, though a thing of its kind is known."""
    graph, middle = toys.copy(), toys.scene.rooms[0].middle
    one, two = sorted(n for n in toys.names.graph.values() if n.startswith("table"))[:2]
    goals = (
        Goal(what="on", things=("ball",), where=(one, two)),
        Goal(what="on", things=("ball",), where=(one, two), apart_from=(0,)),
    )
    graph.placed(key(graph, named(graph, "ball")), key(graph, one))
    assert move_in(planner_of(graph, *goals), view_of(graph, middle)).startswith("Navigate")


def test_a_thing_that_was_lost_sight_of_is_no_errand(toys: WorldGraph) -> None:
    graph = toys.copy()
    ball, table = named(graph, "ball"), named(graph, "table")
    graph.objects[key(graph, ball)] = Known(UNKNOWN)
    planner = planner_of(graph, Goal(what="on", things=(ball,), where=(table,)))
    assert "Rearrange" not in move_in(planner, view_of(graph, graph.scene.rooms[0].middle))


def test_a_way_goes_through_doors(toys: WorldGraph) -> None:
    ways, rooms = Ways(toys.scene), toys.scene.rooms
    for one in rooms:
        for other in rooms:
            there, back = (ways.metres(a, b) for a, b in
                           ((one.middle, other.middle), (other.middle, one.middle)))  # fmt: skip
            assert there == pytest.approx(back)
            assert there >= flat(one.middle, other.middle) - 1e-9
    far = [ways.metres(a.middle, b.middle) / flat(a.middle, b.middle) for a in rooms for b in rooms
           if a is not b]  # fmt: skip
    assert max(far) > 1.2
    point = rooms[0].middle
    assert ways.metres(point, point) == 0.0


def test_who_is_in_a_doorway_goes_first_and_nobody_waits_there(toys: WorldGraph) -> None:
    ways = Ways(toys.scene)
    door, (one, other) = next((d, r) for d, r in ways.doors if len(r) == 2)
    beyond = next(r.middle for r in toys.scene.rooms if r.room_id == other)
    inside = next(r.middle for r in toys.scene.rooms if r.room_id == one)
    towards = [d / flat(door, inside) for d in (inside[0] - door[0], inside[2] - door[2])]
    here = (door[0] + 1.5 * towards[0], door[1], door[2] + 1.5 * towards[1])
    assert must_yield(ways, here, [door], beyond)
    assert not must_yield(ways, here, [door], here)
    assert not must_yield(ways, here, [inside], beyond)
    assert not must_yield(ways, here, [], beyond)
    step = aside(ways, door, one)
    assert step is not None
    assert door_at(ways, ways.places[step]) is None
    assert aside(ways, inside, one) is None


def test_the_floor_of_a_room_is_no_furniture(toys: WorldGraph) -> None:
    status = GoalStatus((), Memory(), toys)
    room = toys.scene.rooms[0].room_id
    assert status.is_floor(floor_key(room))
    assert not any(status.is_floor(f) for f in toys.furniture_of(room)[1:])


def test_a_uniform_prior_looks_where_it_is_nearest_and_may_open_beside_a_person(
    toys: WorldGraph,
) -> None:
    """Ablations: without the table of usual places, and without leaving doors to the person."""
    graph, middle = toys.copy(), toys.scene.rooms[0].middle
    del graph.objects[key(graph, named(graph, "ball"))]
    goal = Goal(what="on", things=("ball",), where=(named(graph, "table"),))
    planner = planner_of(graph, goal)
    planner.settings = CohabSettings(prior="uniform", opens="always")
    move = planner.next_move(view_of(graph, middle), planner.status(view_of(graph, middle)))
    assert move is not None
    nearest = min(
        (f for f in graph.rooms if not planner.status(view_of(graph, middle)).is_floor(f)),
        key=lambda f: planner.ways.metres(middle, planner.ways.places[f]),
    )
    assert move.thing == nearest
    planner.memory.looked.update(graph.rooms)
    busy = view_of(graph, middle, partner_acts=(SeenAct(90, HUMAN, as_call("Open[something]")),))
    opened = planner.next_move(busy, planner.status(busy))
    assert opened is not None
    assert opened.opens
