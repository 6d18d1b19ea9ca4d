"""Lines in which somebody keeps a thing for themselves, whatever else they ask in it.

*I get the book in the bedroom, bring the other one please*, *no, leave it, I do that*: the line is
taken apart into what each clause does (`claim_forms.py`). What has none of these forms is put
together again and understood as a line of its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence, Set

from server.robots.baselines.partner.claim_forms import Part, given_up, part_of
from server.robots.baselines.partner.nods import nodded
from server.robots.baselines.partner.request import Request
from server.robots.baselines.partner.words import Mention, Name, clauses

_BEGINS = (
    r"(?:i|i'?ll|i'?m|i'?d|i'?ve|let me|me|you|u|your|please|pls|plz|can|could|would|will|bring|"
    r"fetch|get|grab|take|carry|put|leave|where|where'?s|what|what'?s|who|which|how|is|are|do|does|"
    r"don'?t|it'?s|that'?s|the|that one|go)\b"
)
"""Words with which a clause may begin."""
_CUT = re.compile(
    r"(\s*[.!?;:,\n]+\s*|\s+[-\u2013]+\s+"
    rf"|\s+(?:and|but|so|while|then|because|cause|cos|since)\s+(?:then\s+)?(?={_BEGINS}))",
    re.IGNORECASE,
)
_RUN_ON = re.compile(
    r"((?<=\w)\s+(?=(?:i|i'?ll|i'?m|i'?ve|you|u|let me|leave it|that'?s mine|it'?s mine)\b))",
    re.IGNORECASE,
)
"""Places where another clause begins though nothing stands between."""
_OPENS = re.compile(r"^\W*(?:while|and|but|so)\s+", re.IGNORECASE)
_CONDITION = re.compile(r"\b(?:if|unless|until|till|should i|shall i|did i|as soon as)\b", re.I)
_OTHER = re.compile(r"\bother\b", re.IGNORECASE)
_OTHER_ONE = re.compile(r"\b(?:the )?other(?: ones?| thing)?\b", re.IGNORECASE)
_SOCIAL = frozenset({"hello", "thanks", "nod", "yes", "no", "sorry"})
"""Kinds of parts that ask for nothing beside others."""
_RUNS_ON = frozenset({"do", "you_take", "i_take", "where", "doing"})
"""Kinds of requests that follow a claim with nothing between."""
_ACTS = frozenset({"do", "you_take", "help"})
MOST_PARTS = 8
"""Parts of a line beyond which it is not taken apart."""

One = Callable[[str, Sequence[Name]], Request]


def claim_line(text: str, names: Sequence[Name], one: One) -> Request | None:
    """Return what a line claims or refuses, with what else it asks; None: it does neither.

    ``one`` understands a part by itself.
    """
    if _CONDITION.search(text):
        return None
    text = _OPENS.sub("", text.strip())
    found = _taken_apart(_CUT.split(text), names, one)
    if found is None and (run_on := _RUN_ON.split(text)) and len(run_on) > 1:
        pieces = [piece for part in _CUT.split(text) for piece in _RUN_ON.split(part)]
        found = _taken_apart(pieces, names, one)
        if found is None or any(r.kind not in _RUNS_ON for r in found.then):
            return None
        return found if found.declines or names_a_thing(found) else None
    return found


def names_a_thing(claimed: Request) -> bool:
    """Tell whether a claim says of what it is."""
    if claimed.thing is not None or claimed.room is not None:
        return True
    return re.search(r"\b(?:it|that|this)\b", claimed.said) is not None


def refuses(text: str, names: Sequence[Name]) -> bool:
    """Tell whether a line is nothing but a no, to whatever the robot has said."""
    parts = [part_of(clause) for piece in text.split(",") for clause in clauses(piece, names)]
    forms = {None if part is None else part.form for part in parts}
    return "refusal" in forms and forms <= {"refusal", "halt", "reason", "filler", "name"}


def gives_up(text: str, names: Sequence[Name]) -> Request | None:
    """Return what a line that is nothing else leaves to the robot; None: it leaves it nothing.

    *No, I would rather not have the blue one.*
    """
    if _CONDITION.search(text):
        return None
    left: Part | None = None
    for piece in _CUT.split(text):
        if nodded(piece) is not None:
            continue
        for clause in clauses(piece, names):
            if (part := given_up(clause)) is not None:
                if left is not None or part.others:
                    return None
                left = part
                continue
            said = part_of(clause)
            is_plain = said is not None and said.form in ("refusal", "filler")
            if said is None or not is_plain or said.thing is not None:
                return None
    if left is None or (left.thing is not None and not left.thing.keys):
        return None
    return Request("you_take", thing=left.thing, points=left.thing is None, said=text.strip())


def _taken_apart(pieces: Sequence[str], names: Sequence[Name], one: One) -> Request | None:
    """Return the claim of a line that is cut into clauses and what stands between them."""
    if not 1 <= len(pieces) <= 2 * MOST_PARTS:
        return None
    parts: list[Part] = []
    rest: list[str] = []
    was_rest, before, between = False, "", ""
    for at in range(0, len(pieces), 2):
        piece = pieces[at]
        ends = pieces[at + 1].strip() if at + 1 < len(pieces) else ""
        is_last = at + 2 >= len(pieces) or not "".join(pieces[at + 2 :]).strip()
        marked = piece + ("?" if "?" in ends and not is_last else ends if "?" in ends else "")
        found = [part_of(clause) for clause in clauses(marked, names)]
        if not found:
            continue
        part = found[0] if len(found) == 1 else None
        if part is not None and part.form != "filler":
            parts.append(part)
            was_rest = False
        elif part is None:
            # What stands beside it is understood together with it.
            if was_rest:
                rest[-1] += f"{between}{piece}{ends}"
            elif parts and parts[-1].form == "name":
                # *Red book: you*.
                parts.pop()
                is_you = piece.strip().lower() in ("you", "u", "yours")
                rest.append(f"you take {before}" if is_you else f"{before}{between}{piece}{ends}")
            else:
                rest.append(f"{piece}{ends}")
            was_rest = True
        before, between = piece, pieces[at + 1] if at + 1 < len(pieces) else ""
    asked = [request for request in (_understood(part, names, one) for part in rest)
             if request.kind not in _SOCIAL]  # fmt: skip
    claims = [part for part in parts if part.form == "claim"]
    claims += [Part("claim", r.thing, r.room) for r in asked if _is_claim(r)]
    if not claims:
        return None
    return _joined(claims, parts, [r for r in asked if not _is_claim(r)], text="".join(pieces))


def _understood(part: str, names: Sequence[Name], one: One) -> Request:
    """Return what a part asks; beside a claim, *the other one* is what is not claimed."""
    request = one(part, names)
    if not _OTHER.search(part) or request.kind not in (*_ACTS, "unsure", "unknown", "where"):
        return request
    for words in (_OTHER_ONE.sub("that one", part), _OTHER.sub("", part)):
        found = one(words, names)
        is_of_other = found.points or (found.thing is not None and len(found.thing.keys) > 1)
        if found.kind in (*_ACTS, "where") and is_of_other and not found.then:
            return found._replace(points=False, other=True)
    return request


def _is_claim(request: Request) -> bool:
    return request.kind == "i_take" and request.action is None and not request.then


def _joined(
    claims: Sequence[Part], parts: Sequence[Part], asked: Sequence[Request], text: str
) -> Request | None:
    """Return one request of the clauses of a line: the claim first, then what else is asked."""
    says_no = any(part.form in ("refusal", "halt") or part.refuses for part in (*parts, *claims))
    named = [part for part in claims if part.thing is not None]
    # *The red one, I carry that*, *don't touch the red one, I carry it*.
    spoken = named or [part for part in parts if part.thing is not None]
    things: dict[Mention, Mention | None] = {}
    for part in spoken if named else spoken[:1]:
        if part.thing is not None:
            things.setdefault(part.thing, part.room)
            things |= {other: None for other in part.others if other not in things}
    keys = {key for mention in things for key in mention.keys}
    if any(_is_against(request, keys) for request in asked):
        return None
    claimed = [
        Request("i_take", thing=thing, room=room, said=text.strip(), declines=says_no)
        for thing, room in things.items()
    ]
    if not claimed:
        # *The bedroom one*, *the one on the table*: where it is says which it is.
        room = next((part.room for part in claims if part.room is not None), None)
        claimed = [Request("i_take", points=True, room=room, said=text.strip(), declines=says_no)]
    return claimed[0]._replace(then=(*claimed[1:], *asked))


def _is_against(request: Request, keys: Set[str]) -> bool:
    """Tell whether a request wants the robot to do something with what is claimed beside it."""
    if request.leaves is not None:
        return True
    if request.kind not in _ACTS or request.other or request.to_me:
        return False
    is_same = request.thing is not None and not keys.isdisjoint(request.thing.keys)
    return request.points or (is_same and len(keys) < 2)
