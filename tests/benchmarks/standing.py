"""A benchmark of standing still: why and how long a policy's body does.

    python tests/benchmarks/standing.py --policy NAME

Tasks, doubles and partner are those of `robots.py`, but only calls of the model take time
(``--latency`` seconds each, one after the other); decisions without a call take none. Prints
means over episodes, in seconds: in skills, standing because the model is being asked, and waiting
for the partner; then calls of the model, those made early, those in vain, and calls of skills that
failed or were let go.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import statistics
import sys
from collections import Counter
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from episodes.dataset import Task, read_dataset
from server.robots.playing.policy_player import PolicyPlayer
from server.robots.playing.thinkers import ChargedThinker, Thought
from server.robots.policy import LET_GO, Decision
from server.robots.policy_spec import PlayerOptions
from server.robots.registry.registry import make_player
from server.sessions.core import SessionCore
from server.sessions.intents import Intent
from server.sessions.player import Player
from server.sessions.spec import TICK_S
from server.simulators.household import HouseholdSimulator, HouseLibrary
from server.worker.unpaced_runner import run
from tests.benchmarks.charging import Later
from tests.benchmarks.robots import MAX_TICKS, PARTNER, Noted, core_of_seats, double_for
from tests.robot_doubles.helper import HelperDouble
from tests.server.sessions.first_house_sessions import HUMAN, ROBOT

COLUMNS = ("solved", "lasts", "skills", "thinking", "waiting", "asked", "early", "vain", "failed",
           "let go")  # fmt: skip


class ChargedByCall:
    """A decision takes as long as the calls that it makes of the model."""

    def __init__(self, loop: asyncio.AbstractEventLoop, model: Noted, latency_s: float) -> None:
        self._loop, self._model, self._latency_s = loop, model, latency_s

    def start(self, deciding: Coroutine[Any, Any, Decision], tick: int) -> Thought:
        before = len(self._model.requests)
        thought = ChargedThinker(self._loop, 0.0).start(deciding, tick)
        calls = len(self._model.requests) - before
        return Later(thought, tick + math.ceil(calls * self._latency_s / TICK_S))


def play(
    task: Task,
    library: HouseLibrary,
    policy: str,
    partner: str,
    latency_s: float,
    hints: bool,
) -> dict[str, float]:
    """Return the figures of one episode, by column."""
    names = {ROBOT: policy, HUMAN: partner}
    core = core_of_seats(task, HouseholdSimulator(library), names)
    double = double_for(policy, core)
    if isinstance(double, HelperDouble):
        double.hints = hints
    loop = asyncio.new_event_loop()
    model = Noted(double)
    making = PlayerOptions(ChargedByCall(loop, model, latency_s), model)
    players: list[Player] = [make_player(name, seat, making) for seat, name in names.items()]
    robot = players[0]
    assert isinstance(robot, PolicyPlayer)
    ticks = _counted(robot)
    result = run(core, players, MAX_TICKS)
    loop.close()
    verdict = core.verdict() if result is None else result.verdict
    calls, skills = robot.take_calls(), robot.take_skills()
    stopped = [s for s in skills if s.response.endswith(LET_GO)]
    failed = [s for s in skills if not s.response.startswith("Success")]
    return {
        "solved": float(bool(verdict.success)),
        "lasts": core.tick * TICK_S,
        **{name: ticks[name] * TICK_S for name in ("skills", "thinking", "waiting")},
        "asked": len(calls),
        "early": sum(c.prefetched for c in calls),
        "vain": sum(bool(c.stale) for c in calls),
        "failed": len(failed) - len(stopped),
        "let go": len(stopped),
    }


def _counted(player: Any) -> Counter[str]:
    """Count what each tick is spent on, until the player has finished."""
    wanted, ticks = player.intents, Counter[str]()

    def intents(core: SessionCore) -> list[Intent]:
        found: list[Intent] = wanted(core)
        if core.phase == "running" and not player.finished:
            still = player.status in ("thinking", "waiting")
            ticks[player.status if still else "skills"] += 1
        return found

    player.intents = intents
    return ticks


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data-dir", type=Path, default=Path("data"))
    parser.add_argument("--tasks", default="validation")
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--policy", action="append", required=True)
    parser.add_argument("--partner", default=PARTNER)
    parser.add_argument("--latency", type=float, default=1.0, help="seconds per call of the model")
    parser.add_argument("--no-hints", action="store_true", help="helper's double names no places")
    options = parser.parse_args()
    episodes = read_dataset(options.data_dir / f"tasks/{options.tasks}.json.gz")[: options.count]
    library = HouseLibrary(options.data_dir)
    print(f"{'policy':40}" + "".join(f"{name:>9}" for name in COLUMNS))
    for policy in options.policy:
        rows = [
            play(e, library, policy, options.partner, options.latency, not options.no_hints)
            for e in episodes
        ]
        means = (statistics.mean(row[name] for row in rows) for name in COLUMNS)
        print(f"{policy:40}" + "".join(f"{mean:>9.2f}" for mean in means))


if __name__ == "__main__":
    main()
