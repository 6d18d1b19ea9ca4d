"""Sentences of the scripted partner: templates over the names that everybody reads."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from episodes.seat_names import names_of, spoken
from episodes.tasks.words import listed
from server.robots.baselines.expert.goals import Goal
from server.robots.baselines.scripted_player import Change, Put, Step
from server.robots.baselines.step_aims import in_words
from server.sessions.core import SessionCore

MOST_NAMED = 3

NOT_UNDERSTOOD = (
    "I did not understand that. I am a script and know few words: ask me what I am doing, where a "
    "thing is, to bring or put something, to stop, or to help you."
)
STOPPED = "I stop. Say go on when I should continue."
GOING_ON = "I go on."
HELLO = "Hello! I am a scripted partner. Ask me what I am doing, or tell me what to do."
WELCOME = "You are welcome."
AGREED = "All right."
ALL_DONE = "I think we are done. Press Finish if you think so too."
NOTHING_LEFT = "There is nothing left that I could take."
NOTHING_FOR_YOU = "There is nothing left to do for you, as far as I know."
HOW_SHARED = (
    "I share out by the length of the way: whoever has least to walk takes the next thing. Say it "
    "if you want it otherwise."
)
MAKING_WAY = "Sorry, I step aside."
WHICH = "Which one do you mean?"
_YOU = re.compile(r"\byou(?:r|rs)?\b", re.IGNORECASE)
_WASH = {"clean": "wash", "fill": "fill", "power_on": "switch on", "power_off": "switch off"}


class Phrases:
    """The sentences of one session. Labels come from the session, as on every panel."""

    def __init__(self, core: SessionCore, seat: str) -> None:
        self.core = core
        self.seat = seat

    def the(self, key: str) -> str:
        """Return ``the red book``."""
        return f"the {self.core.names.labels.get(key, 'thing')}"

    def some(self, things: Sequence[str]) -> str:
        """Return a list of things, a long one cut short."""
        named = [self.the(thing) for thing in things[:MOST_NAMED]]
        if len(things) > MOST_NAMED:
            named.append(f"{len(things) - MOST_NAMED} more")
        return listed(named)

    # Where something is

    def where(self, key: str) -> str:
        """Say where something is: ``The cup is on the left nightstand in the bedroom``."""
        core = self.core
        name = self.the(key)
        if key in core.surfaces.of:
            return f"{_capital(name)} is {self.in_room(key)}."
        holder = core.view.holder(key)
        if holder is not None:
            whose = "my" if holder == self.seat else f"{self.player(holder)}'s"
            return f"{_capital(name)} is in {whose} hand."
        return f"{_capital(name)} is {self.place_of(key)}."

    def place_of(self, thing: str) -> str:
        """Return where a thing lies: ``in the wardrobe in the bedroom``."""
        core = self.core
        surface = core.view.receptacle_of(thing)
        if surface is not None:
            how = "in" if surface.receptacle.kind == "within" else "on"
            return f"{how} {self.the(surface.furniture.handle)} {self.in_room(thing)}"
        return f"on the floor {self.in_room(thing)}"

    def in_room(self, key: str) -> str:
        at = self.core.view.pose(key).position
        room = self.core.simulator.scene.room_around(at)
        return "somewhere" if room is None else f"in {self.the(room.room_id)}"

    def where_am_i(self) -> str:
        at = self.core.world.agents[self.seat].position
        room = self.core.simulator.scene.room_around(at)
        return "I am on my way." if room is None else f"I am in {self.the(room.room_id)}."

    def player(self, seat: str) -> str:
        """Return the name of another body: ``the person``, ``Robot 2``."""
        return spoken(self._names()[seat])

    def _names(self) -> dict[str, str]:
        return names_of([s.seat for s in self.core.spec.seats])

    # To one of several

    def you(self, seat: str) -> str:
        """Return how somebody is spoken of: *you* where there is nobody else."""
        return "you" if self._is_alone_with_one() else self.player(seat)

    def to(self, seat: str, said: str) -> str:
        """Return a line; one that says *you* is addressed to the one of several for whom it is."""
        is_plain = self._is_alone_with_one() or not _YOU.search(said)
        return said if is_plain else f"@{self._names()[seat]} {said}"

    def asked_by(self, seat: str) -> str:
        """Return the reason for what somebody asked for: ``you asked me to``."""
        return f"{self.you(seat)} asked me to"

    @property
    def why_aside(self) -> str:
        """Reason to step aside for somebody who pushes."""
        return f"{'you want' if self._is_alone_with_one() else 'somebody wants'} to pass"

    def for_absent(self, seat: str, things: Sequence[str]) -> str:
        """Say that it takes what somebody has who is away."""
        who = self.you(seat)
        return (
            f"{_capital(who)} {'are' if who == 'you' else 'is'} away: I take {self.some(things)}."
        )

    def relieves(self, owner: str | None, asker: str) -> str:
        """Tell whoever was to see to a thing that they need not; empty where nobody was."""
        if owner in (None, asker, self.seat) or owner not in self.core.state.occupied():
            return ""
        return (
            f" {_capital(self.player(owner))} need not see to it: {self.player(asker)} asked me to."
        )

    def _is_alone_with_one(self) -> bool:
        return len(self.core.state.occupied()) <= 2

    # What is done

    def doing(self, thing: str, steps: Sequence[Step]) -> str:
        """Return what is done by steps: ``taking the red book to the coffee table``."""
        return in_words(self.core.names.labels, thing, steps)

    def wanted(self, goal: Goal) -> str:
        """Return what a goal wants done: ``take the red book to the coffee table``."""
        match goal.ways[0][-1]:
            case Put(target, relation, near):
                beside = f", next to {self.the(near)}" if near else ""
                if relation == "floor":
                    room = f" of {self.the(target)}" if target else ""
                    return f"put {self.the(goal.thing)} on the floor{room}{beside}"
                into = "into" if relation == "within" else "to"
                return f"take {self.the(goal.thing)} {into} {self.the(target)}{beside}"
            case Change(verb, _):
                return f"{_WASH.get(verb, 'see to')} {self.the(goal.thing)}"
        return f"see to {self.the(goal.thing)}"

    def belongs(self, goals: Iterable[Goal]) -> str:
        """Say where a thing belongs, or what becomes of it."""
        told = [self.wanted(goal) for goal in goals]
        return f"The task wants somebody to {listed(told)}." if told else ""

    def remaining(self, goals: Sequence[Goal]) -> str:
        """Say whether the task is done, and if not, what is missing."""
        if not goals:
            return ALL_DONE
        first = self.wanted(goals[0])
        more = len({goal.thing for goal in goals}) - 1
        others = f", and {more} more thing{'s' if more > 1 else ''} to see to" if more else ""
        return f"Not yet: somebody has to {first}{others}."

    # Sharing the work

    def verb(self, goal: Goal) -> str:
        """Return what changes a state for a goal: ``wash``."""
        last = goal.ways[0][0]
        return _WASH.get(last.verb, "see to") if isinstance(last, Change) else "see to"

    def plan_aloud(
        self, mine: Sequence[str], theirs: dict[str, list[str]], wash: list[Goal], tap: str = ""
    ) -> str:
        """Say who takes what: ``I take the red book, you take the blue book``.

        ``wash`` is what only a person can do; ``tap`` where the first of it is brought.
        """
        asked_for = {goal.thing for goal in wash}
        washers = {t: s for s, things in theirs.items() for t in things if t in asked_for}
        theirs = {s: [t for t in things if t not in asked_for] for s, things in theirs.items()}
        parts = [f"I take {self.some(mine)}"] if mine else []
        is_pair = self._is_alone_with_one()
        for seat, things in theirs.items():
            if things:
                who = "you take" if is_pair else f"{self.player(seat)} takes"
                parts.append(f"{who} {self.some(things)}")
        lines = [f"{_capital(', '.join(parts))}."] if parts else []
        if wash:
            lines.append(f"{self._asked(wash[:MOST_NAMED], washers)} My body cannot.")
        if wash and tap:
            lines.append(f"I bring {self.the(wash[0].thing)} to {self.the(tap)}.")
        if parts and not mine and not tap:
            lines.append("Nothing is left for me: say so if I can help.")
        return " ".join(lines)

    def _asked(self, goals: Sequence[Goal], owners: dict[str, str]) -> str:
        """Ask those who see to some things for what only a person can do with them."""
        asked: dict[str, list[str]] = {}
        for goal in goals:
            owner = owners.get(goal.thing)
            who = "somebody" if owner is None else self.you(owner)
            is_you = self._is_alone_with_one()
            asked.setdefault("you" if is_you else who, []).append(self.wanted(goal))
        return " ".join(f"Could {who} {listed(wanted)}?" for who, wanted in asked.items())

    def ask_for(self, goals: Sequence[Goal]) -> str:
        """Ask somebody to do what the own body cannot."""
        return f"Could you {listed([self.wanted(g) for g in goals[:MOST_NAMED]])}? I cannot."


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
