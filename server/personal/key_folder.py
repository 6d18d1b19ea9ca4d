"""Folder of keys: one file per person, apart from what they open and from every backup of that.

Beside the keys lies the list of the forgotten, by pseudonymous ids, and a key that hides ids at
recruiters. Whoever is on the list has no key, even where a file of theirs was brought back.
"""

from __future__ import annotations

import fcntl
import hashlib
import hmac
import os
import re
import secrets
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import msgspec

from server.folder_sync import sync_folder
from server.settings_error import SettingsError
from server.unclaimed_name import claim_name

KEY_BYTES = 32
SUFFIX = ".key"
LIST = "forgotten.jsonl"
HIDING = "hiding.key"
"""File of the key that hides ids: who has it and guesses an id can tell whether it took part."""
_PERSON = re.compile(r"[a-z]+_[A-Za-z0-9_]{1,60}")


def mark_of(key: bytes) -> str:
    """Return a word by which a key is known again, and which says nothing of it."""
    return hashlib.blake2b(key, digest_size=8, person=b"cohabit.mark").hexdigest()


class KeysError(SettingsError):
    """The folder of keys cannot be used; the text says what is wrong and what to do."""


class ForgottenError(Exception):
    """Error for words of somebody who was forgotten: nothing of theirs is kept any more."""


class ForgottenPerson(msgspec.Struct, frozen=True):
    """Line of the list of the forgotten."""

    person: str
    """Id of a participant, which says nothing of who they are."""
    at: float
    """Time (s since 1970)."""
    withdraws: bool = False
    """Whether they have withdrawn with it: all that they answered is removed, too."""


class _List(NamedTuple):
    stamp: tuple[int, int, int]
    """File that was read."""
    at: dict[str, float]
    withdrawn: frozenset[str]


class KeyFolder:
    """The keys of a server, which are read when they are needed and kept nowhere else.

    Another process may forget somebody at any time.
    """

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()
        self._listed = _List((0, 0, 0), {}, frozenset())
        self._hiding: bytes | None = None
        """Key of hashes that was used first, so that no other takes its place meanwhile."""

    def exists(self) -> bool:
        """Tell whether this is a server's folder; an empty one is none. Raises KeysError."""
        return self._read(self.path / HIDING) is not None

    def people(self) -> set[str]:
        """Return whose keys lie here. Raises KeysError."""
        try:
            names = os.listdir(self.path)
        except FileNotFoundError:
            return set()
        except OSError as error:
            raise self._unreadable(".", error) from error
        people = {name.removesuffix(SUFFIX) for name in names if name.endswith(SUFFIX)}
        return {person for person in people if _PERSON.fullmatch(person) is not None}

    def make(self) -> None:
        """Make the folder where there is none, so that nobody comes to a server that cannot write.

        Raises KeysError.
        """
        self._made(self.path / HIDING)

    def key(self, person: str) -> bytes | None:
        """Return the key of a person; None: they were forgotten, or none is here. Raises KeysError.

        `is_forgotten` tells which.
        """
        if self.is_forgotten(person):
            return None
        return self._read(self._file(person))

    def made_key(self, person: str) -> bytes:
        """Return the key of a person, which is made at their first words.

        Raises ForgottenError for somebody who was forgotten, and KeysError.
        """
        if self.is_forgotten(person):
            raise ForgottenError(f"{person} was forgotten")
        return self._made(self._file(person))

    def renewed_key(self, person: str) -> bytes:
        """Return a key in place of one that is lost; what lies there instead is kept beside it.

        Raises as `made_key`.
        """
        file = self._file(person)
        if file.exists():
            file.rename(file.with_suffix(".spoiled"))
        return self.made_key(person)

    def hidden(self, *parts: str) -> str:
        """Return a keyed hash of an id at a recruiter, by which who comes twice is known.

        Raises KeysError, also where the key of hashes is gone that the folder was made with: by
        another nobody would be known again.
        """
        hiding = self._read(self.path / HIDING)
        if hiding is None or (self._hiding is not None and hiding != self._hiding):
            wrong = "lacks" if hiding is None else "has another"
            raise KeysError(
                f"{self.path}, the folder of keys, {wrong} {HIDING}: bring the file back from "
                "where copies of the keys are kept. If it is lost for good, stop the server and "
                "say `cohabit lost-keys`"
            )
        self._hiding = hiding
        return hmac.new(hiding, "\0".join(parts).encode(), hashlib.sha256).hexdigest()

    def is_forgotten(self, person: str) -> bool:
        return person in self.forgotten()

    def forgotten(self) -> dict[str, float]:
        """Return who was forgotten and when (s since 1970). Raises KeysError."""
        return self._list().at

    def withdrawn(self) -> frozenset[str]:
        """Return those of the forgotten who have withdrawn with it. Raises KeysError."""
        return self._list().withdrawn

    def _list(self) -> _List:
        try:
            found = (self.path / LIST).stat()
        except FileNotFoundError:
            return _List((0, 0, 0), {}, frozenset())
        except OSError as error:
            raise self._unreadable(LIST, error) from error
        stamp = (found.st_ino, found.st_size, found.st_mtime_ns)
        if self._listed.stamp != stamp:
            entries = self._read_list()
            at: dict[str, float] = {}
            for entry in entries:
                at.setdefault(entry.person, entry.at)
            withdrawn = frozenset(entry.person for entry in entries if entry.withdraws)
            self._listed = _List(stamp, at, withdrawn)
        return self._listed

    def _read_list(self) -> list[ForgottenPerson]:
        try:
            # What follows the last end of a line is of a forgetting that a crash cut off.
            *lines, _ = (self.path / LIST).read_bytes().split(b"\n")
        except OSError as error:
            raise self._unreadable(LIST, error) from error
        listed: list[ForgottenPerson] = []
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                listed.append(msgspec.json.decode(line, type=ForgottenPerson))
            except msgspec.DecodeError as error:
                raise KeysError(
                    f"{self.path / LIST}, line {number}, is no entry of the list of the forgotten "
                    f"({error}): mend the line by hand; without it somebody would be known again"
                ) from error
        return listed

    def forget(self, person: str, now_s: float, *, withdraws: bool = False) -> None:
        """Note that a person is forgotten, and destroy their key. Idempotent. Raises KeysError.

        Once they are on the list they have no key, whatever happens next. ``withdraws``: a backup
        that is restored lacks their answers, too, and they have withdrawn in it.
        """
        self._file(person)
        try:
            if not self.is_forgotten(person) or (withdraws and person not in self.withdrawn()):
                self._add_to_list(ForgottenPerson(person, now_s, withdraws))
            self._destroy(self._file(person))
        except OSError as error:
            raise KeysError(
                f"{self.path}, the folder of keys, cannot be written ({error.strerror}), and may "
                "have the key of somebody still who is forgotten: mend that and do it again, or "
                "start the server, which destroys the key then"
            ) from error

    def _add_to_list(self, entry: ForgottenPerson) -> None:
        self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        line = memoryview(msgspec.json.encode(entry) + b"\n")
        descriptor = os.open(self.path / LIST, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            # Another process may forget somebody at the same time.
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            whole = _end_of_lines(descriptor)
            os.ftruncate(descriptor, whole)
            try:
                while line:
                    line = line[os.write(descriptor, line) :]
                os.fsync(descriptor)
            except OSError:
                # A disk that is full takes a part of it.
                os.ftruncate(descriptor, whole)
                raise
        finally:
            os.close(descriptor)
        sync_folder(self.path)

    def _destroy(self, file: Path) -> None:
        try:
            descriptor = os.open(file, os.O_WRONLY)
        except FileNotFoundError:
            return
        try:
            # Where the disk writes in place nothing is left; elsewhere it is only unlinked.
            os.write(descriptor, b"\0" * 2 * KEY_BYTES)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        file.unlink(missing_ok=True)
        sync_folder(self.path)

    def destroy(self, people: Iterable[str]) -> None:
        """Destroy the keys of people of whom nothing is kept any more, who are not listed for it.

        Raises KeysError.
        """
        try:
            for person in people:
                if _PERSON.fullmatch(person) is not None:
                    self._destroy(self._file(person))
        except OSError as error:
            raise KeysError(
                f"{self.path}, the folder of keys, cannot be written ({error.strerror}): nobody "
                "is removed before that is mended"
            ) from error

    def settle(self) -> None:
        """Destroy keys of the forgotten that lie here: of a copy of the folder, or after a crash.

        Raises KeysError.
        """
        for person, at in self.forgotten().items():
            if self._file(person).exists():
                self.forget(person, at)

    def _file(self, person: str) -> Path:
        if _PERSON.fullmatch(person) is None:
            raise ValueError(f"expected the id of a participant, got {person!r}")
        return self.path / f"{person}{SUFFIX}"

    def _read(self, file: Path) -> bytes | None:
        try:
            content = file.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise self._unreadable(file.name, error) from error
        try:
            key = bytes.fromhex(content.decode("ascii"))
        except ValueError:
            key = b""
        if len(key) != KEY_BYTES:
            raise KeysError(
                f"{file} is no key: bring it back from where copies of the keys are kept"
            )
        return key

    def _made(self, file: Path) -> bytes:
        key = self._read(file)
        if key is not None:
            return key
        try:
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
            # Readable by its owner alone from the first moment (mkstemp).
            descriptor, name = tempfile.mkstemp(prefix=".new.", suffix=".tmp", dir=self.path)
            draft = Path(name)
            try:
                with os.fdopen(descriptor, "wb") as out:
                    out.write(secrets.token_bytes(KEY_BYTES).hex().encode("ascii"))
                    out.flush()
                    os.fsync(out.fileno())
                # Who was faster has made the key of both.
                claim_name(draft, file)
            finally:
                draft.unlink(missing_ok=True)
            sync_folder(self.path)
        except OSError as error:
            raise KeysError(
                f"{self.path}, the folder of keys (COHABIT_KEYS_DIR), cannot be written "
                f"({error.strerror}): it has to be on a disk with room that this user may write to"
            ) from error
        key = self._read(file)
        assert key is not None
        return key

    def _unreadable(self, name: str, error: OSError) -> KeysError:
        return KeysError(
            f"{self.path / name}, in the folder of keys, cannot be read ({error.strerror}): let "
            "the user that runs the server own and read the folder (chown, then chmod 700)"
        )


def _end_of_lines(descriptor: int) -> int:
    """Return the length of a file without a last line that was cut off."""
    content = os.pread(descriptor, os.fstat(descriptor).st_size, 0)
    return content.rfind(b"\n") + 1
