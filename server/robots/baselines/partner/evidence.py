"""Evidence of what a line was taken for: words around it that speak for something else.

Patterns find a question, a stop or a thank-you in a few words. Here is what must not stand beside
them: words that no such line has, somebody else who asks, another time, a thing that is stopped.
Where the evidence is thin, the robot asks back.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from server.robots.baselines.partner.lexicon import ASKING, NOUNS, PLAIN, REMARKING, WONDERING
from server.robots.baselines.partner.patterns import any_of_these
from server.robots.baselines.partner.request import Kind, Request
from server.robots.baselines.partner.words import Name, clauses

_QUESTIONS: frozenset[Kind] = frozenset(
    {"doing", "where", "belongs", "suggest", "remaining", "shares", "contents", "count", "state"}
)
_REMARKS: frozenset[Kind] = frozenset({"yes", "thanks", "hello", "sorry", "go_on"})
_KNOWS = any_of_these(
    r"^\W*(?:(?:but|and|yes|yeah|ok|well|so|no),? )*(?:i|we|you|u|they|everybody|everyone|nobody) "
    r"(?:already |just |do |both |all |now )*(?:know|knew|remember|see|saw|found) (?:out )?"
    r"(?:what|where|which|who|why|how)\b(?!.*\?)",
    r"\b(?:i|we) (?:do not|don't|dont|couldn't|could not) (?:really )?(?:care|mind|need to know|"
    r"want to know)\b",
    r"\b(?:ask me|guess|knows|asked|asks|said|says|imagine|heard|told (?:you|him|her|them)|"
    r"no matter|doesn't matter|depends(?: on)?|explained|stop asking(?: me)?) (?:that |about )?"
    r"(?:what|where|which|who|why|how)\b",
    r"\b(?:tell me|let me know|say|shout|call(?: me)?|ping me|warn me|tell us) (?:as soon as|when|"
    r"once|if|before) (?:you|u|it|they|the|we|i)\b(?! (?:know|knows|can|have any))",
)
"""Words of somebody who asks nothing now."""
_OTHER_TIME = re.compile(
    r"\b(?:yesterday|tomorrow|usually|normally|ever since|last (?:week|night|year)|"
    r"next (?:week|time|year)|in general|for a living|in real life|on weekends)\b"
)
_STOPS_SOMETHING = any_of_these(
    r"\b(?:stop|quit|halt|pause|cease|wait for) (?:the|a|an) "
    r"(?!robot\b|way\b|work\b|thing\b|task\b|job\b|signal\b|moment\b|sec|min|bit\b|while\b)\w+",
    r"\b(?:stop|quit) (?:asking|telling|saying|talking|leaving|being|calling|repeating|sending|"
    r"writing|complaining|staring|looking)\b",
    r"\bthen\b,? (?:you )?(?:please )?(?:bring|fetch|get|grab|give|hand|put|place|move|carry|take|"
    r"open|close|shut|wash|clean|fill|turn|switch|go|come)\b",
)
"""Words of somebody who wants something else stopped than what the robot does, or more."""
_OF_SPEAKER = re.compile(r"\b(?:i|we|me|us)\b(?! meet\b)")
_OTHER_HELP = re.compile(
    r"\b(?:instead of|without|for|thanks for|before|after|while|stop|start|by) help\w*|"
    r"\b(?:shouldn't|should not|mustn't|nobody|no one|hadn't|tried|ready|pretend\w*|agree\w*|"
    r"about|hate|refuse\w*|rather) (?:\w+ )*help|\bno need to help|\bi (?:can |will |could |'ll )?"
    r"help you\b|\bhelp (?:you|yourself|them|him|her)\b"
)
"""Help of somebody else, or no help."""


def is_thin(request: Request, text: str, names: Sequence[Name]) -> bool:
    """Tell whether a line has too little of what it was taken for, and too much of other things."""
    raw = text.lower().replace("\u2019", "'")
    if request.kind in _QUESTIONS:
        is_of_nothing = request.thing is None and request.place is None and not request.points
        if request.kind == "belongs" and is_of_nothing and not _OF_SPEAKER.search(raw):
            return True
        if _OTHER_TIME.search(raw) or _KNOWS.search(raw):
            return True
        return _is_strange(text, names, PLAIN | ASKING | WONDERING)
    if request.kind in _REMARKS:
        return _is_strange(text, names, PLAIN | REMARKING)
    if request.kind == "stop":
        return _STOPS_SOMETHING.search(raw) is not None
    if request.kind == "help":
        return _OTHER_HELP.search(raw) is not None
    return False


def _is_strange(text: str, names: Sequence[Name], known: frozenset[str]) -> bool:
    """Tell whether a line has words that lines of its kind have not."""
    words = {word for clause in clauses(text, names) for word in clause.pattern.split()}
    return any(word.islower() and word not in known and word not in NOUNS for word in words)
