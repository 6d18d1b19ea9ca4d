"""Understanding of lines of chat: one pure function, `understand`.

What fits no pattern is not understood, and said to be so; what is understood in part is asked back.
Taking one request for another is worse than either.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from server.robots.baselines.partner.claim_lines import (
    claim_line,
    gives_up,
    names_a_thing,
    refuses,
)
from server.robots.baselines.partner.doubts import ACTS, OF_TEAM, is_doubtful, is_strange, unheeded
from server.robots.baselines.partner.evidence import is_thin
from server.robots.baselines.partner.first_request import first_request, without_contrast
from server.robots.baselines.partner.opening_lines import opening_line
from server.robots.baselines.partner.request import Request
from server.robots.baselines.partner.topics import topic
from server.robots.baselines.partner.words import Mention, Name, clauses

_VERBS = (
    r"(?:bring|fetch|get|grab|give|hand|pick|collect|put|place|set|drop|move|carry|take|open|close|"
    r"shut|wash|clean|rinse|wipe|fill|refill|switch|turn|go|come|walk|leave|wait|stay|stop)\b"
)
_AND = re.compile(
    r"\s*(?:[,;.]\s*)?\b(?:and then|and after that|after that|and also|then|and)\b,?\s+"
    rf"(?=(?:(?:please|also|just|then|could you|can you|you|afterwards),? )*{_VERBS})"
    rf"|\s*[,;.!]\s*(?=(?:(?:please|also|just|then|could you|can you),? )*{_VERBS})"
    # *The vase goes on the shelf, the bowl in the cabinet*.
    r"|\s*,(?: and)?\s+(?=(?:the|my) \w+(?: \w+)? (?:goes |belongs )?(?:in|on|into|onto|to|next "
    r"to) )",
    re.IGNORECASE,
)
_PARTS = re.compile(rf"{_AND.pattern}|[,;.!?]+", re.IGNORECASE)
_I_DID = re.compile(
    r"^\W*(?:(?:ok|hey|so|and|now|right),? )*(?:i|we)(?:'ve| have)? (?:just |already "
    r")*(?:\w{3,}ed|put|"
    r"did|took|found|brought|left|saw|set|shut) "
)
"""Beginnings of what a speaker tells of what is done."""
_FILLER = re.compile(
    r"^\W*(?:(?:oh|no|well|ok),? )*(?:forget (?:it|that)|never ?mind)\s*[,:]\s*(?=\w)", re.I
)
"""Ways in which somebody begins to speak, and takes nothing back."""
_WAITS = re.compile(
    r"^\W*(?:(?:please|can|could|would|will|you|u|now|and|just|ok),? )*(?:wait|stand|stay)\b"
)
_FORBIDS = re.compile(
    r"^\W*(?:(?:please|pls|no|hey|ok),? )*"
    r"(?:(?:don't|dont|do not|never) (?!forget|worry)|leave the )"
)
"""Beginnings of lines that forbid something."""
_FUZZY = frozenset({"where", "belongs", "suggest", "remaining", "shares"})
"""Kinds of questions that patterns find in a few words anywhere in a line."""
_FETCHES = frozenset({"get", "bring", "put", "go"})


_OFFER_BEFORE = re.compile(
    r"^\W*(?:let me help|(?:i(?:\W?(?:m|ll)| am| will| can| want to)? )?"
    r"(?:(?:happy|glad|here) to )?help(?:ing)?)(?: you| out| too)?[.!,; ]+(?=who\b)",
    re.IGNORECASE,
)
"""Offer of help before a question who does what, which is answered."""


_PARTICLE_LAST = re.compile(
    r"\b(?P<verb>turn|switch) (?P<thing>(?:the|that|my) (?:(?!(?:on|off|and|then)\b)[\w'-]+ ){1,3}"
    r"(?:by|beside|next to|near|in|at|behind) (?:(?!(?:on|off|and|then)\b)[\w'-]+ ){1,4})"
    r"(?P<to>on|off)\b(?=\W*(?:(?:please|pls|for me|thanks|now)\b\W*)*(?:$|[,.;!?]))",
    re.IGNORECASE,
)
"""Requests like *turn the lamp by the bed on*, whose last word belongs to the verb."""
_NO_FIRST = re.compile(
    r"\W*(?:no|nope|nah)\b(?! (?:problem|worries|rush|hurry|idea|need|one)\b)", re.IGNORECASE
)
_KEPT_KINDS = frozenset({"no", "stop", "thanks", "unknown", "unsure"})
"""Kinds of lines that may say no to what the robot has said, if that was just before."""


def understand(text: str, names: Sequence[Name] = ()) -> Request:
    """Return what a line asks. ``names`` are the things that can be meant.

    A line that is not understood has the kind ``unknown``, one understood in part ``unsure``.
    """
    text = _OFFER_BEFORE.sub("", _FILLER.sub("", text))
    text = _PARTICLE_LAST.sub(lambda m: f"{m['verb']} {m['to']} {m['thing'].rstrip()}", text)
    if (opening := opening_line(text, names, _of_one_part)) is not None:
        return opening
    request = _of_one_part(text, names)
    if request.leaves is not None:
        return request
    if (left := gives_up(text, names)) is not None:
        return left
    if (claimed := claim_line(text, names, _of_one_part)) is not None:
        is_of_room = claimed.thing is None and claimed.room is not None
        says_more = claimed.declines or claimed.then or is_of_room
        is_told = request.kind not in ("unknown", "unsure", "help") or not names_a_thing(claimed)
        is_list = request.kind == "i_take" and request.then and not claimed.declines
        return request if is_list or (is_told and not says_more) else claimed
    if request.kind in _KEPT_KINDS and refuses(text, names):
        return request._replace(declines=True)
    # *No, take the plate instead*.
    is_instead = request.kind in ("do", "you_take", "correct") and begins_with_no(text)
    return request._replace(declines=True) if is_instead else request


def begins_with_no(text: str) -> bool:
    """Tell whether a line begins with a no that is meant as one, and not as *no problem*."""
    return _NO_FIRST.match(text) is not None


def _of_one_part(text: str, names: Sequence[Name]) -> Request:
    """Return what a line asks that is taken as one."""
    request = _taken_for(text, names)
    if not is_thin(request, text, names):
        return request
    if request.kind == "stop":
        return Request("unsure", said=text.strip(), then=(request,))
    return Request("unknown", said=text.strip())


def _taken_for(text: str, names: Sequence[Name]) -> Request:
    """Return what the patterns make of a line."""
    told = topic(text, names)
    if told is not None:
        return told
    request = first_request(text, names)
    if request.kind == "do" and (chain := _chain(text, names)) is not None:
        request = chain
    elif (part := _part_that_acts(request, text, names)) is not None:
        request = part
    else:
        request = _with_others(request, text, names)
    if request.kind == "unsure":
        return request
    if request.kind == "stop" and request.place is not None and _WAITS.match(text.lower()):
        goes = request._replace(kind="do", action="go", thing=None)
        return Request("unsure", said=text.strip(), then=(goes,))
    if request.kind in _FUZZY and is_strange(request, text, names):
        return Request("unknown", said=text.strip())
    if is_doubtful(request, text, names):
        # Only what is asked back is done at a yes, and that is the first act.
        guess = () if _is_vague(request, text) else (request._replace(then=()),)
        return Request("unsure", said=text.strip(), then=guess)
    return request


def _is_vague(request: Request, text: str) -> bool:
    """Tell whether what was understood is too little to be asked back."""
    if request.thing is None and re.search(r"\b(?:them|those|these|both)\b", text.lower()):
        return True
    if request.kind in ("do", "you_take") and _FORBIDS.match(text.lower()):
        # A *yes* would mean the ban, and not what it forbids.
        return True
    if request.kind == "do" and request.action in _FETCHES - {"go"} and request.thing is not None:
        return request.thing.is_place
    is_pointless = request.action != "go" and request.thing is None and not request.points
    return is_pointless or re.search(r"\b(?:everything|all)\b", text.lower()) is not None


def _chain(text: str, names: Sequence[Name]) -> Request | None:
    """Return several acts, one after the other; None: it is one, or one that is not understood."""
    parts = [part for part in _AND.split(text) if part.strip()]
    if len(parts) < 2:
        return None
    found = [first_request(part, names) for part in parts]
    if any(r.kind != "do" or r.action in ("make_way", None) for r in found):
        return None
    first, *rest = found
    linked = [first]
    for request in rest:
        before = linked[-1]
        if request.points or request.thing is None:
            if before.thing is None and before.place is None:
                return None
            if request.action in _FETCHES and before.action in _FETCHES:
                # *Take the cup and put it on the table* is one errand.
                return None
            if request.points:
                pointed = before.thing if before.thing is not None else before.place
                request = request._replace(thing=pointed, points=False)
        linked.append(request._replace(follows=True))
    return linked[0]._replace(then=tuple(linked[1:]))


def _part_that_acts(request: Request, text: str, names: Sequence[Name]) -> Request | None:
    """Return what the parts of a line ask, where that is not what the line as a whole seems to ask.

    *The bowl is clean now, put it on the table* washes nothing. None: the parts agree with it, or
    say nothing by themselves. Parts that ask for different acts leave it unsure.
    """
    parts = [part for part in _PARTS.split(without_contrast(text)) if part.strip()]
    gives_each = request.leaves is not None and not _I_DID.match(text.lower())
    if (
        len(parts) < 2
        or OF_TEAM.search(text.lower())
        or gives_each
        or request.kind not in (*ACTS, "where", "report", "doing")
    ):
        return None
    found = [(at, first_request(part, names)) for at, part in enumerate(parts)]
    acting = [(at, part) for at, part in found if _acts(part)]
    if request.kind not in ACTS or any(part.kind == "do" for _, part in acting):
        # What the speaker has, or cannot do, is only why the robot is asked.
        acting = [(at, part) for at, part in acting if part.kind in ("do", "you_take")]
    acts = {_family(part) for _, part in acting}
    if not acting or acts == {_family(request)}:
        return None
    if len(acts) > 1:
        is_guess = request.kind in ACTS and not _FORBIDS.match(text.lower())
        return Request("unsure", said=text.strip(), then=(request,) if is_guess else ())
    at, part = acting[-1]
    if not part.points:
        return part if part.thing is not None or part.action == "go" else None
    before = [m for c in clauses(",".join(parts[:at]), names) for m in c.mentions]
    fitting = [m for m in before if not m.is_place or part.action in ("open", "close", "clean")]
    return part._replace(thing=fitting[-1], points=False) if fitting else part


def _acts(request: Request) -> bool:
    """Tell whether a part of a line asks for something by itself."""
    is_about = request.thing is not None or request.place is not None or request.points
    return request.kind in ACTS and (is_about or request.action in ("go", "make_way"))


def _family(request: Request) -> tuple[str, str]:
    """Return what sort of act a request asks for; errands that carry something are one."""
    if request.kind == "you_take" or request.action in _FETCHES:
        return "do", "carry"
    return request.kind, request.action or ""


def _with_others(request: Request, text: str, names: Sequence[Name]) -> Request:
    """Return a request with the further things of a list: *take the cup and the plate*."""
    thing = request.thing
    is_open_list = request.kind in ("do", "you_take", "i_take") and request.leaves is None
    if thing is None or not thing.keys or not is_open_list or request.action == "go":
        return request
    others = [m for m in unheeded(request, text, names) if not m.is_place or thing.is_place]
    if not others or not _is_list([thing, *others], text):
        return request
    alike = [request._replace(thing=other, follows=True) for other in others]
    return request._replace(then=tuple(alike))


def _is_list(mentions: Sequence[Mention], text: str) -> bool:
    """Tell whether names stand beside each other with nothing but *and* between them."""
    link = r"\W*(?:(?:and|n|plus|also|then|as well as|with)\b\W*)*(?:(?:the|my|that|a|this)\W+)?"
    listed = link.join(re.escape(m.words) for m in mentions)
    return re.search(listed, text.lower()) is not None
