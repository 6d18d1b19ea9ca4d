"""Parts of a request: what is to be done, with what, and where it is to go."""

from __future__ import annotations

import re
from collections.abc import Sequence

from server.robots.baselines.partner.patterns import NEEDS, SPARE, N
from server.robots.baselines.partner.request import Action, Kind, Relation, Request
from server.robots.baselines.partner.words import Clause, Mention

_ACTIONS: tuple[tuple[str, Action], ...] = (
    # *Off* and *on* are switches only beside *turn*, or behind a name alone.
    (
        r"^(?:REQ )?(?:PLACE )?THING be off$|\bturn off\b|\bturn(?: \w+){1,2} off\b|"
        r"^(?:REQ )?(?:PLACE )?THING off$",
        "power_off",
    ),
    (
        r"\bput (?:PLACE )?THING on$|\bput (?:PLACE )?THING on (?:it|its|so|because|now)\b|"
        r"\bturn on\b|\bturn(?: \w+){1,2} on(?: for (?:me|us)| please| now| again| too)*$|"
        r"^(?:REQ )?(?:PLACE )?THING on$",
        "power_on",
    ),
    (r"\bclean\b", "clean"),
    (r"\bfill\b|\bfull\b|\bwith water\b", "fill"),
    (r"\bopen\b", "open"),
    (r"\bclose\b", "close"),
    (r"\btidy\b", "tidy"),
    (r"\bput (?:it|this|that|them|THING)(?: thing)? (?:any|some)where\b", "put_down"),
    (r"\b(?:put|leave)\b(?: \w+)? down\b|\blet go\b", "put_down"),
)


def with_parts(kind: Kind, pattern: str, clause: Clause) -> Request:
    """Return the request of a kind that a clause makes; ``pattern`` is what of it asks that."""
    thing, place, room, relation = _parts(kind, pattern, clause.mentions)
    action = _action(pattern, thing, place) if kind in ("do", "help") else None
    if kind == "i_take" and SPARE.search(pattern):
        action = "spare"
        if thing is None and room is not None:
            # *Hands off the cup*, *stay away from the cup*.
            thing, room = room, None
    points = rf"\b(?:{N[3:-1]})\b".replace("THING|PLACE|", "")
    # What is fetched *for* somebody comes to them; what is put somewhere for them does not.
    is_mine = (
        re.search(
            r"(?<!for )\b(?:me|here|us)\b|^(?:REQ )?(?:can|must) I (?:have|get)\b|"
            rf"{NEEDS}|"
            r"\b(?:get|bring)\b.* for me\b",
            pattern,
        )
        is not None
    )
    is_for_me_there = place is not None and re.search(r"\bfor me\b", pattern) is not None
    return Request(
        kind,
        action,
        thing,
        place,
        relation,
        room,
        to_me=is_mine and action in ("bring", "get", "put", "go") and not is_for_me_there,
        points=thing is None and re.search(points, pattern) is not None,
        said=clause.raw,
        many=thing is not None and _is_plural(thing, clause.raw),
        other=thing is None and re.search(r"\bother\b", clause.raw) is not None,
    )


def _is_plural(thing: Mention, raw: str) -> bool:
    """Tell whether all that a name may mean is meant: *both books*, *the books*."""
    if len(thing.keys) < 2:
        return False
    return (
        thing.words.endswith("s") or re.search(r"\b(?:both|all|each|two|three)\b", raw) is not None
    )


# What is turned on is the thing, not a place: *turn on the lamp*.
_PREPOSITION = re.compile(
    r"(?<!\bturn )\b(next to|beside|near|by|on top of|onto|on|into|inside|in|within|under|at|to|"
    r"from|off|out(?= of)|with)(?: of)? "
    r"(?:PLACE (?=THING\b|PLACE\b))?(THING|PLACE)"
)
_RELATIONS: dict[str, Relation] = {
    "next to": "next_to", "beside": "next_to", "near": "next_to", "by": "next_to",
    "on": "on", "onto": "on", "on top of": "on", "into": "within", "inside": "within",
    "in": "within", "within": "within",
}  # fmt: skip


def _parts(
    kind: Kind, pattern: str, mentions: Sequence[Mention]
) -> tuple[Mention | None, Mention | None, Mention | None, Relation]:
    """Tell the thing from where it is to go; what it comes *from* is left out."""
    marks = [m.start() for m in re.finditer(r"\b(?:THING|PLACE)\b", pattern)]
    at = dict(zip(marks, mentions, strict=False))
    if kind in ("where", "belongs") and len(at) > 1:
        # "Which room is the cup in": the room is what is asked for.
        asked = {m.start(1) for m in re.finditer(r"\b(?:which|what) (THING|PLACE)\b", pattern)}
        at = {mark: mention for mark, mention in at.items() if mark not in asked}
    targets = {m.start(2): m.group(1) for m in _PREPOSITION.finditer(pattern)}
    thing = place = room = None
    relation: Relation = "at"
    leads = False
    # "The bedroom lamp": a place before a name says which.
    of_room = {m.start() for m in re.finditer(r"\bPLACE(?= THING\b| PLACE\b)", pattern)}
    for mark, mention in at.items():
        if mark in of_room:
            room = mention
            continue
        word = targets.get(mark, "")
        if word in ("", "with") or (word in ("to", "at") and thing is None and kind != "do"):
            thing = thing or mention
        elif word in ("from", "off", "out") or (leads and word == "in"):
            room = mention
        else:
            # "The cup in the kitchen to the table": what it is in is not where it goes.
            room, leads = place if place is not None else room, word != "in"
            place, relation = mention, _RELATIONS.get(word, "at")
    if kind == "where" and re.search(r"^(?:REQ )?be (?:it|this|that|they)\b", pattern):
        return None, place, room, relation
    if (
        thing is None
        and place is not None
        and kind in ("where", "belongs", "help", "you_take", "i_take")
    ):
        thing, place = place, None
    if kind in ("where", "you_take", "i_take") and place is not None:
        place, room = None, place
    return thing, place, room, relation


# *Move to the table* is a way to go; *put on the table* lacks what, or names what nobody knows.
_GOES = re.compile(
    r"\b(?:go|head)\b|\bput (?:(?:over|back|up|along|closer) )*"
    r"(?:to|near|by|at|beside|next|towards?|PLACE)\b"
)


def _action(pattern: str, thing: Mention | None, place: Mention | None) -> Action:
    for words, action in _ACTIONS:
        # *Put it down on the table* says where.
        if re.search(words, pattern) and not (action == "put_down" and place is not None):
            return action
    if re.search(r"\bput (?:it|this|that|them)\b.*\bback\b", pattern):
        return "put"
    if re.search(r"\bbring (?:it|this|that|them)\b", pattern) and place is None:
        return "bring"
    if (
        thing is None
        and place is None
        and re.search(r"\bgo (?:and )?get (?:it|that|this|one)\b", pattern)
    ):
        return "get"
    if place is None and re.search(
        r"\bput (?:it|this|that|them|THING)(?: down| over)* here\b", pattern
    ):
        return "bring"
    if re.search(r"\bgo\b", pattern) and (thing is None or thing.is_place) and place is None:
        return "go"
    if (
        thing is None
        and place is None
        and re.search(
            r"\b(?:way|aside|away|over|here|back|"
            r"closer)\b",
            pattern,
        )
    ):
        return "go"
    if place is not None:
        if (
            thing is None
            and _GOES.search(pattern)
            and not re.search(r"\b(?:it|this|that|them|one)\b", pattern)
        ):
            return "go"
        return "put"
    if re.search(r"\b(?:bring|get)\b.*\b(?:me|here|us)\b|\b(?:to me|over here|here)\b", pattern):
        return "bring"
    return "bring" if re.search(r"\bbring\b", pattern) else "get"
