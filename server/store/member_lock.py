"""Lock by which one server is a member of a PostgreSQL database: an advisory lock of the database.

It is held by a connection of its own, whose application name says who holds it, and the database
takes it back as soon as that connection ends.
"""

from __future__ import annotations

import asyncio
import secrets
import zlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import structlog
from sqlalchemy import NullPool, text
from sqlalchemy.ext.asyncio import AsyncConnection

from server.owner_lock import LOOK_S, OwnedError, Tell, this_process
from server.settings import Settings
from server.store.database import POSTGRES_OPTIONS, database_url, engine_for
from server.store.database_faults import DatabaseError, faults_of

CHECK_S = 2.0
"""Seconds between two looks at whether the connection, and with it the lock, is still there."""
OURSELVES = "a lost connection of this very server"
"""Holder that is told where the connection that has the lock was ours."""
_NAMESPACE = zlib.crc32(b"cohabit.member") - 2**31
_LONGEST_NAME = 63
"""Longest application name that PostgreSQL keeps, in bytes."""
_KEEPALIVE = {
    "tcp_keepalives_idle": "10",
    "tcp_keepalives_interval": "5",
    "tcp_keepalives_count": "3",
}
"""Settings by which the database notices a machine that is gone, and gives the lock back."""

_TAKE = text("SELECT pg_try_advisory_lock(:namespace, :member)")
_OURS = text(
    "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 2"
    " AND pid = pg_backend_pid()"
    " AND classid::bigint = (:namespace)::bigint & 4294967295"
    " AND objid::bigint = (:member)::bigint & 4294967295"
)
_HOLDER = text(
    "SELECT a.application_name, host(a.client_addr) FROM pg_locks l"
    " JOIN pg_stat_activity a ON a.pid = l.pid"
    " JOIN pg_database d ON d.oid = l.database AND d.datname = current_database()"
    " WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 2"
    " AND l.classid::bigint = (:namespace)::bigint & 4294967295"
    " AND l.objid::bigint = (:member)::bigint & 4294967295"
)

log = structlog.get_logger(__name__)


class MemberLock:
    """Membership of a PostgreSQL database; `take` it, and run `keep` in a task of its own.

    Making it raises DatabaseError where the driver is not installed.
    """

    def __init__(self, settings: Settings) -> None:
        self._keys = {"namespace": _NAMESPACE, "member": _key(settings.member)}
        self._member, self._wait_s = settings.member, settings.owner_wait_s
        url = database_url(settings.database)
        self.url = url.render_as_string(hide_password=True)
        me = this_process(settings.member)
        # The random part: containers may share a host name, and all begin with process 1.
        name = f"cohabit {me.member} {me.pid} {secrets.token_hex(4)} {me.host}"
        self._name = name[:_LONGEST_NAME]
        options = {
            **POSTGRES_OPTIONS,
            "server_settings": {**_KEEPALIVE, "application_name": self._name},
        }
        self._engine = engine_for(
            url, poolclass=NullPool, connect_args=options, isolation_level="AUTOCOMMIT"
        )
        self._connection: AsyncConnection | None = None
        """Connection that has the lock; one that was not given it is dropped at once."""

    @property
    def has_lock(self) -> bool:
        """Whether the database has given us the lock, on a connection that is not known to be lost.

        A connection alone says nothing: while the database has not noticed the end of the last one,
        a new one is open and has no lock.
        """
        return self._connection is not None

    async def take(self, tell: Tell = lambda _line: None) -> None:
        """Take the lock, waiting a moment for a server that is about to end.

        Raises OwnedError if another server of this name keeps it, and DatabaseError.
        """
        give_up_at = asyncio.get_running_loop().time() + self._wait_s
        has_told = False
        while (holder := await self._try()) is not None:
            if asyncio.get_running_loop().time() > give_up_at:
                raise OwnedError(self._refusal(holder))
            if not has_told:
                has_told = True
                wait_s = f"{self._wait_s:.0f} s"
                tell(f"{self.url} is held by {holder}: waiting up to {wait_s} for its end …")
            await asyncio.sleep(LOOK_S)

    async def holder(self) -> str | None:
        """Ask who has the lock; None if nobody does. Raises DatabaseError."""
        with faults_of(self.url):
            async with self._engine.connect() as connection:
                row = (await connection.execute(_HOLDER, self._keys)).first()
        return None if row is None else _told(row[0], "")

    async def keep(self, on_lost: Callable[[str], None]) -> None:
        """Take the lock again whenever its connection was lost; runs until cancelled.

        Where another server took it meanwhile, calls ``on_lost`` with a sentence and returns.
        """
        while True:
            await asyncio.sleep(CHECK_S)
            try:
                if await self._is_held():
                    continue
                holder = await self._try()
            except DatabaseError as error:
                # Nobody else can take it either while the database is away.
                log.warning("member_lock.away", reason=str(error))
                continue
            except Exception:
                # Whatever it was: unwatched, the lock could be lost and nobody would stop.
                log.exception("member_lock.check_failed")
                continue
            if holder is None:
                log.info("member_lock.taken_again")
            elif holder is OURSELVES:
                # The database has not noticed yet that it is gone, and gives its lock to nobody
                # meanwhile.
                log.warning("member_lock.not_given_back")
            else:
                on_lost(f"the lock was lost with its connection: {self._refusal(holder)}")
                return

    async def release(self) -> None:
        """Let go of the lock. Idempotent."""
        await self._drop()
        await self._engine.dispose()

    async def _try(self) -> str | None:
        """Take the lock on a new connection, or return who holds it. Raises DatabaseError."""
        await self._drop()
        with faults_of(self.url):
            connection = await self._engine.connect()
            try:
                if await connection.scalar(_TAKE, self._keys):
                    self._connection = connection
                    return None
                row = (await connection.execute(_HOLDER, self._keys)).first()
                if row is None and await connection.scalar(_TAKE, self._keys):
                    # It was given back between the two questions.
                    self._connection = connection
                    return None
            finally:
                if self._connection is not connection:
                    await connection.invalidate()
                    await connection.close()
        if row is None or not row[0]:
            return f"another server named {self._member!r}"
        name, address = row
        if name == self._name:
            return OURSELVES
        return _told(name, f", at {address}" if address else "")

    async def _is_held(self) -> bool:
        """Ask the database whether the lock is ours; without it there is no connection left."""
        if self._connection is None:
            return False
        try:
            with faults_of(self.url):
                if await self._connection.scalar(_OURS, self._keys):
                    return True
            reason = "the database does not know it any more"
        except DatabaseError as error:
            reason = str(error)
        log.warning("member_lock.connection_lost", reason=reason)
        await self._drop()
        return False

    async def _drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            # Not back to a pool, and not politely: it may be half dead.
            await connection.invalidate()
            await connection.close()

    def _refusal(self, holder: str) -> str:
        return (
            f"{self.url} is held by {holder}: stop that one first, give this one a database of its "
            "own (COHABIT_DATABASE_URL), or declare it as another member of the same database "
            "(COHABIT_MEMBER); nothing has been changed"
        )


@asynccontextmanager
async def member_lock(
    settings: Settings, tell: Tell = lambda _line: None
) -> AsyncIterator[MemberLock | None]:
    """Take the member's lock until the block ends; SQLite has none, a file lock serves there.

    Raises OwnedError and DatabaseError.
    """
    if database_url(settings.database).get_backend_name() != "postgresql":
        yield None
        return
    lock = MemberLock(settings)
    try:
        await lock.take(tell)
        yield lock
    finally:
        await lock.release()


async def member_holder(settings: Settings) -> str | None:
    """Return who is the member of a PostgreSQL database that the settings name; None if nobody is.

    Raises DatabaseError.
    """
    if database_url(settings.database).get_backend_name() != "postgresql":
        return None
    lock = MemberLock(settings)
    try:
        return await lock.holder()
    finally:
        await lock.release()


def _key(member: str) -> int:
    return zlib.crc32(member.encode()) - 2**31


def _told(name: str, where: str) -> str:
    """Return the words for a holder with this application name."""
    _, member, pid, _, host = (name.split(" ", 4) + [""] * 5)[:5]
    return f"the server {member!r} (process {pid} on {host}{where})"
