"""Checks of a preflight, run one after another: each has a limit, and its crash is its failure."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from datetime import datetime
from typing import Any, Literal, NamedTuple, TypeVar

from matchmaking.study import Study
from server.settings import Settings
from server.wall_clock import utc_now

T = TypeVar("T")
Level = Literal["ok", "warn", "fail"]
MOST_TOLD = 4
"""Most problems of one kind that are told: the first are to be mended first."""


class Found(NamedTuple):
    """Finding of a check, and what to do about it.

    A ``warn`` keeps nobody away, and somebody should know of it before people come.
    """

    level: Level
    text: str
    remedy: str = ""


class Result(NamedTuple):
    """Result of a check, as it is printed, and as programs read it."""

    check: str
    level: Level
    found: str
    remedy: str
    took_s: float


class Subject(NamedTuple):
    """Server and study that are looked at."""

    settings: Settings
    study: Study | None = None
    """None: the server alone is looked at."""
    is_open: bool = False
    """Whether people are invited to the study with this database."""
    now: Callable[[], datetime] = utc_now

    @property
    def the_study(self) -> Study:
        assert self.study is not None, "only checks of a study ask for it"
        return self.study


class Check(NamedTuple):
    """A check by its name; ``limit_s`` is the longest that it may take."""

    name: str
    run: Callable[[Subject], Awaitable[Found]]
    limit_s: float
    needs_study: bool = False


def ok(text: str) -> Found:
    return Found("ok", text)


def warn(text: str, remedy: str) -> Found:
    return Found("warn", text, remedy)


def fail(text: str, remedy: str) -> Found:
    return Found("fail", text, remedy)


def worst(found: Sequence[Found]) -> Found:
    """Return several findings as one, of the level of the worst, whose remedies come first."""
    levels: tuple[Level, ...] = ("fail", "warn", "ok")
    by_level = [f for level in levels for f in found if f.level == level]
    remedies = [f.remedy for f in by_level if f.remedy]
    return Found(by_level[0].level, "; ".join(f.text for f in by_level), "; ".join(remedies))


def told(texts: Sequence[str]) -> str:
    """Return what several problems say, the first of them only where they are many."""
    more = f"; and {len(texts) - MOST_TOLD} more" if len(texts) > MOST_TOLD else ""
    return "; ".join(texts[:MOST_TOLD]) + more


async def run_checks(
    checks: Sequence[Check], subject: Subject, tell: Callable[[Result], None]
) -> list[Result]:
    """Run checks in their order, and tell each result at once. None of them stops the others."""
    results = []
    for check in checks:
        begun = time.monotonic()
        level, text, remedy = await _found(check, subject)
        result = Result(check.name, level, text, remedy, round(time.monotonic() - begun, 1))
        tell(result)
        results.append(result)
    return results


async def _found(check: Check, subject: Subject) -> Found:
    try:
        async with asyncio.timeout(check.limit_s) as limit:
            return await check.run(subject)
    except TimeoutError as error:
        if not limit.expired():
            return _crashed(error)
        return fail(
            f"it had not ended after {check.limit_s:g} s",
            "look at what it asks: something there answers too late, or not at all",
        )
    except Exception as error:
        return _crashed(error)


def _crashed(error: Exception) -> Found:
    said = f"{type(error).__name__}: {error}".removesuffix(": ")
    return fail(f"the check itself broke off ({said})", "mend what it names, and run it again")


async def in_thread(work: Callable[..., T], *arguments: Any) -> T:
    """Run what blocks, in a thread that keeps no program from ending."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[T] = loop.create_future()

    def settle(value: T | None, error: BaseException | None) -> None:
        if done.cancelled():
            return
        if error is not None:
            done.set_exception(error)
        else:
            done.set_result(value)  # type: ignore[arg-type]  # it is a T where nothing was raised

    def run() -> None:
        value, raised = None, None
        try:
            value = work(*arguments)
        except BaseException as error:
            raised = error
        if not loop.is_closed():
            loop.call_soon_threadsafe(settle, value, raised)

    threading.Thread(target=run, name="preflight", daemon=True).start()
    return await done


_MARKS: dict[Level, str] = {"ok": "ok", "warn": "warn", "fail": "FAIL"}


def lines_of(result: Result) -> Iterator[str]:
    """Yield a result as the command prints it, its remedy on a line of its own."""
    yield f"{_MARKS[result.level]:<5} {result.check}: {result.found}"
    if result.remedy:
        yield f"      -> {result.remedy}"
