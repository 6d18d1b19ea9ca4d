"""First come, first served: neighbours of a pool play together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import inf
from operator import attrgetter, itemgetter
from random import Random

from matchmaking.matches import Decision, Match
from matchmaking.matchmakers.contract import Gathering, Looks, joined
from matchmaking.offers import Offer, Offers
from matchmaking.pair_rules import PairRule, same_place
from matchmaking.tickets import Pool, Ticket, Wish


def _always(_name: str) -> bool:
    return True


class FirstCome:
    """Matchmaker of those who choose with whom they play.

    A pool are those who want the same team, or have the same invitation. Once a group is full it
    begins. A smaller one begins when the first of them has waited as long as the offer says, or
    somebody of an invitation says so. A team waits while ``answers`` says that one of its policies
    does not answer now. Where homes are scarce, the group gets one that could begin first: since
    its last one came, or since its wait was over.
    """

    def __init__(
        self,
        offers: Offers,
        answers: Callable[[str], bool] = _always,
        rules: Sequence[PairRule] = (same_place,),
    ) -> None:
        self._offers, self._answers, self._rules = offers, answers, tuple(rules)

    def __call__(self, tickets: Iterable[Ticket], now: float, rng: Random) -> list[Match]:
        pools: dict[Pool, list[Gathering]] = {}
        ready: list[tuple[float, Match]] = []
        ordered = sorted(tickets, key=attrgetter("place"))
        seen: set[str] = set()
        looks = Looks()
        for ticket in ordered:
            pool = ticket.pool
            offer = self._offers.of(pool)
            if offer is None or not all(map(self._answers, offer.team.policies.values())):
                continue
            if ticket.participant_id in seen:
                continue
            seen.add(ticket.participant_id)
            gatherings = pools.setdefault(pool, [])
            group = self._joined(ticket, offer, gatherings, now, looks)
            if group.is_full:
                gatherings.remove(group)
                decision = group.decision("full", len(ordered), now)
                ready.append((ticket.joined_at, _match("fifo", group, rng, decision)))
        for group in (group for gatherings in pools.values() for group in gatherings):
            fill = group.offer.fill
            ready_at = _ready_at(group.offer, group.tickets)
            if ready_at <= now and (not fill or self._answers(fill)):
                decision = group.decision("fewer_after_wait", len(ordered), now)
                ready.append((ready_at, _match("fewer_after_wait", group, rng, decision)))
        return [match for _, match in sorted(ready, key=itemgetter(0))]

    def _joined(
        self, ticket: Ticket, offer: Offer, gatherings: list[Gathering], now: float, looks: Looks
    ) -> Gathering:
        """Put a ticket into the first group that it may join, or into a new one."""
        found = joined(ticket, gatherings, self._rules, now, looks)
        if found is not None:
            return found
        group = Gathering(offer)
        group.tickets.append(ticket)
        gatherings.append(group)
        return group


fifo = FirstCome(Offers())
"""Matchmaker of pairs, and of those who want to be alone or a robot."""


def _ready_at(offer: Offer, group: Sequence[Ticket]) -> float:
    """Return when a group that is not full may begin; infinite as long as that is not known."""
    if len(group) < offer.least:
        return inf
    if group[0].wish is Wish.INVITE:
        # Friends are waited for, until somebody says that nobody else comes.
        is_all = any(ticket.wants_to_begin for ticket in group)
        return group[-1].joined_at if is_all else inf
    return smaller_at(offer, group)


def smaller_at(offer: Offer, group: Sequence[Ticket]) -> float:
    """Return when enough people who came for a team begin without the rest."""
    return max(group[offer.least - 1].joined_at, group[0].joined_at + offer.after_s)


def _match(formed_by: str, group: Gathering, rng: Random, decision: Decision) -> Match:
    assignments, team = group.seated(group.offer, rng)
    return Match(formed_by, assignments, team, decision=decision)
