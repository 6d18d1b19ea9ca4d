"""Orders to a scripted partner: to bring, put, open, walk, or do what only people can."""

from __future__ import annotations

import re

from episodes.evaluation.account_sentences import capital
from server.robots.baselines.partner import phrases
from server.robots.baselines.partner.hands import Hands
from server.robots.baselines.partner.openings import Openings
from server.robots.baselines.partner.order import Order
from server.robots.baselines.partner.phrases import Phrases
from server.robots.baselines.partner.places import (
    furniture_of,
    is_turned,
    put_at,
    room_id_of,
)
from server.robots.baselines.partner.referents import Referents
from server.robots.baselines.partner.request import Request
from server.robots.baselines.partner.sharing import SharedWork
from server.robots.baselines.partner.taking import CHANGES, Taking
from server.robots.baselines.scripted_player import Change, Go, Put, PutAnywhere, Step, Take, Turn
from server.sessions.core import SessionCore

_BACK = re.compile(
    r"\bback (?:to )?(?:where|again)\b|\bback$|\bwhere (?:it|they|that) (?:was|were|came|had)\b"
    r"|\b(?:throw|toss|chuck)\b.*\b(?:away|out)\b"
)
"""Words for a place that the robot does not know: where a thing was before, or the bin."""
_AWAY = re.compile(r"\b(?:away|off|out|aside|back up|backwards)\b")
_ELSEWHERE = re.compile(
    r"\b(?:under|underneath|beneath|below|behind|above|over(?! to| here| there| by| on| at| in)|"
    r"between)\b"
)


class Orders:
    """Orders of one seat: what it does because somebody told it to."""

    def __init__(
        self,
        hands: Hands,
        work: SharedWork,
        meant: Referents,
        taking: Taking,
        openings: Openings,
    ) -> None:
        self.hands = hands
        self.work = work
        self.meant = meant
        self.taking = taking
        self.openings = openings

    def do(self, core: SessionCore, seat: str, request: Request) -> str:
        say, mine = Phrases(core, self.hands.seat), self.hands.seat
        action = request.action
        if action == "make_way":
            self.hands.obey(Order("", [], say.asked_by(seat), makes_way=True))
            return phrases.MAKING_WAY
        if any(m is not None and not m.keys for m in (request.thing, request.place)):
            return self.meant.not_found(core, request)
        if action is None or action == "go":
            return self._walk(core, seat, request)
        if action == "put" and _BACK.search(request.said):
            return phrases.NOT_WHERE_IT_WAS
        if action == "put_down" or (
            action == "put" and request.thing is None and not request.place
        ):
            held = core.world.held.get(mine)
            if held is None:
                return "My hand is empty."
            if request.thing is not None and held not in request.thing.keys:
                return f"{say.holds(mine, held)} {say.where(self.meant.thing(core, seat, request))}"
            self.work.hand(held, seat, seat)
            self.hands.obey(Order(held, [PutAnywhere()], say.asked_by(seat)))
            return f"I put {say.the(held)} down."
        if action in ("open", "close") and (request.many or request.openness is not None):
            return self._turn_all(core, seat, request)
        thing = self.meant.thing(core, seat, request)
        if not thing and request.place is not None and action in ("open", "close"):
            thing = next(iter(self.meant.resolved(core, request.place)), "")
        if not thing:
            return self.meant.not_found(core, request)
        if action in ("open", "close"):
            target = thing if thing in core.surfaces.of else furniture_of(core, thing)
            if target is None or not core.view.template(target).parts:
                return f"{say.the(thing).capitalize()} has nothing to {action}."
            is_now = is_turned(core, target, action == "open") and not request.follows
            if is_now and self.hands.busy_with() != target:
                is_open = "open" if action == "open" else "closed"
                return f"{say.the(target).capitalize()} is {is_open} already."
            self.hands.obey(Order(target, [Turn(target, action == "open")], say.asked_by(seat)))
            return f"I {action} {say.the(target)}."
        if action in CHANGES:
            verb, words = CHANGES[action]
            if core.world.bodies[mine].kind != "human":
                if request.thing is not None and len(request.thing.keys) > 1:
                    called = _called(say, request, thing)
                    return f"My body cannot {words} {called}: could you?"
                return self.taking.cannot(core, seat, thing, Change(verb, thing))
            self.hands.obey(Order(thing, [Change(verb, thing)], say.asked_by(seat)))
            return f"I {words} {say.the(thing)}."
        return self._carry(core, seat, request, thing)

    def _turn_all(self, core: SessionCore, seat: str, request: Request) -> str:
        """Open or close all that a request means, the nearest first; what is unnamed, only close.

        All is closed already only where all that was named is.
        """
        say, opens = Phrases(core, self.hands.seat), request.action == "open"
        turned = self.openings.meant(core, seat, request)
        is_named = request.thing is not None or request.room is not None
        if turned and opens and not is_named:
            return phrases.WHICH_FURNITURE
        if not turned:
            if not self.openings.named(core, request):
                return phrases.WHICH_FURNITURE
            if opens:
                return "All of that is open already."
            elsewhere = self.openings.open_elsewhere(core)
            if not elsewhere:
                return "All of that is closed already."
            what = say.some(elsewhere)
            stands = "is" if len(elsewhere) == 1 else "are"
            return f"All of that is closed already. {capital(what)} {stands} open."
        for key in turned:
            self.hands.obey(self.openings.order(core, key, request, say.asked_by(seat)))
        return f"I {request.action} {say.some(turned)}."

    def _carry(self, core: SessionCore, seat: str, request: Request, thing: str) -> str:
        say, mine = Phrases(core, self.hands.seat), self.hands.seat
        several = self.meant.many(core, request)
        if (
            several
            and not request.to_me
            and all(self._belongs_there(core, t, request) for t in several)
        ):
            return self.taking.claim_all(core, seat, several)
        if len(several) > 1:
            return " ".join(
                self._carry(core, seat, request._replace(many=False), each) for each in several
            )
        if _BACK.search(request.said) and not request.to_me:
            return phrases.NOT_WHERE_IT_WAS
        if _ELSEWHERE.search(request.said) and request.place is not None:
            return phrases.NO_SUCH_SIDE
        if thing not in core.world.objects:
            return f"I cannot carry {_called(say, request, thing)}."
        holder = core.world.holders.get(thing)
        if holder == seat:
            return f"You have {say.the(thing)} in your hand."
        if holder not in (None, mine):
            return say.holds(holder, thing)
        target = self.meant.resolved(core, request.place, request.room)
        if not target and request.place is not None:
            return self.meant.not_found(core, request)
        if not target:
            if not request.to_me and (said := self.taking.claim(core, seat, thing)):
                return said
            relieved = say.relieves(self.work.owner.get(thing), seat)
            self.work.hand(thing, seat, seat)
            self.hands.obey(Order(thing, [Take(thing)], say.asked_by(seat), to_seat=seat))
            self.taking.announce(core, [thing])
            return f"I bring you {say.the(thing)}.{relieved}"
        put, goal = put_at(core, mine, request.relation, target), self._goal_of(thing)
        if put is None:
            return f"There is no place for it at {say.the(target[0])}."
        if goal is not None and (goal.target in target or room_id_of(core, goal.target) in target):
            return self.taking.claim(core, seat, thing)
        relieved = say.relieves(self.work.owner.get(thing), seat)
        self.work.hand(thing, seat, seat)
        steps: list[Step] = [Take(thing), put]
        self.hands.obey(Order(thing, steps, say.asked_by(seat)))
        self.taking.announce(core, [thing])
        return f"I am {say.doing(thing, steps)}.{relieved}"

    def _belongs_there(self, core: SessionCore, thing: str, request: Request) -> bool:
        """Tell whether a thing is still to be put where a request wants it, if it says where."""
        goal = self._goal_of(thing)
        targets = self.meant.resolved(core, request.place, request.room)
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
        named = self.meant.resolved(core, request.thing or request.place)
        if not named and (request.thing or request.place):
            return self.meant.not_found(core, request)
        if not named and _AWAY.search(request.said) and not request.to_me:
            self.hands.obey(Order("", [], say.asked_by(seat), makes_way=True))
            return phrases.MAKING_WAY
        if not named:
            self.hands.obey(Order("", [], say.asked_by(seat), to_seat=seat, is_short=True))
            return "I come."
        self.hands.obey(Order(named[0], [Go(named[0])], say.asked_by(seat)))
        return f"I go to {say.the(named[0])}."


def _called(say: Phrases, request: Request, thing: str) -> str:
    """Return what a thing is called; of several that may be meant, in the words of the speaker."""
    if request.thing is not None and len(request.thing.keys) > 1:
        return f"the {request.thing.words}"
    return say.the(thing)
