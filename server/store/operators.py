"""Accounts of operators and the sign-ins of their browsers."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import ColumnElement, and_, delete, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from server.operator_accounts import Identity, Role
from server.store.operator_models import OperatorRow, OperatorSignInRow

IDLE = timedelta(hours=2)
"""Time after which a sign-in ends that nobody used."""
LONGEST = timedelta(hours=12)
"""Time after which a sign-in ends, used or not."""
_NOTED = timedelta(minutes=1)
"""Time between two notes that a sign-in is used."""
MOST_SIGN_INS = 20
"""Most sign-ins of an account at once; the oldest ends for another."""


class Account(NamedTuple):
    """Account that a browser is signed in with, as it is now."""

    name: str
    role: Role


class LastAdministratorError(Exception):
    """Error for an act after which nobody could administer."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{name} is the last who may administer")


async def has_operators(db: AsyncSession) -> bool:
    """Tell whether anybody has an account."""
    return await db.scalar(select(OperatorRow.name).limit(1)) is not None


async def all_operators(db: AsyncSession) -> list[OperatorRow]:
    """Return all accounts, by name."""
    return list(await db.scalars(select(OperatorRow).order_by(OperatorRow.name)))


async def operator_named(db: AsyncSession, name: str) -> OperatorRow | None:
    return await db.get(OperatorRow, name)


async def operator_with(db: AsyncSession, identity: Identity) -> OperatorRow | None:
    """Return the account of whoever a provider knows as this; None: nobody's."""
    return await db.scalar(select(OperatorRow).where(_is(identity)))


def _is(identity: Identity) -> ColumnElement[bool]:
    return and_(
        OperatorRow.oidc_issuer == identity.issuer,
        OperatorRow.oidc_claim == identity.claim,
        OperatorRow.oidc_value == identity.value,
    )


def add_operator(
    db: AsyncSession,
    name: str,
    role: Role,
    password_hash: str,
    now: datetime,
    identity: Identity | None = None,
) -> None:
    """Add an account; without a password its hash is empty."""
    row = OperatorRow(
        name=name, role=role.word, password_hash=password_hash, added_at=now, password_at=now
    )
    _be(row, identity)
    db.add(row)


async def set_identity(db: AsyncSession, row: OperatorRow, identity: Identity | None) -> None:
    """Have an account be that of somebody else at a provider; its browsers are signed out."""
    _be(row, identity)
    await end_sign_ins(db, row.name)


def _be(row: OperatorRow, identity: Identity | None) -> None:
    row.oidc_issuer, row.oidc_claim, row.oidc_value = identity or (None, None, None)


async def remove_operator(db: AsyncSession, row: OperatorRow, *, even_last: bool) -> None:
    """Remove an account with its sign-ins.

    Raises LastAdministratorError for the last that may administer, unless ``even_last``.
    """
    await _check_others_administer(db, row, even_last)
    await end_sign_ins(db, row.name)
    await db.delete(row)


async def set_role(db: AsyncSession, row: OperatorRow, role: Role, *, even_last: bool) -> None:
    """Give an account another role, which holds from its next request on.

    Raises LastAdministratorError as `remove_operator` does.
    """
    if role is not Role.ADMINISTER:
        await _check_others_administer(db, row, even_last)
    row.role = role.word


async def _check_others_administer(db: AsyncSession, row: OperatorRow, even_last: bool) -> None:
    if await _administrators(db, row.name) == {row.name} and not even_last:
        raise LastAdministratorError(row.name)


async def administers_still(db: AsyncSession, name: str, target: str = "") -> bool:
    """Tell whether an account may decide on others in this transaction, and keep it so to its end.

    ``target`` is the account that it decides on.
    """
    return name in await _administrators(db, name, target)


async def _administrators(db: AsyncSession, *names: str) -> set[str]:
    """Return the accounts that administer, locked together with those of some names.

    So that two who each remove the other's account come one after the other, and that nobody signs
    in with an account while it is removed.
    """
    looked_at = (OperatorRow.role == Role.ADMINISTER.word) | OperatorRow.name.in_(names)
    if db.get_bind().dialect.name == "sqlite":
        # Its transactions begin with the first write, and it locks no rows that are read.
        await db.execute(
            update(OperatorRow)
            .where(looked_at)
            .values(role=OperatorRow.role)
            .execution_options(synchronize_session=False)
        )
    # In one order, so that no two wait for each other.
    found = await db.execute(
        select(OperatorRow.name, OperatorRow.role)
        .where(looked_at)
        .order_by(OperatorRow.name)
        .with_for_update()
    )
    return {name for name, role in found if role == Role.ADMINISTER.word}


async def anybody_administers(
    db: AsyncSession, issuer: str, claim: str, *, takes_passwords: bool
) -> bool:
    """Tell whether anybody who may administer has a way in, or nobody has an account."""
    ways = and_(OperatorRow.oidc_issuer == issuer, OperatorRow.oidc_claim == claim)
    if takes_passwords:
        ways = or_(ways, OperatorRow.password_hash != "")
    query = select(OperatorRow.name).where(OperatorRow.role == Role.ADMINISTER.word, ways)
    return await db.scalar(query.limit(1)) is not None or not await has_operators(db)


async def set_password(
    db: AsyncSession, row: OperatorRow, password_hash: str, now: datetime
) -> None:
    """Set another password, with which every browser of the account has to sign in again."""
    row.password_hash, row.password_at = password_hash, now
    await end_sign_ins(db, row.name)


async def replace_hash(db: AsyncSession, name: str, old: str, new: str) -> None:
    """Keep the same password at another cost, unless it was changed meanwhile."""
    await db.execute(
        update(OperatorRow)
        .where(OperatorRow.name == name, OperatorRow.password_hash == old)
        .values(password_hash=new)
        .execution_options(synchronize_session=False)
    )


# Sign-ins


async def add_sign_in(
    db: AsyncSession, name: str, password_hash: str, sign_in: str, now: datetime
) -> bool:
    """Store a sign-in with an account whose password was found right.

    Returns False where the account was removed, or got another password, since it was read.
    """
    is_as_read = and_(OperatorRow.name == name, OperatorRow.password_hash == password_hash)
    return await _sign_in_if(db, is_as_read, sign_in, now) is not None


async def add_sign_in_of(
    db: AsyncSession, identity: Identity, sign_in: str, now: datetime
) -> str | None:
    """Store a sign-in of whoever a provider knows as this.

    Returns the name of their account; None: nobody's.
    """
    return await _sign_in_if(db, _is(identity), sign_in, now)


async def _sign_in_if(
    db: AsyncSession, is_theirs: ColumnElement[bool], sign_in: str, now: datetime
) -> str | None:
    # A write that changes nothing: it locks the account, and SQLite, whose transactions begin with
    # the first write, looks and stores in one.
    name = await db.scalar(
        update(OperatorRow)
        .where(is_theirs)
        .values(password_hash=OperatorRow.password_hash)
        .returning(OperatorRow.name)
        .execution_options(synchronize_session=False)
    )
    if name is None:
        return None
    ended = (OperatorSignInRow.ends_at <= now) | (OperatorSignInRow.used_at <= now - IDLE)
    await db.execute(
        delete(OperatorSignInRow).where(ended).execution_options(synchronize_session=False)
    )
    kept = await db.scalars(
        select(OperatorSignInRow.sign_in)
        .where(OperatorSignInRow.operator == name)
        .order_by(OperatorSignInRow.began_at.desc())
        .offset(MOST_SIGN_INS - 1)
    )
    for oldest in list(kept):
        await end_sign_in(db, oldest)
    db.add(
        OperatorSignInRow(
            sign_in=sign_in, operator=name, began_at=now, used_at=now, ends_at=now + LONGEST
        )
    )
    return name


async def account_of_sign_in(
    db: AsyncSession, sign_in: str, now: datetime, known_by: tuple[str, str] | None = None
) -> Account | None:
    """Return the account that a sign-in is of, as it is now; None: it has ended.

    With the issuer and the claim that it is ``known_by``, it has ended also where that provider
    does not know the account's owner by it.
    """
    query = (
        select(OperatorRow.name, OperatorRow.role)
        .join(OperatorSignInRow, OperatorSignInRow.operator == OperatorRow.name)
        .where(
            OperatorSignInRow.sign_in == sign_in,
            OperatorSignInRow.ends_at > now,
            OperatorSignInRow.used_at > now - IDLE,
        )
    )
    if known_by is not None:
        issuer, claim = known_by
        query = query.where(OperatorRow.oidc_issuer == issuer, OperatorRow.oidc_claim == claim)
    row = (await db.execute(query)).one_or_none()
    return None if row is None else Account(row.name, Role.of(row.role))


async def note_use(db: AsyncSession, sign_in: str, now: datetime) -> None:
    """Note that somebody uses a sign-in, at most once a minute."""
    used_at = await db.scalar(
        select(OperatorSignInRow.used_at).where(OperatorSignInRow.sign_in == sign_in)
    )
    if used_at is not None and used_at <= now - _NOTED:
        await db.execute(
            update(OperatorSignInRow)
            .where(OperatorSignInRow.sign_in == sign_in)
            .values(used_at=now)
            .execution_options(synchronize_session=False)
        )


async def end_sign_in(db: AsyncSession, sign_in: str) -> str | None:
    """End a sign-in; return the name of its account, or None where there was none."""
    return await db.scalar(
        delete(OperatorSignInRow)
        .where(OperatorSignInRow.sign_in == sign_in)
        .returning(OperatorSignInRow.operator)
        .execution_options(synchronize_session=False)
    )


async def end_sign_ins(db: AsyncSession, name: str) -> int:
    """End all sign-ins of an account; return how many there were."""
    ended = await db.scalars(
        delete(OperatorSignInRow)
        .where(OperatorSignInRow.operator == name)
        .returning(OperatorSignInRow.sign_in)
        .execution_options(synchronize_session=False)
    )
    return len(ended.all())


async def count_sign_ins(db: AsyncSession, now: datetime) -> dict[str, int]:
    """Return how many sign-ins each account has that last."""
    rows = await db.execute(
        select(OperatorSignInRow.operator, func.count())
        .where(OperatorSignInRow.ends_at > now, OperatorSignInRow.used_at > now - IDLE)
        .group_by(OperatorSignInRow.operator)
    )
    return {row[0]: row[1] for row in rows}
