"""Short sessions played by scripts and recorded, for the tests of this folder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

from episodes.houses import first_house
from episodes.tasks import first_tasks
from server.recording.log_writer import LogWriter
from server.robots.baselines.expert import solve
from server.robots.baselines.scripted_player import ScriptedPlayer, Step
from server.sessions.core import SessionCore
from server.sessions.intents import Act, Finish, Intent
from server.sessions.player import Player
from server.sessions.results import EpisodeResult
from server.sessions.spec import EpisodeSpec, SessionSpec
from server.simulators.household import HouseholdSimulator, HouseLibrary
from server.worker.unpaced_runner import run

HUMAN, ROBOT = "human_0", "robot_0"
Script = Callable[[list[Step]], Sequence[Step]]


@cache
def library() -> HouseLibrary:
    scene, catalogue = first_house()
    return HouseLibrary.of(catalogue, [scene])


class Clumsy(ScriptedPlayer):
    """A script before which something impossible is tried, once the episode runs."""

    def __init__(self, seat: str, steps: Sequence[Step], tries: Sequence[Act]) -> None:
        super().__init__(seat, steps)
        self._tries = list(tries)

    def intents(self, core: SessionCore) -> list[Intent]:
        found = super().intents(core)
        if core.phase == "running" and self._tries:
            return [self._tries.pop(0), *found]
        return found


class Leaving(Player):
    """A player who says at once that it has finished."""

    def __init__(self, seat: str) -> None:
        self.seat = seat
        self._script = ScriptedPlayer(seat, [])

    def intents(self, core: SessionCore) -> list[Intent]:
        found = self._script.intents(core)
        return [*found, Finish()] if core.phase == "running" else found


def record(
    path: Path,
    number: int = 1,
    script: Script = list,
    *,
    tries: Sequence[Act] = (),
    episode_id: str = "",
) -> EpisodeResult:
    """Play a first task with two seats; the human follows the solution as ``script`` edits it.

    The episode is named after the file unless ``episode_id`` says otherwise.
    """
    task = first_tasks()[number - 1]
    core = SessionCore(
        SessionSpec.pair(f"ses_{path.stem}", 1),
        EpisodeSpec(episode_id or f"epi_{path.stem}", "first", task.task_id),
        task,
        HouseholdSimulator(library()),
    )
    with path.open("wb") as file:
        log = LogWriter(file)
        log.open_episode(core, 0.0)
        human = Clumsy(HUMAN, script(list(solve(core))), tries)
        players: list[Player] = [human, Leaving(ROBOT)]
        result = run(core, players, 6000, log=log)
        log.close(core.tick / 30)
    assert human.failure is None, human.failure
    assert result is not None
    return result
