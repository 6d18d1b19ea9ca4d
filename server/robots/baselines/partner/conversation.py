"""The talk of a scripted partner: what it answers to a request, and what it then does.

Answers are templates (`phrases.py`). What is said changes who sees to what (`taking.py`) or gives
the player an order (`orders.py`); nothing here moves the body.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from server.robots.baselines.partner import phrases
from server.robots.baselines.partner.choices import ACTS, Choices, noun_of
from server.robots.baselines.partner.claims import absence
from server.robots.baselines.partner.hands import Hands
from server.robots.baselines.partner.knowledge import Knowledge
from server.robots.baselines.partner.openings import Openings, chosen, picked
from server.robots.baselines.partner.orders import Orders
from server.robots.baselines.partner.phrases import Phrases
from server.robots.baselines.partner.places import furniture_of, room_id_around
from server.robots.baselines.partner.questions import Questions
from server.robots.baselines.partner.referents import REMEMBERED_S, Referents
from server.robots.baselines.partner.referents import is_of_rooms as is_room_named
from server.robots.baselines.partner.request import Request
from server.robots.baselines.partner.sharing import SharedWork
from server.robots.baselines.partner.taking import Taking
from server.robots.baselines.partner.words import Mention
from server.sessions.core import SessionCore
from server.sessions.spec import TICK_RATE

_NODS = re.compile(
    r"\W*(?:ok(?:ay|ey)?|k|kk|alright|all right|got it|cool|roger|fine)\b", re.IGNORECASE
)


_MOVES = re.compile(
    r"\b(?:mov|carry|lift|push|pull|shift|drag|slid|turn(?:ing)? (?:it )?(?:over|around)|"
    r"rearrang|rotat|tak(?:e|ing) (?:it |the ))\w*\b"
)
"""Words for what is done to things, and cannot be done to furniture."""
_ONLY_NAMES = re.compile(
    r"(?:\W|\b(?:the|a|no|yes|oh|in|on|at|i|mean|meant|want|please|one|that|this|it|ok|you|take|use|"
    r"room|by|of)\b)*"
)


_REST = re.compile(r"\b(?:rest|others|everything else|all else|remaining)\b", re.IGNORECASE)
_LEFT = re.compile(rf"\b(?:other|another)\b|{_REST.pattern}", re.IGNORECASE)
"""Words for what is not claimed."""
_NOES = frozenset({"no", "stop", "thanks", "unknown", "unsure"})
"""Kinds of lines that may be a no to what it has offered or announced."""


def _without(request: Request) -> str:
    """Return a line without the names that are in it."""
    words = "" if request.thing is None else request.thing.words
    return request.said.replace(words, "")


class Conversation:
    """The talk of one seat of a scripted partner, and what it was about last."""

    def __init__(self, hands: Hands, work: SharedWork) -> None:
        self.hands = hands
        self.work = work
        self.meant = Referents(hands, work)
        self.questions = Questions(hands, work, self.meant)
        self.taking = Taking(hands, work, self.meant, self.questions)
        self.openings = Openings(hands.seat)
        self.orders = Orders(hands, work, self.meant, self.taking, self.openings)
        self.choices = Choices(hands.seat, work, self.meant)
        self.knowledge = Knowledge(hands, self.meant)
        self._asked: Request | None = None
        """The request of which it has asked which one is meant."""
        self._guessed: Request | None = None
        """The request of which it has asked whether it is meant."""
        self._was_asking = False
        """Whether it had asked something when the line came that it answers."""
        self._said = ""
        """The last answer, for whoever asks for it again."""
        self._last_tick = 0
        self._alike: tuple[str, ...] = ()
        """The things that the last name of several might have meant."""
        self._last: Request | None = None
        """The last request that was acted on, for whoever corrects it."""

    def offer(self, core: SessionCore, thing: str) -> None:
        """Take note that the robot has offered to take a thing: a *yes* means that."""
        self.taking.offered = [thing]
        self.meant.note(core, thing)

    def answer(
        self, core: SessionCore, seat: str, request: Request, *, of_other: bool = False
    ) -> str:
        """Return the answer to a seat's request, once it has been acted on.

        ``of_other``: somebody else said it of that seat, whose player may not be there.
        """
        if not core.world.bodies:
            return phrases.NOT_UNDERSTOOD
        if of_other and (said := absence(core, self.work, self.hands.seat, seat)):
            return said
        answers: dict[str, Callable[[SessionCore, str, Request], str]] = {
            "doing": self.questions.doing,
            "where": self.questions.where,
            "belongs": self.questions.belongs,
            "do": self.orders.do,
            "stop": self._stop,
            "go_on": self._go_on,
            "help": self._help,
            "you_take": self.taking.take,
            "i_take": self.taking.leave,
            "suggest": self.questions.suggest,
            "remaining": self.questions.remaining,
            "shares": self.questions.shares,
            "report": self.questions.report,
            "yes": self._yes,
            "no": self._no,
            "thanks": lambda *_: phrases.WELCOME,
            "hello": lambda *_: phrases.HELLO,
            "sorry": lambda *_: phrases.NO_HARM,
            "nod": lambda *_: phrases.AGREED,
            "correct": self._correct,
            "state": self.knowledge.state,
            "contents": self.knowledge.contents,
            "count": self.knowledge.count,
            "task": self.knowledge.task,
            "time": lambda *_: phrases.CLOCK,
            "keys": lambda *_: phrases.KEYS,
            "self": lambda *_: phrases.ABLE,
            "again": lambda *_: self._said or phrases.SAID_NOTHING,
            "ban": lambda *_: phrases.CANNOT_KEEP,
            "unable": lambda *_: phrases.UNABLE,
            "unsure": self._unsure,
            "unknown": lambda *_: phrases.NOT_UNDERSTOOD,
        }
        self.work.strike_out(core)
        self._was_asking = self._asked is not None or self._guessed is not None
        request, claimed = self._of_room(core, self._confirmed(self._completed(core, request)))
        if claimed:
            self._asked = request
            return self.meant.which(core, claimed)
        request = self._objecting(core, request)
        if request.leaves is not None and request.thing is None and _LEFT.search(request.said):
            # *I take the blue book, you take the rest*.
            claim = Request("i_take", thing=request.leaves)
            request = self._of_other(core, seat, claim, request, request.leaves)
        named_by = request.thing if request.thing is not None else request.place
        if request.kind in ACTS and request.thing is not None and len(request.thing.keys) > 1:
            self._alike = request.thing.keys
        request, choices = self._as_shared(seat, *self._narrowed(core, seat, request))
        if choices:
            self._asked = request
            return self.meant.which(core, choices)
        if request.kind in ACTS:
            self._last, self._last_tick = request, core.tick
        meant = self.meant.thing(core, seat, request)
        refused = self._refused_for(core, seat, request, meant)
        said = " ".join([*refused, answers[request.kind](core, seat, request)])
        named = self.meant.resolved(core, request.thing, request.room)
        self.meant.note(core, meant or (named[0] if named else ""))
        # A question between an offer and its answer takes nothing back.
        if request.kind in ("do", "help", "you_take", "i_take"):
            self.taking.offered = []
        if request.kind in ACTS:
            said = " ".join([said, *self._then(core, seat, request, named_by)])
        self._said = said
        return said

    def _then(
        self, core: SessionCore, seat: str, request: Request, named_by: Mention | None
    ) -> list[str]:
        """Do what a line asks for after its first request; return what is said of it."""
        told = []
        for after in request.then:
            if after.other:
                after = self._of_other(core, seat, request, after, named_by)
            # What has been made out to be meant by a name is meant by it further on.
            same = after.thing is not None and after.thing == named_by
            told.append(
                self.answer(core, seat, after._replace(thing=request.thing) if same else after)
            )
            if self._asked is not None:
                break
        return told

    def _of_other(
        self,
        core: SessionCore,
        seat: str,
        claim: Request,
        after: Request,
        named_by: Mention | None,
    ) -> Request:
        """Return a request about *the other one* with what it means: what was not claimed."""
        claimed = self.meant.thing(core, seat, claim)
        named = after.thing if after.thing is not None else named_by
        among = [] if named is None else [key for key in named.keys if key != claimed]
        things = [key for key in self.work.things() if key != claimed]
        alike = [key for key in things if noun_of(core, key) == noun_of(core, claimed)]
        is_rest = _REST.search(after.said) is not None
        keys = things if is_rest else among or alike or things
        other = Mention("other one", tuple(keys), False)
        return after._replace(thing=other, other=False, points=False, many=is_rest)

    def _as_shared(
        self, seat: str, request: Request, choices: Sequence[str]
    ) -> tuple[Request, Sequence[str]]:
        """Return a claim of one of several, the other of which it is to see to, as they are shared.

        Where they are shared just so, nothing is open.
        """
        claimed = [key for key in choices if self.work.owner.get(key) == seat]
        mine = [key for key in choices if self.work.owner.get(key) == self.hands.seat]
        is_both = request.kind == "i_take" and any(after.other for after in request.then)
        if not is_both or request.thing is None or len(claimed) != 1 or not mine:
            return request, choices
        return request._replace(thing=request.thing._replace(keys=tuple(claimed))), ()

    def _of_room(self, core: SessionCore, request: Request) -> tuple[Request, list[str]]:
        """Return a claim of *the bedroom one* with what it is of, and between what that is open.

        Nothing that was said before tells which: a claim that is taken for another is worse than a
        question.
        """
        if request.kind != "i_take" or not request.points or request.thing is not None:
            return request, []
        if request.room is None:
            return request, []
        at, things = request.room.keys, self.work.things()
        there = [t for t in things if room_id_around(core, t) in at or furniture_of(core, t) in at]
        among = there or things
        claimed = Mention("one", tuple(among), False)
        request = request._replace(thing=claimed, points=False, room=None)
        return request, among if len(there) != 1 else []

    def _objecting(self, core: SessionCore, request: Request) -> Request:
        """Return a claim of *it*, or a no, with what it is about: what was offered or announced."""
        is_no = request.declines and request.kind in _NOES
        if is_no and self._was_asking and request.thing is None:
            # It answers a question, and not what was said before that.
            return request._replace(declines=False)
        is_old = self._last is None or core.tick - self._last_tick > REMEMBERED_S * TICK_RATE
        if request.kind == "correct" and request.thing is not None and is_old:
            # There was no order yet, but there is what it has said to take.
            return request._replace(kind="you_take") if self.taking.objected(core) else request
        if is_no and request.thing is not None and request.thing.keys:
            return request._replace(kind="i_take")
        is_of_it = request.kind == "i_take" and request.points and request.thing is None
        if not (is_no or is_of_it):
            return request
        spoken = self.meant.last(core, lambda key: key in core.world.objects)
        things = self.taking.objected(core) if request.declines or not spoken else []
        if not things:
            return request if is_of_it else request._replace(declines=False)
        if is_no and (self.taking.offered or len(things) == 1):
            return request._replace(kind="no")
        return request._replace(
            kind="i_take", thing=Mention("one", tuple(things), False), points=False
        )

    def _refused_for(self, core: SessionCore, seat: str, request: Request, meant: str) -> list[str]:
        """Leave what was offered or announced to whoever wants another thing instead; say so."""
        if not request.declines or request.kind not in ("do", "you_take") or self._was_asking:
            return []
        things = self.taking.objected(core)
        if len(things) != 1 or not meant or meant in things or meant not in core.world.objects:
            return []
        return [self.taking.refuse(core, seat, things, turns=False)]

    # What was asked, and what was meant

    def _narrowed(
        self, core: SessionCore, seat: str, request: Request
    ) -> tuple[Request, Sequence[str]]:
        """Return a request whose names mean one thing each, and between what it is still open."""
        if request.openness is None:
            return self.choices.narrowed(core, seat, request)
        choices = self.openings.choices(core, seat, request)
        return (chosen(request, tuple(choices)), choices) if choices else (request, ())

    def _completed(self, core: SessionCore, request: Request) -> Request:
        """Return the request of which it had asked, where this line only says which one."""
        asked, self._asked = self._asked, None
        if asked is not None and asked.thing is not None and asked.action in ("open", "close"):
            keys = picked(core, request.said, asked.thing.keys)
            if keys:
                return chosen(asked, keys)
        if asked is None or request.thing is None or not request.thing.keys:
            return request
        if request.kind != "correct" and not _ONLY_NAMES.fullmatch(_without(request)):
            return request
        keys = request.thing.keys
        if asked.thing is not None and len(asked.thing.keys) > 1:
            both = tuple(key for key in asked.thing.keys if key in keys)
            return asked._replace(thing=request.thing._replace(keys=both or keys))
        if asked.place is not None:
            both = tuple(key for key in asked.place.keys if key in keys)
            return asked._replace(place=request.thing._replace(keys=both or keys))
        return request

    def _confirmed(self, request: Request) -> Request:
        """Return the request that it was not sure of, where this line says yes to it."""
        guessed, self._guessed = self._guessed, None
        return guessed if guessed is not None and request.kind == "yes" else request

    def _unsure(self, core: SessionCore, seat: str, request: Request) -> str:
        """Ask whether what was understood of a line is what is meant."""
        if not request.then:
            return phrases.NOT_SURE
        (guessed,) = request.then
        told = Phrases(core, self.hands.seat).not_sure(guessed)
        if told != phrases.NOT_SURE:
            self._guessed = guessed
        return told

    def _correct(self, core: SessionCore, seat: str, request: Request) -> str:
        is_old = core.tick - self._last_tick > REMEMBERED_S * TICK_RATE
        last = None if is_old else self._last
        before = self.meant.last(core, lambda key: key in core.world.objects)
        if request.other:
            among = [key for key in self.work.things() if key != before]
            if last is None or len(among) != 1:
                return self.meant.which(core, among)
            named = Mention(core.names.labels[among[0]], tuple(among), False)
            request = request._replace(thing=named)
        if last is not None and request.place is not None:
            there = last._replace(
                kind="do", action="put", place=request.place, relation=request.relation,
                to_me=False, then=(),
            )  # fmt: skip
            return self.answer(core, seat, there)
        if last is None or request.thing is None:
            return phrases.DO_WHAT
        keys = request.thing.keys
        for likely in (self._alike, self.work.things()):
            keys = tuple(key for key in keys if key in likely) or keys
        request = request._replace(thing=request.thing._replace(keys=keys))
        if before:
            self.hands.let_go_of(before)
        return self.answer(core, seat, last._replace(thing=request.thing, points=False, many=False))

    # Stopping

    def _stop(self, core: SessionCore, seat: str, request: Request) -> str:
        self.hands.stop(seat)
        return phrases.STOPPED

    def _go_on(self, core: SessionCore, seat: str, request: Request) -> str:
        was_stopped = self.hands.is_stopped
        self.hands.go_on()
        thing = "" if request.thing is None else self.meant.thing(core, seat, request)
        if thing and (said := self.taking.claim(core, seat, thing)):
            return said
        last = self._last
        is_spared = last is not None and last.action == "spare"
        spared = [key for key, asker in self.work.spared.items() if asker == seat]
        if not was_stopped and is_spared and spared:
            some = Phrases(core, self.hands.seat).some(spared)
            return f"{phrases.GOING_ON} I still leave {some} alone: say so if I should take it."
        return phrases.GOING_ON

    def _help(self, core: SessionCore, seat: str, request: Request) -> str:
        if request.thing is not None and not request.thing.keys:
            return self.meant.not_found(core, request)
        thing = self.meant.thing(core, seat, request)
        if request.action in ("open", "close", "put") and (thing or request.place):
            return self.orders.do(core, seat, request)
        is_of_rooms = request.thing is not None and is_room_named(core, request.thing)
        if is_of_rooms or (request.action == "go" and thing not in core.world.objects):
            coming = self.orders.do(
                core, seat, request._replace(action="go", to_me=not is_of_rooms)
            )
            return f"{coming} {self._help_there(core, seat, request)}"
        if thing and (said := self.taking.claim(core, seat, thing)):
            return said
        if thing and thing not in core.world.objects:
            return phrases.FURNITURE_STAYS if _MOVES.search(request.said) else phrases.WHAT_THERE
        if thing:
            return self.orders.do(core, seat, request._replace(action="bring", to_me=True))
        theirs = self.work.carried(core, [seat], self.hands.seat)
        if not theirs and self.work.things(seat):
            return self.questions.suggest(core, seat, request)
        if not theirs:
            return self.taking.nothing(core, seat)
        return self.taking.claim(core, seat, theirs[0])

    def _help_there(self, core: SessionCore, seat: str, request: Request) -> str:
        """Take one of the things that a seat sees to where it is asked to come, if there is any."""
        theirs = self.work.carried(core, [seat], self.hands.seat)
        if request.thing is not None:
            there = self.meant.in_room(core, request.thing.keys)
            theirs = [thing for thing in theirs if thing in there]
        return self.taking.claim(core, seat, theirs[0]) if theirs else phrases.WHAT_THERE

    def _yes(self, core: SessionCore, seat: str, request: Request) -> str:
        if self.taking.offered:
            told = [self.taking.claim(core, seat, thing) for thing in self.taking.offered]
            self.taking.offered = []
            return " ".join(filter(None, told)) or phrases.NOTHING_LEFT
        # Whoever says *ok* to "I stop" has not said that it may go on.
        if self.hands.is_stopped and not _NODS.match(request.said):
            return self._go_on(core, seat, request)
        return phrases.AGREED

    def _no(self, core: SessionCore, seat: str, request: Request) -> str:
        if self._was_asking:
            return phrases.AGREED
        things = self.taking.objected(core) if request.declines else self.taking.offered
        if things:
            return self.taking.refuse(core, seat, things)
        # It has said that it thinks so, and waits.
        has_finished = core.seats[self.hands.seat].finished
        return phrases.GOES_ON if has_finished else phrases.NO_TO_WHAT
