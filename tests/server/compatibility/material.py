"""Ground of the compatibility tests: stored files, the `cohabit` command, a data directory.

Nothing here knows the inside of the code; what does is in `adapter`.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[3]
STORED = ROOT / "tests" / "data" / "compatibility"
MODULE_AND_FUNCTION = re.compile(r"([\w.]+):(\w+)")
MEASURED = re.compile(rb'"(latency_s|first_token_s|queue_s)":(?:null|[-+0-9.eE]+)')
CHECKSUM = re.compile(rb'"crc":"[0-9a-f]{8}"')
TIMEOUT_S = 300


class Said(NamedTuple):
    """Output of a command."""

    out: str
    err: str


def cohabit(*words: object, cwd: Path, code: int = 0, **env: str) -> Said:
    """Run the `cohabit` command of this checkout as a process, and check how it exits."""
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]
    entry = MODULE_AND_FUNCTION.fullmatch(scripts["cohabit"])
    assert entry is not None
    program = f"from {entry[1]} import {entry[2]}; {entry[2]}()"
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("COHABIT_", "COVERAGE"))}
    shown = {"COLUMNS": "160", "TERM": "dumb", "NO_COLOR": "1", "CI": "1", "PYTHONUTF8": "1"}
    done = subprocess.run(
        [sys.executable, "-c", program, *(str(word) for word in words)],
        cwd=cwd,
        env={**kept, **shown, "PYTHONPATH": str(ROOT), **env},
        capture_output=True,
        text=True,
        check=False,
        timeout=TIMEOUT_S,
    )
    assert done.returncode == code, f"cohabit {words} -> {done.returncode}\n{done.stderr}"
    return Said(done.stdout, done.stderr)


class Place(NamedTuple):
    """Place to make things: a folder to work in, and a data directory with the first house."""

    folder: Path
    data: Path
    houses: Path
    """The data directory as it was built, which is only read."""
    env: Mapping[str, str] = {}
    """Settings for the commands."""

    def cohabit(self, *words: object, code: int = 0, **env: str) -> Said:
        """Run the command with this data directory."""
        env = {"COHABIT_DATA_DIR": str(self.data), **self.env, **env}
        return cohabit(*words, cwd=self.folder, code=code, **env)


def place_in(folder: Path, houses: Path) -> Place:
    """Lay out a folder: what was built is linked, and sets of tasks of our own stand beside it."""
    data = folder / "data"
    (data / "tasks").mkdir(parents=True)
    for name in ("catalogue", "houses"):
        (data / name).symlink_to(houses / name)
    first = houses / "tasks" / "first.json.gz"
    (data / "tasks" / first.name).write_bytes(first.read_bytes())
    tasks = json.loads(gzip.decompress(first.read_bytes()))
    tasks["episodes"] = [e for e in tasks["episodes"] if e["episode_id"] == "5"]
    assert len(tasks["episodes"]) == 1
    (data / "tasks" / "fifth.json.gz").write_bytes(gzip.compress(json.dumps(tasks).encode()))
    (data / "tasks" / "near.json.gz").write_bytes(gzip.compress(stored("wire/near_task.json")))
    return Place(folder, data, houses)


def stored(name: str) -> bytes:
    """Return a stored file, unpacked; its name is without the suffix ``.gz``."""
    packed = STORED / f"{name}.gz"
    return gzip.decompress(packed.read_bytes()) if packed.exists() else _file(name).read_bytes()


def store(name: str, content: bytes) -> None:
    """Write a stored file, packed where it is large."""
    file, packed = _file(name), STORED / f"{name}.gz"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.unlink(missing_ok=True)
    packed.unlink(missing_ok=True)
    if len(content) > 4000 or name.startswith("recordings/"):
        packed.write_bytes(gzip.compress(content, 9, mtime=0))
    else:
        file.write_bytes(content)


def unpack_recordings(folder: Path) -> Path:
    """Write the stored recordings into a folder, one packed as in the archive, and return it."""
    folder.mkdir()
    for packed in sorted((STORED / "recordings").glob("*.jsonl.gz")):
        if packed.name == "expert.jsonl.gz":
            (folder / packed.name).write_bytes(packed.read_bytes())
        else:
            (folder / packed.stem).write_bytes(gzip.decompress(packed.read_bytes()))
    return folder


def sha256(data: bytes) -> str:
    """Return the digest in hex."""
    return hashlib.sha256(data).hexdigest()


def without_measured(log: bytes) -> bytes:
    """Return a log without what depends on the clock: how long models took, and so the checksums.

    Everything else in the log of an unpaced run follows from what is played.
    """
    return CHECKSUM.sub(b'"crc":""', MEASURED.sub(rb'"\1":0', log))


def digests(folder: Path, without: Mapping[str, str] | None = None) -> bytes:
    """Return a line for each file below a folder: digest of its unpacked content, and path.

    ``without`` are texts that are replaced before.
    """
    return lines(
        f"{sha256(_plain(file, without or {}))}  {file.relative_to(folder).as_posix()}"
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    )


def lines(texts: Iterable[str]) -> bytes:
    """Return texts as the lines of a file."""
    return "".join(f"{text}\n" for text in texts).encode()


def as_json(value: object) -> bytes:
    """Return a value as JSON that people can read and compare."""
    return (json.dumps(value, indent=1, ensure_ascii=False) + "\n").encode()


def difference(made: bytes, kept: bytes) -> str:
    """Say where two files differ first: empty where they do not."""
    if made == kept:
        return ""
    new, old = made.split(b"\n"), kept.split(b"\n")
    same = next(
        (n for n, pair in enumerate(zip(new, old, strict=False)) if pair[0] != pair[1]),
        min(len(new), len(old)),
    )
    told = [f"{len(new)} lines instead of {len(old)}; the first that differs is line {same + 1}:"]
    for name, side in (("now", new), ("before", old)):
        line = side[same] if same < len(side) else b"(none)"
        at = _first_difference(new, old, same)
        told.append(f"{name:6} …{line[max(0, at - 100) : at + 200]!r}")
    return "\n".join(told)


def _first_difference(new: list[bytes], old: list[bytes], line: int) -> int:
    if line >= len(new) or line >= len(old):
        return 0
    pairs = zip(new[line], old[line], strict=False)
    return next((n for n, (a, b) in enumerate(pairs) if a != b), 0)


def _file(name: str) -> Path:
    return STORED / name


def _plain(file: Path, without: Mapping[str, str]) -> bytes:
    data = file.read_bytes()
    if file.suffix == ".gz":
        data = gzip.decompress(data)
    for text, instead in without.items():
        data = data.replace(text.encode(), instead.encode())
    return data
