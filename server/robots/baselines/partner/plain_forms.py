"""Plain forms of orders: the sentences in which people tell somebody what to do, and no others.

Patterns (`patterns.py`) find an order anywhere in a line. Here is what its whole clause has to look
like, so that nothing else is meant: verb, thing and place, and words that change nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from server.robots.baselines.partner.first_request import pattern_of
from server.robots.baselines.partner.request import Request
from server.robots.baselines.partner.words import Name, clauses

MOST_WORDS = 14
"""Most words of a plain order. Longer ones are asked back; the forms below could take minutes over
a line that says one thing again and again."""
_N = r"(?:THING|PLACE|it|this|that|them|those|these|one)"
_NP = (
    rf"(?:(?:both|all|PLACE|door of|drawer of|my|any) )*{_N}"
    r"(?: (?:thing|ones?|door|drawers?|PLACE|both))*"
)
_AT = (
    r"(?: (?:(?:over|down|back|off|out|right|up|and|end up|away) )*(?:to|on|in|into|onto|inside|"
    r"at|next to|"
    r"beside|near|by|from|off|out|on top|with|within|toward|towards|under)(?: of)? "
    r"(?:(?:PLACE|my|both|this|that|top of|side of) )*(?:THING|PLACE|it|me|this|that)(?: PLACE)*)"
)
_MORE = (
    r"(?: (?:(?:in|from|over|right|up|back|to|by|with|for) )*(?:here|there|over|back|down|up|"
    r"instead|now|then|again|me|"
    r"us|you|can you|on|off|water|first|too|away|together|next|so|anywhere|somewhere|and|thank|"
    r"thanks|"
    r"after all|it be dark|its dark|"
    r"second|minute|be no trouble|if it be no trouble|when you can|if you can|"
    r"if you like|where it belong|if you not mind|soon|next to me|behind|dark|as|because|time|one))"
)
_LEAD = (
    r"(?:REQ )?(?:(?:now|no|then|and|go|do|to|so|first|right|okay|yes|you|be kind as|also|next|"
    r"can you|"
    r"off|please|up|just|over|quick|best|any chance you can|any chance|you can) )*"
)
_GO_ON = (
    rf"(?: (?:and |then )*(?:put|bring|go|take|clean|fill|turn|get)(?: (?:back|down|over))* "
    rf"?(?:{_N}|me {_N})?"
    rf"(?:{_AT}|{_MORE})*)*"
)
_VERBS = {
    "bring": r"(?:bring|get|take|put|go get|go bring|go and get)",
    "get": r"(?:bring|get|take|go get|go and get|go for|"
    r"put(?= \w+ off)|put(?= \w+$)|put(?= \w+ where it belong))",
    "put": r"(?:put|bring|take|get|leave|keep|go get|go and get|go put|have)",
    "put_down": r"(?:put|leave|let go|let go of)",
    "open": r"(?:open|leave|get|have|make|keep)",
    "close": r"(?:close|get|have|make|keep)",
    "clean": r"(?:clean|make|bring|get|go clean|have)",
    "fill": r"(?:fill|make|get)",
    "power_on": r"(?:turn|put|have|get)",
    "power_off": r"(?:turn|put|have|get)",
    "tidy": r"(?:tidy|tidy out)",
}
_STATES = r"(?: (?:clean|open|close|full|turn on|turn off|on|off|fill|fill up|turn))?"
_NEEDS = re.compile(
    rf"{_LEAD}(?:I|we) (?:(?:can|really|must) )*(?:need|want|like|have)(?: to (?:have|see))? "
    rf"(?:you to \w+ )?{_NP}(?: to)?(?: (?:be|go|put|bring|get|take))*{_STATES}(?:{_AT}|{_MORE})*"
)
_HAVE = re.compile(rf"{_LEAD}(?:can|must) (?:I|we) (?:have|get) {_NP}(?:{_AT}|{_MORE})*")
_IS_FOR = re.compile(
    rf"{_LEAD}(?:can )?{_NP}(?: (?:be )?(?:in|on|at|from) PLACE)?"
    rf" (?:must|need|have to|go|belong|can|be to|want|end up)"
    rf"(?: (?:to|be|go|put|bring|take|end|up|have|get))*{_STATES}(?:{_AT}|{_MORE})*"
)
_ONLY_AT = re.compile(rf"{_LEAD}{_NP}(?: be)?(?:{_AT}|{_MORE})+{_GO_ON}")
_WALK = re.compile(
    rf"{_LEAD}(?:I (?:can )?(?:need|want) you )?(?:(?:go|put|stand|get|wait|come|meet|over|back|"
    rf"closer|here|stay|bring) ?)*"
    rf"(?:{_AT}|{_MORE}| (?:closer|with me|PLACE|and look at {_N}|stand))*"
)
_COMES = re.compile(
    r"\b(?:go|gone|going|come|coming|walk|head|move|drive|run|meet|join|follow|approach|travel|"
    r"step|"
    r"here|over|stand|get|wait|in|to|at|back|pop|nip|visit|closer)\b"
)


def is_plain(request: Request, names: Sequence[Name]) -> bool:
    """Tell whether the clause of an order is nothing but that order."""
    found = clauses(request.said, names)
    if len(found) != 1:
        return True
    pattern = re.sub(r"\bnot (?=mind\b)", "", pattern_of(found[0]))
    pattern = re.sub(r"^(?:REQ )?(?:I|it) can be \w+ (?:if you (?:can )?|to )", "", pattern)
    if len(pattern.split()) > MOST_WORDS:
        return False
    if pattern.removeprefix("REQ ") == "THING":
        return request.action in ("get", "bring")
    if request.action == "go":
        walks = _WALK.fullmatch(pattern) is not None
        return walks and _COMES.search(request.said) is not None
    verb = _VERBS.get(request.action or "", "put")
    told = re.compile(
        rf"{_LEAD}{verb}(?: (?:up|on|off|out|over|down|back|me|us|to|for|of|rid|and))* ?"
        rf"(?:{_NP}(?: (?:and )?{_NP})*)?{_STATES}(?:{_AT}|{_MORE}|{_STATES})*{_GO_ON}"
    )
    if told.fullmatch(pattern):
        return True
    wishes = (
        (_NEEDS, _HAVE)
        if request.action in ("get", "bring")
        else (_NEEDS, _HAVE, _IS_FOR, _ONLY_AT)
    )
    return any(form.fullmatch(pattern) for form in wishes)
