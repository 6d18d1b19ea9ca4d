"""Teams: who plays which body of a session, from one to five.

A team is written body by body with its occupant, ``human=person,robot=cohab``, or as a short name
of `ALIASES`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from typing import Literal, cast

import msgspec

from episodes.bodies import BODIES, SeatKind
from episodes.seats import Seat

MOST_BODIES = 5

ALIASES: dict[str, str] = {
    "solo": "human=person,robot=nobody",
    "pair": "human=person,robot=person",
    "human+robot": "human=person,robot=policy",
    "human+2robot": "human=person,robot=policy,robot=policy",
    "human+3robot": "human=person,robot=policy,robot=policy,robot=policy",
    "human+4robot": "human=person,robot=policy,robot=policy,robot=policy,robot=policy",
    "1human": "human=person",
    "2human": "human=person,human=person",
    "3human": "human=person,human=person,human=person",
    "4human": "human=person,human=person,human=person,human=person",
    "5human": "human=person,human=person,human=person,human=person,human=person",
    "2human+robot": "human=person,human=person,robot=policy",
    "3human+robot": "human=person,human=person,human=person,robot=policy",
    "4human+robot": "human=person,human=person,human=person,human=person,robot=policy",
    "2human+2robot": "human=person,human=person,robot=policy,robot=policy",
    "2human+3robot": "human=person,human=person,robot=policy,robot=policy,robot=policy",
    "3human+2robot": "human=person,human=person,human=person,robot=policy,robot=policy",
    "1robot": "robot=policy",
    "2robot": "robot=policy,robot=policy",
    "3robot": "robot=policy,robot=policy,robot=policy",
    "4robot": "robot=policy,robot=policy,robot=policy,robot=policy",
    "5robot": "robot=policy,robot=policy,robot=policy,robot=policy,robot=policy",
}
"""Short names of teams, and what they are written out."""

# Whole names of policies have commas and equals signs of their own.
_BETWEEN = re.compile(r",\s*(?=(?:human|robot)\s*=)")
_NAME = re.compile(r"[^=,]+")
# Without a colon a policy has no options: what stands there is meant as a body.
_NO_BODY = re.compile(r"[^:,]+,\s*(\w+)\s*=.*")
_KINDS = ("person", "nobody", "policy")


class TeamError(ValueError):
    """A team that cannot be; the text is a sentence for whoever wrote it."""


class Occupant(msgspec.Struct, frozen=True):
    """The occupant of a body: a person, a policy, or nobody (it stands hidden)."""

    kind: Literal["person", "policy", "nobody"]
    policy: str = ""
    """Whole name of the policy; empty: still open, filled before the session begins."""

    @classmethod
    def parse(cls, text: str) -> Occupant:
        """Read ``person``, ``nobody``, ``policy`` (which one is open) or a policy's whole name."""
        if text in _KINDS:
            return cls(cast(Literal["person", "policy", "nobody"], text))
        return cls("policy", text)

    def __str__(self) -> str:
        return self.policy or self.kind

    @property
    def is_open(self) -> bool:
        return self.kind == "policy" and not self.policy


PERSON = Occupant("person")
NOBODY = Occupant("nobody")


class Member(msgspec.Struct, frozen=True):
    """A body of a team."""

    seat: Seat
    occupant: Occupant


class Team(msgspec.Struct, frozen=True, dict=True):
    """The bodies of a session: robots first (PARTNR's agent 0 is one), then humans."""

    members: tuple[Member, ...]

    @classmethod
    def of(cls, bodies: Iterable[tuple[SeatKind, Occupant]]) -> Team:
        """Make a team and number its seats within their kinds.

        Raises TeamError: it has too many bodies, or nobody plays.
        """
        given = list(bodies)
        if len(given) > MOST_BODIES:
            raise TeamError(f"a team has {MOST_BODIES} bodies at most, this one has {len(given)}")
        if all(occupant.kind == "nobody" for _, occupant in given):
            raise TeamError("a team needs somebody who plays, this one has nobody")
        counted: Counter[SeatKind] = Counter()
        members = []
        for kind, occupant in sorted(given, key=lambda body: body[0] != "robot"):
            members.append(Member(Seat(f"{kind}_{counted[kind]}", kind), occupant))
            counted[kind] += 1
        return cls(tuple(members))

    @classmethod
    def parse(cls, text: str) -> Team:
        """Read a short name, or bodies with their occupants: ``human=person,robot=cohab``.

        Raises TeamError for what is neither.
        """
        text = text.strip()
        if not text:
            raise TeamError("expected a team such as pair or human=person,robot=cohab, got no text")
        if "=" not in text and text not in ALIASES:
            raise TeamError(
                f"no team has the short name {text!r}; a team has five bodies at most, and there "
                f"are: {', '.join(ALIASES)}; or write it out: human=person,robot=cohab"
            )
        return cls.of(map(_body, _BETWEEN.split(ALIASES.get(text, text))))

    def __str__(self) -> str:
        return _SHORT.get(self.members) or self.written_out

    @property
    def written_out(self) -> str:
        """The team body by body, people's bodies first, as aliases are written out."""
        ordered = sorted(self.members, key=lambda member: member.seat.kind != "human")
        return ",".join(f"{member.seat.kind}={member.occupant}" for member in ordered)

    @property
    def seats(self) -> tuple[Seat, ...]:
        """All seats, also those that nobody occupies."""
        return tuple(member.seat for member in self.members)

    @property
    def occupied(self) -> tuple[Seat, ...]:
        return tuple(m.seat for m in self.members if m.occupant.kind != "nobody")

    @property
    def bodies(self) -> int:
        """Number of the bodies that somebody plays."""
        return len(self.occupied)

    @cached_property
    def people(self) -> tuple[str, ...]:
        """Ids of the seats that people play."""
        return tuple(m.seat.seat_id for m in self.members if m.occupant.kind == "person")

    @property
    def policies(self) -> dict[str, str]:
        """Whole names of policies by seat id; empty where one is still open."""
        return {
            m.seat.seat_id: m.occupant.policy for m in self.members if m.occupant.kind == "policy"
        }

    @property
    def is_complete(self) -> bool:
        """Whether no policy is left open."""
        return not any(member.occupant.is_open for member in self.members)

    def filled(self, *, robot: str = "", human: str = "") -> Team:
        """Return the team with one policy in all open bodies of a kind; empty: they stay open."""
        names: dict[SeatKind, str] = {"robot": robot, "human": human}
        return self._with({m.seat.seat_id: names[m.seat.kind] for m in self._open()})

    def with_policies(self, by_seat: Mapping[str, str]) -> Team:
        """Return the team with policies in places left open.

        Raises TeamError for a seat that is not open.
        """
        places = [member.seat.seat_id for member in self._open()]
        for seat_id in by_seat:
            if seat_id not in places:
                raise TeamError(
                    f"{seat_id} is no place for a policy in {self}; open are: "
                    f"{', '.join(places) or 'none'}"
                )
        return self._with(by_seat)

    def without(self, seats: Collection[str]) -> Team:
        """Return the smaller team without some seats, the others numbered anew.

        Raises TeamError where nobody would be left.
        """
        return self.of(
            (m.seat.kind, m.occupant) for m in self.members if m.seat.seat_id not in seats
        )

    def _open(self) -> list[Member]:
        return [member for member in self.members if member.occupant.is_open]

    def _with(self, by_seat: Mapping[str, str]) -> Team:
        return Team(
            tuple(
                Member(m.seat, Occupant("policy", by_seat[m.seat.seat_id]))
                if m.seat.seat_id in by_seat
                else m
                for m in self.members
            )
        )


def _body(text: str) -> tuple[SeatKind, Occupant]:
    kind, equals, occupant = (part.strip() for part in text.partition("="))
    if kind not in BODIES:
        raise TeamError(
            f"a team has no body {kind!r}: write human=OCCUPANT or robot=OCCUPANT for each body, "
            f"got {text.strip()!r}"
        )
    if not equals or not occupant:
        raise TeamError(
            f"{kind}= names nobody: write {kind}=person, {kind}=nobody or {kind}=POLICY"
        )
    # Other than a policy, none of these takes options.
    first = _NAME.match(occupant)
    if first is None or (first[0] in _KINDS and first[0] != occupant):
        raise TeamError(
            f"expected {kind}=person, {kind}=nobody or {kind}=POLICY, and ,human= or ,robot= "
            f"before the next body, got {text.strip()!r}"
        )
    other = _NO_BODY.fullmatch(occupant)
    if other is not None:
        raise TeamError(
            f"a team has no body {other[1]!r}: write human=OCCUPANT or robot=OCCUPANT for each "
            f"body, and a colon before the options of a policy, got {text.strip()!r}"
        )
    return kind, Occupant.parse(occupant)


_SHORT = {Team.parse(text).members: alias for alias, text in ALIASES.items()}
