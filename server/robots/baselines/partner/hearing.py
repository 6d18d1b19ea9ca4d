"""Hearing of a scripted partner: what was said to it, and its answers, a moment later."""

from __future__ import annotations

from collections import deque

from episodes.seat_names import addressed, names_of
from server.robots.baselines.partner.conversation import Conversation
from server.robots.baselines.partner.phrases import Phrases
from server.robots.baselines.partner.sharing import SharedWork
from server.robots.baselines.partner.third_person import hear
from server.robots.baselines.partner.vocabulary import vocabulary
from server.robots.baselines.partner.words import Name
from server.sessions.core import SessionCore


class Hearing:
    """Hearing of one seat, which answers with its conversation."""

    def __init__(self, seat: str, work: SharedWork, talk: Conversation) -> None:
        self._seat, self._work, self._talk = seat, work, talk
        self._heard: deque[tuple[int, str, str]] = deque()
        self._names: tuple[Name, ...] | None = None

    def note(self, due: int, seat: str, text: str) -> None:
        """Take note of a line of somebody's, which is answered at the tick ``due``."""
        self._heard.append((due, seat, text))

    def answers(self, core: SessionCore) -> list[str]:
        """Return the answers to what was said a moment ago."""
        said: list[str] = []
        while self._heard and core.tick >= self._heard[0][0]:
            _, seat, text = self._heard.popleft()
            if core.phase == "running":
                said.extend(self._answer(core, seat, text))
        return said

    def _answer(self, core: SessionCore, seat: str, text: str) -> list[str]:
        if self._names is None:
            self._names = vocabulary(core)
        seats = names_of([s.seat for s in core.spec.seats])
        to = addressed(text, seats)
        if to.seats and self._seat not in to.seats:
            return []
        there = {s: seats[s] for s in core.state.occupied()}
        heard = hear(to.rest, seat, self._seat, there, self._names, is_addressed=bool(to.seats))
        if heard is None:
            return []
        speaks = bool(to.seats) or self._seat == self._work.lead
        if not speaks and heard.request.kind not in ("stop", "go_on"):
            return []
        said = self._talk.answer(core, heard.seat, heard.request, of_other=bool(heard.name))
        if not said or not speaks:
            return []
        return [heard.answer(said) if heard.name else Phrases(core, self._seat).to(seat, said)]
