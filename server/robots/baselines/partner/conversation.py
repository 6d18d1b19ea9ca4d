"""The talk of a scripted partner: what it answers to a request, and what it then does.

Answers are templates (`phrases.py`). What is said changes who sees to what (`sharing.py`) or gives
the player an order; nothing here moves the body.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Protocol

from episodes.rules import TargetVerb
from server.robots.baselines.partner import phrases
from server.robots.baselines.partner.absence import is_away, there
from server.robots.baselines.partner.claims import Granted, absence, grant
from server.robots.baselines.partner.order import Order
from server.robots.baselines.partner.phrases import Phrases
from server.robots.baselines.partner.places import (
    furniture_of,
    is_turned,
    put_at,
    room_id_of,
)
from server.robots.baselines.partner.request import Request
from server.robots.baselines.partner.sharing import SharedWork
from server.robots.baselines.partner.words import Mention
from server.robots.baselines.scripted_player import Change, Go, Put, PutAnywhere, Step, Take, Turn
from server.sessions.core import SessionCore

_CHANGES: dict[str, tuple[TargetVerb, str]] = {
    "clean": ("clean", "wash"),
    "fill": ("fill", "fill"),
    "power_on": ("power_on", "switch on"),
    "power_off": ("power_off", "switch off"),
}
_CARRIES = ("bring", "get", "put")
_WHY = re.compile(r"\b(?:why|how come)\b", re.IGNORECASE)


class Hands(Protocol):
    """The player, as far as a conversation can ask it for something."""

    seat: str
    is_stopped: bool

    def told_doing(self) -> str:
        """Return what it does, as a sentence."""
        ...

    def stop(self, asker: str) -> None: ...

    def go_on(self) -> None: ...

    def obey(self, order: Order) -> None: ...

    def let_go_of(self, thing: str) -> None:
        """Leave a thing alone that it is busy with."""
        ...


class Conversation:
    """The talk of one seat of a scripted partner, and what it was about last."""

    def __init__(self, hands: Hands, work: SharedWork) -> None:
        self.hands = hands
        self.work = work
        self.topic = ""
        """The thing that was named last: what *it* means."""
        self.offered: list[str] = []
        """The things that the robot has offered to take, until somebody answers."""

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
            "doing": self._doing,
            "where": self._where,
            "belongs": self._belongs,
            "do": self._do,
            "stop": self._stop,
            "go_on": self._go_on,
            "help": self._help,
            "you_take": self._take,
            "i_take": self._leave,
            "suggest": self._suggest,
            "remaining": self._remaining,
            "shares": self._shares,
            "report": self._report,
            "yes": self._yes,
            "no": self._no,
            "thanks": lambda *_: phrases.WELCOME,
            "hello": lambda *_: phrases.HELLO,
            "unknown": lambda *_: phrases.NOT_UNDERSTOOD,
        }
        self.work.strike_out(core)
        named = self._resolved(core, request.thing, request.room)
        said = answers[request.kind](core, seat, request)
        if named:
            self.topic = named[0]
        # A question between an offer and its answer takes nothing back.
        if request.kind in ("do", "help", "you_take", "i_take"):
            self.offered = []
        return said

    # What is meant

    def _resolved(
        self, core: SessionCore, mention: Mention | None, room: Mention | None = None
    ) -> list[str]:
        """Return what a mention may mean, the likeliest and what is in ``room`` first."""
        if mention is None:
            return []
        wanted = self.work.things()
        at = core.world.agents[self.hands.seat].position

        rooms = set() if room is None else set(room.keys)

        def likely(key: str) -> tuple[bool, bool, float]:
            if not self._has_place(core, key):
                return (False, False, 0.0)
            around = core.simulator.scene.room_around(core.view.pose(key).position)
            is_there = not rooms or (around is not None and around.room_id in rooms)
            return (not is_there, key not in wanted, core.view.distance_from(at, key))

        return sorted(mention.keys, key=likely)

    @staticmethod
    def _has_place(core: SessionCore, key: str) -> bool:
        return key in core.surfaces.of or key in core.world.objects

    def _thing(self, core: SessionCore, seat: str, request: Request) -> str:
        """Return the thing that a request is about; empty: none is meant."""
        named = [
            k for k in self._resolved(core, request.thing, request.room) if self._has_place(core, k)
        ]
        if named:
            theirs = [k for k in named if self.work.owner.get(k) == seat]
            is_handed = request.kind in ("you_take", "help") and theirs
            return theirs[0] if is_handed else named[0]
        if request.thing is not None:
            return ""
        if request.other:
            return next((t for t in self.work.things() if t != self.topic), "")
        if request.points:
            held = core.world.held.get(self.hands.seat)
            # Nobody carries, or takes on, the furniture that was last spoken of.
            is_carried = request.kind in ("you_take", "i_take") or request.action in _CARRIES
            return held or (
                self.topic if not is_carried or self.topic in core.world.objects else ""
            )
        return ""

    def _all(self, core: SessionCore, request: Request) -> list[str]:
        """Return all things that a request is about, where it is about several; else nothing."""
        if not request.many:
            return []
        named = [k for k in self._resolved(core, request.thing) if k in core.world.objects]
        return [k for k in named if self.work.goals_of(k)] or named

    # Questions

    def _doing(self, core: SessionCore, seat: str, request: Request) -> str:
        told = self.hands.told_doing()
        if not _WHY.search(request.said) or ", because " in told:
            return told
        asker = self.work.by_request.get(self._thing(core, seat, request) or self.topic)
        if asker:
            return f"Because {Phrases(core, self.hands.seat).asked_by(asker)}."
        return phrases.HOW_SHARED

    def _shares(self, core: SessionCore, seat: str, request: Request) -> str:
        say = Phrases(core, self.hands.seat)
        others = [s for s in there(core) if s != self.hands.seat]
        theirs = {s: self.work.things(s) for s in others}
        mine = self.work.things(self.hands.seat)
        told = [say.plan_aloud(mine, theirs, []) or phrases.NOTHING_FOR_YOU]
        told += [say.is_away(s, theirs[s]) for s in others if is_away(core, s)]
        return " ".join(told)

    def _where(self, core: SessionCore, seat: str, request: Request) -> str:
        say = Phrases(core, self.hands.seat)
        if request.thing is None:
            if request.points and self.topic:
                return say.where(self.topic)
            is_me = not request.points and " you" in f" {request.said.lower()}"
            return say.where_am_i() if is_me else phrases.WHICH
        found = self._resolved(core, request.thing, request.room)
        things = [k for k in found if self._has_place(core, k)]
        if not things:
            return f"{say.the(found[0]).capitalize()} is on the map: press M."
        return " ".join(say.where(k) for k in things[:2])

    def _belongs(self, core: SessionCore, seat: str, request: Request) -> str:
        say, thing = Phrases(core, self.hands.seat), self._thing(core, seat, request)
        goals = [g for g in self.work.goals if g.thing == thing]
        if not thing:
            return phrases.WHICH
        return say.belongs(goals) or self._nothing_of(core, thing)

    def _suggest(self, core: SessionCore, seat: str, request: Request) -> str:
        say = Phrases(core, self.hands.seat)
        theirs = [self.work.goals[n] for t in self.work.things(seat) for n in self.work.goals_of(t)]
        if not theirs:
            others = {s: self.work.things(s) for s in there(core) if s != self.hands.seat}
            others.pop(seat, None)
            return say.nothing_for_you(self.work.things(self.hands.seat), others)
        return f"You could {say.wanted(theirs[0])}."

    def _remaining(self, core: SessionCore, seat: str, request: Request) -> str:
        return Phrases(core, self.hands.seat).remaining(
            [self.work.goals[n] for n in sorted(self.work.open)]
        )

    def _report(self, core: SessionCore, seat: str, request: Request) -> str:
        told = self._remaining(core, seat, request)
        return told if told == phrases.ALL_DONE else f"Good. {told}"

    # Stopping

    def _stop(self, core: SessionCore, seat: str, request: Request) -> str:
        self.hands.stop(seat)
        return phrases.STOPPED

    def _go_on(self, core: SessionCore, seat: str, request: Request) -> str:
        self.hands.go_on()
        return phrases.GOING_ON

    # Who sees to what

    def _take(self, core: SessionCore, seat: str, request: Request) -> str:
        if request.leaves is not None:
            left = self._resolved(core, request.leaves)[:1]
            _, told = self._grant(core, seat, left)
            taken = self._take(core, seat, request._replace(leaves=None))
            return " ".join([*told, taken])
        if several := self._all(core, request):
            return self._claim_all(core, seat, several)
        thing = self._thing(core, seat, request)
        if not thing and request.thing is None:
            theirs = self.work.carried(core, [seat], self.hands.seat)
            thing = (self.offered or theirs or [""])[0]
        if not thing:
            return phrases.WHICH if request.thing is not None else self._nothing(core, seat)
        return self._claim(core, seat, thing) or self._nothing_of(core, thing)

    def _nothing_of(self, core: SessionCore, thing: str) -> str:
        """Say that nothing need be done with a thing: it is done, or was never asked for."""
        the = Phrases(core, self.hands.seat).the(thing)
        if any(goal.thing == thing for goal in self.work.goals):
            return f"{the.capitalize()} is seen to already: the task asks no more of it."
        return f"The task asks nothing of {the}."

    def _nothing(self, core: SessionCore, seat: str) -> str:
        goals = [self.work.goals[n] for t in self.work.things() for n in self.work.goals_of(t)]
        mine = [g for g in goals if g.for_people]
        return Phrases(core, self.hands.seat).ask_for(mine) if mine else phrases.NOTHING_LEFT

    def _claim(self, core: SessionCore, seat: str, thing: str) -> str:
        """See to a thing from now on; return what to say, or nothing if nobody need see to it."""
        say, mine = Phrases(core, self.hands.seat), self.hands.seat
        numbers = self.work.goals_of(thing)
        goals = [self.work.goals[n] for n in numbers]
        if not goals:
            return ""
        holder = core.world.holders.get(thing)
        if holder == seat:
            return f"You have {say.the(thing)} in your hand. Put it down, then I take it."
        if holder not in (None, mine):
            return say.holds(holder, thing)
        able = [g for n, g in zip(numbers, goals, strict=True) if self.work.can(core, mine, n)]
        if not able:
            return self._cannot(core, seat, thing, goals[0].ways[0][0])
        relieved = say.relieves(self.work.owner.get(thing), seat)
        self.work.hand(thing, mine, seat)
        self.hands.go_on()
        asked = [g for g in goals if g not in able]
        more = f" {say.ask_for(asked)}" if asked else ""
        return f"I take {say.the(thing)}.{relieved}{more}"

    def _claim_all(self, core: SessionCore, seat: str, things: list[str]) -> str:
        """See to several things from now on; return what to say."""
        told = [self._claim(core, seat, thing) or self._nothing_of(core, thing) for thing in things]
        say = Phrases(core, self.hands.seat)
        taken = [t for t, said in zip(things, told, strict=True) if said == f"I take {say.the(t)}."]
        if len(taken) < 2:
            return " ".join(told)
        others = [said for t, said in zip(things, told, strict=True) if t not in taken]
        return " ".join([f"I take {say.some(taken)}.", *others])

    def _cannot(self, core: SessionCore, seat: str, thing: str, step: Step) -> str:
        """Say that the body cannot do something, and bring the thing to a tap if that helps."""
        say = Phrases(core, self.hands.seat)
        what = _CHANGES[step.verb][1] if isinstance(step, Change) else "do"
        said = f"My body cannot {what} {say.the(thing)}: could you?"
        tap = self.work.bringing.get(thing)
        if tap is None or core.view.holder(thing) not in (None, self.hands.seat):
            return said
        steps: list[Step] = [Take(thing), Put(tap, "on")]
        self.hands.obey(Order(thing, steps, f"{say.you(seat)} can do the rest there"))
        return f"{said} I bring it to {say.the(tap)}."

    def _leave(self, core: SessionCore, seat: str, request: Request) -> str:
        thing = self._thing(core, seat, request)
        if not thing:
            return phrases.AGREED
        plain, told = self._grant(core, seat, self._all(core, request) or [thing])
        if plain:
            are = "are" if len(plain) > 1 else "is"
            some, held = Phrases(core, self.hands.seat).some(plain), core.world.held
            puts_down = ": I put it down" if held.get(self.hands.seat) in plain else ""
            told.insert(0, f"All right, {some} {are} yours{puts_down}.")
        return " ".join(told)

    def _grant(self, core: SessionCore, seat: str, things: list[str]) -> Granted:
        """Let somebody have things, where they can."""
        given = grant(core, self.work, self.hands.seat, seat, things)
        for thing in things:
            if self.work.owner.get(thing) == seat:
                self.hands.let_go_of(thing)
        return given

    def _help(self, core: SessionCore, seat: str, request: Request) -> str:
        thing = self._thing(core, seat, request)
        if request.action in ("open", "close", "put") and (thing or request.place):
            return self._do(core, seat, request)
        if thing and (said := self._claim(core, seat, thing)):
            return said
        if thing:
            return self._do(core, seat, request._replace(action="bring", to_me=True))
        theirs = self.work.carried(core, [seat], self.hands.seat)
        return self._claim(core, seat, theirs[0]) if theirs else self._nothing(core, seat)

    def _yes(self, core: SessionCore, seat: str, request: Request) -> str:
        if self.offered:
            told = [self._claim(core, seat, thing) for thing in self.offered]
            self.offered = []
            return " ".join(filter(None, told)) or phrases.NOTHING_LEFT
        if self.hands.is_stopped:
            return self._go_on(core, seat, request)
        return ""

    def _no(self, core: SessionCore, seat: str, request: Request) -> str:
        was_offered, self.offered = bool(self.offered), []
        return phrases.AGREED if was_offered else ""

    # Orders

    def _do(self, core: SessionCore, seat: str, request: Request) -> str:
        say, mine = Phrases(core, self.hands.seat), self.hands.seat
        action = request.action
        if action == "make_way":
            self.hands.obey(Order("", [], say.asked_by(seat), makes_way=True))
            return phrases.MAKING_WAY
        if action is None or action == "go":
            return self._walk(core, seat, request)
        if action == "put_down" or (
            action == "put" and request.thing is None and not request.place
        ):
            held = core.world.held.get(mine)
            if held is None:
                return "My hand is empty."
            self.work.hand(held, seat, seat)
            self.hands.obey(Order(held, [PutAnywhere()], say.asked_by(seat)))
            return f"I put {say.the(held)} down."
        thing = self._thing(core, seat, request)
        if not thing and request.place is not None and action in ("open", "close"):
            thing = self._resolved(core, request.place)[0]
        if not thing:
            return phrases.WHICH
        if action in ("open", "close"):
            target = thing if thing in core.surfaces.of else furniture_of(core, thing)
            if target is None or not core.view.template(target).parts:
                return f"{say.the(thing).capitalize()} has nothing to {action}."
            if is_turned(core, target, action == "open"):
                is_open = "open" if action == "open" else "closed"
                return f"{say.the(target).capitalize()} is {is_open} already."
            self.hands.obey(Order(target, [Turn(target, action == "open")], say.asked_by(seat)))
            return f"I {action} {say.the(target)}."
        if action in _CHANGES:
            verb, words = _CHANGES[action]
            if core.world.bodies[mine].kind != "human":
                return self._cannot(core, seat, thing, Change(verb, thing))
            self.hands.obey(Order(thing, [Change(verb, thing)], say.asked_by(seat)))
            return f"I {words} {say.the(thing)}."
        return self._carry(core, seat, request, thing)

    def _carry(self, core: SessionCore, seat: str, request: Request, thing: str) -> str:
        say, mine = Phrases(core, self.hands.seat), self.hands.seat
        several = [] if request.to_me else self._all(core, request)
        if several and all(self._belongs_there(core, t, request) for t in several):
            return self._claim_all(core, seat, several)
        if thing not in core.world.objects:
            return f"I cannot carry {say.the(thing)}."
        holder = core.world.holders.get(thing)
        if holder == seat:
            return f"You have {say.the(thing)} in your hand."
        if holder not in (None, mine):
            return say.holds(holder, thing)
        target = self._resolved(core, request.place, request.room)
        if not target:
            if not request.to_me and (said := self._claim(core, seat, thing)):
                return said
            relieved = say.relieves(self.work.owner.get(thing), seat)
            self.work.hand(thing, seat, seat)
            self.hands.obey(Order(thing, [Take(thing)], say.asked_by(seat), to_seat=seat))
            return f"I bring you {say.the(thing)}.{relieved}"
        put, goal = put_at(core, mine, request.relation, target), self._goal_of(thing)
        if put is None:
            return f"There is no place for it at {say.the(target[0])}."
        if goal is not None and (goal.target in target or room_id_of(core, goal.target) in target):
            return self._claim(core, seat, thing)
        relieved = say.relieves(self.work.owner.get(thing), seat)
        self.work.hand(thing, seat, seat)
        steps: list[Step] = [Take(thing), put]
        self.hands.obey(Order(thing, steps, say.asked_by(seat)))
        return f"I am {say.doing(thing, steps)}.{relieved}"

    def _belongs_there(self, core: SessionCore, thing: str, request: Request) -> bool:
        """Tell whether a thing is still to be put where a request wants it, if it says where."""
        goal = self._goal_of(thing)
        targets = self._resolved(core, request.place, request.room)
        if goal is None:
            return False
        return not targets or goal.target in targets or room_id_of(core, goal.target) in targets

    def _goal_of(self, thing: str) -> Put | None:
        """Return where a thing is still to be put."""
        for number in self.work.goals_of(thing):
            last = self.work.goals[number].ways[0][-1]
            if isinstance(last, Put):
                return last
        return None

    def _walk(self, core: SessionCore, seat: str, request: Request) -> str:
        say = Phrases(core, self.hands.seat)
        named = self._resolved(core, request.thing or request.place)
        if not named:
            self.hands.obey(Order("", [], say.asked_by(seat), to_seat=seat, is_short=True))
            return "I come."
        self.hands.obey(Order(named[0], [Go(named[0])], say.asked_by(seat)))
        return f"I go to {say.the(named[0])}."
