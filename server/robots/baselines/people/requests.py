"""A modest reader of chat: what somebody asks to have done, asks about, or says is wrong."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from episodes.names import noun_of
from episodes.seat_names import addressed, names_of
from episodes.worldgraph import WorldGraph

Kind = Literal["do", "where", "doing", "who", "done", "left", "no", "thanks", "other"]

_VERBS = {
    "Clean": r"wash|clean|wipe|rinse",
    "Fill": r"fill",
    "PowerOn": r"(?:switch|turn|power) (?:the [\w ]+ )?on",
    "PowerOff": r"(?:switch|turn|power) (?:the [\w ]+ )?off",
    "Open": r"open",
    "Close": r"close|shut",
    "Away": r"step aside|move away|out of the way|make way|let me through|move over",
    "Wait": r"wait|hold on|stop",
    "Rearrange": r"put|bring|take|carry|move|place|set|store|return|get|fetch|deliver",
    "Explore": r"look (?:around|in|through|for)|search|explore|check|find",
    "Navigate": r"go to|come to|walk to",
}
"""Words that people have for a skill (``Away`` is no skill: it is to stand elsewhere)."""
_POLITE = re.compile(
    r"^(?:(?:ok|okay|hi|hey|hello|yes|then|next|now|so|and|please)[,.! ]+)*"
    r"(?:(?:could|can|would|will) you|please|you (?:could|can|should|have to|need to)|let'?s|"
    r"i(?: would|'d) like you to|i need you to|why don'?t you|would you mind)\b"
)
_WRONG = re.compile(r"\b(?:no|not|wrong|mistake|don'?t|isn'?t|doesn'?t|instead|actually)\b")
_QUESTIONS: tuple[tuple[Kind, str], ...] = (
    ("where", r"\bwhere\b|have you seen|did you (?:see|find)|do you (?:see|know where)"),
    (
        "left",
        r"what(?:'s| is| else)? (?:is )?(?:left|missing|next|to do)|anything else|still to do|"
        r"what (?:should|shall|can|do) (?:i|we)|what needs|anything wrong|is wrong",
    ),
    ("doing", r"what are you|are you doing|what will you|your plan"),
    ("done", r"\b(?:done|finished|ready|complete)\b"),
    ("who", r"\bwho\b|(?:shall|should) i|(?:do|will|can) you (?:take|see to|do)|take care"),
)


class Line(NamedTuple):
    """A line of chat as it was understood."""

    kind: Kind
    skill: str = ""
    thing: str = ""
    """The handle (or key) of the thing that it names first; empty: none that is known."""
    place: str = ""
    """The key of the furniture, floor or room that it names."""
    relation: str = "on"
    is_no: bool = False
    """Whether it says that something is wrong."""


def heard_by(text: str, seat: str, graph: WorldGraph) -> str:
    """Return a line without whom it is for; empty where it is for somebody else."""
    for_whom = addressed(text, names_of(graph.seats))
    if for_whom.seats and seat not in for_whom.seats:
        return ""
    return for_whom.rest


def understand(text: str, graph: WorldGraph, words: dict[str, str]) -> Line:
    """Read a line. ``words`` are nouns of things that are meant but need not be known, by handle.

    What cannot be read is ``other``.
    """
    said = " ".join(text.lower().split())
    found = named_in(said, graph, words)
    thing = next((key for _, key in found if _is_thing(key, graph, words)), "")
    places = [key for _, key in found if key != thing and not _is_thing(key, graph, words)]
    # "on the table in the kitchen": furniture says more than the room around it.
    place = next((key for key in places if key in graph.rooms), places[0] if places else "")
    relation = "within" if re.search(r"\b(?:inside|into|within|in) the\b", said) else "on"
    is_no = bool(_WRONG.search(said))
    line = Line("other", "", thing or place, place, relation, is_no)
    skill = _asked(said)
    if skill:
        return line._replace(kind="do", skill=skill)
    if "?" in said or re.match(r"(?:what|where|who|are|is|do|did|have|shall|should)\b", said):
        for kind, pattern in _QUESTIONS:
            if re.search(pattern, said):
                return line._replace(kind=kind)
        return line
    if is_no:
        return line._replace(kind="no")
    return line._replace(kind="thanks") if re.search(r"\bthank", said) else line


def named_in(said: str, graph: WorldGraph, words: dict[str, str]) -> list[tuple[int, str]]:
    """Return where in a text which known things, furniture and rooms are named, in its order.

    A number that a label has and the text has not is no hindrance, once nothing fits better.
    """
    labels = {k: n.lower() for k, n in graph.names.labels.items()}
    names = {k: n.lower() for k, n in graph.names.graph.items()}
    terms: list[tuple[str, str]] = [(names[k], k) for k in names]
    terms += [(noun, key) for key, noun in words.items()]
    terms += [(label, key) for key, label in labels.items()]
    for room in graph.scene.rooms:
        terms.append((noun_of(room.class_name).lower(), room.room_id))
    taken: list[tuple[int, int, str]] = []
    for term, key in sorted(terms, key=lambda t: -len(t[0])):
        for hit in re.finditer(rf"\b{re.escape(term)}(?:e?s)?\b(?!_)", said):
            if all(hit.end() <= start or hit.start() >= end for start, end, _ in taken):
                taken.append((hit.start(), hit.end(), key))
                break
    return sorted((start, key) for start, _, key in taken)


def _is_thing(key: str, graph: WorldGraph, words: dict[str, str]) -> bool:
    return key in words or key in graph.objects


def _asked(said: str) -> str:
    """Return the skill that is asked for; empty: none is."""
    polite = _POLITE.match(said)
    rest = said[polite.end() :] if polite else said
    if re.search(rf"\b(?:{_VERBS['Away']})\b", said):
        return "Away"
    if polite:
        hits = [
            (hit.start(), name)
            for name, verbs in _VERBS.items()
            if (hit := re.search(rf"\b(?:{verbs})\b", rest))
        ]
        return min(hits, default=(0, ""))[1]
    return next((n for n, verbs in _VERBS.items() if re.match(rf"(?:{verbs})\b", rest)), "")
