"""File locks by which one server owns a data directory, or an SQLite database, while it lives.

The lock is the kernel's (`flock`): it ends with its process, however that ends, and what stands in
the file is only there to name the holder to others.
"""

from __future__ import annotations

import errno
import fcntl
import os
import socket
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import msgspec

from episodes.bounded_files import regular_file
from server.settings import Settings
from server.wall_clock import utc_now

FILE = "owner"
"""Name of the lock's file in a data directory."""
SUFFIX = ".owner"
"""End of the name of the lock's file beside an SQLite database."""
LOOK_S = 0.1
_LONGEST_RECORD = 4096

Tell = Callable[[str], None]


class OwnedError(Exception):
    """Error for data that another server owns, or that cannot be locked; says what to do."""


class Holder(msgspec.Struct, frozen=True):
    """The process that holds a lock: the name of its member, and where to find it."""

    member: str
    host: str
    pid: int
    since: str
    leaves_within_s: float | None = None
    """Seconds within which it will have ended; None while nobody has told it to stop."""

    def __str__(self) -> str:
        return f"the server {self.member!r} (process {self.pid} on {self.host}, since {self.since})"


def this_process(member: str) -> Holder:
    """Return this process as the holder of a lock."""
    since = utc_now().isoformat(timespec="seconds")
    return Holder(member, socket.gethostname(), os.getpid(), since)


class OwnerLock:
    """Lock on one file, which stays where it is when the lock is released."""

    def __init__(self, path: Path, holder: Holder) -> None:
        self._path, self._holder = path, holder
        self._descriptor: int | None = None
        self._made: list[Path] = []
        """File and folders that were not there before, the innermost first."""

    def take(self) -> bool:
        """Take the lock, and write who holds it; return whether nobody else had it.

        Raises OwnedError where the file cannot be made or locked at all.
        """
        missing = [p for p in (self._path, *self._path.parents) if not p.exists()]
        self._made += [path for path in missing if path not in self._made]
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            descriptor = regular_file(self._path, os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise OwnedError(
                f"{self._path} cannot be written ({error.strerror}): let the user who runs the "
                "server write there, on a disk that is not read-only"
            ) from error
        try:
            is_free = _try_flock(descriptor, fcntl.LOCK_EX, self._path)
        except OwnedError:
            os.close(descriptor)
            raise
        if not is_free or not _is_at(descriptor, self._path):
            # Or who had it has removed it meanwhile: a lock on that file would keep nobody out.
            os.close(descriptor)
            return False
        self._descriptor = descriptor
        self._write(self._holder)
        return True

    def announce_end(self, within_s: float) -> None:
        """Write that this process is about to end, so that the next one waits for that."""
        self._write(msgspec.structs.replace(self._holder, leaves_within_s=within_s))

    def release(self) -> None:
        """Let go of the lock. Idempotent."""
        if self._descriptor is not None:
            self._write(None)
            os.close(self._descriptor)
            self._descriptor = None

    def undo(self) -> None:
        """Let go of the lock, and remove the file and the folders that were made for it."""
        if self._descriptor is None:
            return
        with suppress(OSError):
            for path in self._made:
                path.unlink() if path == self._path else path.rmdir()
        self.release()

    def _write(self, holder: Holder | None) -> None:
        if self._descriptor is None:
            return
        try:
            os.ftruncate(self._descriptor, 0)
            os.pwrite(self._descriptor, b"" if holder is None else msgspec.json.encode(holder), 0)
        except OSError:
            # The lock holds without it: a full disk must not keep sessions from going on.
            return


def holder_of(path: Path) -> Holder | None:
    """Return who holds the lock on a file; None if nobody does. Changes nothing.

    A holder who has not written a name yet has an unknown one.
    """
    try:
        descriptor = regular_file(path, os.O_RDONLY)
    except OSError:
        return None
    try:
        if _try_flock(descriptor, fcntl.LOCK_SH, path):
            return None
        record = os.pread(descriptor, _LONGEST_RECORD, 0)
    finally:
        os.close(descriptor)
    try:
        return msgspec.json.decode(record, type=Holder)
    except msgspec.DecodeError:
        return Holder("of an unknown name", "some machine", 0, "just now")


class Ownership:
    """Locks that one server holds together."""

    def __init__(self, locks: list[OwnerLock]) -> None:
        self._locks = locks

    def announce_end(self, within_s: float) -> None:
        """Write that this server ends within so many seconds."""
        for lock in self._locks:
            lock.announce_end(within_s)

    def undo(self) -> None:
        """Let go of the locks, and leave nothing of them behind that was not there before."""
        for lock in reversed(self._locks):
            lock.undo()


@contextmanager
def left_as_it_was(ownership: Ownership) -> Iterator[None]:
    """Undo the locks where the block raises: a server that does not start leaves nothing behind."""
    try:
        yield
    except BaseException:
        ownership.undo()
        raise


@contextmanager
def own(settings: Settings, tell: Tell = lambda _line: None) -> Iterator[Ownership]:
    """Take the data directory, and the SQLite database if that is used, until the block ends.

    Waits a moment for a server that is about to end, and tells so. Raises OwnedError if another
    process keeps them.
    """
    me = this_process(settings.member)
    with ExitStack() as stack:
        locks: list[OwnerLock] = []
        ownership = Ownership(locks)
        for path in lock_files(settings):
            lock = OwnerLock(path, me)
            try:
                _require_one_name(path)
                _take(lock, path, settings.owner_wait_s, tell)
            except BaseException:
                ownership.undo()
                raise
            stack.callback(lock.release)
            locks.append(lock)
        yield ownership


@contextmanager
def own_folder(data_dir: Path, name: str) -> Iterator[None]:
    """Take a data directory alone, for a program called ``name`` that replaces files in it.

    Raises OwnedError at once if a server keeps it.
    """
    path = data_dir.resolve() / FILE
    lock = OwnerLock(path, this_process(name))
    _take(lock, path, 0.0, lambda _line: None)
    try:
        yield
    finally:
        lock.undo()


@contextmanager
def own_to_replace(files: Iterable[Path], data_dir: Path, name: str) -> Iterator[None]:
    """Take a data directory alone if any of some files in it is there, and would be replaced.

    Sessions of a server go on with what they began with. Raises OwnedError if one runs there.
    """
    with ExitStack() as stack:
        if any(file.exists() for file in files):
            stack.enter_context(own_folder(data_dir, name))
        yield


def lock_files(settings: Settings) -> list[Path]:
    """Return the files that are locked for a server with these settings."""
    files = [settings.data_dir.resolve() / FILE]
    database = settings.sqlite_file
    if database is not None:
        # Beside the file itself: a server with another data directory may be pointed at it.
        database = database.resolve()
        files.append(database.with_name(database.name + SUFFIX))
    return files


def _require_one_name(path: Path) -> None:
    """Raise OwnedError if the database beside a lock has another name, with a lock of its own."""
    database = path.with_name(path.name.removesuffix(SUFFIX))
    if path.name != FILE and database.exists() and database.stat().st_nlink > 1:
        raise OwnedError(
            f"{database} has {database.stat().st_nlink} names (hard links), so that two servers "
            "could write it at once: keep one of them (a copy instead of a link, or a symbolic "
            "link); nothing has been changed"
        )


def _take(lock: OwnerLock, path: Path, patience_s: float, tell: Tell) -> None:
    begun, has_told = time.monotonic(), False
    while not lock.take():
        holder = holder_of(path)
        if holder is None:
            continue
        # A server that is replaced ends while the next one starts.
        wait_s = (holder.leaves_within_s or 0.0) + patience_s
        if time.monotonic() - begun > wait_s:
            raise OwnedError(_refusal(path, holder))
        if not has_told:
            has_told = True
            tell(f"{path.parent} is held by {holder}: waiting up to {wait_s:.0f} s for its end …")
        time.sleep(LOOK_S)


def _refusal(path: Path, holder: Holder) -> str:
    if path.name == FILE:
        return (
            f"{path.parent} is held by {holder}: stop that one first, or give this one a data "
            "directory of its own (COHABIT_DATA_DIR); nothing has been changed"
        )
    return (
        f"{path.name.removesuffix(SUFFIX)} in {path.parent} is held by {holder}: stop that one "
        "first, or give this one a database of its own (COHABIT_DATABASE_URL); nothing has been "
        "changed"
    )


def _is_at(descriptor: int, path: Path) -> bool:
    """Tell whether an open file is the one that has this name now."""
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except OSError:
        return False


def _try_flock(descriptor: int, kind: int, path: Path) -> bool:
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in (errno.EWOULDBLOCK, errno.EACCES):
            return False
        raise OwnedError(
            f"{path} cannot be locked ({error.strerror}): put the data directory on a file system "
            "with locks, as a local disk has them"
        ) from error
    return True
