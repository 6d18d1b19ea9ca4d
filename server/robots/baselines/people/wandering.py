"""``person-wandering``: looks round, is distracted, stands in the way, and comes back."""

from __future__ import annotations

from server.robots.baselines.people.person import Person
from server.robots.baselines.people.requests import Line
from server.robots.baselines.people.settings import WanderingSettings
from server.robots.policy import Decision, Do, PolicyView
from server.skills.call import Call


class Wandering(Person):
    """A person whose mind is elsewhere half of the time."""

    def __init__(self, settings: WanderingSettings, seat: str) -> None:
        super().__init__("wandering", seat, settings.seed)
        self.settings = settings
        self.strayed: list[str] = []
        """Names of the places that it strayed to."""
        self._gaze = False
        self._considered = -1

    def agrees(self, view: PolicyView, seat: str, line: Line) -> str | None:
        self._gaze = False
        self._rest_until = view.tick
        # Asked, it keeps its mind on it for a while.
        self._considered = len(view.history) + 1
        return "Oh, sorry." if line.skill == "Away" else "Oh. Yes."

    def habit(self, view: PolicyView) -> Decision | None:
        if self._gaze:
            self._gaze = False
            return self.rest(view, self.settings.gazes_s * self.rng.uniform(0.5, 1.5))
        # It is considered once for each call that has ended.
        if len(view.history) <= self._considered or not self.undone():
            return None
        self._considered = len(view.history)
        is_full = len(self.strayed) >= self.settings.strays
        if is_full or self.rng.random() >= self.settings.wanders:
            return None
        place = self._somewhere(view)
        if not place:
            return None
        self._considered += 1
        self._gaze = True
        self.strayed.append(place)
        return Do(Call.of("Navigate", place))

    def _somewhere(self, view: PolicyView) -> str:
        """Choose where to: half of the time to where another body stands."""
        names = view.graph.names.graph
        at = {f.handle: f.pose.position for f in view.graph.scene.furniture}
        seen = [p.position for p in view.partners if p.position is not None]
        if seen and self.rng.random() < 0.5:
            x, _, z = self.rng.choice(seen)
            beside = min(at, key=lambda f: ((at[f][0] - x) ** 2 + (at[f][2] - z) ** 2, f))
            return names[beside]
        rooms = sorted(room.room_id for room in view.graph.scene.rooms)
        furniture = view.graph.furniture_of(self.rng.choice(rooms))[1:]
        return names[self.rng.choice(furniture)] if furniture else ""
