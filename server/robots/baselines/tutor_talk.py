"""The talk of a tutorial's helper: what it answers to a line, and what that makes it do.

It understands lines as the scripted partner does (`partner/`), and answers what that answers of the
house. The task is the learner's: what it does not do it declines in words.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from episodes.poses import Vec3
from episodes.rules import TargetVerb
from episodes.tasks.words import listed
from server.robots.baselines.partner import phrases
from server.robots.baselines.partner.knowledge import Knowledge
from server.robots.baselines.partner.order import Order
from server.robots.baselines.partner.phrases import Phrases
from server.robots.baselines.partner.places import room_id_around
from server.robots.baselines.partner.questions import Questions
from server.robots.baselines.partner.referents import Referents, is_of_rooms
from server.robots.baselines.partner.request import Action, Request
from server.robots.baselines.partner.sharing import SharedWork
from server.robots.baselines.partner.understanding import begins_with_no, understand
from server.robots.baselines.partner.vocabulary import vocabulary
from server.robots.baselines.partner.words import Mention, Name, clauses
from server.sessions.core import SessionCore

_CHANGES: Mapping[Action, tuple[TargetVerb, str, bool]] = {
    "clean": ("clean", "is_clean", True),
    "fill": ("fill", "is_filled", True),
    "power_on": ("power_on", "is_powered_on", True),
    "power_off": ("power_off", "is_powered_on", False),
}
"""Changes that can be asked for: the verb, and the state that a thing then has."""
_VERBS: Mapping[TargetVerb, str] = {
    "clean": "wash",
    "fill": "fill",
    "power_on": "switch on",
    "power_off": "switch off",
}

DOING = "I wait here, and say where things are."
DOING_CHANGES = "I wait here: I say where things are, and wash, fill or switch what you ask for."
HELLO_BACK = "Hello! Ask me where something is."
ABLE = "I say where things are, and what is in or on them. The rest is for you to try."
ABLE_CHANGES = "I say where things are, and wash, fill or switch what you name."
CANNOT = "My body is a robot: it cannot {verb} {thing}. Yours can."
WHICH = "Which thing should I {verb}? {things}"
SURE = "Sure, I am on my way."
YOURS = "All right, {things} {are} yours."
LEFT_TO_YOU = "I carry and open nothing here, so that you can try it. {able}"
YOUR_TASK = "The task is yours alone. {task}"
STOPS = "All right, I stop, and leave it as it is."
STANDS = "I am standing still already."
NO_HELP = "All right: I do nothing unless you ask me to."
ALONE = "All right, I leave {things} alone."
AGAIN = "As I said: {said}"
STRANGE = (
    "I did not understand that: I know few words. {able}",
    "That is more than I know. Ask me where something is, by its name.",
    "I cannot make that out. Say it in short, one thing at a time.",
)
_NOES = frozenset({"no", "stop", "thanks", "unknown", "unsure", "help", "ban", "nod", "i_take"})
"""Kinds of lines that are a no where they begin with one."""


class Reply(NamedTuple):
    """An answer, and what the helper does."""

    says: str
    change: tuple[TargetVerb, str] | None = None
    """The change that it goes to make, and of what."""
    stops: bool = False
    """Whether it breaks off all that it does."""
    spares: tuple[str, ...] = ()
    """The things that it leaves alone from now on; the rest it does all the same."""


class _Standing:
    """Hands of somebody who waits: what it is asked for it does by its script."""

    is_stopped = False

    def __init__(self, seat: str) -> None:
        self.seat = seat

    def told_doing(self) -> str:
        return DOING

    def busy_with(self) -> str:
        return ""

    def stop(self, asker: str) -> None:
        """Stand still, as before."""

    def go_on(self) -> None:
        """Stand still, as before."""

    def obey(self, order: Order) -> None:
        """Stand still, as before."""

    def let_go_of(self, thing: str) -> None:
        """Stand still, as before."""


class TutorTalk:
    """The talk of one helper, and what it has said and asked last."""

    def __init__(self, seat: str) -> None:
        self.seat = seat
        hands, work = _Standing(seat), SharedWork()
        self._meant = Referents(hands, work)
        self._questions = Questions(hands, work, self._meant)
        self._knowledge = Knowledge(hands, self._meant)
        self._names: tuple[Name, ...] | None = None
        self._asked: TargetVerb | None = None
        """The change of which it has asked what should have it."""
        self._said = self._spoken = ""
        self._strange = 0
        """Lines that it has not understood."""

    def answer(
        self, core: SessionCore, text: str, learner: str = "", *, busy: Collection[str] = ()
    ) -> Reply:
        """Return what is answered to a line of the learner's.

        ``busy`` are the things whose changes it is making, or is about to.
        """
        if self._names is None:
            self._names = vocabulary(core)
        asked, self._asked = self._asked, None
        request = understand(text, self._names)
        reply = self._reply(core, request, text, learner, asked, busy)
        # Whoever says two things is not answered the same twice.
        says = AGAIN.format(said=reply.says) if reply.says == self._spoken else reply.says
        self._said, self._spoken = reply.says, says
        return reply._replace(says=says)

    def _reply(
        self,
        core: SessionCore,
        request: Request,
        text: str,
        learner: str,
        asked: TargetVerb | None,
        busy: Collection[str],
    ) -> Reply:
        wanted = _wanted(core, request, text, self._names or ())
        if wanted is None and asked is not None and request.thing is not None:
            # It says only which.
            wanted = _Wanted(asked, _fitting(core, request, asked, text), request)
        if wanted is not None:
            claim = self._claimed(core, request) if request.kind == "i_take" else ""
            reply = self._changing(core, wanted, text)
            return reply._replace(says=f"{claim} {reply.says}".strip())
        if self._is_no(request, text):
            if request.action == "spare" and request.thing is not None and request.thing.keys:
                keys = request.thing.keys
                some = Phrases(core, self.seat).some(keys)
                says = STOPS if not set(busy).isdisjoint(keys) else ALONE.format(things=some)
                return Reply(says, spares=keys)
            if busy:
                return Reply(STOPS, stops=True)
            stands = request.kind == "stop" and not begins_with_no(text)
            return Reply(STANDS if stands else NO_HELP)
        return Reply(self._said_of(core, request, learner))

    def _is_no(self, request: Request, text: str) -> bool:
        """Tell whether a line says no: to what it does, offers, or might do."""
        if request.kind in ("no", "stop", "ban") or request.action == "spare":
            return True
        return request.kind in _NOES and (request.declines or begins_with_no(text))

    def _changing(self, core: SessionCore, wanted: _Wanted, text: str) -> Reply:
        """Answer a wish for a change."""
        verb, thing, request = wanted
        say = Phrases(core, self.seat)
        if core.view.seat_kind(self.seat) not in core.profile.state_changers:
            named = "that" if thing is None else say.the(thing)
            return Reply(CANNOT.format(verb=_VERBS[verb], thing=named))
        if thing is not None:
            return Reply(SURE, (verb, thing))
        self._asked = verb
        near = () if request.thing is None else request.thing.keys
        examples = _examples(core, verb, near)
        absent = _absent(core, request, text, self._names or ())
        if absent:
            return Reply(f"{say.none_here(absent)} {examples}")
        return Reply(WHICH.format(verb=_VERBS[verb], things=examples))

    def _said_of(self, core: SessionCore, request: Request, learner: str) -> str:
        """Return the answer to what asks for no change."""
        plain = {
            "hello": HELLO_BACK,
            "thanks": phrases.WELCOME,
            "sorry": phrases.NO_HARM,
            "nod": phrases.AGREED,
            "yes": phrases.AGREED,
            "go_on": phrases.AGREED,
            "time": phrases.CLOCK,
            "keys": phrases.KEYS,
            "again": self._said or phrases.SAID_NOTHING,
            "self": self._able(core),
            "doing": self._doing(core),
        }
        if request.kind in plain:
            return plain[request.kind]
        of_house = {
            "where": self._where,
            "belongs": self._where,
            "state": self._knowledge.state,
            "contents": self._knowledge.contents,
            "count": self._knowledge.count,
        }
        if request.kind in of_house:
            return of_house[request.kind](core, learner, request)
        if request.kind in ("task", "remaining", "shares", "suggest", "report"):
            return YOUR_TASK.format(task=core.task_text)
        if request.kind == "i_take":
            after = [self._said_of(core, part, learner) for part in self._after(core, request)]
            return " ".join([self._claimed(core, request) or phrases.AGREED, *after])
        if request.kind in ("do", "you_take", "help", "unable", "correct"):
            return LEFT_TO_YOU.format(able=self._able(core))
        self._strange += 1
        return STRANGE[(self._strange - 1) % len(STRANGE)].format(able=self._able(core))

    def _where(self, core: SessionCore, learner: str, request: Request) -> str:
        told = where_told(core, self.seat, request)
        return told or self._questions.where(core, learner or self.seat, request)

    def _after(self, core: SessionCore, claim: Request) -> list[Request]:
        """Return what follows a claim: *it* is what was claimed, *the other one* what was not."""
        claimed, named = self._kept(core, claim), claim.thing
        if not claim.then or named is None or not claimed:
            return list(claim.then[:1])
        part = claim.then[0]
        others = tuple(k for k in named.keys if k in core.world.objects and k not in claimed)
        if part.other and others:
            part = part._replace(thing=named._replace(keys=others), points=False, other=False)
        elif part.points and part.thing is None and not part.other:
            part = part._replace(thing=named._replace(keys=tuple(claimed)), points=False)
        return [part]

    def _kept(self, core: SessionCore, claim: Request) -> list[str]:
        """Return the things that a claim names: those in the room that it names, if any are."""
        keys = () if claim.thing is None else claim.thing.keys
        things = [key for key in keys if key in core.world.objects]
        if claim.room is None or not is_of_rooms(core, claim.room):
            return things
        return [key for key in things if room_id_around(core, key) in claim.room.keys] or things

    def _claimed(self, core: SessionCore, request: Request) -> str:
        """Return what is said of what the learner keeps for themselves; empty: it is not clear."""
        things = self._kept(core, request)
        if not things or (len(things) > 1 and not request.many):
            return ""
        are = "is" if len(things) == 1 else "are"
        return YOURS.format(things=Phrases(core, self.seat).some(things), are=are)

    def _able(self, core: SessionCore) -> str:
        return ABLE_CHANGES if self._changes(core) else ABLE

    def _doing(self, core: SessionCore) -> str:
        return DOING_CHANGES if self._changes(core) else DOING

    def _changes(self, core: SessionCore) -> bool:
        return core.view.seat_kind(self.seat) in core.profile.state_changers


class _Wanted(NamedTuple):
    """A wish for a change: the verb, of what (None: of nothing that is here), and its request."""

    verb: TargetVerb
    thing: str | None
    request: Request


def _wanted(core: SessionCore, whole: Request, text: str, names: Sequence[Name]) -> _Wanted | None:
    """Return the change that a line asks for; None: it asks for none."""
    # A claim may come before what is asked for: the person takes one thing, the helper another.
    asked = next((part for part in whole.parts() if part.action in _CHANGES), whole)
    action = asked.action if asked.kind != "unknown" else _change_of_unknown(text, names)
    change_to = None if action is None else _CHANGES.get(action)
    if change_to is None:
        return None
    verb = change_to[0]
    return _Wanted(verb, _fitting(core, asked, verb, text), asked)


def _fitting(core: SessionCore, asked: Request, verb: TargetVerb, text: str) -> str | None:
    """Return the thing that a request means and a verb changes; None: there is none.

    Of several that are meant, and are in the room that is named, it is the one whose label was
    said, or that stands nearest to what is named beside it, or most of whose words were said, then
    one whose state would change, then one in a hand.
    """
    _, state, value = next(change for change in _CHANGES.values() if change[0] == verb)
    states, held = core.world.states, set(core.world.held.values())
    words = "" if asked.thing is None else asked.thing.words.lower()
    named = () if asked.thing is None else asked.thing.keys
    if asked.points and not named:
        named = tuple(held)
    known = [key for key in named if (key, state) in states]
    rooms = asked.room or asked.place
    if rooms is not None and is_of_rooms(core, rooms):
        # What is in another room is not meant, whatever it is called.
        known = [key for key in known if room_id_around(core, key) in rooms.keys or key in held]
    said = set(_WORD.findall(text.lower())) - _SMALL_WORDS
    beside = None if asked.place is None else _position(core, asked.place)
    return min(
        known,
        key=lambda key: (
            core.view.label(key).lower() != words,
            # *The lamp by the bed* is the one that stands nearest to it.
            0.0 if beside is None else math.dist(beside, core.view.pose(key).position),
            -len(said & set(_WORD.findall(core.view.label(key).lower()))),
            states[key, state] == value,
            key not in held,
        ),
        default=None,
    )


def _absent(core: SessionCore, asked: Request, text: str, names: Sequence[Name]) -> str:
    """Return the words for a thing that is not here; empty: no thing is named."""
    if asked.thing is None:
        unknown = [m for c in clauses(text, names) for m in c.mentions if not m.keys]
        return unknown[0].words if unknown else ""
    words, rooms = asked.thing.words, asked.room or asked.place
    if rooms is None or not is_of_rooms(core, rooms) or rooms.words in words:
        return words
    return f"{words} in the {rooms.words}"


def where_told(core: SessionCore, seat: str, asked: Request) -> str:
    """Return where the things are that a question names; empty: it names none."""
    keys = () if asked.thing is None else asked.thing.keys
    placed = [k for k in keys if k in core.surfaces.of or k in core.world.objects]
    return " ".join(Phrases(core, seat).where(key) for key in placed[:2])


def _position(core: SessionCore, place: Mention) -> Vec3 | None:
    """Return where the furniture stands beside which something is; None: it is no furniture."""
    furniture = [key for key in place.keys if key in core.surfaces.of]
    return core.view.pose(furniture[0]).position if len(furniture) == 1 else None


_WORD = re.compile(r"\w+")
_SMALL_WORDS = frozenset({"the", "a", "by", "in", "on", "of", "at", "to", "next", "beside", "near"})
"""Words that tell nothing of which thing is meant."""
_ASKED = re.compile(r"^(?:(?:can|must|you|want|need|I|to|now|then|REQ) )*(clean|fill|turn)\b(.*)")


def _change_of_unknown(text: str, names: Sequence[Name]) -> Action | None:
    """Return the change that a line asks for of something that is not here; None: of nothing."""
    for clause in clauses(text, names):
        found = _ASKED.match(clause.pattern)
        if found is not None and not re.match(r"(?:i|we) ", clause.pattern):
            if found[1] == "turn":
                return "power_off" if re.search(r"\boff\b", found[2]) else "power_on"
            return "clean" if found[1] == "clean" else "fill"
    return None


def _examples(core: SessionCore, verb: TargetVerb, near: Sequence[str]) -> str:
    """Return a sentence that names what a verb would change, things of the sort ``near`` first."""
    _, state, value = next(change for change in _CHANGES.values() if change[0] == verb)
    found = [k for (k, has), now in core.world.states.items() if has == state and now != value]
    if not found:
        return "There is nothing here that needs it."
    found.sort(key=lambda key: key not in near)
    return f"For instance: {listed([f'the {core.view.label(key)}' for key in found[:3]])}."
