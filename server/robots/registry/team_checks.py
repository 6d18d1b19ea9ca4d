"""Checks that the policies of a team can play its bodies, before anything starts."""

from __future__ import annotations

import msgspec

from episodes.seats import Seat
from episodes.teams import Team
from server.robots.policy_spec import RobotError
from server.robots.registry.registry import lookup, one_mind
from server.sessions.spec import Ending, SeatSpec, SessionSpec


def check_team(team: Team) -> None:
    """Check that each policy of a team exists and plays the body that it is named for.

    Raises RobotError: a place for a policy is open, a name means nothing, a policy plays no such
    body or not in such a team, or one mind for all bodies is named for some of them.
    """
    still_open = [seat_id for seat_id, name in team.policies.items() if not name]
    if still_open:
        filled = team.filled(robot="expert", human="expert").written_out
        count = len(still_open)
        bodies = "a body" if count == 1 else f"{count} of its bodies"
        raise RobotError(
            f"{team} does not say which policy plays {bodies}: name one for each, as in {filled}"
        )
    check_policies(team)


def check_policies(team: Team) -> None:
    """Check the policies that a team names, as `check_team` does; places may be open."""
    for name in dict.fromkeys(filter(None, team.policies.values())):
        if one_mind(name):
            _check_mind(team, name)
    for member in team.members:
        if member.occupant.policy:
            _check_body(team, member.occupant.policy, member.seat)


def paper_ending(team: Team) -> Ending | None:
    """Return what ends an episode in the papers that a team's policies are named after.

    None: there is no such policy. Raises RobotError for a name that means nothing, and for papers
    whose episodes do not end alike.
    """
    found = {
        name: ending
        for name in team.policies.values()
        if name and (ending := lookup(name).setup.ending) is not None
    }
    if len(set(found.values())) > 1:
        raise RobotError(
            f"{' and '.join(found)} are of papers whose episodes do not end alike: name one of them"
        )
    return next(iter(found.values()), None)


def with_scripted_people(spec: SessionSpec, outside: str = "") -> SessionSpec:
    """Return the session of a trial, in which scripts in human bodies stand for people.

    So its episodes end as live ones do: a robot that has not finished 20 s after the last person
    counts as finished. ``outside`` is in place of a policy's name where a seat is played from
    outside. Raises RobotError for another name that means nothing.
    """
    seats = (s if s.policy == outside else _with_person(s) for s in spec.seats)
    return msgspec.structs.replace(spec, seats=tuple(seats))


def _with_person(seat: SeatSpec) -> SeatSpec:
    if seat.seat.kind != "human" or not seat.policy or not lookup(seat.policy).spec.is_person:
        return seat
    return msgspec.structs.replace(seat, stands_for_person=True)


def _check_body(team: Team, name: str, seat: Seat) -> None:
    named = lookup(name)
    spec, kind = named.spec, seat.kind
    if kind not in spec.bodies:
        raise RobotError(f"{name} plays no {kind} body; it plays: {', '.join(spec.bodies)}")
    if team.bodies > spec.most_bodies:
        raise RobotError(
            f"{name} plays in teams of {spec.most_bodies} bodies at most, and {team} has "
            f"{team.bodies}"
        )
    same = [seat for seat in team.occupied if seat.kind == kind]
    if len(same) > 1 and not spec.beside_its_kind:
        raise RobotError(
            f"{name} plays beside a body of the other kind only, since its model is told of a "
            f"robot and a person, and {team} has {len(same)} {kind} bodies"
        )
    spec.check_seat(named.setup.settings, seat.seat_id)


def _check_mind(team: Team, name: str) -> None:
    mind = f"{name} is one mind for all bodies of a team"
    others = [str(m.occupant) for m in team.members if str(m.occupant) not in (name, "nobody")]
    if others:
        raise RobotError(f"{mind}: it does not play beside {others[0]}; name it for all")
    least = lookup(name).spec.least_bodies
    if team.bodies < least:
        alone = "alone" if team.bodies == 1 else f"with {team.bodies} bodies"
        raise RobotError(f"{mind}, {least} at least: it does not play {alone}")
