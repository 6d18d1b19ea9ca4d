"""Claims of a scripted partner: what it takes on, leaves to others, and cannot do."""

from __future__ import annotations

from collections.abc import Sequence

from episodes.rules import TargetVerb
from server.robots.baselines.partner import phrases
from server.robots.baselines.partner.claims import Granted, grant
from server.robots.baselines.partner.hands import Hands
from server.robots.baselines.partner.order import Order
from server.robots.baselines.partner.phrases import Phrases
from server.robots.baselines.partner.questions import Questions
from server.robots.baselines.partner.referents import REMEMBERED_S, Referents, is_of_rooms
from server.robots.baselines.partner.request import Request
from server.robots.baselines.partner.sharing import SharedWork
from server.robots.baselines.scripted_player import Change, Put, Step, Take
from server.sessions.core import SessionCore
from server.sessions.spec import TICK_RATE

CHANGES: dict[str, tuple[TargetVerb, str]] = {
    "clean": ("clean", "wash"),
    "fill": ("fill", "fill"),
    "power_on": ("power_on", "switch on"),
    "power_off": ("power_off", "switch off"),
}


class Taking:
    """Claims of one seat of a scripted partner, and its offers."""

    def __init__(
        self, hands: Hands, work: SharedWork, meant: Referents, questions: Questions
    ) -> None:
        self.hands = hands
        self.work = work
        self.meant = meant
        self.questions = questions
        self.offered: list[str] = []
        """The things that the robot has offered to take, until somebody answers."""
        self._announced: tuple[int, list[str]] = (0, [])
        """The things that it has said last to take, and when."""
        self.declined: dict[str, int] = {}
        """Things that somebody wants to see to, or has said no for, and the tick of that."""
        self.is_relieved = False
        """Whether somebody has taken the last of its things from it, and said no to nothing."""

    def announce(self, core: SessionCore, things: Sequence[str]) -> None:
        """Take note that the robot has said that it takes things: a *no* is about these."""
        at, before = self._announced
        self._announced = (core.tick, [*(before if at == core.tick else []), *things])

    def objected(self, core: SessionCore) -> list[str]:
        """Return the things that a *no* now is about: what it has offered, or has said to take."""
        if self.offered:
            return list(self.offered)
        if core.seats[self.hands.seat].finished:
            # It has said since that it thinks that all is done.
            return []
        at, things = self._announced
        if core.tick - at > REMEMBERED_S * TICK_RATE:
            return []
        mine = [t for t in dict.fromkeys(things) if self._is_mine(core, t)]
        busy = self.hands.busy_with()
        return [busy] if busy in mine else mine

    def _is_mine(self, core: SessionCore, thing: str) -> bool:
        """Tell whether a thing is still to be seen to by this seat, or is in its hand."""
        mine = self.hands.seat
        if core.world.holders.get(thing) not in (None, mine):
            return False
        if self.hands.busy_with() == thing or core.world.held.get(mine) == thing:
            return True
        return self.work.owner.get(thing) == mine and bool(self.work.goals_of(thing))

    def refuse(self, core: SessionCore, seat: str, things: list[str], *, turns: bool = True) -> str:
        """Let whoever says no to what was offered or announced see to it; return what to say.

        ``turns``: say to what it turns instead.
        """
        was_offered = bool(self.offered)
        self.offered = []
        theirs = [t for t in things if self.work.owner.get(t) in (seat, None, *self.work.seats)]
        self.decline(core, things)
        if was_offered and not theirs:
            # It is somebody else's, who has not answered.
            return phrases.AGREED
        told = self._granted(core, seat, theirs, turns=turns)
        self.work.refused.update(t for t in theirs if self.work.owner.get(t) == seat)
        return " ".join(told)

    def take(self, core: SessionCore, seat: str, request: Request) -> str:
        if request.leaves is not None:
            left = self.meant.resolved(core, request.leaves)[:1]
            if is_of_rooms(core, request.leaves):
                left = self.meant.in_room(core, request.leaves.keys)
            told = self._granted(core, seat, left)
            taken = self.take(core, seat, request._replace(leaves=None))
            return " ".join([*told, taken])
        if several := self.meant.many(core, request):
            return self.claim_all(core, seat, several)
        if request.thing is not None and is_of_rooms(core, request.thing):
            the = Phrases(core, self.hands.seat).the(request.thing.keys[0])
            return f"Nothing that the task asks for is left in {the}."
        thing = self.meant.thing(core, seat, request)
        if not thing and request.thing is None:
            theirs = self.work.carried(core, [seat], self.hands.seat)
            sure = self.offered or (theirs if len(theirs) == 1 else [])
            thing = sure[0] if sure else ""
        if not thing:
            theirs = self.work.carried(core, [seat], self.hands.seat)
            if request.thing is None and theirs:
                return self.meant.which(core, theirs)
            if request.thing is not None or request.points:
                return self.meant.not_found(core, request)
            return self.nothing(core, seat)
        return self.claim(core, seat, thing) or self.questions.nothing_of(core, thing)

    def nothing(self, core: SessionCore, seat: str) -> str:
        goals = [self.work.goals[n] for t in self.work.things() for n in self.work.goals_of(t)]
        mine = [g for g in goals if g.for_people]
        return Phrases(core, self.hands.seat).ask_for(mine) if mine else phrases.NOTHING_LEFT

    def claim(self, core: SessionCore, seat: str, thing: str) -> str:
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
            return self.cannot(core, seat, thing, goals[0].ways[0][0])
        relieved = say.relieves(self.work.owner.get(thing), seat)
        self.work.hand(thing, mine, seat)
        self.announce(core, [thing])
        self.is_relieved = False
        self.hands.go_on()
        asked = [g for g in goals if g not in able]
        more = f" {say.ask_for(asked)}" if asked else ""
        return f"I take {say.the(thing)}.{relieved}{more}"

    def claim_all(self, core: SessionCore, seat: str, things: list[str]) -> str:
        """See to several things from now on; return what to say."""
        told = [
            self.claim(core, seat, thing) or self.questions.nothing_of(core, thing)
            for thing in things
        ]
        say = Phrases(core, self.hands.seat)
        taken = [t for t, said in zip(things, told, strict=True) if said == f"I take {say.the(t)}."]
        if len(taken) < 2:
            return " ".join(told)
        others = [said for t, said in zip(things, told, strict=True) if t not in taken]
        return " ".join([f"I take {say.some(taken)}.", *others])

    def cannot(self, core: SessionCore, seat: str, thing: str, step: Step) -> str:
        """Say that the body cannot do something, and bring the thing to a tap if that helps."""
        say = Phrases(core, self.hands.seat)
        what = CHANGES[step.verb][1] if isinstance(step, Change) else "do"
        said = f"My body cannot {what} {say.the(thing)}: could you?"
        tap = self.work.bringing.get(thing)
        if tap is None or core.view.holder(thing) not in (None, self.hands.seat):
            return said
        steps: list[Step] = [Take(thing), Put(tap, "on")]
        self.hands.obey(Order(thing, steps, f"{say.you(seat)} can do the rest there"))
        return f"{said} I bring it to {say.the(tap)}."

    def leave(self, core: SessionCore, seat: str, request: Request) -> str:
        thing = self.meant.thing(core, seat, request)
        several = self.meant.many(core, request)
        if request.thing is not None and not request.thing.keys:
            return self.meant.not_found(core, request)
        if not (thing or several):
            return phrases.AGREED
        things = several or [thing]
        had = self.work.is_busy(core, self.hands.seat)
        if request.action == "spare":
            told = self._spare(core, seat, things)
        else:
            told = " ".join(self._granted(core, seat, things, turns=request.declines))
        if request.declines:
            self.work.refused.update(things)
        elif had:
            self.is_relieved = not self.work.is_busy(core, self.hands.seat)
        return told

    def decline(self, core: SessionCore, things: list[str]) -> None:
        """Take note that things are not to be offered again soon."""
        self.declined.update(dict.fromkeys(things, core.tick))

    def _granted(
        self, core: SessionCore, seat: str, things: list[str], *, turns: bool = False
    ) -> list[str]:
        """Let somebody have things; return what to say of it.

        ``turns``: they have said no to it, and are told what it turns to instead.
        """
        self.decline(core, things)
        were_mine = any(self.work.owner.get(thing) == self.hands.seat for thing in things)
        plain, told = self._grant(core, seat, things)
        if plain:
            are = "are" if len(plain) > 1 else "is"
            some = Phrases(core, self.hands.seat).some(plain)
            told.insert(0, f"All right, {some} {are} yours{self._puts_down(core, plain)}.")
        if turns and plain and were_mine:
            number = self.work.next(core, self.hands.seat)
            instead = "" if number is None else self.work.goals[number].thing
            told.append(Phrases(core, self.hands.seat).turns_to(instead))
        return told

    def _spare(self, core: SessionCore, seat: str, things: list[str]) -> str:
        """Leave things alone until somebody asks for them."""
        owners = {self.work.owner.get(thing) for thing in things} & set(self.work.seats)
        for thing in things:
            self.work.spare(core, thing, seat)
            self.hands.let_go_of(thing)
        who = "we" if owners - {self.hands.seat} else "I"
        some = Phrases(core, self.hands.seat).some(things)
        return f"All right, {who} leave {some} alone{self._puts_down(core, things)}."

    def _puts_down(self, core: SessionCore, things: list[str]) -> str:
        return ": I put it down" if core.world.held.get(self.hands.seat) in things else ""

    def _grant(self, core: SessionCore, seat: str, things: list[str]) -> Granted:
        """Let somebody have things, where they can."""
        given = grant(core, self.work, self.hands.seat, seat, things)
        for thing in things:
            if self.work.owner.get(thing) == seat:
                self.hands.let_go_of(thing)
        return given
