"""``person-passive``: does what it is asked, and little else until nobody does anything."""

from __future__ import annotations

from server.robots.baselines.people.person import Person
from server.robots.baselines.people.settings import PassiveSettings
from server.robots.policy import Decision, Pause, PolicyView
from server.sessions.spec import TICK_RATE


class Passive(Person):
    """A person who lets the other do it, and helps as soon as it is asked."""

    def __init__(self, settings: PassiveSettings, seat: str) -> None:
        super().__init__("passive", seat, settings.seed)
        self.settings = settings
        self.patience_s = settings.bored_s
        self._stirred = False

    def before(self, view: PolicyView, number: int) -> Decision | None:
        # It begins nothing of its own: `_work` comes here before each errand.
        return None

    def habit(self, view: PolicyView) -> Decision | None:
        if self.asked or self.now in self.undone() or not self.undone():
            return None
        left = self.settings.bored_s - self.quiet_s(view)
        if left > 0:
            return Pause(max(round(left * TICK_RATE), 1))
        return None
