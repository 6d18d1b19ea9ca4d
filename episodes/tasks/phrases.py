"""Phrases of an instruction: what things and places are called, and what is done with them."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass

from episodes.tasks.goals import Change, Clause, Move, Target, Things
from episodes.tasks.words import any_of, article, is_plural, listed, noun, number, room_noun, some

# Base form, form with -ing, participle.
Verb = tuple[str, str, str]
PUT: tuple[Verb, ...] = (
    ("put", "putting", "put"),
    ("place", "placing", "placed"),
    ("set", "setting", "set"),
    ("leave", "leaving", "left"),
)
STORE: tuple[Verb, ...] = (
    ("put", "putting", "put"),
    ("place", "placing", "placed"),
    ("store", "storing", "stored"),
    ("put away", "putting away", "put away"),
)
BRING: tuple[Verb, ...] = (
    ("bring", "bringing", "brought"),
    ("move", "moving", "moved"),
    ("take", "taking", "taken"),
    ("carry", "carrying", "carried"),
)
CHANGE: dict[str, tuple[Verb, ...]] = {
    "is_clean": (("wash", "washing", "washed"), ("clean", "cleaning", "cleaned")),
    "is_dry_clean": (
        ("clean", "cleaning", "cleaned"),
        ("wipe down", "wiping down", "wiped down"),
    ),
    "is_filled": (("fill", "filling", "filled"),),
    "is_powered_on": (
        ("turn on", "turning on", "turned on"),
        ("switch on", "switching on", "switched on"),
    ),
    "is_powered_off": (
        ("turn off", "turning off", "turned off"),
        ("switch off", "switching off", "switched off"),
    ),
}
RELATION = {"on": ("on", "on", "on top of"), "within": ("in", "inside", "in")}
TOGETHER = ("next to each other", "side by side", "close together", "right beside each other")


@dataclass(slots=True)
class Phrase:
    """A clause in words: what is done (by its three forms), with what, and where."""

    verb: Verb
    things: str
    pronoun: str
    rest: str
    is_plural: bool
    """Whether the grammar's number is plural: ``they are``."""
    tags: set[str]

    def _joined(self, verb: str, things: str) -> str:
        head, space, particle = verb.partition(" ")
        if space and things in ("it", "them"):
            words = f"{head} {things} {particle}"
        elif particle == "away":
            words = f"{head} {things} away"
        else:
            words = f"{verb} {things}"
        return f"{words}{_spaced(self.rest)}"

    def base(self) -> str:
        """Return the base form: ``put the cup on the table``."""
        return self._joined(self.verb[0], self.things)

    def doing(self) -> str:
        """Return the form with -ing: ``putting the cup on the table``."""
        return self._joined(self.verb[1], self.things)

    def passive(self, auxiliary: str) -> str:
        """Return ``the cup should be put on the table``, for the auxiliary ``should be``."""
        return f"{self.things} {auxiliary} {self.verb[2]}{_spaced(self.rest)}"

    def done(self) -> str:
        """Return ``the cup is on the table``, as something that has come about."""
        return (
            f"{self.things} {'are' if self.is_plural else 'is'} {self.verb[2]}{_spaced(self.rest)}"
        )


def _spaced(words: str) -> str:
    if not words:
        return ""
    return words if words.startswith(",") else f" {words}"


class Speaker:
    """Names of things, as a person gives them who has talked of some of them already."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.tags: set[str] = set()
        self._known: set[tuple[str, ...]] = set()
        self._last: tuple[str, ...] = ()
        self._last_target: Target | None = None

    def phrase(self, clause: Clause) -> Phrase:
        """Put a clause in words; what it names is known from now on."""
        things = clause.things
        tags: set[str] = set()
        words, pronoun = self._things(things, tags)
        plural = things.number > 1
        if isinstance(clause, Change):
            phrase = self._change(clause, words, plural, tags)
        else:
            phrase = self._move(clause, words, plural, tags)
        phrase.pronoun = pronoun
        self._known.add(things.handles)
        self._last = things.handles
        self.tags |= tags
        return phrase

    # Things

    def _things(self, things: Things, tags: set[str]) -> tuple[str, str]:
        pronoun = "them" if things.number > 1 else "it"
        if things.handles == self._last and self.rng.random() < 0.75:
            tags.add("coreference")
            return pronoun, pronoun
        if things.handles in self._known:
            tags.add("coreference")
            return self._short(things), pronoun
        if things.is_choice:
            return self._choice(things, tags), pronoun
        return self._all(things, tags), pronoun

    def _short(self, things: Things) -> str:
        """Return a short name for known things."""
        classes = Counter(things.classes)
        if things.is_choice and len(classes) > 1:
            return "them" if things.number > 1 else "it"
        if things.is_choice:
            name = next(iter(classes))
            return f"{'those' if things.number > 1 else 'that'} {noun(name, things.number)}"
        if things.group is not None:
            return f"the {things.group}"
        return listed([f"the {noun(c, n)}" for c, n in classes.items()])

    def _all(self, things: Things, tags: set[str]) -> str:
        classes = Counter(things.classes)
        where = self._from(things)
        if things.group is not None:
            tags.add("category")
            named = self.rng.random() < 0.4
            names = listed([f"the {noun(c, n)}" for c, n in classes.items()])
            words = self.rng.choice(["all the", "the", "all of the"])
            inner = f" ({names})" if named else ""
            return f"{words} {things.group}{inner}{where}"
        parts = []
        for name, count in classes.items():
            if count == 1:
                parts.append(f"the {noun(name)}")
                continue
            tags.add("quantity")
            options = [f"the {number(count)} {noun(name, count)}", f"all the {noun(name, count)}",
                       f"all {number(count)} {noun(name, count)}"]  # fmt: skip
            if count == 2:
                options = [f"both {noun(name, 2)}", f"both of the {noun(name, 2)}", options[0]]
            parts.append(self.rng.choice(options))
        return f"{listed(parts)}{where}"

    def _choice(self, things: Things, tags: set[str]) -> str:
        classes = Counter(things.classes)
        where = self._from(things)
        count, total = things.number, len(things.handles)
        if things.group is not None:
            tags |= {"category", "quantity"}
            return f"{number(count)} of the {things.group}{where}"
        if len(classes) > 1:
            tags.add("alternative")
            names = [f"the {noun(c, n)}" for c, n in classes.items()]
            either = "either " if len(names) == 2 and self.rng.random() < 0.5 else ""
            return f"{either}{listed(names, 'or')}{where}"
        (name,) = classes
        if count == 1:
            options = [article(noun(name)), f"one of the {noun(name, 2)}", f"any {noun(name)}"]
            return f"{self.rng.choice(options)}{where}"
        tags.add("quantity")
        of = self.rng.choice(["the", f"the {number(total)}"])
        return f"{number(count)} of {of} {noun(name, total)}{where}"

    def _from(self, things: Things) -> str:
        if things.home is not None:
            return f" in the {room_noun(things.home)}"
        if things.source is None or self.rng.random() < 0.5:
            return ""
        room = room_noun(things.source)
        plural = things.number > 1
        return self.rng.choice(
            [
                f" from the {room}",
                f" in the {room}",
                f" that {'are' if plural else 'is'} in the {room}",
            ]
        )

    # What is done

    def _change(self, clause: Change, words: str, plural: bool, tags: set[str]) -> Phrase:
        dry = clause.state == "is_clean" and clause.things.home is not None
        verb = self.rng.choice(CHANGE["is_dry_clean" if dry else clause.state])
        rest = ""
        if clause.state == "is_filled":
            rest = self.rng.choice(["with water", "with water", "with fresh water", "at the tap"])
        return Phrase(verb, words, "", rest, plural, tags)

    def _move(self, clause: Move, words: str, plural: bool, tags: set[str]) -> Phrase:
        target = clause.target
        if target == self._last_target and not clause.again and len(target.handles) == 1:
            tags.add("coreference")
            verb = self.rng.choice((*PUT[:2], *BRING[:2]))
            place = self.rng.choice(["there", "there", "to the same place"])
            if place != "there":
                verb = self.rng.choice(BRING)
        else:
            verb, place = self._place(clause, tags)
        self._last_target = target
        if clause.together:
            tags.add("spatial_relation")
            place = f"{self.rng.choice(TOGETHER)} {self._place(clause, tags)[1]}"
            verb = self.rng.choice(PUT)
        return Phrase(verb, words, "", place, plural, tags)

    def _place(self, clause: Move, tags: set[str]) -> tuple[Verb, str]:
        target = clause.target
        if target.relation == "room":
            room = f"the {room_noun(target.room)}"
            if self.rng.random() < 0.8:
                return self.rng.choice(BRING), f"to {room}"
            return self.rng.choice((PUT[0], PUT[3])), f"in {room}"
        if target.relation == "floor":
            room = room_noun(target.room)
            place = self.rng.choice([f"on the floor in the {room}", f"on the {room} floor"])
            return self.rng.choice(PUT), place
        furniture = self._furniture(clause, tags)
        bring = target.relation == "on" and not clause.together
        if bring and self.rng.random() < 0.35:
            return self.rng.choice(BRING), f"to {furniture}"
        verbs = PUT if target.relation == "on" else STORE
        word = self.rng.choice(RELATION[target.relation])
        return self.rng.choice(verbs), f"{word} {furniture}"

    def _furniture(self, clause: Move, tags: set[str]) -> str:
        target = clause.target
        name = noun(target.furniture)
        room = f" in the {room_noun(target.room)}" if target.room else ""
        if clause.again:
            tags.add("coreference")
            that = "those" if is_plural(target.furniture) else "that"
            return self.rng.choice([f"{that} same {name}", f"the same {name}"])
        if len(target.handles) == 1:
            return f"the {name}{room}"
        if clause.spread == "same":
            return f"the same {name}{room}"
        if clause.spread == "different":
            a = "" if is_plural(target.furniture) else "a "
            return f"{a}different {name}{room} each"
        one_of = f"one of the {noun(target.furniture, 2)}"
        words = self.rng.choice([some(target.furniture), one_of, any_of(target.furniture)])
        return f"{words}{room}"
