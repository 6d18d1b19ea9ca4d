"""The player of a person: a policy in its seat that is told the goal before the start."""

from __future__ import annotations

from server.robots.baselines.expert.order import UnsolvableError
from server.robots.baselines.people.errands import errands_of
from server.robots.baselines.people.person import Person
from server.robots.playing.policy_player import PolicyPlayer
from server.robots.playing.seat_options import SeatOptions
from server.robots.playing.thinkers import Thinker
from server.sessions.core import SessionCore
from server.sessions.intents import Intent


class PersonPlayer(PolicyPlayer):
    """A player of a `Person`. It reads the goal once; all else the policy has from its view."""

    def __init__(
        self, seat: str, person: Person, thinker: Thinker, seating: SeatOptions | None = None
    ) -> None:
        super().__init__(seat, person, thinker, seating)
        self._person: Person | None = person

    def intents(self, core: SessionCore) -> list[Intent]:
        if self._person is not None:
            try:
                errands = errands_of(core)
            except UnsolvableError:
                # Nobody knows a way: this person sees nothing to do.
                errands = ()
            self._person.begin(errands, core.task_text)
            self._person = None
        return super().intents(core)
