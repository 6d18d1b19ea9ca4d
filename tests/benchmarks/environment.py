"""The pace of `cohabit.env`: episodes a minute with scripted actions, in two processes.

Run with ``python -m tests.benchmarks.environment DATA_DIR`` from the checkout; each agent does
``ACTIONS`` legal actions, drawn with a seed, and finishes.
"""

from __future__ import annotations

import random
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

from cohabit.env import parallel_env
from server.research.env.actions import FINISH

TEAMS = ("1robot", "2robot", "3robot", "5robot")
ACTIONS = 10
PROCESSES = 2
SECONDS = 30.0


def _play(team: str, data_dir: str, seed: int) -> tuple[int, int, int]:
    """Play for `SECONDS`; return the episodes, steps and ticks."""
    env = parallel_env(team, data_dir=data_dir)
    rng = random.Random(seed)
    env.reset(seed=seed)
    began, episodes, steps, ticks = time.monotonic(), 0, 0, 0
    while time.monotonic() - began < SECONDS:
        observations, infos = env.reset()
        left = dict.fromkeys(env.agents, ACTIONS)
        while env.agents:
            actions = {}
            for agent in env.agents:
                actions[agent] = 0
                if infos[agent]["waits"]:
                    legal = np.flatnonzero(observations[agent]["action_mask"])
                    actions[agent] = int(rng.choice(legal)) if left[agent] else FINISH
                    left[agent] = max(left[agent] - 1, 0)
            observations, _, _, _, infos = env.step(actions)
            steps += 1
        ticks += round(infos["robot_0"]["seconds"] * 30)
        episodes += 1
    env.close()
    return episodes, steps, ticks


def main() -> None:
    data_dir = sys.argv[1] if len(sys.argv) > 1 else "data"
    with ProcessPoolExecutor(PROCESSES) as pool:
        for team in TEAMS:
            played = list(
                pool.map(_play, [team] * PROCESSES, [data_dir] * PROCESSES, range(PROCESSES))
            )
            episodes, steps, ticks = (sum(column) for column in zip(*played, strict=True))
            print(
                f"{team}: {episodes * 60 / SECONDS:.0f} episodes a minute, {steps / episodes:.0f} "
                f"steps and {ticks / episodes / 30:.0f} s of session time each, {PROCESSES} "
                "processes"
            )


if __name__ == "__main__":
    main()
