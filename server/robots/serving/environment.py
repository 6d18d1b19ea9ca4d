"""vLLM's own Python environment, in the user's cache: made once from a lock file, then kept.

It stands apart from the application's because the two want different versions of the same packages.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Device = Literal["gpu", "cpu"]
Say = Callable[[str], None]

CACHE_VARIABLE = "XDG_CACHE_HOME"
PYTHON = (3, 11)
"""The version of Python that the lock files are for."""
TORCH_INDEX = "https://download.pytorch.org/whl/cpu"
"""PyTorch's own index: package indexes have no torch for CPUs."""
_REQUIREMENTS = Path(__file__).parents[3] / "requirements"
_LOCKS: dict[Device, str] = {"gpu": "vllm-server.txt", "cpu": "vllm-server-cpu.txt"}
_NEEDED_GB: dict[Device, float] = {"gpu": 16.0, "cpu": 3.5}
_LOG_TAIL = 15


class EnvironmentFailedError(Exception):
    """An environment that cannot be made; the text says why, and what to do."""


class EnvironmentUnsupportedError(EnvironmentFailedError):
    """An environment that cannot be made on this machine, whatever is done about it there."""


@dataclass(frozen=True)
class VllmEnvironment:
    """A Python environment for vLLM that is, or is to be, in a folder."""

    device: Device
    folder: Path
    lock: Path

    @classmethod
    def find(cls, device: Device) -> VllmEnvironment:
        """Find the environment. Raises EnvironmentFailedError where it has no lock file."""
        lock = _REQUIREMENTS / _LOCKS[device]
        if not lock.is_file():
            raise EnvironmentFailedError(
                f"{lock} is missing: `cohabit robots serve` runs from a checkout; elsewhere, serve "
                "the model with a vLLM of your own and set COHABIT_MODEL_URL"
            )
        digest = hashlib.sha256(lock.read_bytes()).hexdigest()[:12]
        return cls(device, cache_folder() / "vllm" / f"{device}-{digest}", lock)

    @property
    def python(self) -> Path:
        return self.folder / "bin" / "python"

    @property
    def is_ready(self) -> bool:
        return (self.folder / ".complete").is_file() and self.python.exists()


def unused() -> list[Path]:
    """List environments of other lock files, which nothing here starts vLLM from any more."""
    folder = cache_folder() / "vllm"
    wanted = {VllmEnvironment.find(device).folder for device in _LOCKS}
    made = [path for device in _LOCKS for path in folder.glob(f"{device}-*") if path.is_dir()]
    return sorted(path for path in made if path not in wanted)


def is_running(folder: Path) -> bool:
    """Tell whether a process was started from an environment (on Linux, where they are)."""
    start = f"{folder}/".encode()
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            if file.read_bytes().startswith(start):
                return True
    return False


def remove(folder: Path) -> float:
    """Remove an environment and what was noted while it was made.

    Returns the GB that are free again.
    """
    freed = sum(f.stat().st_size for f in folder.rglob("*") if f.is_file() and not f.is_symlink())
    shutil.rmtree(folder)
    for note in (folder.with_suffix(".log"), folder.with_suffix(".lock")):
        note.unlink(missing_ok=True)
    return freed / 1e9


def cache_folder() -> Path:
    """Return the folder of what this application keeps for a user and can make again."""
    base = os.environ.get(CACHE_VARIABLE)
    return (Path(base) if base else Path.home() / ".cache") / "cohabit"


def prepare(device: Device, say: Say) -> VllmEnvironment:
    """Make the environment, if need be; a failed attempt leaves nothing behind.

    Raises EnvironmentFailedError. Others who want the same one at the same time wait for it.
    """
    wanted = VllmEnvironment.find(device)
    if wanted.is_ready:
        return wanted
    wanted.folder.parent.mkdir(parents=True, exist_ok=True)
    with _only_one(wanted.folder.with_suffix(".lock")):
        if not wanted.is_ready:
            _make(wanted, say)
    return wanted


def _make(wanted: VllmEnvironment, say: Say) -> None:
    python = _interpreter()
    _require_room(wanted)
    log = wanted.folder.with_suffix(".log")
    shutil.rmtree(wanted.folder, ignore_errors=True)
    try:
        say(f"making {wanted.folder}")
        _run([python, "-m", "venv", str(wanted.folder)], log)
        for part in _parts(wanted):
            say(f"installing {part.title}")
            _install(wanted, part, log)
        (wanted.folder / ".complete").touch()
    except BaseException:
        shutil.rmtree(wanted.folder, ignore_errors=True)
        raise
    finally:
        for leftover in wanted.folder.parent.glob(f"{wanted.folder.name}.part-*"):
            leftover.unlink()


@dataclass(frozen=True)
class _Part:
    """A part of a lock file. ``index`` is tried when the configured ones lack its entries."""

    title: str
    file: Path
    index: str = ""


def _parts(wanted: VllmEnvironment) -> Iterator[_Part]:
    entries = _entries(wanted.lock.read_text())
    torch = [e for e in entries if e.startswith("torch==") and "+cpu" in e.split()[0]]
    rest = [e for e in entries if e not in torch]
    if torch:
        yield _Part("torch for CPUs", _written(wanted, "torch", torch), TORCH_INDEX)
    yield _Part(f"vLLM ({len(rest)} packages)", _written(wanted, "rest", rest))


def _written(wanted: VllmEnvironment, name: str, entries: list[str]) -> Path:
    path = wanted.folder.with_name(f"{wanted.folder.name}.part-{name}")
    path.write_text("\n".join(entries))
    return path


def _entries(lock: str) -> list[str]:
    """List the packages of a lock file, each as one text with its hashes."""
    entries: list[str] = []
    for line in lock.splitlines():
        if line[:1].isalnum():
            entries.append(line)
        elif entries and not line.lstrip().startswith("#"):
            entries[-1] += f"\n{line}"
    return entries


def _install(wanted: VllmEnvironment, part: _Part, log: Path) -> None:
    # The lock is complete; without --no-deps pip would want what the overrides leave out.
    command = [
        *(str(wanted.python), "-m", "pip", "--disable-pip-version-check", "--no-input", "install"),
        *("--require-hashes", "--no-deps", "--prefer-binary", "-r", str(part.file)),
    ]
    try:
        _run(command, log)
    except EnvironmentFailedError:
        if not part.index:
            raise
        _run([*command, "--extra-index-url", part.index], log)


def _run(command: list[str], log: Path) -> None:
    with log.open("ab") as out:
        code = subprocess.run(  # noqa: S603 — fixed words and paths of ours
            command, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT, check=False
        ).returncode
    if code != 0:
        tail = "\n".join(log.read_text(errors="replace").splitlines()[-_LOG_TAIL:])
        raise EnvironmentFailedError(
            f"`{Path(command[0]).name} {' '.join(command[1:4])} …` failed (exit {code}):\n{tail}\n"
            f"Everything it printed is in {log}. Check that this machine reaches a Python package "
            "index (`pip download six`), then run the same command again."
        )


def _require_room(wanted: VllmEnvironment) -> None:
    free_gb = shutil.disk_usage(wanted.folder.parent).free / 1e9
    needed_gb = _NEEDED_GB[wanted.device]
    if free_gb < needed_gb:
        raise EnvironmentFailedError(
            f"vLLM's environment needs {needed_gb:g} GB below {wanted.folder.parent}, which has "
            f"{free_gb:.1f} GB; make room, or set {CACHE_VARIABLE} to a folder elsewhere"
        )


def _interpreter() -> str:
    wanted = ".".join(str(part) for part in PYTHON)
    if platform.system() != "Linux" or platform.machine() != "x86_64":
        raise EnvironmentUnsupportedError(
            f"vLLM's lock files are for Linux on x86-64; this is {platform.system()} on "
            f"{platform.machine()}. Serve the model elsewhere and set COHABIT_MODEL_URL"
        )
    found = sys.executable if sys.version_info[:2] == PYTHON else shutil.which(f"python{wanted}")
    if not found:
        raise EnvironmentUnsupportedError(
            f"vLLM's lock files are for Python {wanted}, which is not on the path; install it "
            "beside the one that you use"
        )
    return found


@contextmanager
def _only_one(path: Path) -> Iterator[None]:
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
