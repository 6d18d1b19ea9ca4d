"""Changes of operators' accounts, each checked and logged in one transaction.

Commands and pages make them in the same way; the texts of errors are for whoever made them.
"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncSession

from server.operator_accounts import Identity, Role
from server.store.operator_acts import note_act
from server.store.operator_models import OperatorRow
from server.store.operators import (
    add_operator,
    end_sign_ins,
    has_operators,
    operator_named,
    operator_with,
    remove_operator,
    set_identity,
    set_password,
    set_role,
)


class AccountError(Exception):
    """Error for a change that cannot be made: there is such an account, or there is none."""


async def check_addition(
    db: AsyncSession, name: str, role: Role, identity: Identity | None = None
) -> None:
    """Raise AccountError where an account of that name, role and identity cannot be added."""
    if await operator_named(db, name) is not None:
        raise AccountError(f"{name} has an account already")
    if role is not Role.ADMINISTER and not await has_operators(db):
        raise AccountError("the first account has to be one that may decide on others: administer")
    await _check_is_free(db, identity)


async def _check_is_free(db: AsyncSession, identity: Identity | None) -> None:
    taken = None if identity is None else await operator_with(db, identity)
    if taken is not None:
        raise AccountError(f"that is the identity of {taken.name} already")


async def add(
    db: AsyncSession,
    who: str,
    name: str,
    role: Role,
    password_hash: str,
    now: datetime,
    identity: Identity | None = None,
) -> None:
    """Add an account. Raises AccountError."""
    await check_addition(db, name, role, identity)
    add_operator(db, name, role, password_hash, now, identity)
    note_act(db, who, "add_operator", name, now, detail=role.word)


async def change_role(
    db: AsyncSession, who: str, name: str, role: Role, now: datetime, *, even_last: bool = False
) -> None:
    """Give an account another role. Raises AccountError and LastAdministratorError."""
    row = await _found(db, name)
    before = row.role
    await set_role(db, row, role, even_last=even_last)
    note_act(db, who, "set_role", name, now, detail=f"{role.word}, before: {before}")


async def change_password(
    db: AsyncSession, who: str, name: str, password_hash: str, now: datetime
) -> None:
    """Set another password, and sign the account's browsers out. Raises AccountError."""
    await set_password(db, await _found(db, name), password_hash, now)
    note_act(db, who, "set_password", name, now)


async def change_identity(
    db: AsyncSession, who: str, name: str, identity: Identity | None, now: datetime
) -> None:
    """Have an account be that of somebody else at a provider, and sign its browsers out.

    Raises AccountError for an identity that is another account's, and where nobody could sign in.
    """
    row = await _found(db, name)
    if identity is None and not row.password_hash:
        raise AccountError(f"{name} has no password, and could not sign in any more")
    await _check_is_free(db, identity)
    await set_identity(db, row, identity)
    # Without the value: the log is kept for good, and who administers sees the account.
    note_act(db, who, "set_identity", name, now, detail=identity.claim if identity else "none")


async def sign_out(db: AsyncSession, who: str, name: str, now: datetime) -> int:
    """Sign the browsers of an account out; return how many. Raises AccountError."""
    ended = await end_sign_ins(db, (await _found(db, name)).name)
    note_act(db, who, "end_sign_ins", name, now, detail=f"{ended}")
    return ended


async def remove(
    db: AsyncSession, who: str, name: str, now: datetime, *, even_last: bool = False
) -> None:
    """Remove an account. Raises AccountError and LastAdministratorError."""
    await remove_operator(db, await _found(db, name), even_last=even_last)
    note_act(db, who, "remove_operator", name, now)


async def _found(db: AsyncSession, name: str) -> OperatorRow:
    row = await operator_named(db, name)
    if row is None:
        raise AccountError(f"{name} has no account (any more)")
    return row
