"""Sentences of the scripted partner: templates over the names that everybody reads."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from episodes.evaluation.account_sentences import capital
from episodes.seat_names import names_of, spoken
from episodes.tasks.words import listed
from server.robots.baselines.expert.goals import Goal
from server.robots.baselines.partner.absence import Inherited, there
from server.robots.baselines.partner.places import room_around
from server.robots.baselines.partner.request import Request
from server.robots.baselines.scripted_player import Change, Put, Step
from server.robots.baselines.step_aims import carried, in_words, put_it
from server.sessions.core import SessionCore

MOST_NAMED = 3
LONGEST = 72
"""Characters of a sentence without names, at most: three rows of the chat in a window of 800 x 450,
beside who says it."""
LONGEST_NAMED = 120
"""Characters of a line with the longest names of a house, at most: what must not be missed, such as
what is asked, stands first, because small windows cut the end of a long line."""

NOT_UNDERSTOOD = "I did not understand: I know few words. Say stop, help, or what to do."
ABLE = "I carry things, open and shut furniture, say where things are, and stop."
NO_PAST = "I keep no account of what I did: ask me what is left to do."
NOT_WHERE_IT_WAS = "I keep no account of where things were: say where it should go."
NOT_BEFORE = "I keep no account of where things were."
NO_SUCH_SIDE = "I can put it on, in or next to something, and nowhere else."
DO_WHAT = "What should I do with it?"
WHAT_THERE = "What should I do there? Say which thing, and where it should go."
FURNITURE_STAYS = "Furniture stays where it is: neither of us can move it."
WHICH_FURNITURE = "Which furniture do you mean? Say its name."
COUNT_WHAT = "How many of what? Say the name of the thing."
SAID_NOTHING = "I have not said anything yet."
CLOCK = "I have no clock: the time of the task stands at the top of your screen."
KEYS = "Press H, or Help: there the page shows every key and button."
CANNOT_KEEP = 'I cannot promise that. I can stop, or leave a thing: "leave the book".'
UNABLE = "I cannot do that. Say a thing, and where to put it, or what to open."
NOT_SURE = "I am not sure what you mean. Say it in short, one thing at a time."
STOPPED = "I stop. Say go on when I should continue."
GOING_ON = "I go on."
HELLO = "Hello! I am a scripted partner: ask me, or tell me what to do."
WELCOME = "You are welcome."
AGREED = "All right."
ALL_DONE = "I think we are done. Press Finish if you think so too."
NOTHING_MORE = "I see nothing more to do. Press Finish if you think so too."
ENDS = "The task ends when everybody has pressed Finish."
GOES_ON = "All right: the task goes on until everybody has pressed Finish."
NOTHING_LEFT = "There is nothing left that I could take."
NOTHING_FOR_ME = "Nothing else is left for me: say so if I can help, or press Finish."
NOTHING_FOR_YOU = "There is nothing left to do for you, as far as I know."
HOW_SHARED = "Whoever has least to walk takes the next: say if you want it otherwise."
MAKING_WAY = "Sorry, I step aside."
NO_HARM = "No harm done."
NO_TO_WHAT = "No to what? Say stop, or say who should take which thing."
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

    def which(self, choices: Sequence[str], most: int) -> str:
        """Ask which of several is meant, by name; of too many, how to tell them apart."""
        if not choices or len(choices) > most:
            return "Which one do you mean? Say its name, and its colour or its room."
        named = [self.the(key) for key in choices]
        if len(named) == 1:
            return f"Do you mean {named[0]}? Say its name."
        return f"Which one do you mean, {listed(named, 'or')}?"

    def none_here(self, words: str) -> str:
        """Say that no thing of a name is known."""
        if words in ("drawer", "drawers", "door", "doors"):
            return f"Which {words} do you mean? Say of which furniture."
        return f"I know of no {words}." if " in the " in words else f"I know of no {words} here."

    def not_sure(self, request: Request) -> str:
        """Ask whether what was understood of a line is what is meant."""
        wish = self._wish(request)
        if not wish:
            return NOT_SURE
        return f"Should I {wish}? Say yes, or say it another way."

    def _wish(self, request: Request) -> str:
        """Return what a request wants of the robot: ``open the fridge``; empty: not to be told."""
        thing = "it" if request.thing is None else f"the {request.thing.words}"
        place = "" if request.place is None else f"the {request.place.words}"
        if request.kind in ("go_on", "stop"):
            return "go on" if request.kind == "go_on" else "stop"
        if request.kind == "i_take":
            return f"leave {thing} {'alone' if request.action == 'spare' else 'to you'}"
        if request.kind != "do":
            return f"take {thing}" if request.kind == "you_take" else ""
        if request.action == "go":
            to = "come to you" if request.to_me else ""
            return f"go to {place or thing}" if place or request.thing else to
        if request.action in ("open", "close"):
            return f"{request.action} {place if request.thing is None and place else thing}"
        if request.action in _WASH:
            return f"{_WASH[request.action]} {thing}"
        if request.action == "put_down":
            return f"put {thing} down"
        if place:
            how = {"on": "on", "within": "in", "next_to": "next to", "at": "to"}[request.relation]
            return f"{'take' if how == 'to' else 'put'} {thing} {how} {place}"
        return f"bring {thing} to you" if request.to_me else f"take {thing}"

    # Where something is

    def where(self, key: str) -> str:
        """Say where something is: ``The cup is on the left nightstand in the bedroom``."""
        core = self.core
        name = self.the(key)
        if key in core.surfaces.of:
            return f"{capital(name)} is {self.in_room(key)}."
        holder = core.view.holder(key)
        if holder is not None:
            whose = "my" if holder == self.seat else f"{self.player(holder)}'s"
            return f"{capital(name)} is in {whose} hand."
        return f"{capital(name)} is {self.place_of(key)}."

    def place_of(self, thing: str) -> str:
        """Return where a thing lies: ``in the wardrobe in the bedroom``."""
        core = self.core
        surface = core.view.receptacle_of(thing)
        if surface is not None:
            how = "in" if surface.receptacle.kind == "within" else "on"
            return f"{how} {self.the(surface.furniture.handle)} {self.in_room(thing)}"
        return f"on the floor {self.in_room(thing)}"

    def in_room(self, key: str) -> str:
        room = room_around(self.core, key)
        return "somewhere" if room is None else f"in {self.the(room.room_id)}"

    def where_am_i(self) -> str:
        room = room_around(self.core, self.seat)
        return "I am on my way." if room is None else f"I am in {self.the(room.room_id)}."

    def where_is_player(self, seat: str) -> str:
        """Say in which room somebody who asks is."""
        room = room_around(self.core, seat)
        return "You are somewhere." if room is None else f"You are in {self.the(room.room_id)}."

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

    def offered_to(self, seat: str, asked: str) -> str:
        """Return an offer, addressed to the one of several whose thing it is about."""
        return asked if self._is_alone_with_one() else f"@{self._names()[seat]} {asked}"

    # Who is there, and who has what

    def has_left(self, seat: str) -> str:
        return f"{capital(self.player(seat))} has left."

    def is_away(self, seat: str, things: Sequence[str]) -> str:
        """Say that somebody is away for a moment, and what stays theirs."""
        who = self.player(seat)
        kept = f", and keeps {self.some(things)} until then" if things else ""
        return f"{capital(who)} is away just now and may come back{kept}."

    def holds(self, holder: str, thing: str) -> str:
        """Say who has a thing in the hand."""
        if holder == self.seat:
            return f"I have {self.the(thing)} in my hand."
        whose = "its" if self.core.world.bodies[holder].kind == "robot" else "their"
        return f"{capital(self.player(holder))} has {self.the(thing)} in {whose} hand."

    def goes_with(self, thing: str, carried: str) -> str:
        """Return why it waits: ``you carry the can, and the apple goes with it``."""
        who = self.you(self.core.world.holders[carried])
        carry = "carry" if who == "you" else "carries"
        return f"{who} {carry} {self.the(carried)}, and {self.the(thing)} goes with it"

    def you_choose(self, thing: str, carried: str) -> str:
        return f"I put {self.the(thing)} where you put {self.the(carried)}."

    def still_in_hand(self, thing: str, goals: Sequence[Goal]) -> str:
        """Ask whoever holds a thing to put it down where it belongs."""
        puts = (g.ways[0][-1] for g in goals if g.thing == thing)
        put = next((step for step in puts if isinstance(step, Put)), None)
        where = "it down" if put is None else put_it(self.the, put)
        return f"{capital(self.the(thing))} is still in your hand: put {where}."

    def turns_to(self, thing: str) -> str:
        """Say to what it turns instead of what somebody else wants to see to."""
        return f"I turn to {self.the(thing)}." if thing else NOTHING_FOR_ME

    def passes_on(self, thing: str, before: str, after: str, *, is_idle: bool) -> str:
        """Say that a thing is somebody else's now, to whoever had it by name."""
        more = ", and has nothing else to do" if is_idle else ""
        return (
            f"All right, {self.player(after)} takes {self.the(thing)} now: {self.player(before)} "
            f"need not see to it{more}."
        )

    def is_for_a_person(self, goal: Goal, owner: str | None) -> str:
        """Say that a robot's body cannot do what a goal wants, and who sees to it."""
        who = "I see" if owner == self.seat else f"{self.player(owner)} sees" if owner else ""
        to_it = f": {who} to it" if who else ""
        return f"A robot cannot {self.verb(goal)} {self.the(goal.thing)}{to_it}."

    def inherits(self, left: Inherited, goals: Sequence[Goal]) -> str:
        """Say who sees to what somebody had who does not any more.

        What only people can do is asked of whoever has it now. ``goals`` are those still open.
        """
        who = self.you(left.seat)
        are, have = ("are", "have") if who == "you" else ("is", "has")
        why = {"left": f"{have} left", "finished": f"{have} finished", "away": f"{are} away"}
        head = f"{capital(who)} {why[left.reason]}"
        taken: dict[str, list[str]] = {}
        asked: list[Goal] = []
        lost: list[str] = []
        for thing, heir in left.heirs.items():
            wash = [g for g in goals if g.thing == thing and g.for_people]
            if heir is None:
                lost.append(thing)
            elif wash and self.core.world.bodies[heir].kind == "human" and heir != self.seat:
                asked.extend(wash)
            else:
                taken.setdefault(heir, []).append(thing)
        parts = [
            f"{'I take' if heir == self.seat else f'{self.player(heir)} takes'} {self.some(things)}"
            for heir, things in taken.items()
        ]
        lines = [f"{head}: {', '.join(parts)}." if parts else f"{head}."]
        if asked:
            owners = {g.thing: heir for g in asked if (heir := left.heirs[g.thing]) is not None}
            if len(asked) == 1:
                lines.append(self.where(asked[0].thing))
            cannot = "" if self._is_human() else " My body cannot."
            lines.append(f"{self._asked(asked[:MOST_NAMED], owners)}{cannot}")
        if lost:
            lines.append(f"Nobody here can see to {self.some(lost)}.")
        return " ".join(lines)

    def _is_human(self) -> bool:
        return self.core.world.bodies[self.seat].kind == "human"

    def relieves(self, owner: str | None, asker: str) -> str:
        """Tell whoever was to see to a thing that they need not; empty where nobody was."""
        if owner in (None, asker, self.seat) or owner not in there(self.core):
            return ""
        return (
            f" {capital(self.player(owner))} need not see to it: {self.player(asker)} asked me to."
        )

    def _is_alone_with_one(self) -> bool:
        return len(self.core.state.occupied()) <= 2

    # What is done

    def doing(self, thing: str, steps: Sequence[Step]) -> str:
        """Return what is done by steps: ``taking the red book to the coffee table``."""
        return in_words(self.core.names.labels, thing, steps)

    def wanted(self, goal: Goal) -> str:
        """Return what a goal wants done: ``take the red book to the coffee table``."""
        last = goal.ways[0][-1]
        if isinstance(last, Put):
            return carried(self.the, goal.thing, last, "put", "take")
        verb = _WASH.get(last.verb, "see to") if isinstance(last, Change) else "see to"
        return f"{verb} {self.the(goal.thing)}"

    def belongs(self, goals: Iterable[Goal]) -> str:
        """Say where a thing belongs, or what becomes of it."""
        told = [self.wanted(goal) for goal in goals]
        return f"The task wants somebody to {listed(told)}." if told else ""

    def remaining(self, goals: Sequence[Goal], *, is_done: bool) -> str:
        """Say whether the task is done, and if not, what is missing."""
        if not goals:
            return ALL_DONE if is_done else NOTHING_MORE
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
        parts = self._parts(mine, theirs)
        lines = [f"{capital(parts)}."] if parts else []
        if wash:
            lines.append(f"{self._asked(wash[:MOST_NAMED], washers)} My body cannot.")
        if wash and tap:
            lines.append(f"I bring {self.the(wash[0].thing)} to {self.the(tap)}.")
        if parts:
            lines.extend(self._without_part(mine, theirs, set(washers.values()), tap))
        return " ".join(lines)

    def nothing_for_you(self, mine: Sequence[str], theirs: dict[str, list[str]]) -> str:
        """Say that nothing is left for whoever asks, and in a team who sees to the rest."""
        plan = "" if self._is_alone_with_one() else self._parts(mine, theirs)
        return f"Nothing is left for you: {plan}." if plan else NOTHING_FOR_YOU

    def _parts(self, mine: Sequence[str], theirs: dict[str, list[str]]) -> str:
        """Return who takes what: ``I take the red book, Person 2 takes the blue book``."""
        parts = [f"I take {self.some(mine)}"] if mine else []
        is_pair = self._is_alone_with_one()
        for seat, things in theirs.items():
            if things:
                who = "you take" if is_pair else f"{self.player(seat)} takes"
                parts.append(f"{who} {self.some(things)}")
        return ", ".join(parts)

    def _without_part(
        self, mine: Sequence[str], theirs: dict[str, list[str]], washers: set[str], tap: str
    ) -> list[str]:
        """Say for whom nothing is left: of several by name, of a pair only for itself."""
        idle = [s for s, things in theirs.items() if not things and s not in washers]
        named = [] if self._is_alone_with_one() else [self.player(s) for s in idle]
        if mine or tap:
            return [f"Nothing is left for {listed(named)}."] if named else []
        we = "we" if named else "I"
        return [f"Nothing is left for {listed([*named, 'me'])}: say so if {we} can help."]

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
