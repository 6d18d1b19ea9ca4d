"""A request: what somebody wants of a scripted partner, as far as it is understood."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from server.robots.baselines.partner.words import Mention

Kind = Literal[
    "doing",
    "where",
    "belongs",
    "do",
    "stop",
    "go_on",
    "help",
    "you_take",
    "i_take",
    "suggest",
    "remaining",
    "shares",
    "report",
    "yes",
    "no",
    "thanks",
    "hello",
    "sorry",
    "nod",
    "correct",
    "state",
    "contents",
    "count",
    "self",
    "again",
    "task",
    "time",
    "keys",
    "ban",
    "unable",
    "unsure",
    "unknown",
]
"""The kind of a request: what the robot is doing; where a thing is, or belongs; to do something;
to stop or go on; for help; that the robot, or the speaker, sees to something; what the speaker
could do; whether anything remains to be done; who sees to what. A ``report`` tells
that something is done, and asks nothing; a ``correct`` one says what was meant instead; a ``nod``
is a word like *nice* or *ok*. Further questions are after the state of a thing, what is in or on
furniture, how many of a thing there are, the robot itself, what it said, the text of the task, its
clock, and the keys of the page. A ``ban`` forbids what cannot be forbidden, what is ``unable`` no
body here can do, and ``unsure`` is what was understood in part: it is asked back before anything is
done."""

Action = Literal[
    "bring", "get", "put", "open", "close", "clean", "fill", "power_on", "power_off", "go", "tidy",
    "put_down", "make_way", "spare",
]  # fmt: skip

Relation = Literal["on", "within", "next_to", "at"]
Sort = Literal["", "drawer", "door"]


class Openness(NamedTuple):
    """Words for furniture that stands open: doors or drawers of it, and who opened them."""

    sort: Sort = ""
    by: Literal["", "speaker", "robot"] = ""


NO_OPENNESS = Openness()
"""Openness of a request that says nothing of it."""


class Request(NamedTuple):
    """A wish of somebody, as far as it is understood."""

    kind: Kind
    action: Action | None = None
    thing: Mention | None = None
    """The thing that it is about; None: nothing is named, or only pointed at (*it*)."""
    place: Mention | None = None
    relation: Relation = "at"
    room: Mention | None = None
    """The room of that place, or thing: *the table in the dining room*."""
    to_me: bool = False
    """Whether it is to come to the speaker."""
    points: bool = False
    """Whether it is about something that was talked of before (*it*, *that one*)."""
    said: str = ""
    leaves: Mention | None = None
    """The thing that the speaker takes: *you do the lamp, I do the cup*."""
    many: bool = False
    """Whether all that the thing may mean is meant: *both books*."""
    other: bool = False
    """Whether it is about what was not talked of before: *the other one*."""
    then: tuple[Request, ...] = ()
    """Requests that follow it; of an unsure one: its guess."""
    declines: bool = False
    """Whether it says no to what the robot has offered, or has said that it does."""
    follows: bool = False
    """Whether it is to be done after another, so that what is now may be different by then."""
    openness: Openness | None = None
    """Words for what stands open, or shut, where an order speaks of that."""

    def parts(self) -> Iterator[Request]:
        """Yield the request, and all that follow it or are guessed."""
        yield self
        for after in self.then:
            yield from after.parts()
