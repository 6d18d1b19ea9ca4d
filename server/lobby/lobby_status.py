"""Contents of the lobby's page for somebody who waits: who is here, and what happens next."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NamedTuple

from episodes.seat_names import look_of, names_of
from matchmaking.limits import AtDeadline
from matchmaking.matchmakers.first_come import smaller_at
from matchmaking.offers import Offer
from matchmaking.study import Study
from matchmaking.tickets import State, Ticket, Wish
from server.wire.lobby_messages import LobbyPlace

SLOW_S = 5.0
"""Seconds of opening a session after which its people are told that it takes longer than usual."""


class Wait(NamedTuple):
    """Facts of a wait that its page tells of."""

    ticket: Ticket
    offer: Offer | None
    group: list[Ticket]
    """Tickets that would begin together as things stand, this one among them; of those who wait for
    any partner only this one."""
    position: int
    is_full: bool
    """Whether no home is free."""
    is_paused: bool
    """Whether no home opens, though some may be free."""
    answers: bool
    """Whether the policies that are asked for answer now."""
    fill_answers: bool
    """Whether the policy does that plays for people who do not come."""
    busy_s: int = 0
    """Seconds for which the machine has no time for another home, at least; 0: it has."""
    opening_s: float = 0.0
    """Seconds for which the session has been opening."""
    study: Study | None = None
    """Study that gives the conditions; None: it is open play."""
    ready_until: float | None = None
    """Time until which the group is asked to be ready; None: it is not."""
    is_due: bool = False
    """Whether its team begins without the rest as soon as a home opens."""


def status_text(wait: Wait) -> str:
    """Return a sentence or two that say what happens next.

    Nobody is given a program for a partner without having been told.
    """
    ticket, offer, group = wait.ticket, wait.offer, wait.group
    if ticket.state is State.MATCHED and wait.opening_s >= SLOW_S:
        return "One moment, please: your home takes longer than usual to open."
    if ticket.state is State.MATCHED:
        return "Your home is being opened."
    if wait.study is not None:
        return study_text(wait, wait.study)
    if offer is None:
        return "This team is not offered any more. Please leave the lobby and choose another."
    if ticket.wish is Wish.INVITE and len(group) < offer.people:
        return _waiting_for_friends(offer, len(group))
    if not wait.answers:
        return "The robot does not answer just now. You begin when it does, or play without it."
    waits_for_team = ticket.wish is Wish.PERSON and bool(ticket.team)
    if waits_for_team and len(group) < offer.people and not wait.is_due:
        # Whether a home is free matters once the team is complete, or need not be.
        return _waiting_for_team(offer, len(group), _may_be_smaller(wait, offer))
    # Who is waited for no longer reads so, where only a home is wanted.
    enough = ""
    if waits_for_team and len(group) < offer.people:
        enough = f"{_count(offer, len(group))} You begin with that as soon as a home opens. "
    if wait.busy_s:
        return (
            f"{enough}{_too_busy(wait.busy_s)} You keep your place (number {wait.position} in "
            "line), and there is nothing to do."
        )
    if wait.is_paused:
        return (
            f"{enough}{_PAUSED} You keep your place (number {wait.position} in line) and begin "
            "when they open again."
        )
    if wait.is_full:
        next_one = "You are next: we open one for you as soon as it is free."
        turn = next_one if wait.position == 1 else f"You are number {wait.position} in line."
        return f"{enough}All homes are busy. {turn}"
    if ticket.wish is Wish.PERSON and offer.people > 1 and not ticket.team:
        return _waiting_for_partner(offer, _may_be_smaller(wait, offer))
    return "Your home is being opened."


_PAUSED = "No new homes open for a while, because of a problem on our side."


def _too_busy(seconds: int) -> str:
    calm = f"{seconds} more calm second{'' if seconds == 1 else 's'}"
    return (
        "Homes are free, but the computer that runs them is too busy to open another one just "
        f"now. It opens one after {calm} in a row."
    )


def _may_be_smaller(wait: Wait, offer: Offer) -> bool:
    return offer.may_be_smaller and (not offer.fill or wait.fill_answers)


def begins_at(wait: Wait) -> float | None:
    """Return when a team of the queue begins without the rest; None: not as things stand."""
    ticket, offer, group = wait.ticket, wait.offer, wait.group
    if offer is None or not ticket.team or ticket.wish is not Wish.PERSON:
        return None
    is_due = offer.least <= len(group) < offer.people and _may_be_smaller(wait, offer)
    return smaller_at(offer, group) if is_due else None


_AT_DEADLINE = {
    AtDeadline.END: "the study is over for you then",
    AtDeadline.SMALLER: "you begin without the others, if enough are here",
    AtDeadline.ROBOT: "a program takes the free place and you begin",
    AtDeadline.SOLO: "you begin alone",
    AtDeadline.SURVEY: "you go on with the next page",
}
"""Outcomes for those whose group has not come, for reading."""


def study_text(wait: Wait, study: Study) -> str:
    """Return a sentence or two on what happens next in the lobby of a study."""
    match wait.ticket.state:
        case State.PROPOSED:
            return "Your group is here. Please say that you are ready."
        case State.READY:
            return "You are ready. We wait for the others to say so, too."
    paid = " Your time here is paid." if study.pay.waiting_rate else ""
    if why := _why_none_opens(wait):
        return f"{why} You keep your place, and there is nothing to do.{paid}"
    return (
        f"Waiting for others. If they have not come after {duration(study.limits.wait_s)}, "
        f"{_AT_DEADLINE[study.at_deadline]}.{paid}"
    )


def _why_none_opens(wait: Wait) -> str:
    """Return why no home opens for somebody in a study; empty where one does."""
    if wait.busy_s:
        return _too_busy(wait.busy_s)
    if wait.is_paused:
        return _PAUSED
    if wait.is_full:
        return "All homes are in use just now. One opens for your group as soon as one is free."
    return ""


def _waiting_for_friends(offer: Offer, here: int) -> str:
    if offer.people == 2:
        return "Waiting for your partner to open the invitation."
    return f"{_count(offer, here)} Waiting for the others to open their link."


def _waiting_for_partner(offer: Offer, may_be_smaller: bool) -> str:
    if may_be_smaller:
        return (
            "Waiting for one more person. If nobody has come after "
            f"{duration(offer.after_s)}, a program plays the robot and you begin with it."
        )
    return "Waiting for one more person. You begin as soon as somebody comes."


def _waiting_for_team(offer: Offer, here: int, may_be_smaller: bool) -> str:
    count = _count(offer, here)
    if not may_be_smaller:
        return f"{count} You begin as soon as everybody is."
    least = f", if at least {offer.least} are here" if offer.least > 1 else ""
    others = "with programs in their places" if offer.fill else "without the others"
    return (
        f"{count} You begin as soon as everybody is, or {others} {duration(offer.after_s)} after "
        f"the first of you came{least}."
    )


def _count(offer: Offer, here: int) -> str:
    return f"{here} of {offer.people} people {'is' if here == 1 else 'are'} here."


_WORDS = {
    "you": "You",
    "here": "Here",
    "away": "On the way",
    "open": "Free",
    "policy": "A program",
}
"""States of places for reading, in the order in which they are shown."""


def places(wait: Wait, title_of: Callable[[str], str]) -> tuple[LobbyPlace, ...]:
    """Return the places of a team that has a name; none for a pair.

    None either while the home is being opened: who is in it is settled then. Where nobody has
    named a place, who gets which is drawn. ``title_of`` returns what people call a policy, empty
    where it has no title.
    """
    offer, mine = wait.offer, wait.ticket
    if offer is None or not mine.team or mine.state is State.MATCHED:
        return ()
    names = names_of(offer.team.seats)
    by_seat = {ticket.seat: ticket for ticket in wait.group if ticket.seat}
    unnamed = [ticket for ticket in wait.group if not ticket.seat]
    drawn = _drawn(offer, set(by_seat))
    found = []
    for member in offer.team.members:
        seat, kind = member.seat, member.occupant.kind
        name = names[seat.seat_id].capitalize()
        if kind == "policy":
            title = title_of(member.occupant.policy)
            found.append(_place(name, look_of(seat), "policy", title))
        elif kind == "person" and seat.seat_id in by_seat:
            found.append(_place(name, look_of(seat), _state(by_seat[seat.seat_id], mine)))
        elif kind == "person":
            state = _state(unnamed.pop(0), mine) if unnamed else "open"
            found.append(_place(drawn, "", state))
    order = list(_WORDS)
    return tuple(sorted(found, key=lambda place: order.index(place.state)))


def _drawn(offer: Offer, named: Collection[str]) -> str:
    """Return what the places that nobody has named are called."""
    free = set(offer.team.people) - set(named)
    match sorted({seat.kind for seat in offer.team.seats if seat.seat_id in free}):
        case ["human"]:
            return "Person"
        case ["robot"]:
            return "Robot"
        case _:
            return "Person or robot"


def _place(name: str, look: str, state: str, title: str = "") -> LobbyPlace:
    text = f"{_WORDS[state]}: {title}" if title else _WORDS[state]
    return LobbyPlace(name, look, state, text)


def _state(ticket: Ticket, mine: Ticket) -> str:
    if ticket.ticket_id == mine.ticket_id:
        return "you"
    return "here" if ticket.state in (State.WAITING, State.MATCHED) else "away"


def duration(seconds: float) -> str:
    """Return a time in words: "90 seconds", "2 minutes"."""
    whole, unit = round(seconds), "second"
    if whole >= 600 or (whole >= 120 and whole % 60 == 0):
        whole, unit = round(seconds / 60), "minute"
    return f"{whole} {unit}" if whole == 1 else f"{whole} {unit}s"
