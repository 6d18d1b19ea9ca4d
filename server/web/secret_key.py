"""The key that signs tokens: a file of the data directory, made whole or not at all."""

from __future__ import annotations

import os
import secrets
import stat
import tempfile
from pathlib import Path

from server.folder_sync import sync_folder
from server.settings_error import SettingsError
from server.unclaimed_name import claim_name

FILE = "secret_key"
SHORTEST = 32
"""Fewest characters of a key: what `openssl rand -hex 16` prints, which nobody guesses."""
FEWEST_DIFFERENT = 8
"""Fewest different characters: a file of zeros or of one letter repeated is no key."""
LONGEST = 4096
_NEW_BYTES = 48


class SecretKeyError(SettingsError):
    """The key cannot be used or made; the text says which file, why, and what to do."""


def secret_key(data_dir: Path) -> str:
    """Return the key of a data directory; it is made at first use, readable by its owner only.

    Raises SecretKeyError for a key that is spoiled, too short or open to others, and where none
    can be made. Of two processes that make one at once, both return the same.
    """
    path = data_dir / FILE
    if not os.path.lexists(path):
        _make(path)
    return read_key(path)


def read_key(path: Path) -> str:
    """Return the key in a file. Raises SecretKeyError where it cannot be trusted."""
    try:
        # A named pipe must not hold up the start.
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | getattr(os, "O_NONBLOCK", 0))
    except OSError as error:
        raise SecretKeyError(
            f"{path}, the key that signs tokens, cannot be read ({error.strerror}): let the user "
            "that runs the server own and read it (chown, then chmod 600)"
        ) from error
    try:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise SecretKeyError(
                f"{path} should be a file with the key that signs tokens, and is none: move it "
                "away, and the next start makes a key"
            )
        if os.name == "posix" and found.st_mode & 0o077:
            raise SecretKeyError(
                f"{path}, the key that signs tokens, is open to other users of this machine (mode "
                f"{stat.S_IMODE(found.st_mode):04o}, expected 0600): chmod 600 {path}. Who has "
                "read it can sit in any seat; if somebody may have, delete it: a new one is made"
            )
        content = os.read(descriptor, LONGEST + 1)
    except OSError as error:
        raise SecretKeyError(
            f"{path}, the key that signs tokens, cannot be read ({error.strerror}): look after "
            "the disk, or bring the file back from a backup"
        ) from error
    finally:
        os.close(descriptor)
    return _checked(content, path)


def _checked(content: bytes, path: Path) -> str:
    """Return the key that stands in ``content``. Raises SecretKeyError for what is none."""
    key = content.strip(b" \t\r\n")
    if not key:
        problem = "is empty"
    elif len(key) < SHORTEST:
        problem = f"has {len(key)} characters, fewer than {SHORTEST}"
    elif len(content) > LONGEST:
        problem = f"has more than {LONGEST} characters"
    elif any(not 0x21 <= byte <= 0x7E for byte in key):
        problem = "holds something other than printable ASCII characters"
    elif len(set(key)) < FEWEST_DIFFERENT:
        problem = f"holds fewer than {FEWEST_DIFFERENT} different characters"
    else:
        return key.decode("ascii")
    raise SecretKeyError(
        f"{path}, the key that signs tokens, {problem}: anybody could guess it. Bring it back from "
        "a backup, or delete it: the next start makes a new one, and open pages have to be reloaded"
    )


def _make(path: Path) -> None:
    """Write a new key and put it in place, unless another process has just done so."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # Readable by its owner alone from the first moment (mkstemp).
        descriptor, name = tempfile.mkstemp(prefix=f".{FILE}.", suffix=".tmp", dir=path.parent)
        written = Path(name)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(secrets.token_urlsafe(_NEW_BYTES).encode("ascii"))
                file.flush()
                os.fsync(file.fileno())
            # Who was faster has made the key of both.
            claim_name(written, path)
        finally:
            written.unlink(missing_ok=True)
        sync_folder(path.parent)
    except OSError as error:
        raise SecretKeyError(
            f"{path}, the key that signs tokens, cannot be made ({error.strerror}): the data "
            "directory has to be on a disk with room that this user may write to"
        ) from error
