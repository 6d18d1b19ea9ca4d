"""Request of a line of chat that is one, by its patterns: `first_request`.

Patterns are written over lemmas and marks (`words.py`), so that *could you please fetch me teh red
book?* and *bring the red book to me* are the same.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from server.robots.baselines.partner.gist import gist, shares_out
from server.robots.baselines.partner.nods import nodded
from server.robots.baselines.partner.patterns import (
    ASIDES,
    AWAY,
    DO,
    DO_VERBS,
    DOING,
    FRAMES,
    GO_ON,
    HEADING,
    HELLO,
    HELP,
    I_TAKE,
    NO,
    ON_THE_WAY,
    REMAINING,
    REPORT,
    REQ,
    SPARE,
    STOP,
    SUGGEST,
    THANKS,
    WAY_TO,
    WHERE,
    WHERE_TO,
    YES,
    YOU_TAKE,
    N,
)
from server.robots.baselines.partner.request import Kind, Request
from server.robots.baselines.partner.request_parts import with_parts
from server.robots.baselines.partner.spoken import spoken
from server.robots.baselines.partner.words import Clause, Mention, Name, clauses

_SAYS_ONLY = ("unknown", "report", "thanks", "hello", "yes", "no")
"""The kinds that ask for nothing."""


def first_request(text: str, names: Sequence[Name] = ()) -> Request:
    """Return what a line asks; of several clauses the first that asks something counts.

    A clause that stops the robot comes before all others. ``names`` are the things that can be
    meant. A line that is not understood has the kind ``unknown``.
    """
    if (nod := nodded(text)) is not None:
        return Request(nod, said=text.strip())
    found = [_request(clause) for clause in clauses(_divided(text), names)]
    # *Stop! Stay away from the vase*: it is the vase that is to be left alone.
    spares = any(r.action == "spare" and r.thing is not None for r in found)
    stops = [] if spares else [r for r in found if r.kind == "stop" and not _is_filler(r)]
    said = [r for r in found if r.kind not in _SAYS_ONLY]
    if any(r.kind in ("i_take", "you_take") for r in said):
        # Whoever says who takes what does not ask for it: *let's split it, you do the books*.
        said = [r for r in said if r.kind != "shares"]
    told = [r for r in said if r.kind != "stop"] or said
    left = [r for r in told if r.kind == "i_take"]
    of_sharing = all(r.kind in ("i_take", "you_take") for r in told)
    if not stops and of_sharing and (shared := _shared(text, names)):
        return shared
    if len(left) < len(told) and not stops:
        told = [r for r in told if r.kind != "i_take"]
        if left and told[0].kind == "you_take":
            return told[0]._replace(leaves=left[0].thing)
    for group in (stops, told, [r for r in found if r.kind != "unknown"]):
        if group:
            return _named_before(group[0], text, names)
    if "," in text:
        # What is one clause too many may be two.
        return first_request(text.replace(",", "."), names)
    # Only a name: the answer to *which one do you mean*.
    names_only = (r for r in found if r.thing is not None)
    return next(names_only, Request("unknown", said=text.strip()))


def _named_before(request: Request, text: str, names: Sequence[Name]) -> Request:
    """Return a request about *it* with what the same line has named before, if that is a thing."""
    if not request.points or request.other or not request.said:
        return request
    before = text.lower().partition(request.said)[0]
    # Furniture is opened and switched, but not carried.
    opens = request.action in ("open", "close", "power_on", "power_off", "clean")
    mentions = [m for clause in clauses(before, names) for m in clause.mentions if m.keys]
    named = [m for m in mentions if opens or not m.is_place]
    if not named and re.match(r"\W*(?:the|my|that|a) [^,.;!?]*\bis\b", before):
        # *The lamp is in the bedroom, could you bring it*: what a sentence is about is *it*.
        named = mentions[:1]
    if not named or request.action in ("put_down", "go"):
        return request
    return request._replace(thing=named[-1], points=False)


def _shared(text: str, names: Sequence[Name]) -> Request | None:
    """Return what a line gives the robot that gives the speaker something, too; else None."""
    for clause in clauses(re.sub(r"[^\w\s']+", " ", text), names):
        pattern = _with_speaker(clause)
        if shares_out(pattern):
            given = _given(pattern, clause.mentions)
            return Request(
                "you_take", thing=given.get("you"), said=clause.raw, leaves=given.get("I")
            )
    return None


_WHOSE = {"you": "you", "your": "you", "yours": "you", "I": "I", "me": "I", "my": "I", "mine": "I"}


def _given(pattern: str, mentions: Sequence[Mention]) -> dict[str, Mention]:
    """Return the first thing that is said to be for *you*, and the first for *I*.

    Each is named after the one who takes it, or before, as in *the cup is yours*.
    """
    given: dict[str, Mention] = {}
    whose, named = "", list(mentions)
    ahead: Mention | None = None
    for word in pattern.split():
        if word in _WHOSE:
            whose = _WHOSE[word]
            if ahead is not None:
                given.setdefault(whose, ahead)
                whose, ahead = "", None
        elif word in ("THING", "PLACE") and named:
            if whose:
                given.setdefault(whose, named.pop(0))
            else:
                ahead = named.pop(0)
    return given


_SUBJECT = r"(?:you|u|ya|i|i'm|im|i'll|ill|i've|ive|i'd|we|we'll)\b"
_JOINT = re.compile(
    rf"\s*,?\s+(?:and|so|while|but)\s+(?={_SUBJECT})"
    rf"|,\s*(?={_SUBJECT}|(?:stop|wait|can|could|please(?! ?,|\W*$)|let)\b)"
    rf"|(?<=worry)[,\s]+(?={_SUBJECT})"
    # A question after a statement; not after a name: *the blue book, where is it?*
    r"|^\W*(?:(?:oh|no|well|ok) )*(?:never ?mind|forget (?:it|that|about it))\s*[,:]\s*(?=\w)"
    rf"|(?<=\w)(?:(?<=you)|(?<=ing)),\s*(?=(?:what|where|which|who|why|how)\b)",
    re.IGNORECASE,
)
"""Places within a sentence where somebody else, or something else, is spoken of."""


_CONTRAST = re.compile(
    r"(?<=\w),? (?:and )?not (?:on|in|into|at|to|by|next to|the|that|this|my|"
    r"a)\b(?! \w+ing)[^,.;!?]*$",
    re.IGNORECASE,
)
"""Ends that say what is not meant: *in the cabinet, not on the table*."""


_NOT_THAT = re.compile(
    r"^(\W*(?:(?:please|no|oh|hey|pls),? )*(?:don't|dont|do not|not) [^,.;!?]+),\s*(?:but |just |"
    r"instead )?"
    r"(?=(?:put|bring|take|get|fetch|grab|give|open|close|move|carry)\b)",
    re.IGNORECASE,
)
"""Beginnings of a line that say what not to do, before what to do."""


def without_contrast(text: str) -> str:
    """Return a line without what it says is not meant: *in the cabinet, not on the table*."""
    if re.match(
        r"\W*(?:please |pls |the |put |bring |take |move |get |grab |fetch |open |close |i want |"
        r"it )",
        text,
        re.IGNORECASE,
    ):
        text = _CONTRAST.sub("", text)
    return _NOT_THAT.sub("", text)


def _divided(text: str) -> str:
    """Return a line with a full stop wherever one subject gives way to another."""
    return _JOINT.sub(". ", without_contrast(text))


def pattern_of(clause: Clause) -> str:
    """Return a clause's pattern without what only introduces what it asks."""
    return _stripped(_with_speaker(clause))


def _with_speaker(clause: Clause) -> str:
    """Return a clause's pattern with a capital ``I`` for whoever speaks."""
    return re.sub(r"\bi\b", "I", clause.pattern)


def _is_filler(request: Request) -> bool:
    """Tell whether *wait*, or *forget it*, is only how somebody begins to speak."""
    return (
        re.fullmatch(
            r"(?:hey |oh |no |um |ok |well )*(?:wait|hold on|hang on|one (?:sec|second|moment)|"
            r"forget (?:it|that|about it)|never ?mind)\W*",
            request.said,
        )
        is not None
    )


def _request(clause: Clause) -> Request:
    pattern = re.sub(r"\bone THING\b", "THING", _with_speaker(clause))
    if (corrected := _corrected(pattern, clause)) is not None:
        return corrected
    at_once = spoken(clause)
    if at_once == "make_way":
        return Request("do", at_once, said=clause.raw)
    if at_once == "come":
        return Request("do", "go", to_me=True, said=clause.raw)
    if at_once == "put_down":
        return with_parts("do", pattern, clause)._replace(action=at_once)
    if at_once == "idle":
        return Request("unknown", said=clause.raw)
    if at_once in ("help", "where", "shares", "you_take") and (
        clause.mentions or at_once != "shares"
    ):
        asked = with_parts(at_once, pattern, clause)
        return asked._replace(points=asked.thing is None)
    if at_once is not None:
        return Request(at_once, said=clause.raw)
    if _OTHER_ONE.search(clause.raw):
        return Request("you_take", points=True, said=clause.raw, other=True)
    if not clause.asks:
        pattern = re.sub(rf"^do (?=(?:{DO_VERBS}|stop|wait)\b)", "", pattern)
    pattern = re.sub(r"^(?:(?:okay|now|then|so|well|no) )+(?=you )", "", pattern)
    pattern = re.sub(
        rf"^(?:(?:okay|now|then|so|well|no) )+(?=(?:{DO_VERBS}|continue|stop|wait)\b)", "", pattern
    )
    # *Everything in the kitchen* is the kitchen's share.
    pattern = _ALL_OF.sub("PLACE", pattern)
    if _NEEDS_YOU_AT.fullmatch(pattern):
        return with_parts("do", f"{REQ}go to PLACE", clause)
    pattern = _stripped(pattern)
    if pattern == "THING" and not clause.asks and _PLEASE.search(clause.raw):
        return with_parts("do", f"{REQ}bring me THING", clause)
    kind = _kind(pattern, clause)
    if kind == "unknown":
        cued, cue = gist(pattern, clause.raw, asks=clause.asks)
        if cued is not None:
            return _cued(cued, cue, pattern, clause)
    return with_parts(kind, pattern, clause)


_ALL_OF = re.compile(
    r"\b(?:everything|all|things?|stuff|rest)(?: (?:that )?be)? (?:in|of|from) PLACE\b"
)
_NEEDS_YOU_AT = re.compile(
    r"I (?:can )?(?:need|want) you (?:over |to be |to come |back )*(?:in|at|to|by) PLACE"
)


def _cued(kind: Kind, cue: str, pattern: str, clause: Clause) -> Request:
    """Return the request of the part of a clause that asks it; *it* is what was named before."""
    before = pattern.partition(cue.removeprefix(REQ))[0]
    passed = len(re.findall(r"\b(?:THING|PLACE)\b", before))
    request = with_parts(kind, cue, clause._replace(mentions=clause.mentions[passed:]))
    named = [mention for mention in clause.mentions[:passed] if not mention.is_place]
    if request.points and named:
        return request._replace(thing=named[-1], points=False)
    return request


_PLEASE = re.compile(r"\b(?:please|pls|plz)\b")


def _stripped(pattern: str) -> str:
    """Leave out what only introduces a question or a request; a request begins with ``REQ``."""
    for _ in range(3):
        shorter = ASIDES.sub("", pattern)
        if shorter == pattern:
            break
        pattern = shorter
    is_request = False
    for _ in range(3):
        shorter = FRAMES.sub("", pattern)
        if shorter == pattern or not shorter:
            break
        pattern, is_request = shorter, True
    return REQ + pattern if is_request else pattern


def _kind(pattern: str, clause: Clause) -> Kind:
    bare = pattern.removeprefix(REQ)
    acts = re.match(rf"(?:{DO_VERBS})\b", bare) is not None
    asks_wh = re.match(r"(?:what|where|which|who|why|how|when)\b", bare) is not None
    if WAY_TO.search(clause.raw) and clause.mentions:
        return "where"
    if AWAY.search(pattern):
        return "i_take"
    if GO_ON.search(pattern):
        return "go_on"
    if not asks_wh and not _is_told_of_self(bare) and STOP.search(pattern):
        return "stop"
    if SPARE.search(pattern):
        return "i_take"
    is_of_place = re.search(r"\banything (?:in|on|inside|under) ", pattern) is not None
    if (
        REMAINING.search(pattern)
        and not is_of_place
        and not re.search(r"\b(?:I|me|my)\b|\bTHING\b", pattern)
    ):
        return "remaining"
    if SUGGEST.search(pattern):
        return "suggest"
    if re.search(r"(?:^|\w )help$", pattern) and not asks_wh:
        return "suggest" if clause.asks and bare in ("need help", "you need help") else "help"
    if not acts or asks_wh:
        for kind, patterns in _PLACES:
            if patterns.search(pattern):
                past = kind == "belongs" and re.search(
                    r"\b(?:did|was|were|went|gone|where'?d)\b", clause.raw
                )
                return "where" if past else kind
    is_past = re.search(r"\bi (?:once )?had\b", clause.raw) is not None
    if (
        I_TAKE.search(pattern)
        and not is_past
        and not re.search(r"\byou (?:take|have|do|handle|get)\b", pattern)
    ):
        return "i_take"
    if HELP.search(pattern):
        return "help"
    if YOU_TAKE.search(pattern) and not _has_target(pattern):
        return "you_take"
    if (not acts and DOING.search(pattern)) or REPORT.search(pattern):
        return "doing"
    if ON_THE_WAY.search(clause.raw):
        return "doing"
    # *Does the cup belong there?*, *is the lamp on?*: whoever asks that wants nothing done.
    is_question = _ASKS_WHETHER.match(clause.raw) is not None
    is_remark = (
        is_question
        or _is_told_of_self(bare)
        or re.match(
            r"(?:be|do|have) (?:it|that|"
            r"there)\b",
            bare,
        )
    )
    if not asks_wh and not is_remark and DO.search(pattern) and _is_about(bare):
        return "do"
    for other, patterns in _SOCIAL:
        if patterns.search(pattern):
            return other
    if not clause.asks and not clause.mentions:
        return "unknown"
    return (
        "where"
        if clause.asks and re.fullmatch(r"(?:and )?(?:what about )?THING", bare)
        else "unknown"
    )


_ASKS_WHETHER = re.compile(
    r"\W*(?:(?:so|and|but|hey|ok),? )*(?:does|is|isn't|isnt|was|were|did|didn't|didnt|has|"
    r"are) (?!you\b)"
)
_NOT_BUT = re.compile(
    r"^(?:(?:no|wait|oh) )*not (?:THING|it|that|this)(?: one)? (?:but )?(THING)$"
    r"|^(?:(?:no|wait|oh) )*(?:I (?:mean|meant|say|tell) |no )(THING)$"
    r"|^(?:(?:no|wait|oh) )+I want (THING)$"
)
_NOT_THERE = re.compile(
    r"^(?:wait |oh )*(?:(?:(?:no|sorry|not (?:there|here|that|it)|not (?:on|in|at|to|into|next "
    r"to) PLACE) )+"
    r"(?:I (?:mean|meant|want|tell) (?:it )?(?:to )?)?|I (?:mean|meant|tell) )"
    r"(on|in|at|to|into|onto|next to|inside) PLACE$"
)
_NOT_THIS = re.compile(
    r"^\W*(?:(?:no|oh|wait|sorry),? )*(?:not (?:that|this|it)(?: one)?,? (?:but )?(?:the )?other"
    r"(?: \w+)?|(?:no,? |i meant? |not (?:this|that),? )(?:the )?other(?: \w+)?)\W*$"
)


def _corrected(pattern: str, clause: Clause) -> Request | None:
    """Return what somebody meant instead: *no, the blue one*, *not that one, the other one*."""
    found = _NOT_BUT.match(pattern)
    if found is not None and clause.mentions:
        return Request("correct", thing=clause.mentions[-1], said=clause.raw)
    elsewhere = _NOT_THERE.match(pattern)
    if elsewhere is not None and clause.mentions:
        return with_parts(
            "do", f"put it {elsewhere[1]} PLACE", clause._replace(mentions=clause.mentions[-1:])
        )._replace(kind="correct", action=None)
    if _NOT_THIS.match(clause.raw):
        return Request("correct", points=True, other=True, said=clause.raw)
    return None


_OTHER_ONE = re.compile(
    r"^\W*(?:(?:and|also|now|then|please|so) )*(?:the )?other (?:ones?|thing|too)"
    r"(?: as well| too| also| please| then| now)*\W*$"
)
"""Words that go on from a request before: *and the other one as well*."""


_PLACES: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    ("doing", HEADING),
    ("belongs", WHERE_TO),
    ("where", WHERE),
)
_SOCIAL: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    ("thanks", THANKS),
    ("hello", HELLO),
    ("yes", YES),
    ("no", NO),
)


def _is_told_of_self(bare: str) -> bool:
    """Tell whether somebody says what they themselves do or did: no request."""
    return re.match(r"(?:I|we) (?!(?:can )?(?:need|want)\b|say stop)", bare) is not None


def _has_target(pattern: str) -> bool:
    """Tell whether it is said where something is to go."""
    return (
        re.search(
            r"\b(?:to|on|in|into|onto|inside|at|beside|next to|near)(?: of)? (?:PLACE|"
            r"me\b|here\b|there\b)",
            pattern,
        )
        is not None
    )


def _is_about(bare: str) -> bool:
    """Tell whether a verb has something to be about: *put* alone says nothing."""
    return (
        re.search(
            rf"\b{N}\b|\b(?:me|here|there|away|aside|over|way|back|closer|everything|"
            rf"up|with|down|room)\b",
            bare,
        )
        is not None
    )
