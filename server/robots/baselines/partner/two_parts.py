"""Lines in two parts, of which one is a claim: *I take the blue book, please bring the red one*."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from server.robots.baselines.partner.request import Request
from server.robots.baselines.partner.words import Name

_BEGINS = (
    r"(?:i|i'?ll|i'?m|i'?d|let me|me|you|u|your|please|pls|plz|can|could|would|will|bring|fetch|"
    r"get|grab|take|carry|put|leave|where|where'?s|what|what'?s|who|which|how|is|are|do|does)\b"
)
"""Words with which the second part may begin."""
_BETWEEN = re.compile(
    rf"\s*[.!?;]+\s+|\s*[,:\u2013-]+\s*(?:(?:and|but|so|while|then)\b,?\s+)?(?={_BEGINS})"
    rf"|\s+(?:and|but|so|while|then)\s+(?:then\s+)?(?={_BEGINS})",
    re.IGNORECASE,
)
_I = re.compile(r"\b(?:i|im|ill|ive|me|mine|my)\b", re.IGNORECASE)
"""Words of who speaks of themselves: *leave the plate* claims nothing."""
_SOCIAL = frozenset({"hello", "thanks", "nod", "yes", "sorry"})
"""Kinds of parts that ask for nothing beside others."""
_ACTS = frozenset({"do", "you_take", "i_take"})
_ASKS = frozenset(
    {"doing", "where", "belongs", "remaining", "shares", "state", "contents", "count", "suggest"}
)


def two_parts(
    text: str, names: Sequence[Name], one: Callable[[str, Sequence[Name]], Request]
) -> Request | None:
    """Return the claim of a line with what else it asks; None: it is no such line.

    ``one`` understands a part by itself. Each part has to be understood, and to be about another
    thing: whatever else a line of several parts may be is not told here.
    """
    parts = [part for part in _BETWEEN.split(text.strip()) if part and part.strip()]
    if not 2 <= len(parts) <= MOST_PARTS:
        return None
    found = [request for request in (one(part, names) for part in parts)
             if request.kind not in _SOCIAL]  # fmt: skip
    if len(found) != 2 or not all(map(_is_whole, found)):
        return None
    claims = [request for request in found if request.kind == "i_take" and _I.search(request.said)]
    if not claims or any(request.kind not in _ACTS | _ASKS for request in found):
        return None
    claim = claims[0]
    other = found[1] if claim is found[0] else found[0]
    if other.kind in _ACTS and _keys(claim) & _keys(other):
        return None
    return claim._replace(then=(other,))


MOST_PARTS = 4
"""Parts of a line, greetings and thanks among them, beyond which it is not taken apart."""


def _is_whole(request: Request) -> bool:
    """Tell whether a part says all that it asks, and asks one thing."""
    if request.then or request.points or request.other or request.leaves is not None:
        return False
    return request.kind not in _ACTS or bool(_keys(request))


def _keys(request: Request) -> frozenset[str]:
    return frozenset(() if request.thing is None else request.thing.keys)
