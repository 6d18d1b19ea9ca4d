"""Problem: a task in symbols, by the names that policies read.

It has what there is, how it starts and what is wanted. Everything is in sight, and one person does
it all: so the Embodied Agent Interface asks.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from episodes.dataset import Task
from episodes.dataset.vocabulary import GROUPS_ARG, PREDICATES
from episodes.errors import Domain, domain_of
from episodes.evaluation.final_places import Surroundings
from episodes.evaluation.task import EvaluationTask
from episodes.names import floor_key
from episodes.scene import split_receptacle_id
from episodes.seats import HUMAN
from episodes.world import FLOOR, Change, HolderChanged, PartMoved, StateChanged, SupportChanged
from server.sessions.core import SessionCore
from server.sessions.spec import EpisodeSpec, SessionSpec
from server.simulators.contract import Simulator

SEAT = HUMAN.seat_id


def floor_of(room_id: str) -> str:
    """Return the floor of a room, as a thing on which others rest."""
    return f"floor_{room_id}"


@dataclass(frozen=True)
class Problem:
    """A task to ask about. Handles are those of the task; floors are `floor_of` their rooms."""

    task: Task
    evaluation: EvaluationTask
    domain: Domain
    surroundings: Surroundings
    name_of: dict[str, str]
    """Name of every object, piece of furniture, room and floor."""
    handle_of: dict[str, str]
    room_of: dict[str, str]
    """Room of furniture and floors."""
    parts: dict[str, int]
    """Number of a piece of furniture's parts that open."""
    surfaces: dict[str, dict[str, str]]
    """Surfaces of furniture and floors: for ``on`` and ``within``, what a thing there rests on."""
    start: tuple[Change, ...]

    @property
    def objects(self) -> list[str]:
        return [h for h, e in self.domain.entities.items() if e.movable]

    def relevant(self) -> set[str]:
        """Return the things that the goals name, and what the objects among them start on."""
        named: set[str] = set()
        for proposition in self.task.evaluation_propositions:
            named |= set(_handles(proposition.args))
            if proposition.function_name == "is_on_floor":
                named |= {h for h in self.room_of if h.startswith("floor_")}
        for change in self.start:
            if isinstance(change, SupportChanged) and change.handle in named and change.support:
                support = change.support
                named.add(split_receptacle_id(support)[0] if "|" in support else support)
        rooms = [h for h in named if h in self.domain.entities and self.domain.entities[h].is_room]
        return named | {floor_of(room) for room in rooms}


def _handles(value: object) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, inner in value.items():
            lists = ("object_handles", "receptacle_handles", "room_ids", "entity_handles_a",
                     "entity_handles_b", GROUPS_ARG)  # fmt: skip
            if name in lists:
                yield from _handles(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _handles(inner)


def problem_of(task: Task, simulator: Simulator) -> Problem:
    """Put a task in symbols. Raises what `SessionCore` raises for a task that cannot be loaded."""
    core = SessionCore(
        SessionSpec.pair("ses_probe", 0), EpisodeSpec("epi_probe", "", task.task_id), task,
        simulator,
    )  # fmt: skip
    scene, catalogue, world = simulator.scene, simulator.catalogue, core.world
    surroundings = core.surroundings()
    kinds = {seat: body.kind for seat, body in world.bodies.items()}
    domain = domain_of(scene, catalogue, world.objects, kinds, frozenset({"human"}))
    names = core.names.graph
    name_of = {h: names[h] for h in domain.entities}
    name_of |= {floor_of(r.room_id): names[floor_key(r.room_id)] for r in scene.rooms}
    room_of = {f.handle: f.room_id for f in scene.furniture}
    room_of |= {floor_of(r.room_id): r.room_id for r in scene.rooms}
    surfaces: dict[str, dict[str, str]] = {}
    for furniture in scene.furniture:
        kept = surfaces.setdefault(furniture.handle, {})
        for receptacle in catalogue.templates[furniture.template].receptacles:
            kept.setdefault(receptacle.kind, f"{furniture.handle}|{receptacle.name}")
    for room in scene.rooms:
        floor = floor_of(room.room_id)
        surfaces[floor] = {"on": floor}
    start: list[Change] = []
    for change in world.everything():
        if isinstance(change, SupportChanged) and change.support == FLOOR:
            room_id = surroundings.room_at(world.pose(change.handle).position)
            start.append(SupportChanged(change.handle, floor_of(room_id or "")))
        elif isinstance(change, SupportChanged | HolderChanged | PartMoved | StateChanged):
            start.append(change)
    return Problem(
        task=task,
        evaluation=EvaluationTask.from_task(task),
        domain=domain,
        surroundings=surroundings,
        name_of=name_of,
        handle_of={name: handle for handle, name in name_of.items()},
        room_of=room_of,
        parts={f.handle: len(catalogue.templates[f.template].parts) for f in scene.furniture},
        surfaces=surfaces,
        start=tuple(start),
    )


STATE_PREDICATES = tuple(n for n, s in PREDICATES.items() if s.state is not None)
RELATION_PREDICATES = ("is_on_top", "is_inside", "is_in_room", "is_on_floor", "is_next_to")
"""Predicates of relations; EAI parts goals into states of one thing and relations.

A floor is a relation for all that it has one argument.
"""
