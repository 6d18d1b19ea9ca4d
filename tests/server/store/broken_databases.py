"""Ways in which a database breaks under a server, each for real."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

PAGE = 4096


class Breakage(NamedTuple):
    """A way to break an SQLite file; ``advice`` is a part of what is said about it then.

    ``on_write`` tells whether reading still works.
    """

    name: str
    breaks: Callable[[Path, ExitStack], None]
    advice: str
    on_write: bool = False
    needs_mount: bool = False


def _let_go(file: Path) -> None:
    """Put all into the file itself, and take away what stands beside it."""
    with sqlite3.connect(file) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()
    for suffix in ("-wal", "-shm"):
        file.with_name(file.name + suffix).unlink(missing_ok=True)


def _locked(file: Path, stack: ExitStack) -> None:
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    stack.callback(other.close)
    stack.callback(other.execute, "ROLLBACK")


def _damaged(file: Path, _stack: ExitStack) -> None:
    _let_go(file)
    with file.open("r+b") as pages:
        pages.seek(PAGE)
        pages.write(os.urandom(file.stat().st_size - PAGE))


def _cut_off(file: Path, _stack: ExitStack) -> None:
    _let_go(file)
    os.truncate(file, 2 * PAGE)


def _another_file(file: Path, _stack: ExitStack) -> None:
    _let_go(file)
    file.write_text("this is no database, it only has the name of one\n" * 200)


def _a_folder(file: Path, _stack: ExitStack) -> None:
    _let_go(file)
    file.unlink()
    file.mkdir()


def _no_tables(file: Path, _stack: ExitStack) -> None:
    with sqlite3.connect(file) as db:
        db.execute("PRAGMA foreign_keys=OFF")
        for (table,) in db.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table'"
        ).fetchall():
            db.execute(f"DROP TABLE {table}")
    db.close()


def _full(file: Path, stack: ExitStack) -> None:
    filler = file.with_name("filler")
    filler.write_bytes(b"x" * shutil.disk_usage(file.parent).free)
    stack.callback(filler.unlink)


def _read_only(file: Path, stack: ExitStack) -> None:
    _let_go(file)
    subprocess.run(["mount", "-o", "remount,ro", str(file.parent)], check=True)
    stack.callback(subprocess.run, ["mount", "-o", "remount,rw", str(file.parent)], check=True)


BREAKAGES = (
    Breakage("locked", _locked, "another program keeps it locked", on_write=True),
    Breakage("damaged", _damaged, "cohabit restore"),
    Breakage("cut_off", _cut_off, "cohabit restore"),
    Breakage("another_file", _another_file, "another file has its name"),
    Breakage("a_folder", _a_folder, "its folder must exist"),
    Breakage("no_tables", _no_tables, "it lacks tables of this release"),
    Breakage("full", _full, "free some space", on_write=True, needs_mount=True),
    Breakage("read_only", _read_only, "not mounted read-only", needs_mount=True),
)


@contextmanager
def database_folder(folder: Path, breakage: Breakage) -> Iterator[Path]:
    """Make a folder for a database, on a small disk of its own where it is to be broken."""
    folder.mkdir()
    if not breakage.needs_mount:
        yield folder
        return
    command = ["mount", "-t", "tmpfs", "-o", "size=1024k", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(command, capture_output=True).returncode != 0:
        pytest.skip("only root may mount a small disk")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)
