"""Passes through bodies: how often somebody stood in the way until they were walked through.

``PYTHONPATH=. python tests/benchmarks/passes_through.py`` plays first tasks, unpaced, with teams
that know the goal, and prints for each team its episodes, successes, mean ticks and passes.
"""

from __future__ import annotations

from typing import Any

from episodes.tasks import first_tasks
from episodes.teams import Team
from server.robots.policy_spec import PlayerOptions
from server.robots.registry.registry import make_player
from server.sessions.core import SessionCore, Tick
from server.sessions.events import Blocked
from server.sessions.spec import Ending, SessionSpec
from server.worker.unpaced_runner import run
from tests.server.sessions.first_house_sessions import episode_spec, simulator

MAX_TICKS = 20_000
FOR_ROBOTS = (1, 2, 3, 6, 7)
"""Numbers of the first tasks that robots can do alone."""
TEAMS = {
    "human=scripted,robot=expert": tuple(range(1, 9)),
    "human=expert,robot=expert": tuple(range(1, 9)),
    "human=scripted,robot=expert,robot=expert": tuple(range(1, 9)),
    **{",".join(["robot=expert"] * count): FOR_ROBOTS for count in (2, 3, 4, 5)},
}


def main() -> None:
    print("team | episodes | successes | mean ticks | passes | passes per episode")
    for written, numbers in TEAMS.items():
        played = [_play(written, number) for number in numbers]
        ticks = sum(t for _, t, _ in played) / len(played)
        passes = sum(p for _, _, p in played)
        successes = sum(s for s, _, _ in played)
        each = passes / len(played)
        print(f"{written} | {len(played)} | {successes} | {ticks:.0f} | {passes} | {each:.2f}")


def _play(written: str, number: int) -> tuple[bool, int, int]:
    """Play a first task; return whether it succeeded, its ticks and its passes."""
    task, team = first_tasks()[number - 1], Team.parse(written)
    spec = SessionSpec.of("ses_1", team, 1, ending=Ending(), finish_wait_s=0.0)
    core = SessionCore(spec, episode_spec(task), task, simulator())
    company: dict[str, Any] = {}
    unused: Any = None
    players = [
        make_player(name, seat, PlayerOptions(unused, company=company))
        for seat, name in team.policies.items()
    ]
    passes = 0

    def watch(tick: Tick) -> None:
        nonlocal passes
        passes += sum(isinstance(e, Blocked) and e.stage == "passes" for e in tick.events)

    result = run(core, players, MAX_TICKS, watch=watch)
    return result is not None and bool(result.verdict.success), core.tick, passes


if __name__ == "__main__":
    main()
