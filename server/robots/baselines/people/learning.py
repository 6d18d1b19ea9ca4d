"""``person-learning``: slow and clumsy at first, better with each errand; does as others do."""

from __future__ import annotations

from server.robots.baselines.people.person import Person
from server.robots.baselines.people.settings import LearningSettings
from server.robots.policy import Decision, Do, PastCall, PolicyView
from server.skills.call import Call

EPISODE_IS_WORTH = 4
"""Errands that an episode of experience counts as."""


class Learning(Person):
    """A beginner. Practice is what it has done itself, and half as much what it has watched."""

    def __init__(self, settings: LearningSettings, seat: str) -> None:
        super().__init__("learning", seat, settings.seed)
        self.settings = settings
        self.practice = float(EPISODE_IS_WORTH * settings.experience)
        self.patience_s = 15.0
        self.pauses: list[float] = []
        self._shown_places: list[str] = []
        self._shown_skills: list[str] = []
        self._fumbled: set[int] = set()

    @property
    def clumsiness(self) -> float:
        """The share of a beginner's slowness and fumbling that is left."""
        return float(self.settings.keeps**self.practice)

    def came_of(self, view: PolicyView, past: PastCall) -> None:
        walks = ("Navigate", "Explore", "Wait")
        if past.succeeded and isinstance(past.call, Call) and past.call.name not in walks:
            self.practice += 1

    def saw(self, view: PolicyView, seat: str, call: Call) -> None:
        self.practice += 0.5
        if call.name == "Place":
            self._shown_places.append(view.graph.find(call.place) or "")
        self._shown_skills.append(call.name)

    def prefers(self, view: PolicyView, ready: list[int]) -> int | None:
        """Do what it was shown last: to the same place, or with the same skill."""
        for place in reversed(self._shown_places):
            for number in ready:
                if place and place in self.errands[number].accepts:
                    return number
        for skill in reversed(self._shown_skills):
            for number in ready:
                if self.errands[number].skill == skill:
                    return number
        return ready[0]

    def before(self, view: PolicyView, number: int) -> Decision | None:
        seconds = self.settings.pause_s * self.clumsiness
        self.pauses.append(seconds)
        return self.rest(view, seconds)

    def habit(self, view: PolicyView) -> Decision | None:
        """Walk to a wrong place before the errand goes on: fumbling."""
        number = self.now
        if number is None or number not in self.undone() or number in self._fumbled:
            return None
        self._fumbled.add(number)
        if self.rng.random() >= self.settings.fumbles * self.clumsiness:
            return None
        room = view.graph.room_at(view.position)
        among = view.graph.furniture_of(room)[1:] if room else []
        if not among:
            return None
        return Do(Call.of("Navigate", view.graph.names.graph[self.rng.choice(among)]))
