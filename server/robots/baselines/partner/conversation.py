"""The talk of a scripted partner: what it answers to a request, and what it then does.

Answers are templates (`phrases.py`). What is said changes who sees to what (`taking.py`) or gives
the player an order (`orders.py`); nothing here moves the body.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from server.robots.baselines.partner import phrases
from server.robots.baselines.partner.claims import absence
from server.robots.baselines.partner.hands import Hands
from server.robots.baselines.partner.orders import Orders
from server.robots.baselines.partner.questions import Questions
from server.robots.baselines.partner.referents import Referents
from server.robots.baselines.partner.request import Request
from server.robots.baselines.partner.sharing import SharedWork
from server.robots.baselines.partner.taking import Taking
from server.sessions.core import SessionCore

_NODS = re.compile(
    r"\W*(?:ok(?:ay|ey)?|k|kk|alright|all right|got it|cool|roger|fine)\b", re.IGNORECASE
)


class Conversation:
    """The talk of one seat of a scripted partner, and what it was about last."""

    def __init__(self, hands: Hands, work: SharedWork) -> None:
        self.hands = hands
        self.work = work
        self.meant = Referents(hands, work)
        self.questions = Questions(hands, work, self.meant)
        self.taking = Taking(hands, work, self.meant, self.questions)
        self.orders = Orders(hands, work, self.meant, self.taking)

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
            "unknown": lambda *_: phrases.NOT_UNDERSTOOD,
        }
        self.work.strike_out(core)
        meant = self.meant.thing(core, seat, request)
        said = answers[request.kind](core, seat, request)
        named = self.meant.resolved(core, request.thing, request.room)
        self.meant.note(core, meant or (named[0] if named else ""))
        # A question between an offer and its answer takes nothing back.
        if request.kind in ("do", "help", "you_take", "i_take"):
            self.taking.offered = []
        return said

    # Stopping

    def _stop(self, core: SessionCore, seat: str, request: Request) -> str:
        self.hands.stop(seat)
        return phrases.STOPPED

    def _go_on(self, core: SessionCore, seat: str, request: Request) -> str:
        self.hands.go_on()
        return phrases.GOING_ON

    def _help(self, core: SessionCore, seat: str, request: Request) -> str:
        thing = self.meant.thing(core, seat, request)
        if request.action in ("open", "close", "put") and (thing or request.place):
            return self.orders.do(core, seat, request)
        if thing and (said := self.taking.claim(core, seat, thing)):
            return said
        if thing:
            return self.orders.do(core, seat, request._replace(action="bring", to_me=True))
        theirs = self.work.carried(core, [seat], self.hands.seat)
        if not theirs:
            return self.taking.nothing(core, seat)
        return self.taking.claim(core, seat, theirs[0])

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
        was_offered, self.taking.offered = bool(self.taking.offered), []
        return phrases.AGREED if was_offered else phrases.NO_TO_WHAT
