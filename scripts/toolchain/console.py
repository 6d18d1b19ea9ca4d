"""Progress lines, running commands, and failures that say what to do."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from toolchain.paths import LOGS, ROOT, VENV_BIN, relative

HEARTBEAT_S = 15.0
TAIL_LINES = 40


class StepError(Exception):
    """A step could not be done. ``advice`` is what the person can do about it."""

    def __init__(self, what: str, advice: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.advice = advice


@dataclass(frozen=True)
class Result:
    """The end of a command, and the file that has everything it printed."""

    code: int
    log: Path
    seconds: float

    def tail(self, lines: int = TAIL_LINES) -> str:
        text = self.log.read_text(errors="replace").rstrip()
        return "\n".join(text.splitlines()[-lines:])


def say(text: str) -> None:
    print(text, flush=True)


@contextlib.contextmanager
def step(title: str) -> Iterator[None]:
    """Announce a step; every so often say that it goes on; say how long it took."""
    say(f"· {title}")
    started = time.monotonic()
    over = threading.Event()

    def heartbeat() -> None:
        while not over.wait(HEARTBEAT_S):
            say(f"  … {time.monotonic() - started:.0f} s")

    threading.Thread(target=heartbeat, daemon=True).start()
    try:
        yield
    finally:
        over.set()
    say(f"  done in {time.monotonic() - started:.1f} s")


def environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the environment for commands: the virtual environment's tools come first."""
    path = os.pathsep.join([str(VENV_BIN), os.environ.get("PATH", "")])
    return {**os.environ, "PATH": path, "PYTHONUNBUFFERED": "1", **(extra or {})}


def run_logged(
    name: str,
    command: Sequence[str],
    *,
    cwd: Path = ROOT,
    env: Mapping[str, str] | None = None,
) -> Result:
    """Run a command with its output in ``test-results/logs/<name>.log``."""
    LOGS.mkdir(parents=True, exist_ok=True)
    log = LOGS / f"{name}.log"
    started = time.monotonic()
    with log.open("wb") as out:
        out.write(f"$ {' '.join(command)}\n".encode())
        out.flush()
        try:
            code = subprocess.run(
                command,
                cwd=cwd,
                env=environment(env),
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                check=False,
            ).returncode
        except OSError as error:
            out.write(f"{error}\n".encode())
            code = 127
    return Result(code, log, time.monotonic() - started)


def require(
    name: str,
    command: Sequence[str],
    *,
    advice: str,
    cwd: Path = ROOT,
    env: Mapping[str, str] | None = None,
) -> Result:
    """Run a command that must succeed; raises StepError with the end of its output."""
    result = run_logged(name, command, cwd=cwd, env=env)
    if result.code != 0:
        say(result.tail())
        raise StepError(
            f"`{' '.join(Path(c).name if i == 0 else c for i, c in enumerate(command))}` failed "
            f"(exit {result.code}); everything it printed is in {relative(result.log)}",
            advice,
        )
    return result


def fail(error: StepError) -> int:
    sys.stdout.flush()
    sys.stderr.write(f"\nFailed: {error.what}\n")
    if error.advice:
        sys.stderr.write(f"What to do: {error.advice}\n")
    return 1
