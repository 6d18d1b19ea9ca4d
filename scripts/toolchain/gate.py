"""`make test`: every check runs, also after one has failed; the tests come last."""

from __future__ import annotations

import subprocess
import time
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from toolchain import node
from toolchain.console import Result, StepError, environment, run_logged, say
from toolchain.paths import CLIENT, ROOT, VENV_PYTHON, tool

RESULTS = ROOT / "test-results"
CLIENT_SCRIPTS = ("lint", "typecheck", "test")


@dataclass(frozen=True)
class Check:
    """A command that must succeed; ``advice`` tells how to make it."""

    name: str
    command: tuple[str, ...]
    cwd: Path = ROOT
    advice: str = ""


def checks() -> list[Check]:
    """List all checks but the tests, slow ones first so that two cores are used well."""
    python = str(VENV_PYTHON)
    return [
        Check("mypy", (tool("mypy"),)),
        *(_client_check(name) for name in CLIENT_SCRIPTS),
        Check("imports", (tool("lint-imports"),)),
        Check("ruff", (tool("ruff"), "check", "."), advice="make format"),
        Check("format", (tool("ruff"), "format", "--check", "."), advice="make format"),
        Check(
            "wire-types",
            (python, "-m", "server.wire.typescript", "--check"),
            advice="python -m server.wire.typescript (and commit the result)",
        ),
    ]


def _client_check(name: str) -> Check:
    if name not in node.scripts():
        raise StepError(f"client/package.json has no script `{name}`", "add it: the gate runs it.")
    return Check(f"client-{name}", ("npm", "run", name), CLIENT)


def run_checks() -> list[str]:
    """Run the checks, two at a time; returns the names of those that failed."""
    failed: list[str] = []
    with ThreadPoolExecutor(max_workers=2) as pool:
        running = {
            pool.submit(run_logged, c.name, c.command, cwd=c.cwd, env=node.QUIET): c
            for c in checks()
        }
        for done in as_completed(running):
            check, result = running[done], done.result()
            _report(check, result)
            if result.code != 0:
                failed.append(check.name)
    return failed


def _report(check: Check, result: Result) -> None:
    if result.code == 0:
        say(f"  ✓ {check.name} ({result.seconds:.1f} s)")
        return
    say(f"  ✗ {check.name} (exit {result.code}, {result.seconds:.1f} s)")
    say(result.tail())
    if check.advice:
        say(f"  What to do: {check.advice}")


class Part(NamedTuple):
    """Tests that run in one call of pytest: by their markers, and with which options."""

    selection: str
    options: tuple[str, ...] = ()


IN_PARALLEL = ("-n", "2", "--dist", "loadfile")
"""Two processes of pytest: most tests of servers wait longer than they compute."""
TEST = (Part("not long and not e2e", IN_PARALLEL), Part("e2e and not long"))
"""Parts of the gate. A browser that draws without a GPU uses both cores by itself: two of them at
once starve each other, and what else is tested beside them."""
TEST_LONG = (Part("long"),)
NONE_SELECTED = 5
"""Exit code of pytest where no test is of the part: of another, perhaps, with these arguments."""


def run_tests(parts: Sequence[Part], arguments: Sequence[str]) -> int:
    """Run pytest on each part with its output shown as it comes.

    Returns the first exit code that is not 0; `NONE_SELECTED` only where no part has a test.
    """
    RESULTS.mkdir(parents=True, exist_ok=True)
    for old in RESULTS.glob("pytest*.xml"):
        old.unlink()
    codes = [_run_part(number, part, arguments) for number, part in enumerate(parts, 1)]
    if all(code == NONE_SELECTED for code in codes):
        return NONE_SELECTED
    return next((code for code in codes if code not in (0, NONE_SELECTED)), 0)


def _run_part(number: int, part: Part, arguments: Sequence[str]) -> int:
    command = [
        str(VENV_PYTHON),
        "-m",
        "pytest",
        "-m",
        part.selection,
        f"--junitxml={RESULTS / f'pytest-{number}.xml'}",
        "--durations=10",
        *part.options,
        *arguments,
    ]
    return subprocess.run(
        command, cwd=ROOT, env=environment(), stdin=subprocess.DEVNULL, check=False
    ).returncode


LEFT_OUT_OF_UNIT = ("long", "e2e", "vllm", "habitat", "processes", "slow")


def unit(arguments: Sequence[str]) -> int:
    """Run the quick tests: no browser, no server, no worker; one pytest process a core."""
    left_out = ", ".join(LEFT_OUT_OF_UNIT[1:])
    say(f"· Quick tests in Python (`make test` runs those marked {left_out}, too,")
    say("  linters, types and the client's tests; `make test-long` runs those marked long)")
    selection = " and ".join(f"not {marker}" for marker in LEFT_OUT_OF_UNIT)
    return run_tests([Part(selection, ("-n", "auto", "--dist", "loadfile"))], arguments)


def closing_line(seconds: float) -> None:
    """Print the counts in plain words, as the last line."""
    total = skipped = failed = 0
    for report in RESULTS.glob("pytest*.xml"):
        suite = ET.parse(report).getroot().find("testsuite")  # noqa: S314 (we wrote it)
        if suite is None:
            continue
        total, skipped = total + int(suite.get("tests", 0)), skipped + int(suite.get("skipped", 0))
        failed += int(suite.get("failures", 0)) + int(suite.get("errors", 0))
    if not total:
        return
    say(f"(whole run: {seconds:.0f} s)")
    say(f"{total - failed - skipped} passed, {failed} failed, {skipped} skipped")


def gate(parts: Sequence[Part], arguments: Sequence[str], *, lint: bool) -> int:
    """Run checks, then tests.

    Returns the exit code for the shell.
    """
    started = time.monotonic()
    failed: list[str] = []
    if lint:
        say("· Checks")
        failed = run_checks()
    say("· Tests")
    code = run_tests(parts, arguments)
    if failed:
        say(f"These checks failed (their output is above): {', '.join(failed)}")
    closing_line(time.monotonic() - started)
    return code or bool(failed)
