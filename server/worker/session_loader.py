"""The loader of a worker's sessions: tasks from data sets, simulators by name, logs from disk.

Slow (it reads files and may build a house), so a worker does it beside its ticks, in a thread.
"""

from __future__ import annotations

from collections.abc import Callable
from io import FileIO
from pathlib import Path
from typing import NamedTuple

from episodes.dataset import Task, read_dataset
from server.ipc.messages import OpenSession
from server.personal.process_keys import process_keys
from server.recording.archive import read_own_log
from server.recording.durable_file import free_name, open_log
from server.recording.line_sealing import LineSealer
from server.recording.log_checksums import verify
from server.recording.log_writer import LogWriter
from server.recording.replay import RecoveryError, resume
from server.sessions.core import SessionCore
from server.sessions.play_count import NO_PLAY, PlayCount
from server.sessions.spec import TICK_RATE, EpisodeSpec, SessionSpec
from server.simulators.contract import Simulator
from server.wall_clock import wall_s
from server.worker.live_session import LiveSession
from server.worker.policy_seats import PolicyBuilder
from server.worker.seen_people import SeenPeople

MakeSimulator = Callable[[], Simulator]


class OpenError(Exception):
    """A failure to open a session: says why, and whether it would fail again (``for_good``)."""

    def __init__(self, reason: str, *, for_good: bool = False) -> None:
        super().__init__(reason)
        self.for_good = for_good


class LoadedSession(NamedTuple):
    """A session that was opened or resumed.

    ``resumed_tick`` is None for a new session, ``lost_bytes`` what a torn log end cost, and
    ``lost`` what was played after the tick at which it goes on.
    """

    session: LiveSession
    resumed_tick: int | None = None
    lost_bytes: int = 0
    lost: PlayCount = NO_PLAY


class SessionLoader:
    """The loader; ``simulators`` makes a simulator by the name in the spec."""

    def __init__(
        self,
        data_dir: Path,
        simulators: dict[str, MakeSimulator],
        *,
        loading_timeout_s: float,
        code_version: str,
        policies: PolicyBuilder | None = None,
    ) -> None:
        self._data_dir = data_dir
        self._simulators = simulators
        self._loading_ticks = round(loading_timeout_s * TICK_RATE)
        self._code_version = code_version
        self._policies = policies or {}
        self._people = SeenPeople()
        self._tasks: dict[str, tuple[object, dict[str, Task]]] = {}

    def task(self, spec: EpisodeSpec) -> Task:
        """Look up the task of an episode. Raises OpenError."""
        path = self._data_dir / spec.dataset
        try:
            stat = path.stat()
            stamp = (stat.st_mtime_ns, stat.st_size)
            known = self._tasks.get(spec.dataset)
            if known is None or known[0] != stamp:
                known = (stamp, {e.task_id: e for e in read_dataset(path)})
                self._tasks[spec.dataset] = known
            return known[1][spec.task_id]
        except KeyError:
            raise OpenError(f"{spec.dataset} has no task {spec.task_id!r}") from None
        except Exception as error:
            raise OpenError(f"{spec.dataset} cannot be read: {error}") from error

    def simulator(self, spec: SessionSpec, _episode: EpisodeSpec | None = None) -> Simulator:
        """Make a simulator for a session. Raises OpenError for a name that this worker lacks."""
        try:
            return self._simulators[spec.simulator]()
        except KeyError:
            known = ", ".join(sorted(self._simulators))
            raise OpenError(f"no simulator {spec.simulator!r} here; there are: {known}") from None

    def load(self, message: OpenSession) -> LoadedSession:
        """Open or resume a session. Raises OpenError."""
        try:
            return self._load(message)
        except OpenError:
            raise
        except RecoveryError as error:
            raise OpenError(str(error), for_good=True) from error
        except Exception as error:
            raise OpenError(f"{type(error).__name__}: {error}") from error

    def _load(self, message: OpenSession) -> LoadedSession:
        self._know(message.spec)
        path = Path(message.log_path)
        if message.resume and path.exists() and verify(read_own_log(path)).data:
            return self._resume(message, path)
        if message.played:
            found = "nothing in it is whole" if path.exists() else "it is not there"
            raise OpenError(f"it goes on from its log {path.name}, but {found}")
        task = self.task(message.episode)
        core = SessionCore(message.spec, message.episode, task, self.simulator(message.spec))
        # Before there is a file: of somebody without a key nothing may be recorded.
        sealer = _sealer(message, goes_on=False)
        file, crc = _append_to(path)
        log = LogWriter(
            file,
            path=path,
            crc=crc,
            code_version=self._code_version,
            beats=True,
            sealer=sealer,
        )
        log.open_episode(core, wall_s())
        if log.file.problem:
            # People who come to a session that cannot be recorded would play for nothing.
            file.close()
            path.unlink(missing_ok=True)
            log.forget_mark()
            raise OpenError(f"it cannot be recorded: {log.file.problem}")
        return LoadedSession(self._live(core, log, resumed=False))

    def _resume(self, message: OpenSession, path: Path) -> LoadedSession:
        core, log, report = resume(
            path,
            self.simulator,
            wall_s(),
            code_version=self._code_version,
            shown=message.shown,
            sealer=_sealer(message, goes_on=True),
        )
        session = self._live(core, log, resumed=True)
        if session.episode_id != message.episode.episode_id:
            # It died between the order to begin this episode and the first line of its log.
            session.take_result()
            session.begin(message.episode, self.task(message.episode), wall_s())
        return LoadedSession(session, report.tick, report.lost_bytes, report.lost)

    def _know(self, spec: SessionSpec) -> None:
        """Check that all policies of a session are here, before anybody waits for one."""
        for name in {spec.stand_in, *(s.policy for s in spec.seats)} - {""}:
            if name not in self._policies:
                known = ", ".join(sorted(self._policies)) or "none"
                raise OpenError(f"no policy {name!r} here; there are: {known}")

    def _live(self, core: SessionCore, log: LogWriter, *, resumed: bool) -> LiveSession:
        return LiveSession(
            core,
            log,
            loading_ticks=self._loading_ticks,
            code_version=self._code_version,
            resumed=resumed,
            policies=self._policies,
            people=self._people,
        )


def _sealer(message: OpenSession, *, goes_on: bool) -> LineSealer | None:
    """Return what seals the words of a session's people; None: it has none, or keys are nowhere.

    Of one that goes on nobody looks who has spoken: it may have been all of them.
    """
    keys = process_keys()
    if keys is None or not message.people:
        return None
    return LineSealer(keys, message.people, message.people.values() if goes_on else ())


def _append_to(path: Path) -> tuple[FileIO, int]:
    """Open a log to go on writing, cut to what is whole, with the checksum of what is there."""
    file = open_log(path)
    file.seek(0)
    data = file.readall()
    verified = verify(data)
    if not verified.data and data:
        # We can read nothing of it, but somebody may still want to look at it.
        file.close()
        path.rename(free_name(path))
        return open_log(path), 0
    file.truncate(len(verified.data))
    return file, verified.crc
