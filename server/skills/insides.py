"""Insides of furniture that can be seen from elsewhere: basins, tubs, shelves.

Drawers and cabinets are seen as they would be if they were open.
"""

from __future__ import annotations

from episodes.poses import Vec3
from server.sessions.surfaces import Joints, Surface
from server.skills.body import Body, Script
from server.skills.standing_places import Fits

AT = ((0.0, 0.0), (-0.6, -0.6), (-0.6, 0.6), (0.6, -0.6), (0.6, 0.6))
"""The points on the bottom at which a body looks, as shares of its half extents."""
LOW_M = 0.1
"""The height above the bottom at which a body looks to see what lies in something."""
SHARES = (0.1, 0.5, 1.0)


class Insides:
    """The receptacles in a piece of furniture that are looked into one after another.

    Those are the open ones, or all of those with doors (``opening``); ``only`` one, where it is
    given.
    """

    def __init__(
        self, body: Body, furniture: str, *, opening: bool = False, only: Surface | None = None
    ) -> None:
        joints = body.core.world.joints
        self._body = body
        self.surfaces = [
            s
            for s in body.core.surfaces.of[furniture]
            if s.receptacle.kind == "within" and (opening or s.is_open(joints))
            if only is None or s == only
        ]
        self._shares: dict[Vec3, float] = {}

    def wishes(self) -> list[Fits]:
        """Return the wishes to see something, most, all of what could lie there."""
        if not self.surfaces:
            return []
        return [self._sees(share) for share in SHARES]

    @property
    def are_in_view(self) -> bool:
        """Whether the body sees them whole from where it stands, or there are none."""
        agent = self._body.core.world.agents[self._body.seat]
        return not self.surfaces or self.share(agent.position, agent.yaw) >= SHARES[-1]

    def _sees(self, share: float) -> Fits:
        return lambda point, yaw: self.share(point, yaw) >= share

    def share(self, point: Vec3, yaw: float) -> float:
        """Estimate the share of the insides that a body would see that stood at a point."""
        if point not in self._shares:
            view = self._body.core.view
            eye = view.eye_at(self._body.seat, point, yaw)
            seen = [self._seen(eye, surface) for surface in self.surfaces]
            self._shares[point] = sum(seen) / len(seen)
        return self._shares[point]

    def _seen(self, eye: Vec3, surface: Surface) -> float:
        """Estimate the share that can be seen of one receptacle, open."""
        core = self._body.core
        part, handle = surface.part, surface.furniture.handle
        if part is None or surface.is_open(core.world.joints):
            return self._clear(eye, surface, core.world.joints)
        # Asking the simulator about a joint that is not set yet: set it, ask, set it back.
        now = core.world.joints.get((handle, part.index), 0.0)
        core.simulator.set_joint(handle, part.index, part.open_value)
        try:
            return self._clear(eye, surface, {(handle, part.index): part.open_value})
        finally:
            core.simulator.set_joint(handle, part.index, now)

    def _clear(self, eye: Vec3, surface: Surface, joints: Joints) -> float:
        view = self._body.core.view
        points = [surface.point(joints, u, v, LOW_M) for u, v in AT]
        return sum(view.is_clear(eye, p, view.carried()) for p in points) / len(points)

    def glance(self) -> Script:
        """Look into one after another, for as long as it takes to see what is there."""
        for surface in self.surfaces:
            middle = surface.point(self._body.core.world.joints, 0.0, 0.0, LOW_M)
            yield from self._body.glance_into(middle)
