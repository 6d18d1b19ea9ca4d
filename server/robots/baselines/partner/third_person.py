"""Lines of chat about others, or for others, in teams of more than two.

What is said of somebody by name is read as if they had said it of themselves: *let person 3 take
the apple* as *let me take the apple* by person 3. The answer then names them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from episodes.evaluation.account_sentences import capital
from episodes.seat_names import spoken
from server.robots.baselines.partner.request import Request
from server.robots.baselines.partner.understanding import understand
from server.robots.baselines.partner.words import Name

_GREETING = r"(?:hi|hello|hey|hiya|howdy|greetings|good (?:morning|day|afternoon|evening))"
_GREETS_ALL = re.compile(
    rf"{_GREETING}(?: there)?(?:,? (?:to )?(?:all|all of you|everybody|everyone|both|team|folks|"
    r"guys|people|you all|y'all))?",
    re.IGNORECASE,
)
_OF_SELF = re.compile(r"\b(?:i|me|my|mine|i'm|i'll|we|us)\b", re.IGNORECASE)
_WHO = "\u00a7"
"""Mark for the one who is named; nobody writes it, and what holds it already is left as it is."""
_LETS = re.compile(rf"\b(?:let|have|make|ask|tell) {_WHO} (?:to )?", re.IGNORECASE)
_OBJECT = re.compile(
    rf"\b(help|helping|to|for|with|bring|give|hand|follow|let|assist) {_WHO}", re.IGNORECASE
)


class Heard(NamedTuple):
    """Request of a line, and of whom it is said."""

    seat: str
    """Seat for whom it is asked: the speaker's, or of whoever is named."""
    request: Request
    name: str = ""
    """Name of that seat, where it is not the speaker's."""

    def answer(self, said: str) -> str:
        """Return an answer in the words for whoever is meant."""
        return in_third_person(said, self.name) if self.name else said


def hear(
    text: str,
    speaker: str,
    me: str,
    seats: Mapping[str, str],
    names: Sequence[Name],
    *,
    is_addressed: bool,
) -> Heard | None:
    """Return what a line asks; None: it is not for this robot.

    ``text`` is without the ``@`` address that it may have had (``is_addressed``), ``seats`` are the
    names of all who play, by seat.
    """
    others = {seat: name for seat, name in seats.items() if seat != me}
    # What is talked among others wants no answer.
    may_be_talk = not is_addressed and len(seats) > 2
    greets = _GREETS_ALL.fullmatch(text.strip(" \t.,!:)(")) is not None
    if may_be_talk and (greets or _is_for(text, others, speaker)):
        return None
    if greets:
        return Heard(speaker, Request("hello", said=text.strip()))
    request = understand(text, names)
    named = [s for s, name in others.items() if re.search(rf"\b{name}\b", text, re.IGNORECASE)]
    is_plain = not named or _WHO in text or _OF_SELF.search(text)
    if is_plain or request.kind in ("stop", "go_on"):
        return Heard(speaker, request)
    told = understand(_as_own(text, others[named[0]]), names) if len(named) == 1 else None
    if told is None or not _is_of_somebody(told):
        return None if may_be_talk else Heard(speaker, Request("unknown", said=text.strip()))
    seat = named[0]
    return Heard(seat, told, "" if seat == speaker else others[seat])


def in_third_person(said: str, name: str) -> str:
    """Return an answer about somebody by name instead of to them: *yours* as *person 3's*."""
    who = spoken(name)
    first = capital(who)
    for words, instead in (
        (r"\bYou have\b", f"{first} has"),
        (r"\bYou\b", first),
        (r"\byours\b", f"{who}'s"),
        (r"\byour\b", f"{who}'s"),
        (r"\byou\b(?! mean\b)", who),
    ):
        said = re.sub(words, instead, said)
    return said


def _is_of_somebody(request: Request) -> bool:
    """Tell whether a request names whose it is, so that it can be somebody else's."""
    is_brought = request.kind == "do" and request.to_me
    return is_brought or request.kind in ("i_take", "help", "suggest")


def _is_for(text: str, others: Mapping[str, str], speaker: str) -> bool:
    """Tell whether a line begins with the name of somebody else and speaks to them."""
    rest = re.sub(rf"^\W*{_GREETING}\b,?\s*", "", text.strip(), flags=re.IGNORECASE)
    for seat, name in others.items():
        found = re.match(rf"{name}\b", rest, re.IGNORECASE)
        if found is None or seat == speaker:
            continue
        after = rest[found.end() :]
        # *Person 3 takes the apple* is said of them, to all.
        return re.match(r"\s+(?:takes|gets|does|handles|can|should|will|must)\b", after) is None
    return False


def _as_own(text: str, name: str) -> str:
    """Return a line about somebody as they would say it themselves."""
    of_them = re.sub(rf"\b(?:the )?{name}\b", _WHO, text, flags=re.IGNORECASE)
    of_them = _LETS.sub("let me ", of_them)
    return _OBJECT.sub(r"\1 me", of_them).replace(_WHO, "I")
