"""Memory across episodes: programs that did what was said, repairs that helped, routines.

A routine is what a person calls by a name of its own. A memory is frozen while a policy plays, and
``digest`` says which one it was. Growing writes to a file, which the next episode reads.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec

from episodes.bounded_files import UnreadableError, read_lines, regular_file
from server.robots.policies.helper.known_programs import DIALOGUES, EXTENDED, STEPS, TASKS, TIDY
from server.robots.policies.helper.known_repairs import REPAIRS
from server.robots.policies.helper.program_parser import UNTIL_DONE
from server.robots.policy_spec import RobotError

_WORD = re.compile("[a-z0-9]+")
Domain = Literal["dialogue", "task", "steps", "tidy"]
DOMAINS: tuple[Domain, ...] = ("dialogue", "task", "steps", "tidy")


class MemoryFileError(RobotError):
    """Error for a file of memories that cannot be read or written; the message says why."""


class Memory(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A remembered example.

    ``key`` is what it is found by: the words of a person, or (``kind`` repair) the lines that
    failed and the error; ``why`` explains a repair. A routine is found by its ``name``: what the
    person calls it.
    """

    name: str
    kind: Literal["plan", "repair", "routine"] = "plan"
    domain: Domain = "task"
    key: str
    program: str
    why: str = ""
    source: Literal["seed", "play"] = "seed"
    extended: bool = False
    """Whether it needs what only the extended language has."""


class Memories:
    """Frozen set of examples."""

    def __init__(self, records: Iterable[Memory]) -> None:
        self.records = tuple(records)
        encoded = msgspec.json.encode(self.records, order="sorted")
        self.digest = hashlib.sha256(encoded).hexdigest()
        """Hash that tells the log which examples these are."""

    def plans(self, domain: Domain | None = None, *, extended: bool = True) -> list[Memory]:
        """Return the planning examples, of one domain or of all.

        Without ``extended`` those that need the extended language are left out, and its barrier is
        taken out of the others.
        """
        found = [
            record
            for record in self.records
            if record.kind == "plan"
            and domain in (None, record.domain)
            and (extended or not record.extended)
        ]
        return found if extended else [_plain(record) for record in found]

    def repairs(self) -> list[Memory]:
        return [record for record in self.records if record.kind == "repair"]

    def routines(self, said: str) -> list[Memory]:
        """Return the routines whose names are made of words that were said, longest first.

        Where a name is within another one, only the longer one counts.
        """
        words = set(_WORD.findall(said.lower()))
        named = [
            record
            for record in self.records
            if record.kind == "routine" and words >= set(record.name.split())
        ]
        named.sort(key=lambda r: -len(r.name.split()))
        found: list[Memory] = []
        for record in named:
            if not any(set(record.name.split()) <= set(f.name.split()) for f in found):
                found.append(record)
        return found


def _plain(record: Memory) -> Memory:
    barrier = f"{UNTIL_DONE}()"
    lines = [line for line in record.program.splitlines() if line != barrier]
    return msgspec.structs.replace(record, program="\n".join(lines))


@cache
def seeds() -> tuple[Memory, ...]:
    """Return the examples that every memory starts with."""
    by_domain: dict[Domain, dict[str, tuple[str, str]]] = {
        "dialogue": DIALOGUES,
        "task": TASKS,
        "steps": STEPS,
        "tidy": TIDY,
    }
    plans = [
        Memory(name=name, domain=domain, key=key, program=program)
        for domain, examples in by_domain.items()
        for name, (key, program) in examples.items()
    ]
    more = [
        msgspec.convert(
            {"name": name, "domain": domain, "key": key, "program": program, "extended": True},
            Memory,
        )
        for name, (domain, key, program) in EXTENDED.items()
    ]
    repairs = [
        Memory(name=name, kind="repair", key=key, why=why, program=program)
        for name, (key, why, program) in REPAIRS.items()
    ]
    return (*plans, *more, *repairs)


def memories_of(path: str = "") -> Memories:
    """Return the seeds and what a file has grown to. Raises MemoryFileError.

    The file holds a JSON object per line; where there is no file yet, the seeds are all.
    """
    return Memories((*seeds(), *(_grown(Path(path)) if path else ())))


def _grown(path: Path) -> list[Memory]:
    try:
        found = read_lines(path, Memory)
    except FileNotFoundError:
        return []
    except UnreadableError as error:
        where = f"{path}, line {error.line}" if error.line else f"{path}"
        raise MemoryFileError(f"{where}: no memory: {error.reason}") from error
    taken = {record.name for record in seeds()}
    routines: dict[str, int] = {}
    for number, record in enumerate(found, start=1):
        if record.kind == "routine":
            routines[record.name] = number
            continue
        if record.name in taken:
            raise MemoryFileError(f"{path}, line {number}: {record.name} is there twice")
        taken.add(record.name)
    # A routine that is taught anew takes the place of the old one.
    return [
        record
        for number, record in enumerate(found, start=1)
        if record.kind != "routine" or routines[record.name] == number
    ]


def grow(path: str, key: str, program: str, domain: Domain) -> Memory:
    """Add a program that did what was said; what is there already is not added again.

    Raises MemoryFileError.
    """
    digest = hashlib.sha256(f"{key}\n{program}".encode()).hexdigest()
    record = Memory(
        name=f"play_{digest[:12]}", domain=domain, key=key, program=program, source="play",
        extended=True,
    )  # fmt: skip
    if not any(r.name == record.name for r in _grown(Path(path))):
        _append(path, record)
    return record


def teach(path: str, name: str, said: str, program: str, domain: Domain = "task") -> Memory:
    """Add a person's routine: ``name`` is what they call it, ``said`` how they put it.

    It takes the place of one with that name. Raises MemoryFileError.
    """
    record = Memory(
        name=name, kind="routine", domain=domain, key=said, program=program, source="play",
        extended=True,
    )  # fmt: skip
    _append(path, record)
    return record


def _append(path: str, record: Memory) -> None:
    line = msgspec.json.encode(record) + b"\n"
    try:
        # One write at the end of the file: several sessions may share it.
        handle = regular_file(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            os.write(handle, line)
        finally:
            os.close(handle)
    except OSError as error:
        raise MemoryFileError(f"{path}: {error.strerror or error}") from error
