"""The runs of a trial: one in this process, many in several."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

from msgspec import UNSET

from episodes.dataset import Task, read_dataset
from episodes.rules import as_recorded
from server.child_processes import end_with_parent
from server.recording.log_writer import LogWriter
from server.research.trials.plan import Run, Trial, TrialError
from server.robots.models.client import Completes, ModelClient
from server.robots.models.model_server import ModelServer
from server.robots.models.request import ModelError, UnavailableError
from server.robots.playing.failures import in_brief
from server.robots.playing.model_time import TimedModel
from server.robots.playing.thinkers import ChargedThinker
from server.robots.policy_spec import PlayerOptions
from server.robots.registry.registry import make_player
from server.robots.registry.team_checks import with_scripted_people
from server.robots.remote.switchboard import PolicyAwayError
from server.sessions.core import SessionCore, Tick
from server.sessions.player import Player
from server.sessions.spec import TICK_S, EpisodeSpec, SessionSpec
from server.simulators.household import HouseholdSimulator, HouseLibrary
from server.worker.unpaced_runner import run_to_an_end

SUFFIX, UNFINISHED = ".jsonl", ".part"
SILENT_S = 60.0
"""Seconds without a model server after which a run shows nothing of a policy."""


class Failing(NamedTuple):
    """The decisions of a policy that failed, and the last error."""

    policy: str
    times: int
    last: str


class Done(NamedTuple):
    """Result of a run; ``problem`` is why there is no recording."""

    run: Run
    success: bool | None
    ticks: int
    problem: str = ""
    failing: tuple[Failing, ...] = ()


class Place(NamedTuple):
    """The places where a trial reads and writes."""

    data_dir: Path
    folder: Path
    server: ModelServer | None = None
    remote_policies: Path | None = None
    """Socket at which policies elsewhere are asked."""

    def recording(self, run: Run) -> Path:
        return self.folder / "recordings" / f"ses_{run.key}{SUFFIX}"


def play(place: Place, trial: Trial, one: Run) -> Done:
    """Play one run and record it.

    A recording that is there is complete: it is written under another name first.
    """
    task = tasks_of(place.data_dir, trial.dataset)[one.task_id]
    names = one.team.policies
    core = SessionCore(
        _session_of(trial, one),
        EpisodeSpec(f"epi_{one.key}", trial.dataset, one.task_id, one.repetition, seed=one.start),
        task,
        HouseholdSimulator(_library(place.data_dir)),
    )
    path = place.recording(one)
    path.parent.mkdir(parents=True, exist_ok=True)
    # The same trial, started twice, may play the same run at once.
    unfinished = path.with_suffix(f".{os.getpid()}{UNFINISHED}")
    loop = asyncio.new_event_loop()
    client = None if place.server is None else ModelClient(place.server)
    try:
        model, charged_s = _charged(trial, client)
        making = PlayerOptions(
            ChargedThinker(loop, trial.latency_s, charged_s),
            model,
            trial.seed + one.repetition,
            remote_policies=place.remote_policies,
        )
        players: list[Player] = [
            make_player(names[seat], seat, making) for seat in core.state.occupied()
        ]
        with unfinished.open("wb") as file:
            log = LogWriter(file, digests=trial.digests)
            log.open_episode(core, 0.0)
            watch = partial(_check_model, players, SILENT_S)
            result = run_to_an_end(core, players, trial.max_ticks, log=log, watch=watch)
            _check_model(players)
            _check_decisions(players, names)
            log.close(core.tick * TICK_S)
        unfinished.replace(path)
        failing = tuple(
            Failing(names[player.seat], failed.times, in_brief(failed.last))
            for player in players
            if (failed := player.failed_decisions) is not None
        )
        return Done(one, result.verdict.success, result.ticks, failing=failing)
    finally:
        unfinished.unlink(missing_ok=True)
        if client is not None:
            loop.run_until_complete(client.close())
        loop.close()
        core.close()


def _session_of(trial: Trial, one: Run) -> SessionSpec:
    spec = SessionSpec.of(
        f"ses_{one.key}",
        one.team,
        trial.seed + one.repetition,
        profile=as_recorded(trial.profile),
        # Of several people the first to finish does not hurry the others.
        finish_wait_s=0.0,
        **trial.how_it_ends(one.team),
    )
    # A trial that was begun before there was `ending` goes on by its own rules.
    return with_scripted_people(spec) if trial.end_on_success is UNSET else spec


def _charged(
    trial: Trial, client: ModelClient | None
) -> tuple[Completes | None, Callable[[], float] | None]:
    """Return the model that policies ask, and what a decision is charged with; None: the clock."""
    if trial.charge is UNSET:
        return client, None
    if client is None:
        return None, lambda: 0.0
    timed = TimedModel(client, trial.charge, client.server.deadline_s)
    return timed, timed.take_s


def _check_model(players: Sequence[Player], least_s: float = 0.0, _: Tick | None = None) -> None:
    """Check that no policy's model server has been away for so long, up to now.

    Answers that are late or wrong are results. Raises TrialError.
    """
    for player in players:
        failed = player.failed_decisions
        if (
            failed is not None
            and failed.streak_s is not None
            and failed.streak_s >= least_s
            and isinstance(failed.last, UnavailableError)
        ):
            is_remote = isinstance(failed.last, PolicyAwayError)
            who = "a remote policy" if is_remote else "the model server"
            raise TrialError(f"{who} is not there: {failed.last}")


def _check_decisions(players: Sequence[Player], names: Mapping[str, str]) -> None:
    """Check that every policy decided something: one that breaks each time has not been tried.

    Answers of a model that are late or wrong are results. Raises TrialError.
    """
    for player in players:
        failed = player.failed_decisions
        if failed and failed.times == failed.of and not isinstance(failed.last, ModelError):
            raise TrialError(
                f"every decision of {names[player.seat]} failed ({failed.of}), the last with "
                f"{in_brief(failed.last)}"
            )


@cache
def _library(data_dir: Path) -> HouseLibrary:
    return HouseLibrary(data_dir)


@cache
def tasks_of(data_dir: Path, dataset: str) -> dict[str, Task]:
    """Return the tasks of a data set by id. Raises DatasetError."""
    return {e.task_id: e for e in read_dataset(data_dir / dataset)}


def _play(place: Place, trial: Trial, one: Run) -> Done:
    try:
        return play(place, trial, one)
    except TrialError as error:
        return Done(one, None, 0, str(error))
    except Exception as error:
        # A run that breaks is reported with its reason; the others go on.
        return Done(one, None, 0, f"{type(error).__name__}: {error}")


def play_all(
    place: Place,
    trial: Trial,
    runs: Sequence[Run],
    *,
    processes: int | None = None,
) -> Iterator[Done]:
    """Play what has no recording yet, over processes; yield as they end.

    Raises TrialError when one of the processes dies.
    """
    _tidy(place.folder / "recordings")
    left = [r for r in runs if not place.recording(r).exists()]
    count = min(processes or os.cpu_count() or 1, max(1, len(left)))
    if count == 1:
        for one in left:
            yield _play(place, trial, one)
        return
    context = multiprocessing.get_context("spawn")
    others = set(multiprocessing.active_children())
    with ProcessPoolExecutor(count, mp_context=context, initializer=end_with_parent) as pool:
        under_way: set[Future[Done]] = set()
        try:
            for one in left:
                under_way.add(pool.submit(_play, place, trial, one))
                if len(under_way) >= 2 * count:
                    yield from _ended(under_way)
            while under_way:
                yield from _ended(under_way)
        except BaseException:
            # Nobody waits for the runs that are still played: they are played anew.
            pool.shutdown(wait=False, cancel_futures=True)
            for child in set(multiprocessing.active_children()) - others:
                child.terminate()
            raise


def _ended(under_way: set[Future[Done]]) -> Iterator[Done]:
    ended, _ = wait(under_way, return_when=FIRST_COMPLETED)
    under_way -= ended
    for future in ended:
        try:
            yield future.result()
        except BrokenProcessPool as error:
            raise TrialError(
                "a process of the trial was killed (perhaps for want of memory): the same command "
                "goes on from here, with fewer --processes"
            ) from error


def _tidy(recordings: Path) -> None:
    """Remove what processes that are no more have left unfinished."""
    for file in recordings.glob(f"*{UNFINISHED}"):
        pid = file.name.removesuffix(UNFINISHED).rpartition(".")[2]
        if not pid.isdecimal() or not _is_running(int(pid)):
            file.unlink(missing_ok=True)


def _is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
