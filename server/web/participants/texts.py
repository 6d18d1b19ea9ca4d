"""Texts of ours in the language of a visit, from Fluent catalogues in ``server/web/locales``."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from fluent.runtime import FluentLocalization, FluentResourceLoader

from matchmaking.study.texts import LANGUAGE

LOCALES = Path(__file__).parents[1] / "locales"
CATALOGUES = ("visit.ftl", "lobby.ftl")
FALLBACK = "en"


class MissingTextError(KeyError):
    """Error for a message that no catalogue has."""


class Texts:
    """Messages in one language; English stands in where a catalogue lacks one."""

    def __init__(self, language: str) -> None:
        self.language = language
        wanted = dict.fromkeys((language, language.partition("-")[0], FALLBACK))
        known = [name for name in wanted if (LOCALES / name).is_dir()]
        loader = FluentResourceLoader(str(LOCALES / "{locale}"))
        # Marks around values would be shown: pages make whatever is hidden visible.
        self._messages = FluentLocalization(known, list(CATALOGUES), loader, use_isolating=False)

    def __call__(self, message: str, **values: str | float) -> str:
        """Return a message with its values. Raises MissingTextError."""
        text = str(self._messages.format_value(message, values))
        if text == message:
            raise MissingTextError(message)
        return text


def texts_for(accepted: str) -> Texts:
    """Return the texts for a browser that asks for languages in an ``Accept-Language`` header."""
    wanted = accepted.partition(",")[0].partition(";")[0].strip()
    return texts_in(wanted if LANGUAGE.fullmatch(wanted) else FALLBACK)


@lru_cache(maxsize=64)
def texts_in(language: str) -> Texts:
    return Texts(language)
