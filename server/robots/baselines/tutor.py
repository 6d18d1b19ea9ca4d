"""``tutor``: the scripted helper of a tutorial, which leaves the task to the person who learns.

It waits, answers each line of the chat, and in a human body washes, fills and switches what it is
asked for: so whoever learns finds everything where it was.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from episodes.rules import TargetVerb
from episodes.tasks.words import listed
from server.robots.baselines.partner.phrases import Phrases
from server.robots.baselines.partner.places import room_id_around
from server.robots.baselines.partner.referents import is_of_rooms
from server.robots.baselines.partner.request import Action
from server.robots.baselines.partner.understanding import understand
from server.robots.baselines.partner.vocabulary import vocabulary
from server.robots.baselines.partner.words import Name, clauses
from server.robots.baselines.scripted_player import BodyPlayer, begin
from server.sessions.core import SessionCore
from server.sessions.intents import Finish, Say
from server.skills.body import Body, Script, SkillError
from server.skills.errands import change, put_anywhere

_CHANGES: Mapping[Action, tuple[TargetVerb, str, bool]] = {
    "clean": ("clean", "is_clean", True),
    "fill": ("fill", "is_filled", True),
    "power_on": ("power_on", "is_powered_on", True),
    "power_off": ("power_off", "is_powered_on", False),
}
"""Changes that can be asked for: the verb, and the state that a thing then has."""

HELLO = "Hello, I am a scripted helper for your first steps: I wait here and say where things are."
DOING = "I wait here, and say where things are."
DOING_CHANGES = "I wait here: I say where things are, and wash, fill or switch what you ask for."
HEARD = "I read that. Here you try things yourself: ask me where something is."
CANNOT = "My body is a robot: it cannot wash, fill or switch. Yours can."
WHICH = "Which thing do you mean? {things}"
SURE = "Sure, I am on my way."
DONE = "Done: the {label}."
FAILED = "I cannot get at the {label}. Put it on a table or a counter, and ask again."


class Tutor(BodyPlayer):
    """The helper's player."""

    def script(self, body: Body) -> Script:
        core, heard = body.core, len(body.core.chat)
        yield from begin(core)
        yield [Say(HELLO)]
        while not _others_have_finished(core, self.seat):
            lines, heard = core.chat[heard:], len(core.chat)
            for line in lines:
                if line.seat != self.seat:
                    yield from self._answer(body, line.text)
            yield from self.rest(1)
        yield [Finish()]

    def _answer(self, body: Body, text: str) -> Script:
        wanted = wish(body.core, text)
        if wanted is None:
            yield [Say(told(body.core, self.seat, text) or HEARD)]
            return
        verb, thing = wanted
        if body.core.view.seat_kind(self.seat) not in body.core.profile.state_changers:
            yield [Say(CANNOT)]
            return
        if thing is None:
            yield [Say(WHICH.format(things=_examples(body.core, verb)))]
            return
        label = body.core.view.label(thing)
        yield [Say(SURE)]
        try:
            yield from change(body, verb, thing)
            if body.held is not None:
                yield from put_anywhere(body)
        except SkillError:
            yield [Say(FAILED.format(label=label))]
            return
        yield [Say(DONE.format(label=label))]


def wish(core: SessionCore, text: str) -> tuple[TargetVerb, str | None] | None:
    """Return the change that a line asks for and of what; None: it asks for no change.

    Of several things that are meant, and are in the room that is named, it is the one whose label
    was said, or most of its words, then one whose state would change, then one in a hand.
    """
    names = vocabulary(core)
    whole = understand(text, names)
    # A claim may come before what is asked for: the person takes one thing, the helper another.
    asked = next((part for part in whole.parts() if part.action in _CHANGES), whole)
    action = asked.action if asked.kind != "unknown" else _change_of_unknown(text, names)
    change_to = None if action is None else _CHANGES.get(action)
    if change_to is None:
        return None
    verb, state, value = change_to
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
    said = set(_WORD.findall(text.lower()))
    thing = min(
        known,
        key=lambda key: (
            core.view.label(key).lower() != words,
            -len(said & set(_WORD.findall(core.view.label(key).lower()))),
            states[key, state] == value,
            key not in held,
        ),
        default=None,
    )
    return verb, thing


def told(core: SessionCore, seat: str, text: str) -> str:
    """Return the answer to a question what it does or where something is; empty: it is neither."""
    asked = understand(text, vocabulary(core))
    if asked.kind == "doing":
        changes = core.view.seat_kind(seat) in core.profile.state_changers
        return DOING_CHANGES if changes else DOING
    if asked.kind not in ("where", "belongs") or asked.thing is None:
        return ""
    placed = [k for k in asked.thing.keys if k in core.surfaces.of or k in core.world.objects]
    return " ".join(Phrases(core, seat).where(key) for key in placed[:2])


_WORD = re.compile(r"\w+")
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


def _examples(core: SessionCore, verb: TargetVerb) -> str:
    """Return a sentence that names what a verb would change."""
    changes = {made: (state, value) for made, state, value in _CHANGES.values()}
    state, value = changes[verb]
    found = [k for (k, has), now in core.world.states.items() if has == state and now != value]
    if not found:
        return "There is nothing here that needs it."
    return f"For instance: {listed([f'the {core.view.label(key)}' for key in found[:3]])}."


def _others_have_finished(core: SessionCore, seat: str) -> bool:
    others = [s for name, s in core.seats.items() if name != seat and s.occupied]
    return all(s.finished or s.presence == "gone" for s in others)
