"""Conduct of a study while people are in it: drop-outs, chat, and when recruiting pauses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

import msgspec

from matchmaking.study.problems import Path, Problem

LONGEST_WORD = 60
"""Most characters of a word that is hidden in the chat."""


class Departures(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Rules for people who go away from a session."""

    window_s: float = 30.0
    """Time in which somebody whose connection broke keeps the seat."""
    outcome: Literal["go_on", "end", "robot"] = "go_on"
    """Outcome when that time is over: the group goes on without them, the episode ends, or the
    study's substitute takes the seat."""
    idle_s: float = 90.0
    """Time without a touch of the page after which somebody is asked, and counts as away; 0: never.
    """
    away_limit_s: float = 90.0
    """Time after which somebody who is away counts as gone."""
    is_paused: bool = False
    """Whether the clock of the episode stands while somebody is waited for."""

    def problems(self, where: Path) -> Iterator[Problem]:
        """Yield what of it cannot be."""
        times = {
            "window_s": self.window_s,
            "idle_s": self.idle_s,
            "away_limit_s": self.away_limit_s,
        }
        yield from _negative(times, where)


class Chat(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Chat between the people of a group."""

    is_on: bool = True
    hidden_words: tuple[str, ...] = ()
    """Words, in any case, of which people see stars; the recording has what was written."""

    def problems(self, where: Path) -> Iterator[Problem]:
        """Yield what of it cannot be."""
        for number, word in enumerate(self.hidden_words):
            if not word.strip() or len(word) > LONGEST_WORD:
                yield Problem(
                    (*where, "hidden_words", number),
                    f"expected a word of 1 to {LONGEST_WORD} characters, got {word!r}",
                )


class Pauses(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Limits at which a study pauses its own recruiting and tells its operator."""

    spent: int | None = None
    """Money in minor units; nothing said: the cap of the pay."""
    failures: int = 3
    """Technical failures among the last ``of_visits`` visits."""
    of_visits: int = 10
    wait_s: float | None = None
    """Time that somebody waits in the lobby; nothing said: no limit but the deadline."""

    def problems(self, where: Path) -> Iterator[Problem]:
        """Yield what of it cannot be."""
        if not 1 <= self.failures <= self.of_visits:
            yield Problem(
                (*where, "failures"),
                f"expected 1 to {self.of_visits}, the visits that are looked at, got "
                f"{self.failures}",
            )
        yield from _negative({"spent": self.spent or 0, "wait_s": self.wait_s or 0}, where)


def _negative(values: Mapping[str, float], where: Path) -> Iterator[Problem]:
    for field, value in values.items():
        if not 0 <= value < float("inf"):
            yield Problem((*where, field), f"expected 0 or more, got {value:g}")
