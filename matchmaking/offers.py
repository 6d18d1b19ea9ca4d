"""Offers of the lobby: teams that it gathers people for, and how small a group may begin.

An operator writes them one after another: a team, and after semicolons ``least`` (fewest people),
``after`` (seconds after which so few begin) and ``fill`` (the policy that then plays the places of
people who have not come; without it these bodies are left out):
``3human 2human+robot;least=1;after=60;fill=expert``.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Mapping
from itertools import combinations
from typing import NamedTuple

import msgspec

from episodes.teams import ALIASES, PERSON, Member, Occupant, Team, TeamError
from matchmaking.study_key import StudyKey
from matchmaking.tickets import Pool, Wish

PATIENCE_S = 60.0
"""Seconds after which a smaller group begins, where an offer does not say."""
LONGEST_PATIENCE_S = 86_400.0
"""Most seconds that an offer may say: a day."""
_NUMBER = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9})?")


class OfferError(ValueError):
    """An offer that cannot be; the text is a sentence for whoever wrote it."""


class Offer(msgspec.Struct, frozen=True):
    """A team to gather people for; all its policies are named."""

    name: str
    """Name by which tickets ask for it."""
    team: Team
    least: int
    """Fewest people with whom it may begin, once somebody has waited for ``after_s``."""
    after_s: float = PATIENCE_S
    fill: str = ""
    """Policy that then plays the places of people who have not come; empty: they are left out."""

    @property
    def people(self) -> int:
        """Number of people that a full group has."""
        return len(self.team.people)

    @property
    def may_be_smaller(self) -> bool:
        return self.least < self.people

    def kept_seats(self, taken: Collection[str], count: int) -> list[str]:
        """Return the seats of a group of ``count`` people, those that are ``taken`` among them.

        People get the human bodies first: these can do everything.
        """
        free = [seat for seat in self.team.people if seat not in taken]
        free.sort(key=lambda seat: not seat.startswith("human"))
        kept = {*taken, *free[: count - len(taken)]}
        return [seat for seat in self.team.people if seat in kept]

    def team_with(self, seats: Collection[str]) -> tuple[Team, dict[str, str]]:
        """Return the team when people sit in these seats only, and what their seats are called.

        Bodies that are left out change the numbers of others.
        """
        empty = {seat for seat in self.team.people if seat not in seats}
        if self.fill or not empty:
            policy = Occupant("policy", self.fill)
            members = (
                Member(m.seat, policy if m.seat.seat_id in empty else m.occupant)
                for m in self.team.members
            )
            return Team(tuple(members)), {seat: seat for seat in seats}
        smaller = self.team.without(empty)
        stay = [m.seat.seat_id for m in self.team.members if m.seat.seat_id not in empty]
        renamed = {old: new.seat.seat_id for old, new in zip(stay, smaller.members, strict=True)}
        return smaller, {seat: renamed[seat] for seat in seats}

    def teams(self) -> list[Team]:
        """Return the teams with which it may begin, the full one first.

        Invitations name places, so that any people of it may be left.
        """
        sizes = range(self.people, self.least - 1, -1)
        some = (seats for size in sizes for seats in combinations(self.team.people, size))
        return list(dict.fromkeys(self.team_with(seats)[0] for seats in some))


class Sought(NamedTuple):
    """A group that somebody waits for in the lobby, whoever comes."""

    team: str
    """Name of its team; empty: a pair, or what the study gives."""
    people: int
    study: StudyKey | None = None


PAIR = Offer("", Team.parse("pair"), 2)
"""Offer of those who name no team and want another person."""
ALONE = Offer("", Team.parse("solo"), 1)


def beside(robot: str) -> Offer:
    """Return the offer of a person in the human seat with a policy in the robot's."""
    return Offer("", Team.of([("robot", Occupant("policy", robot)), ("human", PERSON)]), 1)


AS_ROBOT = "as-robot"
"""Name of the offer of a person in the robot's seat, beside a policy in the human one."""


def behind(robot: str) -> Offer:
    """Return the offer of a person in the robot's seat with a policy in the human one."""
    team = Team.of([("robot", PERSON), ("human", Occupant("policy", robot))])
    return Offer(AS_ROBOT, team, 1)


class Offers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Offers by name; that without a name is of those who want any other person."""

    named: Mapping[str, Offer] = {}
    pair: Offer = PAIR

    def of(self, pool: Pool) -> Offer | None:
        """Return what those of a pool ask for; None: it is not offered (any more)."""
        if pool.team:
            return self.named.get(pool.team)
        match pool.wish:
            case Wish.SOLO:
                return ALONE
            case Wish.ROBOT:
                return beside(pool.robot)
            case Wish.INVITE:
                return PAIR
            case Wish.PERSON:
                return self.pair
            case Wish.STUDY:
                # A study gives conditions, and offers nothing to choose.
                return None


def parse_offers(text: str, robot: str) -> dict[str, Offer]:
    """Read what an operator wrote; ``robot`` plays the places for policies that name none.

    Raises OfferError.
    """
    offers: dict[str, Offer] = {}
    first: dict[Team, str] = {}
    for written in text.split():
        offer = _parse(written, robot)
        if (same := first.get(offer.team)) is not None:
            raise OfferError(f"{written}: this team is offered already, as {same}: leave one out")
        first[offer.team] = written
        offers[offer.name] = offer
    return offers


def _parse(written: str, robot: str) -> Offer:
    team_text, *parts = written.split(";")
    try:
        team = Team.parse(team_text).filled(robot=robot, human=robot)
    except TeamError as error:
        raise OfferError(f"{written}: {error}") from error
    people = len(team.people)
    if not people:
        raise OfferError(f"{written}: expected a place for a person, and it has none")
    options: dict[str, str] = {}
    for part in parts:
        key, equals, value = part.partition("=")
        if key not in ("least", "after", "fill") or not equals or not value or key in options:
            raise OfferError(
                f"{written}: expected least=NUMBER, after=SECONDS or fill=POLICY after a semicolon,"
                f" each once, got {part!r}"
            )
        options[key] = value
    least = _number(written, options, "least", 1.0 if options else float(people))
    if least != int(least) or not 1 <= least <= people:
        raise OfferError(f"{written}: expected least from 1 to {people}, the people of the team")
    after_s = _number(written, options, "after", PATIENCE_S)
    name = team_text if team_text in ALIASES else _digest(team_text)
    return Offer(name, team, int(least), after_s, options.get("fill", ""))


def _number(written: str, options: Mapping[str, str], key: str, otherwise: float) -> float:
    text = options.get(key)
    if text is None:
        return otherwise
    if _NUMBER.fullmatch(text) is None or float(text) > LONGEST_PATIENCE_S:
        raise OfferError(
            f"{written}: expected {key} to be a number from 0 to {LONGEST_PATIENCE_S:g}, got {text}"
        )
    return float(text)


def _digest(text: str) -> str:
    # Whole names of policies may have paths in them, which are the operator's.
    return f"team-{hashlib.sha256(text.encode()).hexdigest()[:12]}"
