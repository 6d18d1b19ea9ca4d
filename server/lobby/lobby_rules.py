"""Rules of a lobby: who is matched with whom, and how long people wait."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from matchmaking.offers import Offers, Sought
from matchmaking.queue import Limits
from matchmaking.tickets import Pool, Wish


class LobbyRules(NamedTuple):
    """The rules that decide who is matched with whom, and how long people wait."""

    limits: Limits = Limits()
    offers: Offers = Offers()
    answers: Callable[[str], bool] = lambda _name: True
    """Function that tells whether the policy of a name can be played with now."""

    def people_of(self, pool: Pool) -> int:
        """Return how many people a full group of a pool has."""
        offer = self.offers.of(pool)
        return offer.people if offer is not None else 1

    def sought(self, pool: Pool) -> Sought | None:
        """Return the group that those of a pool wait for, whoever comes; None: they do not."""
        people = self.people_of(pool)
        return Sought(pool.team, people) if pool.wish is Wish.PERSON and people > 1 else None


DEFAULT_RULES = LobbyRules()
