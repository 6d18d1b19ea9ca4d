"""Work that a transaction leaves for after its commit, because nothing can take it back."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy.ext.asyncio import AsyncSession

_INFO = "after_commit"


def after_commit(db: AsyncSession, work: Callable[[], None]) -> None:
    """Let work be done once a transaction is committed, and never if it is not."""
    db.info.setdefault(_INFO, []).append(work)


def committed_work(db: AsyncSession) -> list[Callable[[], None]]:
    """Return what is to be done now that a transaction is committed, in order."""
    found: list[Callable[[], None]] = db.info.pop(_INFO, [])
    return found
