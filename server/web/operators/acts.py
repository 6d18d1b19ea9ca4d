"""Acts of operators in what runs: what each is asked about, what it does, and what is logged.

Each is asked once, is done for the first of those who say it at once, and has a row in the log,
whatever came of it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy.ext.asyncio import AsyncSession

from server.store.operator_acts import Act, Outcome, note_act
from server.store.operator_models import OperatorActRow
from server.web.application_state import ApplicationState


class Subject(NamedTuple):
    """Thing that an act is done to."""

    target: str
    """Id in the log."""
    name: str
    """Name on the page that asks."""
    study: str | None = None


class Said(NamedTuple):
    """Words of an operator that come with an act."""

    who: str
    reason: str
    text: str = ""
    """Message to people."""
    choice: str = ""


@dataclass
class Deed:
    """Doing of an act, which notes in the log what came of it."""

    state: ApplicationState
    act: OperatorAct
    subject: Subject
    said: Said
    row: OperatorActRow | None = None
    """Row of the log, once there is one."""

    def note(self, db: AsyncSession, outcome: Outcome, text: str = "") -> None:
        """Log what came of it, in the transaction in which it is done."""
        words = [text, f"reason: {self.said.reason}" if self.said.reason else ""]
        self.row = note_act(
            db,
            self.said.who,
            self.act.act,
            self.subject.target,
            self.state.now(),
            study=self.subject.study,
            outcome=outcome,
            detail="; ".join(filter(None, words)),
        )

    async def tell(self, outcome: Outcome, text: str = "") -> None:
        """Log what came of what is done elsewhere than in the database."""
        async with self.state.database.transaction() as db:
            self.note(db, outcome, text)


class OperatorAct(NamedTuple):
    """Act that a page asks about and does."""

    act: Act
    question: str
    """Heading of the page; ``{}`` is the name of what it is done to."""
    consequence: str
    """Consequence for people, in a few sentences."""
    button: str
    find: Callable[[ApplicationState, str], Awaitable[Subject | None]]
    """Look up what an address names; None: it is not there (any more)."""
    do: Callable[[Deed], Awaitable[None]]
    """Do it, and log what came of it."""
    text_label: str = ""
    """Label of the message that it takes; empty: none."""
    choices: Mapping[str, str] = {}
    """Alternatives that it offers, with their labels; empty: none."""
