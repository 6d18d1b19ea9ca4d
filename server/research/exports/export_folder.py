"""Folder of an export: it appears whole under its name, or not at all."""

from __future__ import annotations

import csv
import fcntl
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, TextIO

from server.folder_sync import sync_folder
from server.research.exports.cells import Value, cell
from server.research.exports.columns import Table

Row = Mapping[str, Value]
Change = Callable[[Row], Row]


def unchanged(row: Row) -> Row:
    """Return a row as it is."""
    return row


class ExportFolderError(Exception):
    """Error for a folder that cannot be made; the text says what to do."""


def refuse_taken(target: Path) -> None:
    """Check that nothing has the name of a folder that is to be made. Raises ExportFolderError."""
    if os.path.lexists(target):
        raise ExportFolderError(
            f"{target} is there already: name a folder that is not, or move it away"
        )


class TableFile:
    """File of a table that rows are added to, each as ``change`` makes it."""

    def __init__(self, table: Table, stream: TextIO, change: Change) -> None:
        self.table, self._stream, self._change = table, stream, change
        self._writer = csv.writer(stream, lineterminator="\n")
        self._writer.writerow(table.names)
        self.n_rows = 0

    def add(self, rows: Iterable[Mapping[str, Value]]) -> None:
        """Write rows; cells of columns that the table does not have are left out."""
        for row in map(self._change, rows):
            self._writer.writerow([cell(row[name]) for name in self.table.names])
            self.n_rows += 1

    def close(self) -> None:
        """Put the file on the disk."""
        self._stream.flush()
        os.fsync(self._stream.fileno())
        self._stream.close()


class ExportFolder:
    """Folder that is written beside its place, readable by its owner, and put there at the end.

    Leaving the block by an exception leaves nothing behind. What a process left that was killed is
    removed by the next one to the same place.
    """

    def __init__(self, target: Path, change: Change = unchanged) -> None:
        refuse_taken(target)
        self._target, self._change = target, change
        self._tables: list[TableFile] = []
        self._streams: list[BinaryIO] = []
        self._lock: int | None = None

    def __enter__(self) -> ExportFolder:
        """Make the folder, as a hidden one. Raises ExportFolderError."""
        try:
            self._target.parent.mkdir(parents=True, exist_ok=True)
            with _locked(self._target.parent):
                self._remove_left_drafts()
                made = tempfile.mkdtemp(prefix=self._prefix, dir=self._target.parent)
                # Held to the end of this process, however that ends, or of the block.
                self._lock = _lock(Path(made), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise ExportFolderError(f"{self._target} cannot be made: {error}") from error
        self._draft = Path(made)
        return self

    @property
    def _prefix(self) -> str:
        """Prefix of the names of drafts; what people hide beside an export is called otherwise."""
        return f".{self._target.name}.export-"

    def _remove_left_drafts(self) -> None:
        """Remove the drafts of exports to the same place whose processes were killed."""
        for left in self._target.parent.iterdir():
            if not left.name.startswith(self._prefix) or left.is_symlink() or not left.is_dir():
                continue
            if (lock := _lock(left, fcntl.LOCK_EX | fcntl.LOCK_NB)) is not None:
                shutil.rmtree(left, ignore_errors=True)
                os.close(lock)

    def table(self, table: Table) -> TableFile:
        """Begin the file of a table."""
        path = self._draft / table.file
        path.parent.mkdir(exist_ok=True)
        file = TableFile(table, path.open("x", encoding="utf-8", newline=""), self._change)
        self._tables.append(file)
        return file

    def stream(self, name: str) -> BinaryIO:
        """Begin a file of bytes, which is put on the disk at the end."""
        stream = (self._draft / name).open("xb")
        self._streams.append(stream)
        return stream

    def text(self, name: str, text: str) -> None:
        """Write a file of text."""
        self.file(name, text.encode())

    def file(self, name: str, data: bytes) -> None:
        """Write a file, in folders that are made if they are not there: ``a/b.json.gz``."""
        path = self._draft / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        """Put the folder at its place, or remove it. Raises ExportFolderError."""
        try:
            if error is None:
                for file in self._tables:
                    file.close()
                for stream in self._streams:
                    stream.flush()
                    os.fsync(stream.fileno())
                for folder, _, _ in os.walk(self._draft):
                    sync_folder(Path(folder))
                self._draft.rename(self._target)
                sync_folder(self._target.parent)
        except OSError as fault:
            raise ExportFolderError(f"{self._target} cannot be written: {fault}") from fault
        finally:
            for stream in self._streams:
                stream.close()
            shutil.rmtree(self._draft, ignore_errors=True)
            if self._lock is not None:
                os.close(self._lock)
        if isinstance(error, OSError):
            raise ExportFolderError(f"{self._target} cannot be written: {error}") from error


def _lock(folder: Path, how: int) -> int | None:
    """Return the descriptor of a folder that is locked now; None where that cannot be.

    Somebody else holds it, it is another user's who lets nobody in, or no folder can be locked:
    some network file systems have no such locks. Nothing is removed there.
    """
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        fcntl.flock(descriptor, how)
    except OSError:
        os.close(descriptor)
        return None
    return descriptor


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Take turns with others who make or remove drafts in a folder."""
    lock = _lock(folder, fcntl.LOCK_EX)
    try:
        yield
    finally:
        if lock is not None:
            os.close(lock)
