"""Answers of a scripted partner to questions: what it does, where things are, what is left."""

from __future__ import annotations

import re

from server.robots.baselines.partner import phrases
from server.robots.baselines.partner.absence import is_away, there
from server.robots.baselines.partner.hands import Hands
from server.robots.baselines.partner.phrases import Phrases
from server.robots.baselines.partner.referents import (
    MOST_CHOICES,
    Referents,
    has_any_place,
    has_place,
)
from server.robots.baselines.partner.request import Request
from server.robots.baselines.partner.sharing import SharedWork
from server.robots.baselines.partner.spoken import asks_of_hand
from server.robots.baselines.partner.topics import asks_of_the_past
from server.robots.baselines.scripted_player import Put
from server.sessions.core import SessionCore

_WHY = re.compile(r"\b(?:why|how come)\b", re.IGNORECASE)
_WHO_HAS = re.compile(
    r"\b(?:who|whose)\b(?!.*\b(?:tak|do|doing|gets)\w*\b)|\banybody (?:got|have|has|hold)",
    re.IGNORECASE,
)
_HOLDING = re.compile(
    r"\bwhat\b.*\b(?:hold|carry)(?:ing)?\b"
    r"|\bin your hands?\b|\bwhat (?:have (?:you|u)|you|u) got\b|\bgot (?:anything|something) in\b",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"^\W*(?:(?:and|so|but|hey|ok|okay|well),? )*(?:(?:what|when|how|why|where) )?"
    r"(?:did|didn't|didnt|have|haven't|had|were|was) (?:you|u)\b"
    r"|\bwhat (?:have you|did you|you) (?:just |already )?(?:do|did|done)\b",
    re.IGNORECASE,
)
"""Questions of what the robot did, of which it keeps no account."""
_PLANS = re.compile(r"\b(?:planned|planning|going|want|wanted|mean|meant) to\b", re.IGNORECASE)
_ABLE = re.compile(r"\bwhat (?:all )?(?:can|could) (?:you|u)\b", re.IGNORECASE)
_OF_SPEAKER = re.compile(
    r"\b(?:where(?:abouts)?|room|place)\b.*\b(?:am i|i am|i'm)\b|\broom is (?:this|it)\b",
    re.IGNORECASE,
)
_OF_YOU = re.compile(r"\b(?:you|u|ya|robot)\b", re.IGNORECASE)


class Questions:
    """Answers of one seat of a scripted partner; nothing here changes anything."""

    def __init__(self, hands: Hands, work: SharedWork, meant: Referents) -> None:
        self.hands = hands
        self.work = work
        self.meant = meant

    def doing(self, core: SessionCore, seat: str, request: Request) -> str:
        if _ABLE.search(request.said):
            return phrases.ABLE
        if _HOLDING.search(request.said) or asks_of_hand(request.said):
            return self._holding(core)
        told = self.hands.told_doing()
        is_idle = told.startswith(("I am waiting", "I have stopped"))
        is_past = _PAST.search(request.said) and not _PLANS.search(request.said)
        if is_past and not _WHY.search(request.said):
            return self._past(core, seat, request)
        if not _WHY.search(request.said):
            return self._with_thing(core, request, is_idle=is_idle) or told
        thing = self.meant.thing(core, seat, request) or self.hands.busy_with()
        if not is_past and (", because " in told or is_idle):
            return told
        if is_past and request.thing is not None and request.thing.is_place:
            return phrases.NO_PAST
        asker = self.work.by_request.get(thing)
        if asker:
            return f"Because {Phrases(core, self.hands.seat).asked_by(asker)}."
        return phrases.HOW_SHARED

    def _with_thing(self, core: SessionCore, request: Request, *, is_idle: bool) -> str:
        """Say what becomes of a thing that it is not busy with; empty: none is named, or it is."""
        if request.thing is None or len(request.thing.keys) != 1:
            return ""
        (thing,) = request.thing.keys
        say, mine = Phrases(core, self.hands.seat), self.hands.seat
        if thing not in core.world.objects:
            return ""
        if self.hands.busy_with() == thing and not is_idle:
            return ""
        if core.world.held.get(mine) == thing:
            return say.holds(mine, thing)
        if not self.work.goals_of(thing):
            return f"Nothing. {self.nothing_of(core, thing)}"
        owner = self.work.owner.get(thing)
        if owner == mine:
            return f"Nothing yet: I take {say.the(thing)} when I come to it."
        if owner is None or thing in self.work.spared:
            return f"Nothing: I leave {say.the(thing)} alone."
        return f"Nothing: I leave {say.the(thing)} to {say.you(owner)}."

    def _holding(self, core: SessionCore) -> str:
        held = core.world.held.get(self.hands.seat)
        if held is None:
            return "My hand is empty."
        return f"I hold {Phrases(core, self.hands.seat).the(held)}."

    def _past(self, core: SessionCore, seat: str, request: Request) -> str:
        """Say where a thing is now, since nothing is kept of what was done."""
        if request.thing is not None and not request.thing.keys:
            return self.meant.not_found(core, request)
        thing = self.meant.thing(core, seat, request)
        if not thing:
            return phrases.NO_PAST
        return f"{Phrases(core, self.hands.seat).where(thing)} {phrases.NO_PAST}"

    def shares(self, core: SessionCore, seat: str, request: Request) -> str:
        say = Phrases(core, self.hands.seat)
        thing = self.meant.thing(core, seat, request)
        if thing and not any(goal.thing == thing for goal in self.work.goals):
            return f"Nobody: the task asks nothing of {say.the(thing)}."
        if request.thing is not None and not request.thing.keys:
            return say.none_here(request.thing.words)
        others = [s for s in there(core) if s != self.hands.seat]
        theirs = {s: self.work.things(s) for s in others}
        mine = self.work.things(self.hands.seat)
        told = [say.plan_aloud(mine, theirs, []) or phrases.NOTHING_FOR_YOU]
        told += [say.is_away(s, theirs[s]) for s in others if is_away(core, s)]
        return " ".join(told)

    def where(self, core: SessionCore, seat: str, request: Request) -> str:
        say = Phrases(core, self.hands.seat)
        is_of_room = request.thing is None or not has_any_place(core, request.thing)
        if is_of_room and _OF_SPEAKER.search(request.said):
            return say.where_is_player(seat)
        if request.thing is None:
            if not request.points:
                is_me = _OF_YOU.search(request.said)
                return say.where_am_i() if is_me else self.meant.which(core)
            thing = self.meant.thing(core, seat, request)
            if not thing:
                theirs = self.work.things(seat)
                thing = theirs[0] if len(theirs) == 1 else ""
            if not thing:
                return self.meant.which(core)
            here = say.where(thing)
            return f"{phrases.NOT_BEFORE} {here}" if asks_of_the_past(request.said) else here
        found = self.meant.resolved(core, request.thing, request.room)
        things = [k for k in found if has_place(core, k)]
        if not found:
            return say.none_here(request.thing.words)
        if not things:
            return f"{say.the(found[0]).capitalize()} is on the map: press M."
        told = [say.where(k) for k in things[:MOST_CHOICES]]
        if len(things) > MOST_CHOICES:
            told.append(f"There are {len(things)} in all: say the room, and I look there.")
        if _WHO_HAS.search(request.said) and not any(k in core.world.holders for k in things):
            told.insert(0, "Nobody has it in the hand.")
        if asks_of_the_past(request.said):
            told.insert(0, phrases.NOT_BEFORE)
        return " ".join(told)

    def belongs(self, core: SessionCore, seat: str, request: Request) -> str:
        say, thing = Phrases(core, self.hands.seat), self.meant.thing(core, seat, request)
        goals = [g for g in self.work.goals if g.thing == thing]
        if thing in core.surfaces.of and not goals:
            put = [g for g in self.work.goals if any(
                isinstance(step, Put) and step.target == thing for way in g.ways for step in way
            )]  # fmt: skip
            return say.belongs(put) or f"The task wants nothing put at {say.the(thing)}."
        if not thing and request.thing is None and not request.points:
            return self.suggest(core, seat, request)
        if not thing:
            return self.meant.not_found(core, request)
        return say.belongs(goals) or self.nothing_of(core, thing)

    def nothing_of(self, core: SessionCore, thing: str) -> str:
        """Say that nothing need be done with a thing: it is done, or was never asked for."""
        the = Phrases(core, self.hands.seat).the(thing)
        if any(goal.thing == thing for goal in self.work.goals):
            return f"{the.capitalize()} is seen to already: the task asks no more of it."
        return f"The task asks nothing of {the}."

    def suggest(self, core: SessionCore, seat: str, request: Request) -> str:
        say = Phrases(core, self.hands.seat)
        held = core.world.held.get(seat)
        theirs = [self.work.goals[n] for t in self.work.things(seat) for n in self.work.goals_of(t)]
        if not theirs:
            others = {s: self.work.things(s) for s in there(core) if s != self.hands.seat}
            others.pop(seat, None)
            return say.nothing_for_you(self.work.things(self.hands.seat), others)
        first = next((g for g in theirs if g.thing == held), theirs[0])
        return f"You could {say.wanted(first)}."

    def remaining(self, core: SessionCore, seat: str, request: Request) -> str:
        say = Phrases(core, self.hands.seat)
        left = [self.work.goals[n] for n in sorted(self.work.open)]
        is_done = bool(core.verdict().success)
        if is_done:
            # Only what is in a hand keeps it from being done.
            for thing, holder in core.world.holders.items():
                if thing in core.scorer.watched and holder != self.hands.seat:
                    if holder == seat:
                        return say.still_in_hand(thing, self.work.goals)
                    return f"Nearly: {say.holds(holder, thing)}"
        return say.remaining(left, is_done=is_done)

    def report(self, core: SessionCore, seat: str, request: Request) -> str:
        told = self.remaining(core, seat, request)
        if told in (phrases.ALL_DONE, phrases.NOTHING_MORE):
            return told
        return f"Good. {told} {phrases.ENDS}"
