"""Sentences that ``helper`` says to its partner."""

from __future__ import annotations

from collections.abc import Sequence

_REQUESTS = {
    "wash": "wash the {0}",
    "fill": "fill the {0} with water",
    "pour_into": "pour the {0} into the {2}",
    "switch_on": "switch on the {0}",
    "switch_off": "switch off the {0}",
}
CLOSING = "I think that is all. Is anything wrong, or still missing?"
REMEMBERED = 'I will remember that as "{}".'
NOT_REMEMBERED = "I am sorry, I could not write that down."
_QUESTIONS = {
    "ask_where": "Where can I find the {0}?",
    "ask_which": "There are several: {1}. Which {0} do you mean?",
    "ask_appearance": "What does the {0} look like?",
    "ask_direction": "Which way do I have to go for the {0}?",
    "ask_who": "Do you take care of the {0}, or shall I?",
}


def request(verb: str, what: str, room: str, into: str = "") -> str:
    """Ask for something that the own body cannot do; ``room`` is empty where it is unknown."""
    where = f" It is in the {room}." if room else ""
    return f"Could you {_REQUESTS[verb].format(what, room, into)}, please?{where}"


def question(verb: str, what: str, among: Sequence[str]) -> str:
    """Phrase one of the kinds of question as a sentence."""
    return _QUESTIONS[verb].format(what, ", ".join(among) or "more than one")


QUESTIONS = tuple(_QUESTIONS)
