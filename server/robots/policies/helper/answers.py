"""Answers of the model beside programs: places, a question, and what an answer means."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from server.robots.grammar import Choice, Grammar, Repeat, Rule, Sequence, Text
from server.robots.grammar.programs import PROGRAM_END
from server.robots.grammar.rules import words
from server.robots.policies.helper.program_parser import Words

LOOK, TAKE, LEAVE, NOTHING = "look_at", "take", "leave_it", "no_idea"
MOST_ACTIONS = 3
_KEPT = 64
_CALL = re.compile(r'^(\w+)\((?:"([\w ]*)")?\)$')


class Action(NamedTuple):
    """Consequence of a partner's answer; ``word`` is a place or a thing, or empty."""

    verb: str
    word: str = ""


@lru_cache(_KEPT)
def question_grammar(verbs: tuple[str, ...], what: str) -> Grammar:
    """Return the grammar of one call about one thing."""
    calls = words(tuple(f'{verb}("{what}")' for verb in verbs))
    return Grammar({"root": Sequence((Rule("call"), Text(f"\n{PROGRAM_END}"))), "call": calls})


def read_question(text: str, verbs: tuple[str, ...]) -> str:
    """Return the kind of question that was chosen; the first where it is none of them."""
    found = _CALL.match(text.strip().partition("\n")[0])
    return found[1] if found and found[1] in verbs else verbs[0]


@lru_cache(_KEPT)
def answer_grammar(places: tuple[str, ...], things: tuple[str, ...]) -> Grammar:
    """Return the grammar of one to three actions."""
    options = [
        Sequence((Text(f'{verb}("'), words(among), Text('")')))
        for verb, among in ((LOOK, places), (TAKE, things))
        if among
    ]
    call = Choice((*options, Text(f"{LEAVE}()"), Text(f"{NOTHING}()")))
    line = Sequence((Rule("call"), Text("\n")))
    root = Sequence((Repeat(line, 1, MOST_ACTIONS), Text(PROGRAM_END)))
    return Grammar({"root": root, "call": call})


def read_answer(text: str, known: Words) -> list[Action]:
    """Read the actions of an answer; other lines are left out."""
    actions = []
    for line in text.splitlines():
        found = _CALL.match(line.strip())
        if not found:
            continue
        verb, word = found[1], found[2] or ""
        if verb in (LOOK, TAKE) and (meant := known.nearest(word)):
            actions.append(Action(verb, meant))
        elif verb in (LEAVE, NOTHING):
            actions.append(Action(verb))
    return actions[:MOST_ACTIONS]


def read_places(text: str, known: Words, count: int) -> list[str]:
    """Read the words of a list on one line; what means nothing is left out."""
    line = next((x for x in text.splitlines() if x.strip()), "")
    meant = [known.nearest(word.strip(" \"'.")) for word in line.split(",")]
    return list(dict.fromkeys(word for word in meant if word))[:count]
