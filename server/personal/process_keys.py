"""The folder of keys that this process and its children read logs with.

A process serves one data directory, and logs are read in many places, most of which need no words
at all: so what reads a log asks here, as what writes to the program's own log asks for its set-up.
Where no folder was named, words stay sealed.
"""

from __future__ import annotations

import os
from pathlib import Path

from server.personal.key_folder import KeyFolder

VARIABLE = "_COHABIT_KEYS"
"""Environment variable that names the folder to the processes that this one starts."""


class _Process:
    keys: KeyFolder | None = None


def use_keys(folder: Path) -> KeyFolder:
    """Let this process and those that it starts read logs with the keys of a folder."""
    if _Process.keys is None or _Process.keys.path != folder.absolute():
        _Process.keys = KeyFolder(folder)
        os.environ[VARIABLE] = str(folder.absolute())
    return _Process.keys


def process_keys() -> KeyFolder | None:
    """Return the folder of keys of this process; None: none was named."""
    if _Process.keys is None and os.environ.get(VARIABLE):
        _Process.keys = KeyFolder(Path(os.environ[VARIABLE]))
    return _Process.keys
