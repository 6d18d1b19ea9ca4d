"""Matchmaker of conditions: each group plays the one that is drawn when it begins to gather."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import attrgetter
from random import Random
from typing import ClassVar

from matchmaking.assignment.places import Places
from matchmaking.limits import AtDeadline
from matchmaking.matches import Match
from matchmaking.matchmakers.contract import Gathering, Looks, joined
from matchmaking.offers import ALONE, Offer
from matchmaking.pair_rules import PairRule, no_rematch
from matchmaking.study import Study
from matchmaking.tickets import Ticket


class Balanced:
    """Matchmaker that fills the conditions in concealed, permuted blocks.

    In the queue's order people join a group, or begin the next one in the condition that is drawn
    for them. A group that is not full once somebody in it has waited as long as the study lets
    anybody begins as the study's deadline says, or not at all. One that need not wait for people
    waits as long as its condition says.
    """

    name: ClassVar[str] = "balanced"

    def __init__(self, study: Study, answers: Callable[[str], bool]) -> None:
        self._study, self._answers = study, answers
        self._offers = {c.name: Offer(c.name, c.team, c.least_people) for c in study.cells}
        self._rules: tuple[PairRule, ...] = () if study.partners_again else (no_rematch,)
        if study.latency is not None:
            self._rules = (*self._rules, study.latency)

    def __call__(
        self, tickets: Iterable[Ticket], now: float, rng: Random, places: Places
    ) -> list[Match]:
        ordered = sorted(tickets, key=attrgetter("place"))
        gatherings: dict[str, list[Gathering]] = {}
        """Groups that are not full, by the levels of their people."""
        matches: list[Match] = []
        # Nothing begins or ends while a round is made.
        loads, looks = places.loads(), Looks()
        heads: set[str] = set()
        seen: set[str] = set()
        for ticket in ordered:
            if ticket.participant_id in seen:
                continue
            seen.add(ticket.participant_id)
            stratum = places.stratum(ticket.participant_id)
            if stratum is None:
                continue
            group = self._joined(ticket, gatherings.setdefault(stratum, []), places, now, looks)
            if group is None:
                continue
            heads.add(group.tickets[0].participant_id)
            if group.is_full:
                gatherings[stratum].remove(group)
                if self._is_due(group, ordered, now):
                    matches.append(self._match(group, "full", len(ordered), now, rng, loads))
        for groups in gatherings.values():
            for group in groups:
                matches.extend(self._at_deadline(group, len(ordered), now, rng, loads))
        places.settle(heads, seen)
        return matches

    def _joined(
        self,
        ticket: Ticket,
        gatherings: list[Gathering],
        places: Places,
        now: float,
        looks: Looks,
    ) -> Gathering | None:
        """Put a ticket into the first group that it may join, or into a new one.

        Returns None where no condition takes another group.
        """
        found = joined(ticket, gatherings, self._rules, now, looks)
        if found is not None:
            return found
        place = places.of(ticket.participant_id)
        if place is None:
            return None
        group = Gathering(self._offers[place.cell.name], place)
        group.tickets.append(ticket)
        gatherings.append(group)
        return group

    def _is_due(self, group: Gathering, present: Sequence[Ticket], now: float) -> bool:
        """Tell whether a full group has waited as long as its condition wants, or anybody may.

        Before it is known how long people wait there, it waits until the next one comes.
        """
        assert group.place is not None, "a study's group has a place"
        head = group.tickets[0]
        if group.place.waits_for_next and any(t.here_since > head.here_since for t in present):
            return True
        return head.yoked_until(group.place.wait_s, self._study.limits.wait_s) <= now

    def _at_deadline(
        self,
        group: Gathering,
        n_waiting: int,
        now: float,
        rng: Random,
        loads: Mapping[str, float],
    ) -> Iterable[Match]:
        """Yield what becomes of a group of which somebody cannot wait any longer."""
        wait_s, outcome = self._study.limits.wait_s, self._study.at_deadline
        late = [ticket for ticket in group.tickets if ticket.deadline(wait_s) <= now]
        if not late:
            return
        is_by_hand = all(ticket.joined_at + wait_s > now for ticket in late)
        reason = f"{'by_hand' if is_by_hand else 'deadline'}_{outcome}"
        is_enough = outcome is AtDeadline.SMALLER and len(group.tickets) >= group.offer.least
        is_filled = outcome is AtDeadline.ROBOT and self._answers(self._study.substitute)
        if is_enough or is_filled:
            yield self._match(group, reason, n_waiting, now, rng, loads)
        elif outcome is AtDeadline.SOLO:
            for ticket in late:
                alone = Gathering(ALONE)
                alone.tickets.append(ticket)
                yield self._match(alone, reason, n_waiting, now, rng, loads)

    def _match(
        self,
        group: Gathering,
        reason: str,
        n_waiting: int,
        now: float,
        rng: Random,
        loads: Mapping[str, float],
    ) -> Match:
        is_substituted = not group.is_full and self._study.at_deadline is AtDeadline.ROBOT
        offer = group.offer
        if is_substituted:
            offer = Offer(offer.name, offer.team, offer.least, fill=self._study.substitute)
        assignments, team = group.seated(offer, rng)
        return Match(
            self.name,
            assignments,
            team,
            self._study.key,
            "" if group.place is None else group.place.cell.name,
            is_substituted,
            group.decision(reason, n_waiting, now, loads),
            None if group.place is None else group.place.number,
        )
