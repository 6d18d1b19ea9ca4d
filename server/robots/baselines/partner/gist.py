"""Gist of a clause that fits no pattern: its kind by the cues that are anywhere in it.

Patterns (`patterns.py`) tell what is said in the ways that most people choose. Here are the cues
of the rest: each kind needs two that go together, since a request that is taken for another is
worse than one that is not understood.
"""

from __future__ import annotations

import re
from typing import Literal

from server.robots.baselines.partner.patterns import DO_VERBS, REQ, N, any_of_these

Gist = Literal["doing", "where", "do", "stop", "you_take"]

_STOP = re.compile(
    r"\b(?:stop|break off|leave off|lay off|pack it in|chill)\b(?! (?:at|by|near|in|with))"
)
_NOT_STOP = any_of_these(r"\bnot (?:to )?stop\b", r"\bI (?:can |must |will |be )*stop\b",
                         r"^(?:what|when|why|where|who|how|do|have|be)\b")  # fmt: skip
_SEES_TO = (
    r"(?:take|do|doing|handle|get|see to|deal with|concentrate on|focus on|crack on with|go with|"
    r"start in|work in|go for|go to|stay in|look after|"
    r"tidy|make|on|clean|put|bring|fill|turn|start (?:on|with)|work on|have|own|be)"
)
_SHARE = any_of_these(
    rf"\byou\b(?: \w+){{0,3}}? {_SEES_TO}\b.*\b(?:{N}|rest|other|half)\b.*"
    rf"\bI\b(?: \w+){{0,3}}? {_SEES_TO}\b",
    rf"\bI\b(?: \w+){{0,3}}? {_SEES_TO}\b.*\b(?:{N}|rest|other|half)\b.*"
    rf"\byou\b(?: \w+){{0,3}}? {_SEES_TO}\b",
    rf"\b{N} I .*\b{N} you\b|\b{N} you .*\b{N} I\b",
    rf"\byou (?:{N}|rest)\b.*\b(?:me|I) (?:{N}|rest|other)\b",
    rf"\b(?:me|I) (?:{N}|rest)\b.*\byou (?:{N}|rest|other)\b",
    rf"\b{N} (?:be )?(?:mine|my)\b.*\b(?:{N}|rest)\b.*\byours?\b",
    rf"\byours?\b.*\b(?:{N}|rest)\b.*\b(?:mine|my)\b|\b{N} (?:be )?your\b.*\b(?:mine|my)\b",
)
_GUESS = re.compile(rf"^(?:{REQ})?(?:be|do|have) you\b|\b(?:what|where|which|who|why|how)\b")
_FOR_YOU = any_of_these(
    r"\b(?:leave|hand|pass|bring|give)\b.*\bto you\b",
    rf"\b{N}\b.* (?:your(?! hand)|yours|up to you|on you)\b",
    rf"\byours be\b.*\b{N}",
    r"^(?:\w+ )?you(?: be)? (?:on )?(?:THING|PLACE)(?: duty)?$",
    rf"\byou (?:can |must |be |best |better )*(?:take|do|handle|see to|look after)(?: on| over)?"
    rf" {N}(?: on)?\b",
)
_TOLD_OF_SELF = re.compile(r"^(?:I|we|my|mine|it|he|she|they)\b")
_ASKS = re.compile(r"\b(?:what|where|which|who|why|how|whatever|wherever)\b")
_DOING = any_of_these(
    r"\byou\b.*\b(?:doing|busy|hold|up to|off to|aim|carry|work on|go to|head|about to)\b",
    r"\b(?:doing|busy|hold|up to|off to|head|work on|bring|put|go)\b.*\byou\b",
    r"\bnext\b.*\b(?:you|your)\b|\b(?:you|your)\b.*\bnext\b|\bnext (?:on|for) (?:your|you)\b",
    r"\b(?:keep|make) you (?:so )?busy\b",
    r"\b(?:in|on) your hand\b.*\bwhat\b|\bwhat\b.*\b(?:in|on) your hand\b",
)
_WHERE = any_of_these(
    rf"\b(?:where|wherever|elsewhere|hide|see|find|end up|whereabouts)\b.*\b{N}",
    rf"\b{N}\b.*\b(?:where|wherever|elsewhere|hide|end up)\b",
)
_REQUEST = re.compile(
    rf"\b(?:you|kind|dear|good|grateful|hope|let us|and|then|now|to|best|over|so|thing)\b"
    rf"(?: \w+){{0,3}}? (?:{DO_VERBS}|keep)\b(?: \w+){{0,2}}? {N}"
)
_VERB = re.compile(rf"\b(?:{DO_VERBS}|keep)\b(?: \w+){{0,2}}? {N}\b.*")
_OTHERS = re.compile(r"^(?:do|have|be|why|who|what|where|when|how|if)\b|\b(?:did|was|were)\b")


def shares_out(pattern: str) -> bool:
    """Tell whether a line gives something to each: *I sort the mug if you sort the books*."""
    is_refused = re.search(r"\bI (?:can |be |go to |want to )*not\b", pattern) is not None
    guesses = _GUESS.search(pattern) is not None
    return _SHARE.search(pattern) is not None and not guesses and not is_refused


def gist(pattern: str, raw: str, *, asks: bool) -> tuple[Gist | None, str]:
    """Return the kind of a clause by its cues, None for none, and the part that asks it.

    ``pattern`` holds lemmas and marks, ``raw`` the words as they were written; ``asks``: there is
    a question mark behind it.
    """
    pattern = pattern.removeprefix(REQ)
    wonders = asks or _ASKS.search(pattern) is not None
    if _STOP.search(pattern) and not _NOT_STOP.search(pattern):
        return "stop", pattern
    if shares_out(pattern):
        return "you_take", pattern
    acts_now = re.search(r"\b(?:you|u|ya)\b.*\w\w\wing\b", raw) and _ASKS.search(pattern)
    if wonders and (_DOING.search(pattern) or acts_now) and not re.search(r"\bdid you\b", raw):
        return "doing", pattern
    if wonders and _WHERE.search(pattern):
        return "where", pattern
    if not wonders and _FOR_YOU.search(pattern):
        return "you_take", pattern
    asked = _VERB.search(pattern)
    if asked is None or not _REQUEST.search(pattern):
        return None, pattern
    is_wish = re.search(r"\b(?:if|hope) you\b|\b(?:would|could) you\b", raw + " " + pattern)
    if is_wish or not (_TOLD_OF_SELF.search(pattern) or _OTHERS.search(pattern)):
        return "do", REQ + asked.group()
    return None, pattern
