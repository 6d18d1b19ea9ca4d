"""Asking a body of a session for one skill after another."""

from __future__ import annotations

from collections.abc import Sequence

from episodes.dataset import Task
from episodes.poses import IDENTITY, Pose, Vec3
from episodes.tasks import first_tasks
from episodes.worldgraph import WorldGraph
from server.sessions.core import SessionCore
from server.skills import SUCCESS, Body, Call, SkillRun, parse
from tests.server.sessions.first_house_sessions import HUMAN, started

PROFILES = ("cohabit", "partnr")


def task_with(*words: str) -> Task:
    """Return the first task whose propositions use predicates with these words."""
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
    """A body of a session, asked for one skill after another."""

    def __init__(self, profile: str, task: Task | None = None, seat: str = HUMAN) -> None:
        self.core = started(task, profile=profile)
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


def holding(profile: str) -> tuple[Doing, str]:
    """Return a body with a thing in its hand, and the thing."""
    do = Doing(profile)
    thing = do.free()[0]
    assert do(f"Navigate[{do.name(thing)}]") == SUCCESS
    assert do(f"Pick[{do.name(thing)}]") == SUCCESS
    return do, thing
