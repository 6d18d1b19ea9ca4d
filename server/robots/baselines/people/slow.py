"""``person-slow``: walks slowly, looks at things before each errand, answers late."""

from __future__ import annotations

from server.robots.baselines.people.person import Person
from server.robots.baselines.people.settings import SlowSettings
from server.robots.policy import Decision, PolicyView


class Slow(Person):
    """A person who takes time over everything, and gets it right."""

    def __init__(self, settings: SlowSettings, seat: str) -> None:
        super().__init__("slow", seat, settings.seed)
        self.settings = settings
        self.answers_after_s = settings.answers_after_s
        self.patience_s = 20.0

    def before(self, view: PolicyView, number: int) -> Decision | None:
        return self.rest(view, self.settings.pause_s * self.rng.uniform(0.5, 1.5))
