"""A graph learns from what others do, and no witnessed act contradicts it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from msgspec import UNSET, UnsetType

from episodes.names import floor_key
from episodes.worldgraph import Place
from server.robots.baselines.scripted_player import Change, Put, Rest, Step, Take
from server.robots.playing.knowledge import Knowledge
from server.sessions.core import SessionCore, Tick
from server.sessions.events import Did
from server.sessions.intents import Finish
from server.sessions.spec import Ending
from tests.server.sessions.first_house_sessions import HUMAN, ROBOT, play, started, task
from tests.server.skills.doing import task_with

ERRANDS = 3
TASKS = (1, 2, 5)


def watched(core: SessionCore, steps: list[Step], *knowing: Knowledge) -> list[Did]:
    """Return what the person does in these steps, shown to whatever is `knowing`.

    The robot, whose knowledge it is, stands where it is.
    """
    acts: list[Did] = []

    def see(tick: Tick) -> None:
        acts.extend(e for e in tick.events if isinstance(e, Did))
        for knows in knowing:
            knows.see(tick)

    play(core, {HUMAN: steps}, watch=see)
    return acts


def true_place(core: SessionCore, handle: str) -> Place:
    """Return where an object is, read another way than the graph does."""
    view, world = core.view, core.world
    if (holder := world.holders.get(handle)) is not None:
        return Place("agent", holder)
    surface = view.receptacle_of(handle)
    if surface is not None:
        return Place("furniture", surface.furniture.handle)
    point = world.pose(handle).position
    room = next(r for r in core.simulator.scene.rooms if r.contains(point))
    return Place("furniture", floor_key(room.room_id))


def an_errand(core: SessionCore, draw: Any) -> list[Step]:
    """Take something and put it on a table, into a cabinet or on a floor."""
    thing = draw(st.sampled_from(sorted(core.world.objects)))
    surfaces = core.surfaces.of
    where = [
        *(Put(f, s.receptacle.kind) for f, among in sorted(surfaces.items()) for s in among[:1]),
        *(Put(r.room_id, "floor") for r in core.simulator.scene.rooms),
    ]
    return [Take(thing), draw(st.sampled_from(where))]


@settings(max_examples=5, deadline=None)
@given(data=st.data())
def test_who_witnesses_everything_is_never_wrong_about_what_it_knows(data: Any) -> None:
    core = started(task(data.draw(st.sampled_from(TASKS))))
    told = Knowledge(core, ROBOT)
    seeing = Knowledge(core, ROBOT, shares_views=False, partner="seen")
    seeing.sees_body = lambda other: True  # type: ignore[method-assign]
    unknown = set(core.world.objects) - set(told.graph.objects)
    acts: list[Did] = []
    for _ in range(ERRANDS):
        acts += watched(core, an_errand(core, data.draw), told, seeing)
        for knows in (told, seeing):
            for handle, known in knows.graph.objects.items():
                assert known.place == true_place(core, handle), core.names.graph[handle]
    assert not unknown & set(told.graph.objects)
    # Errands that could not be done show nothing.
    assume(acts)


def moved_out_of_sight(knows: Knowledge) -> tuple[str, Place, Place]:
    """Put a thing that it knows elsewhere, where it never looks.

    Return the thing, where it was put, and what it believes.
    """
    core = knows.core
    thing = next(h for h in knows.graph.objects if core.view.resting_on(h) is None)
    before = knows.graph.objects[thing].place
    table = next(
        f
        for f, among in core.surfaces.of.items()
        if f != before.key and among[0].receptacle.kind == "on" and among[0].part is None
    )
    acts = watched(core, [Take(thing), Put(table), Rest(1)], knows)
    assert [a.verb for a in acts] == ["pick", "place"]
    return thing, Place("furniture", table), knows.graph.objects[thing].place


def test_what_is_put_down_out_of_sight_is_known_to_who_is_told(loop: Any) -> None:
    _, there, believed = moved_out_of_sight(Knowledge(started(task(2)), ROBOT))
    assert believed == there


@pytest.mark.parametrize("partner", ["all", "seen"])
def test_under_asymmetry_the_others_acts_change_nothing(partner: Any) -> None:
    """PARTNR's human is told nothing of the robot's acts; nor is who does not see them."""
    knows = Knowledge(started(task(2)), ROBOT, shares_views=False, partner=partner)
    knows.sees_body = lambda other: False  # type: ignore[method-assign]
    before = dict(knows.graph.objects)
    thing, there, believed = moved_out_of_sight(knows)
    assert believed == before[thing].place != there
    assert bool(knows.acts) == (partner == "all")


def test_states_that_others_change_are_known() -> None:
    core = started(task_with("is_clean"))
    knows = Knowledge(core, ROBOT)
    dirty = [h for (h, s), value in core.world.states.items() if s == "is_clean" and not value]
    knows.graph.observe(core.world, dirty)
    thing = next(h for h in dirty if h in core.world.objects)
    assert ("is_clean", False) in knows.graph.objects[thing].states
    watched(core, [Change("clean", thing)], knows)
    assert ("is_clean", True) in knows.graph.objects[thing].states


@pytest.mark.parametrize(
    ("ending", "tells_finish", "told"),
    [(Ending(), True, (HUMAN,)), (Ending(), False, ()), (UNSET, True, ())],
)
def test_who_has_finished_is_told_as_to_people(
    ending: Ending | UnsetType, tells_finish: bool, told: tuple[str, ...]
) -> None:
    core = started(task(2), ending=ending)
    knows = Knowledge(core, ROBOT, tells_finish=tells_finish)
    for finished, expected in ((True, told), (False, ())):
        core.submit(HUMAN, Finish(finished))
        knows.see(core.step())
        assert knows.finished == expected
