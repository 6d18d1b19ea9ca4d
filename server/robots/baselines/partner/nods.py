"""Nods, greetings and thanks: whole lines that ask for nothing."""

from __future__ import annotations

import re

from server.robots.baselines.partner.request import Kind

_NODS: tuple[tuple[re.Pattern[str], Kind], ...] = (
    (re.compile(r"(?:(?:hi|hello|hey|hiya|howdy|good (?:morning|day|afternoon|evening))[ ,!]*)+"
                r"(?:(?:there|robot|mate|partner|buddy|you|friend|bot|again|all)\b[ "
                r",!]*)*\W*"), "hello"),
    (re.compile(r"(?:(?:hi|hello|hey)\W+)?how are you(?: today| this morning|"
                r" feeling)?\W*"), "hello"),
    (re.compile(r"(?:thanks|thank you|thx|ty|cheers)(?:[ ,]+\w+){0,3}\W*"), "thanks"),
    (re.compile(r"(?:ok|okay|k|alright|all right|got it|cool|roger)(?: then| cool| good)?\W*"),
     "yes"),
    (re.compile(r"(?:(?:oh|ah|so|i am|i'm|im|very) )*(?:sorry|sry|srry|my bad|apologies|oops|"
                r"whoops|pardon)"
                r"(?:[ ,]+(?:about that|my bad|robot|mate|for that|again|that was|my fault|it "
                r"was|me|"
                r"wrong \w+|my mistake|i did(?:n't|nt| not) mean (?:that|to)))*\W*"), "sorry"),
    (re.compile(r"(?:(?:haha+|lol|ha|hehe) )?(?:nice|good (?:one|stuff|thinking|idea)|cool|great|"
                r"lovely|wow|haha+|ha|lol|hm+|aha|i see|perfect|awesome|brilliant|"
                r"no (?:problem|worries)|never mind that|good (?:robot|boy|bot)|right|true|sweet)"
                r"(?:[ ,]+(?:one|robot|mate|work|job|thanks|then|wow))*\W*"), "nod"),
)  # fmt: skip
"""Lines that ask for nothing, and of which politeness leaves no word."""


def nodded(text: str) -> Kind | None:
    """Return the kind of a line that asks for nothing; None: it may ask for something."""
    said = text.strip().lower()
    return next((kind for nod, kind in _NODS if nod.fullmatch(said)), None)
