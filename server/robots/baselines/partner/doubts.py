"""Doubts about a request: words of its line of which it takes no account.

Patterns find what is asked anywhere in a line; a condition, a ban, a number or a second thing
beside it changes what is meant. What says more than was understood is asked back, not done.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from server.robots.baselines.partner.first_request import pattern_of, without_contrast
from server.robots.baselines.partner.lexicon import ASKING, PLAIN
from server.robots.baselines.partner.patterns import AWAY, any_of_these
from server.robots.baselines.partner.plain_forms import is_plain
from server.robots.baselines.partner.request import Request
from server.robots.baselines.partner.words import Clause, Mention, Name, clauses

ACTS = frozenset({"do", "you_take", "i_take", "help"})
"""Kinds of requests after which the robot does something else than before."""
_POLITE = any_of_these(
    r"\b(?:if|when|whenever|once|as soon as) (?:you|u|ya|your)(?:'re|'ve|'d|r|re)? ?"
    r"(?!(?:see|find|pass|need|notice)\b|get (?!a\b|the (?:time|chance)|round|there|time|"
    r"some))(?:\w+ ){0,3}?"
    r"(?:can|could|would|like|please|mind|chance|sec|second|moment|minute|free|ready|able|time|"
    r"there|around|done|want|wanted|hands|kind|go|get round to it)\b(?! with\b)",
    r"\bif (?:it is|it's|its|that is|that's|thats|that) (?:\w+ ){0,3}?(?:ok|okay|alright|fine|"
    r"possible|trouble|bother|easier|cool)\b",
    r"\b(?:if possible|if poss|when possible|if so,?|as if|even if|what if|once more|at once|"
    r"once again|for once|while (?:you're|you are|ur|you) (?:at it|there|here|on)|before you go|"
    r"when ready|and when|since when|after all)\b",
    r"\b(?:great|nice|good|lovely|grateful|appreciate it|glad|helpful|happy|best|better|wonderful|"
    r"perfect|brilliant|super|awesome|cool|kind) (?:it )?if\b|\bmind if\b",
    r"\bwhy (?:don't|dont|do not|not)\b|\bdon't worry\b|\bdont worry\b|\bno worries\b|\bno need\b|"
    r"\bno problem\b|\bnot sure\b|\bif you (?:don't|dont|do not|wouldn't) mind\b|"
    r"\b(?:won't|wouldn't|can't|couldn't|wont|cant) you\b|"
    r"\b(?:don't|dont|do not) forget (?:to|the)\b|\bwhy don't we\b|\bno\b",
)
_CONDITION = re.compile(
    r"\b(?:if|unless|when|whenever|once|until|till|before|(?<!look )(?<!looking )after|"
    r"afterwards|as soon as|in case|"
    r"otherwise|or else|provided|while|first|later|every time|each time|whoever|whichever|"
    r"assuming|suppose|supposing|as long as|tomorrow|tonight|eventually|someday|"
    r"in (?:a|an|one|two|three|five|ten|\d+|some|about \w+) (?:sec|second|min|minute|moment|bit|"
    r"while|hour|time)s?|not yet)\b"
)
_SHARED_OVER = re.compile(r"\b(?:if|while|when|whilst|first|once)\b")
_NEGATION = re.compile(
    r"\b(?:don't|dont|do not|not|never|without|except|rather than|instead of|apart from|but not|"
    r"anything but|other than|shouldn't|shouldnt|should not|mustn't|must not|stop|wasn't|isn't|"
    r"didn't|didnt)\b"
)
_OF_SPEAKER = re.compile(r"\b(?:i|i'm|im|i'll|ill|me|mine|my)\b")
_NUMBER = re.compile(
    r"\b(?:every|everything|everyone|each|all (?:the|of|my|three|four|your)|two|three|four|five|"
    r"six|"
    r"half|most|only|couple|few|several|[2-9](?! ?(?:me|the|u|you)\b))\b"
)
_IS_OF_OTHERS = re.compile(
    r"^\W*(?:my|the|our|a|he|she|they|it|i|we|why|when|what)\b(?!.*\b(?:you|please|pls|stop|"
    r"wait)\b)"
)
"""Beginnings of lines in which something else stops than the robot."""
_NO_HELP = re.compile(
    r"\b(?:not|don't|dont|no|never|didn't|didnt|without)\b.*\b(?:help|hand|need)\b"
)
_SEVERAL = re.compile(r"\b(?:them|those|these|both|all(?! yours\b))\b")
_CHANGES = re.compile(
    r"\b(?:can|do|should|could|shall) (?:i|we|you) (?:wash|clean|rinse|fill|meet|sit|plug)"
)
_STAYS_SOMEWHERE = re.compile(
    r"\b(?:stay|stick|keep) (?:close|near|with|by)\b|"
    r"^\W*(?:please |can you )?wait (?:for me )?(?:in|at|by|near) (?:the|my)\b|^\W*if\b"
)
"""Words of somebody who wants the robot to be at some place, or only if something is so."""
_NOT_YET = re.compile(r"\b(?:later|again|after|two|three|half|not|but|if|when|first|one)\b")
"""Words behind a *yes* that want something else than what was asked."""
OF_TEAM = re.compile(r"\b(?:person|robot) \d\b")
"""Names of others: what is said of them is for them."""
_PUTS_BACK = re.compile(r"\bback\b(?: to)?(?: where\b.*)?$")
"""Words for a place that no robot remembers: it says so."""
_OF_SOMETHING = frozenset({"open", "close", "clean", "fill", "power_on", "power_off"})
_SETS = re.compile(
    r"^\W*(?:(?:please|can you|could you|and|now|you),? )*(?:set|lay|ready) the \w+\W*$"
)
"""Words of what is done to a table, which is not to carry it."""
_COUNTS = re.compile(r"\b(?:times|twice|in (?:\w+ )?\w+|yet|but|not|without|with)\b")
"""Words behind *go on* that say how, or when."""
_ONE_EACH = re.compile(r"\bone\b.*\bone\b|\bone of\b|\b(?:tell|say|ask|see what|let me know)\b")
_ASKS = re.compile(
    r"^\W*(?:(?:so|and|but|hey|ok|oh|robot|well|then|now),? )*"
    r"(?:(?:are|is|was|were|did|does|has|have|am|isn't|aren't|didn't) (?:you|u|it|that|this|they|"
    r"i|we|"
    r"the|my|there|any\w*|some\w*)\b(?! (?:able to|kind|so kind|willing|idea|possible|in|here to "
    r"help|free to|got (?:(?:a|any|some|the|enough) )?(?:time|sec|second|min|minute|moment))\b)|"
    r"do (?:you|u|i|we) (?!(?:mind|think you|wanna|want to)\b|"
    r"have (?:(?:a|any|some|the|one|enough) )?(?:time|sec|second|min|minute|moment)\b)|"
    r"(?:what|when|how(?! about)|who)\b)"
)
"""Beginnings of questions that want nothing done."""
_TELLS = re.compile(
    r"^\W*(?:(?:oh|ok|yes|ah) )*(?:got|found|have) (?:it|them|that|this|the|one|my|both)\b|"
    r"^\W*(?:(?:so|and|but|hey|ok|oh|robot|well|then|now),? )*"
    r"(?:(?:you|u)(?:'ve|ve| have| had)? (?:got|just|already|took|taken|brought|dropped|"
    r"opened|closed|said|did|done|went|found|moved|washed|been|missed)\b|(?:you|u)(?:'ve| have) "
    r"(?!to\b)|"
    r"you(?:'re| are| r|re) (?!in\b|on\b|to\b|the one\b|standing\b|blocking\b|responsible\b))"
)
"""Beginnings of what is told of the robot, and asks it for nothing."""
_EITHER = re.compile(r"\b(?:either|or|whichever|any of)\b")
_OTHER = re.compile(
    r"\b(?:other|another|second|third|last|next(?! (?:to|thing)\b)|bigger|smaller|same)\b"
)
_TURNS_BACK = re.compile(
    r"\b(?:and|then)\b.*\b(?:again|wait|stay|come back|go back|return|bring it back|back again|"
    r"twice)\b"
)


def is_doubtful(request: Request, text: str, names: Sequence[Name]) -> bool:
    """Tell whether a line says more than its request, so that doing it may be wrong."""
    if request.kind == "stop":
        is_of_others = _IS_OF_OTHERS.match(text.lower()) is not None
        return is_of_others or _STAYS_SOMEWHERE.search(text.lower()) is not None
    if request.kind == "yes":
        return len(text.split()) > 2 and _NOT_YET.search(text.lower()) is not None
    if request.kind not in (*ACTS, "go_on") or request.action == "make_way":
        return False
    if (
        request.action in ("put", "get")
        and request.place is None
        and _PUTS_BACK.search(request.said)
    ):
        return False
    text = without_contrast(text)
    lowered = text.lower().replace("\u2019", "'")
    raw = _POLITE.sub(" ", OF_TEAM.sub("somebody", lowered))
    gives_each = request.kind == "you_take" and request.leaves is not None
    if _CONDITION.search(_SHARED_OVER.sub(" ", raw) if gives_each else raw):
        return True
    if request.action == "spare" and all(_is_away(c) for c in clauses(text, names)):
        # Each of its words has its place in that form.
        return False
    if request.kind == "go_on":
        named = "" if request.thing is None else re.escape(request.thing.words)
        return (
            _COUNTS.search(re.sub(rf"\bwith (?:the )?{named}$", "", raw) if named else raw)
            is not None
        )
    is_of_nothing = request.thing is None and not (request.points or request.other)
    if request.kind == "do" and request.action in ("get", "bring") and is_of_nothing:
        return True
    if request.thing is not None and request.thing.is_place and _SETS.match(raw):
        return True
    is_of_nowhere = is_of_nothing and request.place is None and not request.many
    if request.kind == "do" and request.action in _OF_SOMETHING and is_of_nowhere:
        return True
    asks_how = request.kind == "help" and re.match(r"\W*(?:how|what)\b", raw)
    if (not asks_how and _asks_or_tells(raw)) or _has_strange_words(text, names):
        return True
    if request.kind == "help":
        return _NO_HELP.search(raw) is not None
    if gives_each:
        return False
    if request.thing is None and _SEVERAL.search(raw):
        return True
    if request.kind in ("do", "you_take") and _NEGATION.search(raw):
        return True
    turns_back = not request.then and _TURNS_BACK.search(raw)
    if request.kind == "do" and (_EITHER.search(raw) or turns_back or _ONE_EACH.search(raw)):
        return True
    is_of_room = request.kind != "do" and request.thing is not None and request.thing.is_place
    if not (request.many or is_of_room) and not _is_named(_NUMBER, raw, request):
        return True
    if request.kind == "do" and not request.other and not _is_named(_OTHER, raw, request):
        return True
    if request.kind == "do" and not all(is_plain(r, names) for r in (request, *request.then)):
        return True
    is_elsewhere = request.room is not None and request.thing is not None
    if request.kind == "i_take" and is_elsewhere and re.search(r"\bwan\w*|\blike\b|\bneed\b", raw):
        return True
    if request.kind == "do" and request.action == "put" and request.to_me and "meet" in raw:
        return True
    if request.kind == "i_take" and re.search(r"\bback\b", raw):
        return True
    # What somebody else is said to take is theirs: *I take the apple, person 2 takes the book*.
    return not OF_TEAM.search(lowered) and bool(unheeded(request, text, names))


def _is_away(clause: Clause) -> bool:
    """Tell whether a clause only keeps the robot from something, or calls to it."""
    pattern = pattern_of(clause)
    return AWAY.search(pattern) is not None or pattern in ("stop", "wait", "no", "hey")


def unheeded(request: Request, text: str, names: Sequence[Name]) -> list[Mention]:
    """Return what a line names and its request has no place for."""
    used = {
        m.words
        for r in (request, *request.then)
        for m in (r.thing, r.place, r.room, r.leaves)
        if m is not None
    }
    named = [m for clause in clauses(text, names) for m in clause.mentions if m.keys]
    return [m for m in named if not any(_is_same(m.words, words) for words in used)]


def _asks_or_tells(raw: str) -> bool:
    """Tell whether a line only asks, or tells what the robot did or is."""
    return _ASKS.match(raw) is not None or _TELLS.match(raw) is not None


def is_strange(request: Request, text: str, names: Sequence[Name]) -> bool:
    """Tell whether a question has words that such a question has not."""
    clause = [c for c in clauses(text, names) if c.raw == request.said] or clauses(text, names)
    words = {w for c in clause for w in c.pattern.split() if w.islower()}
    acts = request.kind == "where" and _CHANGES.search(request.said)
    return bool(acts) or bool(words - PLAIN - ASKING)


def _has_strange_words(text: str, names: Sequence[Name]) -> bool:
    """Tell whether a line has words that no request here is known to have."""
    words = {w for clause in clauses(text, names) for w in clause.pattern.split()}
    return any(w.islower() and w not in PLAIN for w in words)


def _is_same(one: str, other: str) -> bool:
    return one in other or other in one


def _is_named(pattern: re.Pattern[str], raw: str, request: Request) -> bool:
    """Tell whether the words in question belong to a name: *dining room chair 2*."""
    named = [m.words for m in (request.thing, request.place, request.room) if m is not None]
    return all(any(found in words for words in named) for found in pattern.findall(raw))
