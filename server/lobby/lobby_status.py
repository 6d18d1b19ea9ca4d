"""Contents of the lobby's page for somebody who waits: who is here, and what happens next."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NamedTuple

from episodes.seat_names import look_of, names_of
from matchmaking.matchmakers.first_come import smaller_at
from matchmaking.offers import Offer
from matchmaking.study import Study
from matchmaking.tickets import State, Ticket, Wish
from server.lobby.contracts import Say
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


def status_text(wait: Wait, say: Say) -> str:
    """Return a sentence or two that say what happens next.

    Nobody is given a program for a partner without having been told.
    """
    ticket, offer, group = wait.ticket, wait.offer, wait.group
    if ticket.state is State.MATCHED:
        return say("lobby-opening-slow" if wait.opening_s >= SLOW_S else "lobby-opening")
    if wait.study is not None:
        return study_text(wait, wait.study, say)
    if offer is None:
        return say("lobby-not-offered")
    if ticket.wish is Wish.INVITE and len(group) < offer.people:
        return _waiting_for_friends(offer, len(group), say)
    if not wait.answers:
        return say("lobby-robot-silent")
    waits_for_team = ticket.wish is Wish.PERSON and bool(ticket.team)
    if waits_for_team and len(group) < offer.people and not wait.is_due:
        # Whether a home is free matters once the team is complete, or need not be.
        return _waiting_for_team(offer, len(group), _may_be_smaller(wait, offer), say)
    if why := _why_none_opens(wait, say):
        # Who is waited for no longer reads so, where only a home is wanted.
        is_enough = waits_for_team and len(group) < offer.people
        enough = [_count(offer, len(group), say), say("lobby-begin-with-that")] if is_enough else []
        return " ".join([*enough, why])
    if ticket.wish is Wish.PERSON and offer.people > 1 and not ticket.team:
        return _waiting_for_partner(offer, _may_be_smaller(wait, offer), say)
    return say("lobby-opening")


def _why_none_opens(wait: Wait, say: Say) -> str:
    """Return why no home opens in open play, and the place in line; empty where one does."""
    if wait.busy_s:
        busy = say("lobby-homes-too-busy", count=wait.busy_s)
        return f"{busy} {say('lobby-keep-number', position=wait.position)}"
    if wait.is_paused:
        kept = say("lobby-keep-until-open", position=wait.position)
        return f"{say('lobby-homes-paused')} {kept}"
    if wait.is_full and wait.position == 1:
        return say("lobby-homes-busy-next")
    if wait.is_full:
        return say("lobby-homes-busy", position=wait.position)
    return ""


def _may_be_smaller(wait: Wait, offer: Offer) -> bool:
    return offer.may_be_smaller and (not offer.fill or wait.fill_answers)


def begins_at(wait: Wait) -> float | None:
    """Return when a team of the queue begins without the rest; None: not as things stand."""
    ticket, offer, group = wait.ticket, wait.offer, wait.group
    if offer is None or not ticket.team or ticket.wish is not Wish.PERSON:
        return None
    is_due = offer.least <= len(group) < offer.people and _may_be_smaller(wait, offer)
    return smaller_at(offer, group) if is_due else None


def study_text(wait: Wait, study: Study, say: Say) -> str:
    """Return a sentence or two on what happens next in the lobby of a study."""
    match wait.ticket.state:
        case State.PROPOSED:
            return say("lobby-your-turn")
        case State.READY:
            return say("lobby-you-are-ready")
    # Where some wait for nobody, as long as others do, nobody reads that they wait for others.
    why, deadline = _why_none_opens_in_a_study(wait, say), f"deadline-{study.at_deadline}"
    time = _time(study.limits.wait_s, say)
    if why or study.is_yoked:
        sentences = [why, say("lobby-waiting-for-turn"), say(f"lobby-turn-{deadline}", time=time)]
    else:
        sentences = [say("lobby-waiting-for-others"), say(f"lobby-{deadline}", time=time)]
    if study.promises.waiting:
        sentences.append(say("lobby-waiting-is-paid"))
    return " ".join(filter(None, sentences))


def _why_none_opens_in_a_study(wait: Wait, say: Say) -> str:
    """Return why no home opens for somebody in a study; empty where one does."""
    if wait.busy_s:
        return say("lobby-homes-too-busy", count=wait.busy_s)
    if wait.is_paused:
        return say("lobby-homes-paused")
    if wait.is_full:
        return say("lobby-homes-in-use")
    return ""


def _waiting_for_friends(offer: Offer, here: int, say: Say) -> str:
    if offer.people == 2:
        return say("lobby-friend")
    return f"{_count(offer, here, say)} {say('lobby-friends')}"


def _waiting_for_partner(offer: Offer, may_be_smaller: bool, say: Say) -> str:
    if may_be_smaller:
        return say("lobby-partner-or-program", time=_time(offer.after_s, say))
    return say("lobby-partner")


def _waiting_for_team(offer: Offer, here: int, may_be_smaller: bool, say: Say) -> str:
    count = _count(offer, here, say)
    if not may_be_smaller:
        return f"{count} {say('lobby-team')}"
    message = "lobby-team-or-programs" if offer.fill else "lobby-team-or-fewer"
    if offer.least > 1:
        message = f"{message}-from"
    return f"{count} {say(message, time=_time(offer.after_s, say), least=offer.least)}"


def _count(offer: Offer, here: int, say: Say) -> str:
    return say("lobby-here", here=here, people=offer.people)


_STATES = ("you", "here", "away", "open", "policy")
"""States of places, in the order in which they are shown."""


def places(wait: Wait, title_of: Callable[[str], str], say: Say) -> tuple[LobbyPlace, ...]:
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
    drawn = _drawn(offer, set(by_seat), say)
    found = []
    for member in offer.team.members:
        seat, kind = member.seat, member.occupant.kind
        name = names[seat.seat_id].capitalize()
        if kind == "policy":
            title = title_of(member.occupant.policy)
            found.append(_place(name, look_of(seat), "policy", say, title))
        elif kind == "person" and seat.seat_id in by_seat:
            state = _state(by_seat[seat.seat_id], mine)
            found.append(_place(name, look_of(seat), state, say))
        elif kind == "person":
            state = _state(unnamed.pop(0), mine) if unnamed else "open"
            found.append(_place(drawn, "", state, say))
    return tuple(sorted(found, key=lambda place: _STATES.index(place.state)))


def _drawn(offer: Offer, named: Collection[str], say: Say) -> str:
    """Return what the places that nobody has named are called."""
    free = set(offer.team.people) - set(named)
    match sorted({seat.kind for seat in offer.team.seats if seat.seat_id in free}):
        case ["human"]:
            return say("lobby-drawn-human")
        case ["robot"]:
            return say("lobby-drawn-robot")
        case _:
            return say("lobby-drawn-either")


def _place(name: str, look: str, state: str, say: Say, title: str = "") -> LobbyPlace:
    word = say(f"lobby-place-{state}")
    text = f"{word}: {title}" if title else word
    return LobbyPlace(name, look, state, text)


def _state(ticket: Ticket, mine: Ticket) -> str:
    if ticket.ticket_id == mine.ticket_id:
        return "you"
    return "here" if ticket.state in (State.WAITING, State.MATCHED) else "away"


def _time(seconds: float, say: Say) -> str:
    """Return a time in words: "90 seconds", "2 minutes"."""
    count, unit = rounded(seconds)
    return say(f"lobby-{unit}s", count=count)


def rounded(seconds: float) -> tuple[int, str]:
    """Return a time as a count of seconds or minutes, and which of the two it counts."""
    whole = round(seconds)
    if whole >= 600 or (whole >= 120 and whole % 60 == 0):
        return round(seconds / 60), "minute"
    return whole, "second"


def duration(seconds: float) -> str:
    """Return a time in English words: "90 seconds", "2 minutes"."""
    count, unit = rounded(seconds)
    return f"{count} {unit}" if count == 1 else f"{count} {unit}s"
