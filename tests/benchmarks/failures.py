"""Ways to fail at a task, injected into the steps that solve it; no explanation is looked at."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

import msgspec

from episodes.dataset import Task
from episodes.dataset.vocabulary import DIFFERENT_ARG, SAME_ARG, TEMPORAL
from episodes.poses import Pose
from episodes.tasks.start_places import matrix_of
from server.robots.baselines.scripted_player import Change, Done, Put, PutAnywhere, Rest, Step, Take
from server.sessions.core import SessionCore
from server.sessions.placement import candidates

Unit = list[Step]
"""Steps that belong together: taking and putting, or changing a state."""


@dataclass
class Attempt:
    """The steps of both seats in the first try; ``harm`` are the partner's steps."""

    units: list[Unit]
    harm: list[Step] = field(default_factory=list)
    delay: int = 0
    wait: int = 0
    """Ticks for which the human waits for the partner, before beginning and before finishing."""

    def steps(self) -> list[Step]:
        steps = [s for unit in self.units for s in unit]
        return [Rest(self.delay), *steps, Rest(self.wait), Done()]


def units_of(steps: list[Step]) -> list[Unit]:
    """Split a solution into units."""
    units: list[Unit] = []
    for step in steps:
        match step:
            case Take() | Change():
                units.append([step])
            case Put() | PutAnywhere():
                units[-1].append(step)
    return units


def thing_of(unit: Unit) -> str:
    first = unit[0]
    assert isinstance(first, Take | Change)
    return first.target


Injection = Callable[[Attempt, SessionCore, random.Random], bool]
"""Changes an attempt; false where the task offers nothing for it."""


def leave_out(attempt: Attempt, core: SessionCore, rng: random.Random) -> bool:
    """Forget a step: for a thing that is washed and put away, either of the two."""
    del attempt.units[rng.randrange(len(attempt.units))]
    return bool(attempt.units)


def wrong_object(attempt: Attempt, core: SessionCore, rng: random.Random) -> bool:
    """Use a look-alike instead."""
    swaps = [
        (thing_of(unit), other)
        for unit in attempt.units
        for other in core.world.objects
        if other != thing_of(unit)
        and _alike(core, other, thing_of(unit))
        and not _used(attempt, other)
    ]
    if not swaps:
        return False
    thing, other = rng.choice(swaps)
    for unit in attempt.units:
        unit[:] = [_with(step, thing, other) for step in unit]
    return True


def _alike(core: SessionCore, a: str, b: str) -> bool:
    names = {f.handle for f in core.simulator.scene.furniture}
    if a in names or b in names:
        return False
    return core.view.template(a).class_name == core.view.template(b).class_name


def _used(attempt: Attempt, thing: str) -> bool:
    return any(thing_of(unit) == thing for unit in attempt.units)


def _with(step: Step, thing: str, other: str) -> Step:
    if isinstance(step, Take | Change) and step.target == thing:
        return step._replace(target=other)
    if isinstance(step, Put) and step.next_to == thing:
        return step._replace(next_to=other)
    return step


def wrong_order(attempt: Attempt, core: SessionCore, rng: random.Random) -> bool:
    """Put the units in another order."""
    if len(attempt.units) < 2 or not _edges(core.task):
        return False
    before = list(attempt.units)
    for _ in range(20):
        rng.shuffle(attempt.units)
        if attempt.units != before:
            _unhand(attempt)
            return True
    return False


def _edges(task: Task) -> list[list[int]]:
    return [
        edge
        for constraint in task.evaluation_constraints
        if constraint.type == TEMPORAL
        for edge in constraint.args["dag_edges"]
    ]


def _unhand(attempt: Attempt) -> None:
    """Put down what was washed and stays in the hand, if the next unit is about something else."""
    for number, unit in enumerate(attempt.units):
        last = unit[-1]
        following = attempt.units[number + 1] if number + 1 < len(attempt.units) else None
        if isinstance(last, Change) and last.verb in ("clean", "fill"):
            if following is None or thing_of(following) != thing_of(unit):
                unit.append(PutAnywhere())
        elif isinstance(last, PutAnywhere) and following and thing_of(following) == thing_of(unit):
            unit.pop()


def undo(attempt: Attempt, core: SessionCore, rng: random.Random) -> bool:
    """Undo something that was done."""
    unit = rng.choice(attempt.units)
    undoing = _undoing(unit, core, rng)
    if undoing is None:
        return False
    attempt.units.insert(rng.randint(attempt.units.index(unit) + 1, len(attempt.units)), undoing)
    return True


def _undoing(unit: Unit, core: SessionCore, rng: random.Random) -> Unit | None:
    thing = thing_of(unit)
    first = unit[0]
    if isinstance(first, Change):
        if first.verb == "power_on":
            return [Change("power_off", thing)]
        return None
    put = next((s for s in unit if isinstance(s, Put)), None)
    if put is None:
        return None
    spots = [
        f.handle
        for f in core.simulator.scene.furniture
        if f.handle != put.target
        and any(
            s.receptacle.kind == "on" and s.receptacle.half_x > 0.25 and s.part is None
            for s in core.surfaces.of[f.handle]
        )
    ]
    return [Take(thing), Put(rng.choice(spots), "on")]


def wrong_room(attempt: Attempt, core: SessionCore, rng: random.Random) -> bool:
    """Use the right kind of furniture in another room."""
    rooms = {f.handle: f.room_id for f in core.simulator.scene.furniture}
    options = []
    for number, unit in enumerate(attempt.units):
        for place, step in enumerate(unit):
            if not isinstance(step, Put) or step.target not in rooms:
                continue
            mine = core.view.template(step.target).class_name
            for handle, room in rooms.items():
                alike = core.view.template(handle).class_name == mine
                kinds = {s.receptacle.kind for s in core.surfaces.of[handle]}
                if alike and room != rooms[step.target] and step.relation in kinds:
                    options.append((number, place, step._replace(target=handle, next_to=None)))
    if not options:
        return False
    number, place, step = rng.choice(options)
    attempt.units[number][place] = step
    return True


def break_tie(attempt: Attempt, core: SessionCore, rng: random.Random) -> bool:
    """Put one of the tied placements on another of the allowed places."""
    options = []
    for constraint in core.task.evaluation_constraints:
        if constraint.type not in (SAME_ARG, DIFFERENT_ARG):
            continue
        for index in constraint.args["proposition_indices"]:
            args = core.task.evaluation_propositions[index].args
            for unit in attempt.units:
                for place, step in enumerate(unit):
                    if isinstance(step, Put) and thing_of(unit) in args["object_handles"]:
                        others = [r for r in args["receptacle_handles"] if r != step.target]
                        options += [(unit, place, step._replace(target=r)) for r in others]
    if not options:
        return False
    unit, place, step = rng.choice(options)
    unit[place] = step
    return True


def partner_undoes(attempt: Attempt, core: SessionCore, rng: random.Random) -> bool:
    """Have the partner carry away what was brought, after it was brought."""
    undoing = [u for unit in attempt.units if (u := _undoing(unit, core, rng)) is not None]
    moving = [u for u in undoing if isinstance(u[0], Take)]
    if not moving:
        return False
    attempt.harm = [Rest(1500), *rng.choice(moving), Done()]
    attempt.wait = 2500
    return True


def partner_hurries(attempt: Attempt, core: SessionCore, rng: random.Random) -> bool:
    """Have the partner do the last part at once, before what should come first."""
    last = attempt.units[-1]
    movable = isinstance(last[0], Take) and len(attempt.units) > 1
    if not movable or not _edges(core.task):
        return False
    if any(thing_of(u) == thing_of(last) for u in attempt.units[:-1]):
        return False
    attempt.units.pop()
    attempt.delay = 1200
    attempt.harm = [*last, Done()]
    return True


INJECTIONS: dict[str, Injection] = {
    "left out": leave_out,
    "wrong object": wrong_object,
    "wrong order": wrong_order,
    "undone": undo,
    "wrong room": wrong_room,
    "tie broken": break_tie,
    "partner undoes": partner_undoes,
    "partner hurries": partner_hurries,
}


def with_decoys(core: SessionCore, rng: random.Random) -> Task:
    """Return the task with a look-alike of each of its objects, somewhere in the house."""
    episode = core.task
    named = {
        handle
        for p in episode.evaluation_propositions
        for value in p.args.values()
        if isinstance(value, list)
        for handle in value
        if handle in core.world.objects
    }
    surfaces = [
        s
        for s in core.surfaces.by_name.values()
        if s.receptacle.kind == "on" and s.part is None and s.receptacle.half_x > 0.3
    ]
    rigid, places, states = list(episode.rigid_objs), dict(episode.name_to_receptacle), {}
    states = {name: dict(values) for name, values in episode.object_states.items()}
    taken: list[Pose] = []
    for handle in sorted(named):
        template = handle.partition("_:")[0]
        count = sum(h.startswith(f"{template}_:") for h in places)
        for spot in candidates(core.view, handle, surfaces, rng):
            pose, support = spot.placement.pose, spot.placement.support
            assert pose is not None
            assert support is not None
            far = all(abs(pose.position[0] - p.position[0]) > 0.5 for p in taken)
            if not far:
                continue
            taken.append(pose)
            decoy = f"{template}_:{count:04d}"
            rigid.append((f"{template}.object_config.json", matrix_of(pose)))
            places[decoy] = support
            for values in states.values():
                if handle in values:
                    values[decoy] = values[handle]
            break
    return msgspec.structs.replace(
        episode, rigid_objs=rigid, name_to_receptacle=places, object_states=states
    )
