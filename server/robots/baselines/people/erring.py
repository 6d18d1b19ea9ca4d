"""``person-erring``: slips. Things go to a wrong place first; it notices, and puts them right."""

from __future__ import annotations

from server.robots.baselines.people.errands import Target
from server.robots.baselines.people.person import Person
from server.robots.baselines.people.requests import Line
from server.robots.baselines.people.settings import ErringSettings
from server.robots.policy import PastCall, PolicyView
from server.skills.call import Call


class Erring(Person):
    """A person who means the right thing and does another one now and then."""

    def __init__(self, settings: ErringSettings, seat: str) -> None:
        super().__init__("erring", seat, settings.seed)
        self.settings = settings
        self.slipped: dict[int, str] = {}
        """The wrong place of each errand that went, or goes, wrong first; empty: it did not."""
        self._open_eyes: set[int] = set()

    def target_of(self, view: PolicyView, number: int) -> Target:
        right = super().target_of(view, number)
        if number not in self.slipped:
            slips = self.rng.random() < self.settings.errs
            self.slipped[number] = self._wrong(view, number) if slips else ""
        if not self.slipped[number] or number in self._open_eyes:
            return right
        return Target(self.slipped[number], "on")

    def _wrong(self, view: PolicyView, number: int) -> str:
        accepts = self.errands[number].accepts
        room = view.graph.rooms.get(self.errands[number].targets[0].key, "")
        near = view.graph.furniture_of(room)[1:] if room else []
        among = [f for f in near or view.graph.rooms if f not in accepts and "|" not in f]
        return self.rng.choice(among) if among else ""

    def came_of(self, view: PolicyView, past: PastCall) -> None:
        if self.now is None or not isinstance(past.call, Call) or past.call.name != "Rearrange":
            return
        wrong = self.slipped.get(self.now, "")
        if not wrong or past.call.place != view.graph.names.graph[wrong]:
            return
        self._open_eyes.add(self.now)
        if past.succeeded:
            self.rest(view, self.settings.notices_s)

    def heard(self, view: PolicyView, seat: str, line: Line) -> None:
        if line.is_no and self.now is not None:
            # Told so, it looks at once.
            self._open_eyes.add(self.now)
            self._rest_until = view.tick
