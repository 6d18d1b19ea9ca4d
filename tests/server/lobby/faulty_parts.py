"""Doubles that fail on purpose: a real database and a host whose every step can be made to fail."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple

from sqlalchemy.util import await_only

from server.hosting.hosted_session import HostError
from server.hosting.result_publisher import OnEnded
from server.sessions.spec import EpisodeSpec, SessionSpec
from server.store.database import Database

HANG_S = 0.6
"""Seconds of silence after which a driver gives up; longer than the attempts of `VisitRig`."""

Where = Literal["before", "after"]
How = Literal["raise", "hang", "cancel"]
Step = Coroutine[Any, Any, object]


class Fault(NamedTuple):
    """A failure before a step is done, or after it was done all the same."""

    point: int
    where: Where
    how: How


class Points:
    """Steps of a run, counted as they come: each statement, commit and call of the host.

    Faults strike at some of them, and what others do happens at some of them.
    """

    def __init__(self, faults: Iterable[Fault] = ()) -> None:
        self.names: list[str] = []
        self.is_armed = False
        self._faults = {(f.point, f.where): f.how for f in faults}
        self._events: dict[int, list[Callable[[], Coroutine[Any, Any, object]]]] = {}
        self.happening: set[asyncio.Task[object]] = set()

    def on(self, point: int, event: Callable[[], Coroutine[Any, Any, object]]) -> None:
        """Have ``event`` begin when the run comes to a point."""
        self._events.setdefault(point, []).append(event)

    def next(self, name: str) -> int:
        """Count a step; -1 while nothing is to happen."""
        if not self.is_armed:
            return -1
        point = len(self.names)
        self.names.append(name)
        for event in self._events.pop(point, []):
            self.happening.add(asyncio.get_running_loop().create_task(event()))
        return point

    async def strike(self, point: int, where: Where, error: Exception) -> None:
        how = self._faults.pop((point, where), None)
        if how == "raise":
            raise error
        if how == "hang":
            await asyncio.sleep(HANG_S)
            raise TimeoutError("no answer (on purpose)")
        if how == "cancel":
            task = asyncio.current_task()
            assert task is not None
            task.cancel()
            await asyncio.sleep(0)


def make_faulty(database: Database, points: Points) -> None:
    """Have every statement, commit and rollback of a database be a point."""
    dialect: Any = database.engine.sync_engine.dialect

    def wrap(name: str) -> None:
        done = getattr(dialect, name)

        def step(*args: Any, **options: Any) -> object:
            statement = args[1].split() if name != "do_commit" else ()
            point = points.next(" ".join((name, *statement[:3])))
            error = dialect.loaded_dbapi.OperationalError("failed on purpose")
            await_only(points.strike(point, "before", error))
            result = done(*args, **options)
            await_only(points.strike(point, "after", error))
            return result

        setattr(dialect, name, step)

    for name in ("do_execute", "do_executemany", "do_execute_no_params", "do_commit"):
        wrap(name)


class FaultyHost:
    """A host whose sessions are names in memory, and whose every call is two points."""

    def __init__(self, points: Points, on_ended: OnEnded, folder: Path) -> None:
        self._points, self._on_ended, self._folder = points, on_ended, folder
        self.live: dict[str, EpisodeSpec] = {}

    def refusal(self) -> str | None:
        return None

    def busy_s(self) -> int:
        return 0

    def log_path(self, session_id: str) -> Path:
        return self._folder / f"{session_id}.jsonl"

    async def open(
        self,
        spec: SessionSpec,
        episode: EpisodeSpec,
        *,
        resume: bool = False,
        played: bool = False,
        people: Mapping[str, str] | None = None,
    ) -> object:
        point = self._points.next("host.open")
        await self._points.strike(point, "before", HostError("failed on purpose"))
        self.live[spec.session_id] = episode
        await self._points.strike(point, "after", HostError("failed on purpose"))
        return None

    async def close_session(self, session_id: str, reason: str) -> None:
        point = self._points.next("host.close")
        await self._points.strike(point, "before", HostError("failed on purpose"))
        self.live.pop(session_id, None)
        await self._points.strike(point, "after", HostError("failed on purpose"))

    async def lose_worker(self) -> None:
        """Have every session end that is open now, as when a worker dies of it twice."""
        for session_id in list(self.live):
            del self.live[session_id]
            await self._on_ended(session_id, "its worker died on purpose")
