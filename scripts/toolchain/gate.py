"""`make test`: every check runs, also after one has failed; the tests come last."""

from __future__ import annotations

import subprocess
import time
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

from toolchain import node
from toolchain.console import Result, StepError, environment, run_logged, say
from toolchain.paths import CLIENT, ROOT, VENV_PYTHON, tool

REPORT = ROOT / "test-results" / "pytest.xml"
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


def run_tests(selection: str, arguments: Sequence[str]) -> int:
    """Run pytest with its output shown as it comes."""
    REPORT.parent.mkdir(parents=True, exist_ok=True)
    REPORT.unlink(missing_ok=True)
    command = [
        str(VENV_PYTHON),
        "-m",
        "pytest",
        "-m",
        selection,
        f"--junitxml={REPORT}",
        "--durations=10",
        *arguments,
    ]
    return subprocess.run(
        command, cwd=ROOT, env=environment(), stdin=subprocess.DEVNULL, check=False
    ).returncode


IN_PARALLEL = ("-n", "2", "--dist", "loadfile")
"""Two processes of pytest: most tests of servers and browsers wait longer than they compute."""

LEFT_OUT_OF_UNIT = ("long", "e2e", "vllm", "habitat", "processes", "slow")


def unit(arguments: Sequence[str]) -> int:
    """Run the quick tests: no browser, no server, no worker; one pytest process a core."""
    left_out = ", ".join(LEFT_OUT_OF_UNIT[1:])
    say(f"· Quick tests in Python (`make test` runs those marked {left_out}, too,")
    say("  linters, types and the client's tests; `make test-long` runs those marked long)")
    selection = " and ".join(f"not {marker}" for marker in LEFT_OUT_OF_UNIT)
    return run_tests(selection, ["-n", "auto", "--dist", "loadfile", *arguments])


def closing_line(seconds: float) -> None:
    """Print the counts in plain words, as the last line."""
    if not REPORT.is_file():
        return
    suite = ET.parse(REPORT).getroot().find("testsuite")  # noqa: S314 (we wrote it)
    if suite is None:
        return
    total, skipped = int(suite.get("tests", 0)), int(suite.get("skipped", 0))
    failed = int(suite.get("failures", 0)) + int(suite.get("errors", 0))
    say(f"(whole run: {seconds:.0f} s)")
    say(f"{total - failed - skipped} passed, {failed} failed, {skipped} skipped")


def gate(selection: str, arguments: Sequence[str], *, lint: bool) -> int:
    """Run checks, then tests.

    Returns the exit code for the shell.
    """
    started = time.monotonic()
    failed: list[str] = []
    if lint:
        say("· Checks")
        failed = run_checks()
    say("· Tests")
    code = run_tests(selection, arguments)
    if failed:
        say(f"These checks failed (their output is above): {', '.join(failed)}")
    closing_line(time.monotonic() - started)
    return code or bool(failed)
