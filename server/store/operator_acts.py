"""Log of what operators did, which is added to and never changed."""

from __future__ import annotations

from datetime import datetime
from typing import Literal, NamedTuple

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from server.store.operator_models import OperatorActRow

Act = Literal[
    "sign_in",
    "sign_out",
    "add_operator",
    "remove_operator",
    "set_role",
    "set_password",
    "set_identity",
    "end_sign_ins",
    "act",
    "watch",
    "replay",
    "send_on",
    "open_study",
    "close_study",
    "resume_study",
    "unblind",
    "withdraw",
    "purge",
    "forget",
    "payments",
    "end_session",
    "remove",
    "fill",
    "message",
    "pause_study",
    "close_cell",
    "open_cell",
    "export",
    "release",
    "retention",
    "preflight",
]
"""Kinds of acts, as the log names them."""
Outcome = Literal["done", "refused", "too late"]
COMMAND_LINE = "command line"
"""Name in the log of whoever used the command on the server's machine."""
_LONGEST_TARGET = 255


class Filter(NamedTuple):
    """Filter of the log; what is empty leaves nothing out."""

    who: str = ""
    study: str = ""
    act: str = ""


ALL = Filter()


def note_act(
    db: AsyncSession,
    who: str,
    act: Act,
    target: str,
    now: datetime,
    *,
    study: str | None = None,
    outcome: Outcome = "done",
    detail: str = "",
) -> OperatorActRow:
    """Log what an operator does, in the transaction in which it is done.

    Texts that came in an address are kept without zero bytes, which PostgreSQL does not store.
    """
    row = OperatorActRow(
        at=now,
        who=who,
        act=act,
        target=target.replace("\0", "")[:_LONGEST_TARGET],
        study=study,
        outcome=outcome,
        detail=detail.replace("\0", ""),
    )
    db.add(row)
    return row


async def acts_before(
    db: AsyncSession, before: int | None, most: int, only: Filter = ALL
) -> list[OperatorActRow]:
    """Return up to ``most`` acts older than ``before``, the newest first; None: the last ones."""
    found = select(OperatorActRow).order_by(OperatorActRow.act_id.desc()).limit(most)
    if before is not None:
        found = found.where(OperatorActRow.act_id < before)
    if only.who:
        found = found.where(OperatorActRow.who == only.who)
    if only.study:
        found = found.where(OperatorActRow.study == only.study)
    if only.act:
        found = found.where(OperatorActRow.act == only.act)
    return list(await db.scalars(found))
