"""Faults of a database that are not our programs' errors, each with what to do about it."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal, TypeGuard

from sqlalchemy.exc import DBAPIError, DisconnectionError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from server.store.types import StoredValueError

Kind = Literal[
    "away",
    "busy",
    "locked",
    "read_only",
    "full",
    "corrupt",
    "no_database",
    "no_tables",
    "refused",
    "unreadable",
    "crowded",
    "disk",
    "moved",
    "spoiled",
]
"""Kinds of faults, by what somebody has to do about them."""

_ADVICE: dict[Kind, str] = {
    "away": "check that it runs, and that the address in COHABIT_DATABASE_URL is right",
    "busy": "it was interrupted in its work and is asked again at the next request",
    "locked": "another program keeps it locked (one that browses or copies it?): close that one",
    "read_only": "let the user who runs the server write the file and its folder, on a disk that "
    "is not mounted read-only; a PostgreSQL standby cannot be used",
    "full": "its disk is full: free some space; what is played meanwhile is kept in the logs, "
    "if they are on another disk",
    "corrupt": "the file is damaged: stop the server and keep a copy of it; then restore the last "
    "backup into an empty data directory (cohabit restore), or save what can be read with "
    "`sqlite3 cohabit.db .recover | sqlite3 saved.db`",
    "no_database": "another file has its name: put that elsewhere, restore a backup into an empty "
    "data directory (cohabit restore), or set COHABIT_DATABASE_URL to another database",
    "no_tables": "it lacks tables of this release: was it emptied or restored while the server "
    "ran? Start the server again, which makes what is missing",
    "refused": "check the user, the password and the name of the database in COHABIT_DATABASE_URL, "
    "and that this user may connect and write",
    "unreadable": "its folder must exist, on a disk that is not mounted read-only, and the user "
    "who runs the server must be able to read and write the file and the folder",
    "crowded": "too many programs are connected to it, or it has too little memory: close some, or "
    "raise max_connections",
    "disk": "its disk reports errors, or the file was moved away while the server runs: put it "
    "back, look at the system's log, and restore the last backup if need be (cohabit restore)",
    "moved": "put the very file back if it was only moved, and all goes on; otherwise stop the "
    "server and restore the last backup into an empty data directory (cohabit restore); what is "
    "played meanwhile is kept in the logs",
    "spoiled": "a row was edited or restored in part by another program: undo that, or stop the "
    "server and restore the last backup into an empty data directory (cohabit restore)",
}

_SQLITE_KINDS: dict[int, Kind] = {
    sqlite3.SQLITE_BUSY: "locked",
    sqlite3.SQLITE_LOCKED: "locked",
    sqlite3.SQLITE_PROTOCOL: "locked",
    sqlite3.SQLITE_READONLY: "read_only",
    sqlite3.SQLITE_PERM: "unreadable",
    sqlite3.SQLITE_AUTH: "unreadable",
    sqlite3.SQLITE_CANTOPEN: "unreadable",
    sqlite3.SQLITE_FULL: "full",
    sqlite3.SQLITE_CORRUPT: "corrupt",
    sqlite3.SQLITE_FORMAT: "corrupt",
    sqlite3.SQLITE_NOTADB: "no_database",
    sqlite3.SQLITE_IOERR: "disk",
    sqlite3.SQLITE_NOMEM: "crowded",
    sqlite3.SQLITE_INTERRUPT: "busy",
}
_SQLITE_EXTENDED: dict[int, Kind] = {
    sqlite3.SQLITE_READONLY_DBMOVED: "disk",
    sqlite3.SQLITE_IOERR_SHORT_READ: "corrupt",
    # What is shared between connections has no room; a file that has none says it by SQLITE_FULL.
    sqlite3.SQLITE_IOERR_SHMSIZE: "full",
}
"""Kinds by extended code, where that says more than the code."""

_POSTGRES_KINDS: dict[str, Kind] = {
    "25006": "read_only",
    "28": "refused",
    "3D": "refused",
    "40": "busy",
    "42501": "refused",
    "42703": "no_tables",
    "42P01": "no_tables",
    "3F": "no_tables",
    "53": "crowded",
    "53100": "full",
    "55": "locked",
    "57014": "busy",
    "58": "disk",
    "XX001": "corrupt",
    "XX002": "corrupt",
}
"""Kinds by SQLSTATE, or by the class that its first two characters name."""
_OUR_STATES = ("21", "22", "23", "26", "34", "42", "44")
"""Classes of SQLSTATE that a wrong statement or wrong values of ours cause."""


class DatabaseError(Exception):
    """The database cannot be used; the text says why and what to do."""


@contextmanager
def faults_of(url: str, says: str = "does not answer") -> Iterator[None]:
    """Raise DatabaseError for a fault of the database at ``url``.

    What our own programs did wrong (values that break a constraint, a wrong statement) stays what
    it is: trying again would not help, and its traceback belongs in the log.
    """
    try:
        yield
    except DatabaseError:
        raise
    except Exception as error:
        kind = kind_of(error)
        if kind is None:
            raise
        raise fault(url, says, _first_line(error), kind) from error


def fault(url: str, says: str, reason: str, kind: Kind) -> DatabaseError:
    """Return the error for a fault of this kind, with what to do about it."""
    return DatabaseError(f"{url} {says} ({reason}): {_ADVICE[kind]}")


def kind_of(error: BaseException) -> Kind | None:
    """Return the kind of a database's fault; None for an error that is no fault of a database."""
    if isinstance(error, PoolTimeoutError):
        return "crowded"
    if isinstance(error, StoredValueError):
        return "spoiled"
    if isinstance(error, DBAPIError):
        return _kind_of_driver(error.orig)
    if isinstance(error, SQLAlchemyError):
        return "away" if isinstance(error, DisconnectionError) else None
    return _kind_of_driver(error)


def _kind_of_driver(error: BaseException | None) -> Kind | None:
    if isinstance(error, sqlite3.Error):
        return _kind_of_sqlite(error)
    state = getattr(error, "sqlstate", None)
    if isinstance(state, str):
        if state in _POSTGRES_KINDS:
            return _POSTGRES_KINDS[state]
        if state[:2] in _OUR_STATES:
            return None
        return _POSTGRES_KINDS.get(state[:2], "away")
    if isinstance(error, OSError):
        return _kind_of_system(error)
    if not _is_postgres(error) or isinstance(error.__cause__, ValueError):
        # The driver refuses values of ours by errors that are ValueErrors, too.
        return None
    return "away"


def _kind_of_sqlite(error: sqlite3.Error) -> Kind | None:
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    if code in _SQLITE_EXTENDED:
        return _SQLITE_EXTENDED[code]
    if code == sqlite3.SQLITE_ERROR:
        # A statement that is wrong, or right for tables that are not there.
        return "no_tables" if "no such" in str(error) else None
    return _SQLITE_KINDS.get(code & 0xFF)


def _kind_of_system(error: OSError) -> Kind:
    match error.errno:
        case errno.ENOSPC | errno.EDQUOT:
            return "full"
        case errno.EROFS:
            return "read_only"
        case errno.EACCES | errno.EPERM | errno.ENOENT:
            return "unreadable"
        case errno.EIO:
            return "disk"
        case errno.EMFILE | errno.ENFILE:
            return "crowded"
        case _:
            return "away"


def _is_postgres(error: BaseException | None) -> TypeGuard[BaseException]:
    """Tell whether an error is the driver's own, which SQLAlchemy does not always wrap."""
    return error is not None and any("asyncpg" in cls.__module__ for cls in type(error).__mro__)


def _first_line(error: BaseException) -> str:
    return str(getattr(error, "orig", None) or error or repr(error)).partition("\n")[0]
