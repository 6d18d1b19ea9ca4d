"""Instruction of a plan: sentences, their order words, and who is asked to do what."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import NamedTuple

from episodes.tasks.goals import Clause, Plan
from episodes.tasks.phrases import Phrase, Speaker
from episodes.tasks.words import listed, noun, room_noun, sentence

AUXILIARIES = ("should be", "has to be", "needs to be", "ought to be", "must be")
PLURAL = {"has to be": "have to be", "needs to be": "need to be"}
ASKING = ("can you", "could you", "would you", "could you please", "will you", "can you help me")
WANTING = ("I need you to", "I want you to", "I would like you to", "you could", "I'd like you to",
           "we should", "we need to", "you should", "I want us to", "let's", "help me",
           "please help me", "please", "we could", "we have to")  # fmt: skip
FIRST = ("first", "to begin with", "start by", "first of all", "begin by")
NEXT = ("then", "next", "after that", "once that is done", "when you are done", "afterwards",
        "as soon as that is done", "when that is finished")  # fmt: skip
LAST = ("finally", "lastly", "at the end", "to finish", "last of all")
AIMS = (
    "get the {room} ready for {occasion}",
    "make the {room} nice for {occasion}",
    "tidy up the {room}",
    "clean up the {room}",
    "bring some order into the {room}",
    "rearrange the {room}",
    "prepare the {room} for {occasion}",
    "set up the {room} for {occasion}",
)
OCCASIONS = ("the evening", "the guests", "tonight", "the weekend", "a quiet afternoon",
             "the family", "tomorrow", "visitors", "the party", "a busy morning")  # fmt: skip


class Worded(NamedTuple):
    """An instruction and its sentences, a title for lists, and the linguistic phenomena in it."""

    instruction: str
    sentences: tuple[str, ...]
    title: str
    phenomena: tuple[str, ...]


def put_into_words(plan: Plan, rng: random.Random, aim_at: Sequence[str] = ()) -> Worded:
    """Put a plan into words. ``aim_at`` are rooms that a high-level goal may name."""
    writer = _Writer(plan, rng)
    sentences = writer.sentences(aim_at)
    phenomena = tuple(sorted(writer.tags))
    return Worded(" ".join(sentences), tuple(sentences), title_of(plan), phenomena)


def title_of(plan: Plan) -> str:
    """Return what a plan is about, in a few words: ``Cup, plates and lamp``."""
    names: list[str] = []
    for clause in (c for group in plan.groups for c in group):
        for name in dict.fromkeys(clause.things.classes):
            count = clause.things.classes.count(name)
            words = noun(name, 1 if clause.things.is_choice else count)
            if words not in names:
                names.append(words)
    shown = names[:3]
    words = listed(shown) if len(names) < 4 else f"{', '.join(shown)} and more"
    return words[0].upper() + words[1:]


class _Writer:
    def __init__(self, plan: Plan, rng: random.Random) -> None:
        self.plan = plan
        self.rng = rng
        self.speaker = Speaker(rng)
        self.tags: set[str] = set()

    def sentences(self, aim_at: Sequence[str]) -> list[str]:
        sentences = []
        if aim_at and self.rng.random() < 0.22:
            self.tags.add("high_level_goal")
            sentences.append(self._aim(aim_at))
        groups = self.plan.groups
        if len(groups) == 2 and all(len(g) == 1 for g in groups) and self.rng.random() < 0.35:
            self.tags.add("order")
            sentences.append(self._inverted(groups[0][0], groups[1][0]))
        else:
            for number, group in enumerate(groups):
                sentences += self._group(number, group)
        self.tags |= self.speaker.tags
        return [sentence(s) for s in sentences]

    def _aim(self, rooms: Sequence[str]) -> str:
        aim = self.rng.choice(AIMS).format(
            room=room_noun(self.rng.choice(rooms)), occasion=self.rng.choice(OCCASIONS)
        )
        opening = self.rng.choice(["help me", "let's", "I want to", "we need to", "please help me",
                                   "I would like to", "can you help me", "today we"])  # fmt: skip
        self.tags.add("agentic_reference")
        mark = "?" if opening.startswith("can") else "."
        opening = "today we will" if opening == "today we" else opening
        return f"{opening} {aim}{mark}"

    def _inverted(self, one: Clause, two: Clause) -> str:
        first = self.speaker.phrase(one)
        second = self.speaker.phrase(two)
        form = self.rng.randrange(4)
        if form == 0:
            return f"after {first.doing()}, {second.base()}"
        if form == 1:
            return f"once {first.done()}, {second.base()}"
        if form == 2:
            return f"{first.base()} before {second.doing()}"
        self.tags.add("agentic_reference")
        return f"when you have finished {first.doing()}, {second.base()}"

    # Groups

    def _group(self, number: int, group: Sequence[Clause]) -> list[str]:
        sentences = []
        for place, chunk in enumerate(self._chunks(group)):
            lead = self._lead(number, place)
            sentences.append(self._sentence(chunk, lead))
        return sentences

    def _chunks(self, group: Sequence[Clause]) -> list[list[Clause]]:
        chunks: list[list[Clause]] = []
        left = list(group)
        while left:
            size = self.rng.choice([1, 1, 2, 2, 3])
            # What belongs together is said together: "wash the cup and put it on the table".
            while size < len(left) and left[size].things.handles == left[size - 1].things.handles:
                size += 1
            chunks.append(left[:size])
            left = left[size:]
        return chunks

    def _lead(self, number: int, place: int) -> str:
        """Return the words that give the order, which begin the first sentence of a group."""
        last = len(self.plan.groups) - 1
        if last == 0:
            return self.rng.choice(["also", "and", "in addition", "", "", ""]) if place else ""
        self.tags.add("order")
        if place:
            return self.rng.choice(["also", "at the same time", "and"])
        if number == 0:
            return self.rng.choice((*FIRST, ""))
        if number == last and self.rng.random() < 0.5:
            return self.rng.choice(LAST)
        return self.rng.choice(NEXT)

    def _sentence(self, clauses: Sequence[Clause], lead: str) -> str:
        phrases = [self.speaker.phrase(c) for c in clauses]
        if lead in ("start by", "begin by"):
            return f"{lead} {listed([p.doing() for p in phrases])}"
        if lead == "and":
            return f"and {listed([p.base() for p in phrases])}"
        comma = "" if lead in ("", "then", "also") else ","
        lead = f"{lead}{comma} " if lead else ""
        form = self.rng.random()
        if form < 0.17:
            return self._passive(phrases, lead)
        if form < 0.32:
            self.tags |= {"question", "agentic_reference"}
            return f"{lead}{self.rng.choice(ASKING)} {_and(phrases)}?"
        if form < 0.5:
            wish = self.rng.choice(WANTING)
            if wish != "please":
                self.tags.add("agentic_reference")
            return f"{lead}{wish} {_and(phrases)}"
        if form < 0.58 and len(phrases) > 1:
            return self._divided(phrases, lead)
        return f"{lead}{_and(phrases)}"

    def _passive(self, phrases: Sequence[Phrase], lead: str) -> str:
        self.tags.add("passive")
        parts = []
        for phrase in phrases:
            if phrase.things in ("it", "them"):
                phrase.things = "they" if phrase.things == "them" else "it"
            auxiliary = self.rng.choice(AUXILIARIES)
            auxiliary = PLURAL.get(auxiliary, auxiliary) if phrase.is_plural else auxiliary
            parts.append(phrase.passive(auxiliary))
        return f"{lead}{listed(parts)}"

    def _divided(self, phrases: Sequence[Phrase], lead: str) -> str:
        """Divide the work of two: "I will wash the cup while you put the plates on the table"."""
        self.tags.add("agentic_reference")
        mine, yours = phrases[0].base(), _and(phrases[1:])
        form = self.rng.randrange(3)
        if form == 0:
            return f"{lead}I will {mine} while you {yours}"
        if form == 1:
            return f"{lead}I can {mine}, and you {yours}"
        return f"{lead}one of us should {mine}, and the other one should {yours}"


def _and(phrases: Sequence[Phrase]) -> str:
    return listed([p.base() for p in phrases])
