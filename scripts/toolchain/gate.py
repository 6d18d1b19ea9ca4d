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
FAILED = 1
"""Exit code of pytest where tests failed."""
MOST_AGAIN = 3
"""Failed tests of a part that are tested again; more of them did not fail by chance."""
NONE_SELECTED = 5
"""Exit code of pytest where no test is of the part: of another, perhaps, with these arguments."""


def run_tests(parts: Sequence[Part], arguments: Sequence[str]) -> int:
    """Run pytest on each part with its output shown as it comes.

    Returns the first exit code that is not 0; `NONE_SELECTED` only where no part has a test.
    """
    RESULTS.mkdir(parents=True, exist_ok=True)
    for old in RESULTS.glob("*pytest*.xml"):
        old.unlink()
    codes = [_run_part(number, part, arguments) for number, part in enumerate(parts, 1)]
    if all(code == NONE_SELECTED for code in codes):
        return NONE_SELECTED
    return next((code for code in codes if code not in (0, NONE_SELECTED)), 0)


def _run_part(number: int, part: Part, arguments: Sequence[str]) -> int:
    """Run the tests of a part, and once more, with nothing beside them, the few that failed.

    Whoever shares the machine can starve a test of real processes. What fails alone as well has
    failed; what passes then is named and counted.
    """
    report = RESULTS / f"pytest-{number}.xml"
    code = _pytest(report, part.selection, ("--durations=10", *part.options, *arguments))
    failed = Counts.of(report).failed
    if code != FAILED or not 0 < failed <= MOST_AGAIN:
        return code
    say(f"· {failed} failed: tested again, with nothing beside")
    again = _again(report)
    code = _pytest(again, part.selection, ("--last-failed", "-v", *arguments))
    if code == 0:
        say("· What failed above passed alone: look at it, but it is no failure of this run")
    return code


def _again(report: Path) -> Path:
    """Return where the report of the second try of the tests of a part is written."""
    return report.with_name(f"again-{report.name}")


def _pytest(report: Path, selection: str, arguments: Sequence[str]) -> int:
    command = [
        str(VENV_PYTHON),
        "-m",
        "pytest",
        "-m",
        selection,
        f"--junitxml={report}",
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


class Counts(NamedTuple):
    """Tests that a report of pytest tells of."""

    total: int
    failed: int
    skipped: int

    @classmethod
    def of(cls, report: Path) -> Counts:
        """Read a report. Where there is none, nothing was tested."""
        suite = ET.parse(report).getroot().find("testsuite") if report.exists() else None  # noqa: S314 (we wrote it)
        if suite is None:
            return cls(0, 0, 0)
        failed = int(suite.get("failures", 0)) + int(suite.get("errors", 0))
        return cls(int(suite.get("tests", 0)), failed, int(suite.get("skipped", 0)))


def closing_line(seconds: float) -> None:
    """Print the counts in plain words, as the last line."""
    reports = sorted(RESULTS.glob("pytest*.xml"))
    counts = [Counts.of(report) for report in reports]
    again = [Counts.of(_again(report)) for report in reports]
    total, skipped = sum(c.total for c in counts), sum(c.skipped for c in counts)
    mended = sum(c.total - c.failed - c.skipped for c in again)
    failed = sum(c.failed for c in counts) - mended
    if not total:
        return
    say(f"(whole run: {seconds:.0f} s)")
    alone = f" ({mended} of them at the second try, alone)" if mended else ""
    say(f"{total - failed - skipped} passed{alone}, {failed} failed, {skipped} skipped")


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
