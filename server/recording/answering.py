"""Words about who answered the model calls of recorded episodes: a real model, or doubles.

A trial keeps what its model server said of its models (`Header.digests`, ``model``). Doubles say so
by their owner, ``doubles NAME with ERRORS``. A table of them compares policies, and says nothing
about language models: every table says which of both it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from msgspec import UNSET, UnsetType

from server.recording.log_records import ModelCalled
from server.recording.recordings import Recording

CARD: Final = re.compile(
    r"(?P<model>.*?) of (?P<owner>.*), from (?P<root>.*), with (?P<tokens>\S+) tokens"
)
"""The form in which the client tells a server's words about a model (`model_cards`)."""
DOUBLES: Final = ("doubles", "tests")
"""Beginnings of the owners of model doubles."""
NOT_KEPT: Final = "its server is not kept"


class Answerer(NamedTuple):
    """An answerer of model calls: a model and its server, or doubles with their errors."""

    told: str
    is_double: bool


def answerer_of(card: str) -> Answerer:
    """Read a card of a model."""
    found = CARD.fullmatch(card)
    if found is None:
        # Outside of trials the server's words are not kept: a double's model has that name.
        return Answerer(card, is_double=card.startswith("double"))
    if found["owner"].startswith(DOUBLES):
        return Answerer(found["owner"], is_double=True)
    return Answerer(f"{found['model']}, served by {found['owner']}", is_double=False)


def answered_by(recording: Recording) -> str:
    """Return what the model server of a recording said of its models; empty: none was asked.

    Where that is not kept (outside of trials, and in older ones), the names of the models.
    """
    if b'"model_call"' not in recording.lines:
        return ""
    models = {
        line.call.model: None for line in recording.decoded() if isinstance(line, ModelCalled)
    }
    if not models:
        return ""
    kept = kept_answerers(recording.header.digests)
    return kept or f"{', '.join(filter(None, models)) or 'a model'} ({NOT_KEPT})"


def kept_answerers(digests: dict[str, str] | UnsetType) -> str:
    """Return the cards among the digests; empty: there are none, or a digest of them alone."""
    told = "" if digests is UNSET else digests.get("model", "")
    return told if " " in told else ""


def caption_of(answered: Iterable[str]) -> str:
    """Return the sentence below a table that says who answered; empty: no model was asked."""
    ones = _answerers(answered)
    doubles = [one.told for one in ones if one.is_double]
    models = [one.told for one in ones if not one.is_double]
    told = []
    if doubles:
        told.append(
            f"A table of doubles: model calls were answered by {'; '.join(doubles)}. It compares "
            "policies, and says nothing about language models."
        )
    if models:
        told.append(f"Model calls were answered by {'; '.join(models)}.")
    return " ".join(told)


def short_caption(answered: Iterable[str]) -> str:
    """Return the words below each part of a table; empty: no model was asked."""
    ones = _answerers(answered)
    doubles = [one.told for one in ones if one.is_double]
    if doubles:
        return f"Of doubles, not of a language model: {'; '.join(doubles)}"
    return f"Model: {'; '.join(one.told for one in ones)}" if ones else ""


def _answerers(answered: Iterable[str]) -> list[Answerer]:
    cards = (card for text in answered for card in text.split("; ") if card)
    return list(dict.fromkeys(map(answerer_of, cards)))
