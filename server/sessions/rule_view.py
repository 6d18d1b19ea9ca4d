"""The world of a session as the rules see it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from episodes.bodies import SeatKind
from episodes.names import Names
from episodes.poses import Pose, Vec3, compose, conjugate, multiply, to_local, to_world
from episodes.rules import Placement
from episodes.scene import Catalogue, Scene, Template, part_pose
from episodes.seats import Seat
from episodes.world import AgentPose, WorldState, eye_of
from server.sessions.surfaces import Surface, Surfaces
from server.simulators.contract import Simulator

SIGHT_MARGIN_M = 0.02
"""Distance before a point at which a ray to it ends; the surface it lies on does not count (m)."""
NEIGHBOUR_M = 0.1
TAP_M = 4.0
"""The distance beyond which no profile lets anybody use a tap."""


class SessionRuleView:
    """The rules' view of a session; implements `episodes.rules.RuleView`."""

    def __init__(
        self, world: WorldState, simulator: Simulator, surfaces: Surfaces, names: Names
    ) -> None:
        self.world = world
        self.simulator = simulator
        self.surfaces = surfaces
        self.names = names
        self.scene: Scene = simulator.scene
        self.catalogue: Catalogue = simulator.catalogue
        self._templates: dict[str, Template] = {
            f.handle: self.catalogue.templates[f.template] for f in self.scene.furniture
        }
        for handle in world.objects:
            self._templates[handle] = self.catalogue.of_handle(handle)
        # Bodies are in nobody's way, so an answer holds while they only walk.
        self._obstacles: dict[tuple[str, int, bool], str | None] = {}
        self._seen: dict[str, tuple[AgentPose, frozenset[str]]] = {}
        self._taps = [h for h, t in self._templates.items() if t.faucet is not None]

    # What there is

    def seats(self) -> list[Seat]:
        return [Seat(seat, body.kind) for seat, body in self.world.bodies.items()]

    def seat_kind(self, seat: str) -> SeatKind:
        return self.world.bodies[seat].kind

    def held(self, seat: str) -> str | None:
        return self.world.held.get(seat)

    def holder(self, entity: str) -> str | None:
        return self.world.holders.get(entity)

    def exists(self, entity: str) -> bool:
        return entity in self._templates

    def template(self, entity: str) -> Template:
        return self._templates[entity]

    def label(self, entity: str) -> str:
        return self.names.labels[entity]

    def state(self, entity: str, name: str) -> bool | None:
        return self.world.states.get((entity, name))

    def pose(self, entity: str) -> Pose:
        """Return where an entity is now."""
        furniture = self.surfaces.furniture.get(entity)
        return furniture.pose if furniture is not None else self.world.pose(entity)

    # What a body can reach and see

    def eye(self, seat: str) -> Vec3:
        agent = self.world.agents[seat]
        return self.eye_at(seat, agent.position, agent.yaw)

    def eye_at(self, seat: str, position: Vec3, yaw: float) -> Vec3:
        """Return where the eye of a body would be that stood elsewhere."""
        return eye_of(self.world.bodies[seat], AgentPose(position, yaw, 0.0))

    def distance(self, seat: str, entity: str) -> float:
        if self.world.holders.get(entity) == seat:
            return 0.0
        return self.distance_from(self.world.agents[seat].position, entity)

    def distance_from(self, point: Vec3, entity: str) -> float:
        """Measure how far a point is, horizontally, from an upright entity's box."""
        x, _, z = to_local(self.pose(entity), point)
        low, high = self._templates[entity].box
        dx = max(low[0] - x, 0.0, x - high[0])
        dz = max(low[2] - z, 0.0, z - high[2])
        return math.hypot(dx, dz)

    def reach_to(self, seat: str, point: Vec3) -> float:
        x, _, z = self.world.agents[seat].position
        return math.hypot(point[0] - x, point[2] - z)

    def can_see(self, seat: str, entity: str) -> bool:
        if self.world.holders.get(entity) == seat:
            return True
        return self.simulator.can_see(self.eye(seat), entity, self.carried())

    def carried(self) -> frozenset[str]:
        """Return what is in anybody's hand: it hides nothing and nothing rests on it."""
        return frozenset(self.world.holders)

    def sees_spot(self, seat: str, placement: Placement) -> bool:
        held = self.world.held.get(seat)
        return held is None or self.sees_spot_from(self.eye(seat), held, placement)

    def sees_spot_from(self, eye: Vec3, held: str, placement: Placement) -> bool:
        """Tell whether an eye sees where a held object would stand.

        What it would stand on or in does not hide it: a shelf above must not make the one below
        useless.
        """
        if placement.pose is None:
            return True
        ignore = self.carried() | ({placement.entity} if placement.entity else set())
        middle = to_world(placement.pose, self._templates[held].box.center)
        return self.is_clear(eye, middle, ignore) or self.is_clear(
            eye, placement.pose.position, ignore
        )

    def is_clear(self, eye: Vec3, point: Vec3, ignore: frozenset[str]) -> bool:
        """Tell whether nothing but ``ignore`` is between two points."""
        distance = math.dist(eye, point)
        if distance <= SIGHT_MARGIN_M:
            return True
        direction = (
            (point[0] - eye[0]) / distance,
            (point[1] - eye[1]) / distance,
            (point[2] - eye[2]) / distance,
        )
        hit = self.simulator.cast_ray(eye, direction, distance - SIGHT_MARGIN_M, ignore)
        return hit is None

    def faucet_distance(self, seat: str) -> float:
        # A tap behind a wall gives no water.
        point, eye, aside = self.world.agents[seat].position, self.eye(seat), self.carried()
        by_distance = sorted((self.distance_from(point, tap), tap) for tap in self._taps)
        for distance, tap in by_distance:
            if distance > TAP_M:
                break
            if self.simulator.can_see(eye, tap, aside):
                return distance
        return math.inf

    @property
    def taps(self) -> list[str]:
        """The furniture that has a tap."""
        return self._taps

    # Containers and parts

    def opened(self, entity: str, part: int) -> float:
        value = self.world.joints.get((entity, part), 0.0)
        for p in self._templates[entity].parts:
            if p.index == part and p.open_value:
                return value / p.open_value
        return 0.0

    def receptacle_of(self, entity: str) -> Surface | None:
        """Return the receptacle that an object stands on: itself, or through what it stands on."""
        support = self.world.supports.get(entity)
        for _ in range(len(self.world.supports)):
            if support is None:
                return None
            surface = self.surfaces.by_name.get(support)
            if surface is not None:
                return surface
            support = self.world.supports.get(support)
        return None

    def shut_in(self, entity: str) -> str | None:
        surface = self.receptacle_of(entity)
        if surface is None or surface.is_open(self.world.joints):
            return None
        return surface.furniture.handle

    def inside(self, entity: str) -> str | None:
        surface = self.receptacle_of(entity)
        # Nothing more can be opened to see into a drawer that is out.
        if surface is None or surface.receptacle.kind != "within" or surface.receptacle.moves:
            return None
        return surface.furniture.handle

    def support_open(self, placement: Placement) -> bool:
        if placement.surface == "receptacle" and placement.support is not None:
            return self.surfaces.by_name[placement.support].is_open(self.world.joints)
        if placement.surface == "object" and placement.entity is not None:
            return self.shut_in(placement.entity) is None
        return True

    def resting_on(self, entity: str) -> str | None:
        return next(self.all_on(entity), None)

    def all_on(self, entity: str) -> Iterator[str]:
        """Return the objects that stand on an entity itself."""
        return (h for h, s in self.world.supports.items() if s == entity)

    def riders(self, furniture: str, part: int) -> list[str]:
        """Return the objects that move with a part: in a drawer, and on what is in it."""
        names = {
            s.unique_name
            for s in self.surfaces.of[furniture]
            if s.receptacle.moves and s.part is not None and s.part.index == part
        }
        found: list[str] = []
        while names:
            names = {h for h, s in self.world.supports.items() if s in names}
            found += sorted(names)
        return found

    def riding_pose(self, furniture: str, part: int, value: float, handle: str) -> Pose:
        """Return where a rider is once its part is at ``value``."""
        return self._moved_along(furniture, part, value, self.world.objects[handle])

    def _moved_along(self, furniture: str, part: int, value: float, at: Pose) -> Pose:
        """Return where a pose comes to with a part that goes to ``value``."""
        shape = next(p for p in self._templates[furniture].parts if p.index == part)
        stands = self.surfaces.furniture[furniture].pose
        now = compose(stands, part_pose(shape, self.world.joints.get((furniture, part), 0.0)))
        then = compose(stands, part_pose(shape, value))
        return compose(
            then,
            Pose(to_local(now, at.position), multiply(conjugate(now.rotation), at.rotation)),
        )

    def keeps_open(self, handle: str, surface: Surface, pose: Pose) -> bool:
        """Tell whether an object at a pose within furniture would be in the way of shutting it."""
        furniture = surface.furniture.handle
        parts = [part for of, part in self.world.joints if of == furniture]
        if surface.part is not None and surface.receptacle.moves:
            pose = self._moved_along(furniture, surface.part.index, 0.0, pose)
        with self._as_if(furniture, dict.fromkeys(parts, 0.0)):
            return furniture in self.simulator.overlapping(handle, pose, self.carried())

    def end_value(self, entity: str, part: int, opening: bool) -> float:
        """Return the joint value of a part that is open, or closed."""
        if not opening:
            return 0.0
        return next(p.open_value for p in self._templates[entity].parts if p.index == part)

    def obstacle(self, entity: str, part: int, opening: bool) -> str | None:
        key = (entity, part, opening)
        if key not in self._obstacles:
            self._obstacles[key] = self._find_obstacle(entity, part, opening)
        return self._obstacles[key]

    def forget(self) -> None:
        """Drop what was remembered, as something other than a body has changed."""
        self._obstacles.clear()
        self._seen.clear()

    def seen(self, seat: str) -> frozenset[str]:
        """Return the things that a body has in view.

        The simulator is asked once, however many want to know, until the body moves or things do.
        """
        pose = self.world.agents[seat]
        known = self._seen.get(seat)
        if known is None or known[0] != pose:
            known = self._seen[seat] = (pose, self.simulator.seen(seat))
        return known[1]

    def carried_along(self) -> None:
        """Forget what was in view, as a body has moved with a thing in its hand."""
        self._seen.clear()

    def _find_obstacle(self, entity: str, part: int, opening: bool) -> str | None:
        near = list(self._near(entity))
        if not near:
            return None
        simulator, world = self.simulator, self.world
        ignore = self.carried()
        value = self.end_value(entity, part, opening)
        riders = set(self.riders(entity, part))
        poses = {h: world.objects[h] for h in near}
        before = {h for h in near if entity in simulator.overlapping(h, poses[h], ignore)}
        for handle in riders & poses.keys():
            poses[handle] = self.riding_pose(entity, part, value, handle)
        with self._as_if(entity, {part: value}):
            for handle in near:
                if handle in before:
                    continue
                if entity in simulator.overlapping(handle, poses[handle], ignore):
                    return handle
        return None

    @contextmanager
    def _as_if(self, furniture: str, values: Mapping[int, float]) -> Iterator[None]:
        """Have the simulator answer as if parts of furniture stood at other joint values."""
        now = {part: self.world.joints.get((furniture, part), 0.0) for part in values}
        for part, value in values.items():
            self.simulator.set_joint(furniture, part, value)
        try:
            yield
        finally:
            for part, value in now.items():
                self.simulator.set_joint(furniture, part, value)

    def _near(self, furniture: str) -> Iterator[str]:
        """Return the objects that some part of a piece of furniture could touch."""
        template = self._templates[furniture]
        x, _, z = self.surfaces.furniture[furniture].pose.position
        low, high = template.box
        half = math.hypot(max(-low[0], high[0]), max(-low[2], high[2]))
        # A slide adds its travel; a hinged door is no wider than the furniture.
        travel = max((abs(p.open_value) for p in template.parts if p.joint == "slide"), default=0.0)
        reach = half + max(travel, high[0] - low[0], high[2] - low[2]) + NEIGHBOUR_M
        for handle, pose in self.world.objects.items():
            if handle in self.world.holders:
                continue
            b = self._templates[handle].box
            size = math.hypot(max(-b.low[0], b.high[0]), max(-b.low[2], b.high[2]))
            if math.hypot(pose.position[0] - x, pose.position[2] - z) <= reach + size:
                yield handle
