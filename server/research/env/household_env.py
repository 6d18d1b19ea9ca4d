"""The environment: sessions of a team, stepped from one decision to the next.

An agent is a seat that the team leaves open (``robot=policy``); policies that the team names play
the other seats. A step gives the agents that wait for a decision what they do next, and goes on
until one of them waits again. The rest are walking or acting: their action is `GO_ON`.
"""

from __future__ import annotations

import asyncio
import random
import weakref
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import ParallelEnv

from episodes.dataset import Task, read_dataset
from episodes.rules import profile_named
from episodes.tasks.team_fit import task_problem
from episodes.teams import Team, TeamError
from server.recording.log_writer import LogWriter
from server.research.env.actions import MOST_ACTIONS, ActionList
from server.research.env.given_decisions import GivenPolicy, GivenThinker
from server.research.env.observations import Observation, observation_space, observed
from server.robots.playing.policy_player import PolicyPlayer
from server.robots.playing.thinkers import ChargedThinker
from server.robots.policy import PolicyView
from server.robots.policy_spec import PlayerOptions, RobotError
from server.robots.registry.registry import make_player, spec_of
from server.robots.registry.team_checks import check_policies, paper_ending, with_scripted_people
from server.robots.remote.spec import is_remote
from server.sessions.core import SessionCore
from server.sessions.player import Player
from server.sessions.spec import TICK_RATE, TICK_S, Ending, EpisodeSpec, SessionSpec
from server.sessions.tick_driver import FixedPlayers, TickDriver
from server.simulators.household import HouseholdSimulator, HouseLibrary

Action = int | str
"""A number of `ActionList`, a call as text (``Pick[cup_0]``), or ``say: …``."""


LONGEST_S = 86_400.0
"""Seconds of the longest episode: a day."""


def _checked(agent: str, action: object) -> Action:
    """Return an action as a plain one. Raises ValueError for what is none."""
    if isinstance(action, str):
        return action
    if isinstance(action, int | np.integer) and not isinstance(action, bool):
        return int(action)
    raise ValueError(f"expected a whole number or a text as the action of {agent}, got {action!r}")


class _Agent:
    """A seat that is played from outside, for one episode."""

    def __init__(self, seat: str) -> None:
        self.policy = GivenPolicy()
        self.thinker = GivenThinker()
        self.player = PolicyPlayer(seat, self.policy, self.thinker)
        self.actions = ActionList()

    @property
    def waits(self) -> bool:
        return self.thinker.waits

    def give(self, action: Action) -> None:
        assert self.thinker.thought is not None
        assert self.policy.view is not None
        self.thinker.thought.give(self.actions.decision(action, self.policy.view))


class HouseholdEnv(ParallelEnv[str, Observation, Action]):  # type: ignore[misc]
    """Episodes of a team on the tasks of a data set, as PettingZoo's parallel environment.

    All agents are rewarded alike: with what a step has added to the share of the task that is done
    (0 to 1, PARTNR's percent complete). An agent that has finished stays until the episode ends.
    """

    metadata: dict[str, Any] = {"name": "cohabit_household_v0", "render_modes": []}  # noqa: RUF012
    render_mode = None

    def __init__(
        self,
        team: str | Team = "2robot",
        *,
        data_dir: str | Path = "data",
        dataset: str = "tasks/first.json.gz",
        tasks: tuple[str, ...] = (),
        profile: str = "cohabit",
        time_limit_s: float = 600.0,
        ends_on_success: bool = False,
        recordings: str | Path | None = None,
        seed: int | None = None,
    ) -> None:
        """Read the tasks.

        ``tasks`` are ids in the data set, empty for all; ``time_limit_s`` is the session's time
        after which an episode is cut off; ``recordings`` is a folder for a log of each episode,
        which `cohabit score` and the others read; ``seed`` is that of resets without one.

        Tasks that the team cannot do, such as one that only a human's body can, are left out.

        Raises TeamError for a team with a person or without an agent, RobotError for a policy that
        cannot play its body, DatasetError for tasks that cannot be read, ValueError for ids that
        are not there, where no task is left, and for an end on success beside a policy that is
        named after a paper.
        """
        self.team = team if isinstance(team, Team) else Team.parse(team)
        if self.team.people:
            raise TeamError(
                f"nobody sits at an environment: expected policies and nobody, got {self.team}"
            )
        self.possible_agents = [seat for seat, name in self.team.policies.items() if not name]
        if not self.possible_agents:
            raise TeamError(
                f"expected a seat left open for an agent, as in robot=policy, got {self.team}"
            )
        self.agents: list[str] = []
        check_policies(self.team)
        for name in filter(None, self.team.policies.values()):
            if spec_of(name).needs_model or is_remote(name):
                raise RobotError(
                    f"{name} plays in no environment, which has no model and no socket: expected "
                    "policies such as expert, scripted or random"
                )
        known = {task.task_id: task for task in read_dataset(Path(data_dir) / dataset)}
        missing = [task for task in tasks if task not in known]
        if missing:
            raise ValueError(f"{dataset} has no task {', '.join(missing)}")
        self._tasks = self._doable({t: known[t] for t in tasks} if tasks else known, profile)
        self._dataset, self._profile = dataset, profile
        if not TICK_S <= time_limit_s <= LONGEST_S:
            raise ValueError(
                f"expected time_limit_s from {TICK_S:.3f} to {LONGEST_S:g}, got {time_limit_s}"
            )
        self._time_limit_s = time_limit_s
        of_paper = paper_ending(self.team)
        if of_paper is not None and ends_on_success:
            raise ValueError(f"{self.team} ends as its paper's episodes do, not on success")
        self._ending = of_paper or Ending(on_success=ends_on_success)
        self._recordings = None if recordings is None else Path(recordings)
        self._library = HouseLibrary(Path(data_dir))
        self._rng = random.Random(seed)
        self._loop = asyncio.new_event_loop()
        # Also where nobody calls `close`.
        weakref.finalize(self, self._loop.close)
        self._core: SessionCore | None = None
        self._log: LogWriter | None = None
        self._acting: dict[str, _Agent] = {}
        self._share = 0.0
        self._spaces = {agent: observation_space() for agent in self.possible_agents}
        self._numbers = {agent: spaces.Discrete(MOST_ACTIONS) for agent in self.possible_agents}

    def _doable(self, tasks: dict[str, Task], profile: str) -> dict[str, Task]:
        """Return the tasks that the team's bodies can do; raises ValueError where there is none."""
        rules = profile_named(profile)
        problems = {name: task_problem(self.team, task, rules) for name, task in tasks.items()}
        if tasks and all(problems.values()):
            raise ValueError(f"no task is left: {next(iter(problems.values()))}")
        return {name: task for name, task in tasks.items() if not problems[name]}

    def observation_space(self, agent: str) -> spaces.Dict:
        return self._spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self._numbers[agent]

    def reset(
        self, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begin an episode: of the task ``options["task"]``, or of one that is drawn.

        The same seed begins the same episode. Raises ValueError for a task that is not there, or
        that the team cannot do.
        """
        if seed is not None:
            self._rng = random.Random(seed)
        wanted = (options or {}).get("task")
        if wanted is not None and wanted not in self._tasks:
            raise ValueError(
                f"no task {wanted!r} that {self.team} can do; there are: {', '.join(self._tasks)}"
            )
        drawn = self._rng.choice(list(self._tasks))
        self._begin(self._tasks[drawn if wanted is None else wanted], self._rng.getrandbits(31))
        self.agents = list(self.possible_agents)
        self._run()
        self._share = self._share_done()
        return self._observations(), self._infos()

    def _begin(self, task: Task, seed: int) -> None:
        self._drop()
        number = f"{self._rng.getrandbits(80):020x}"
        self._core = core = SessionCore(
            with_scripted_people(
                SessionSpec.of(
                    f"ses_{number}",
                    self.team.filled(robot=_OUTSIDE, human=_OUTSIDE),
                    seed,
                    profile=self._profile,
                    finish_wait_s=0.0,
                    ending=self._ending,
                ),
                outside=_OUTSIDE,
            ),
            EpisodeSpec(
                f"epi_{number}", self._dataset, task.task_id, time_limit_s=self._time_limit_s
            ),
            task,
            HouseholdSimulator(self._library),
        )
        self._acting = {agent: _Agent(agent) for agent in self.possible_agents}
        # Decisions of the other policies take no time, so that the same seed plays the same.
        options = PlayerOptions(ChargedThinker(self._loop, 0.0), seed=seed)
        players: list[Player] = [
            self._acting[seat].player
            if seat in self._acting
            else make_player(self.team.policies[seat], seat, options)
            for seat in core.state.occupied()
        ]
        if self._recordings is not None:
            self._recordings.mkdir(parents=True, exist_ok=True)
            self._log = LogWriter((self._recordings / f"ses_{number}.jsonl").open("wb", 0))
            self._log.open_episode(core, 0.0)
        self._driver = TickDriver(core, FixedPlayers(core, players), self._log)

    def step(
        self, actions: Mapping[str, Action]
    ) -> tuple[
        dict[str, Observation],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """Let the agents that wait do their actions, until one of them waits again.

        An agent that is not asked goes on with its call, whatever its action says. Raises
        ValueError before `reset`, after the end, where an agent has no action, and for an action of
        nobody.
        """
        if self._core is None or not self.agents:
            raise ValueError("expected an episode under way: call reset first")
        missing = [agent for agent in self.agents if agent not in actions]
        if missing:
            raise ValueError(f"expected an action for each agent, got none for {missing[0]}")
        if unknown := [name for name in actions if name not in self.possible_agents]:
            expected = ", ".join(self.possible_agents)
            raise ValueError(f"expected actions for {expected}, got one for {unknown[0]!r}")
        for name, agent in self._acting.items():
            if agent.waits:
                action = actions[name]
                agent.give(_checked(name, action))
        self._run()
        before, self._share = self._share, self._share_done()
        over = self._core.phase == "ended"
        cut = over and self._core.state.end_reason == "time_limit"
        told = self.agents
        observations, infos = self._observations(), self._infos()
        if over:
            self.agents = []
            self._drop_log()
        return (
            observations,
            dict.fromkeys(told, self._share - before),
            dict.fromkeys(told, over and not cut),
            dict.fromkeys(told, cut),
            infos,
        )

    def view(self, agent: str) -> PolicyView:
        """Return what an agent's seat knew when it was asked last, as a policy of ours is shown it.

        Raises KeyError for a seat that is not an agent's, and before the first `reset`.
        """
        view = self._acting[agent].policy.view
        assert view is not None
        return view

    def close(self) -> None:
        """Drop the episode under way. Idempotent."""
        self._drop()
        self._loop.close()

    def _run(self) -> None:
        """Go on until an agent waits, or to the end of the episode."""
        assert self._core is not None
        while self._core.phase != "ended" and not any(a.waits for a in self._acting.values()):
            self._driver.step((self._core.tick + 1) * TICK_S)

    def _share_done(self) -> float:
        assert self._core is not None
        return self._core.verdict().percent_complete or 0.0

    def _observations(self) -> dict[str, Observation]:
        seats = tuple(seat.seat_id for seat in self.team.seats)
        found: dict[str, Observation] = {}
        for name in self.agents:
            agent, view = self._acting[name], self.view(name)
            agent.actions.learn(view)
            found[name] = observed(view, agent.actions.mask(view, asked=agent.waits), seats)
        return found

    def _infos(self) -> dict[str, dict[str, Any]]:
        """Return what each agent is told in words.

        ``success`` is None while the episode goes on.
        """
        assert self._core is not None
        over = self._core.phase == "ended"
        result = self._core.result() if over else None
        return {
            name: {
                **_told(self.view(name)),
                "actions": tuple(agent.actions.texts),
                "waits": agent.waits,
                "task": self._core.task.task_id,
                "seconds": self._core.tick / TICK_RATE,
                "percent_complete": self._share_done(),
                "success": None if result is None else result.verdict.success,
                "reason": None if result is None else result.reason,
            }
            for name, agent in self._acting.items()
            if name in self.agents
        }

    def _drop(self) -> None:
        """Drop the episode under way; what was recorded of it stays."""
        self._drop_log()
        if self._core is not None:
            for agent in self._acting.values():
                agent.player.close()
            self._core.close()
            self._core = None
        self._acting = {}
        self.agents = []

    def _drop_log(self) -> None:
        if self._log is not None and self._core is not None:
            self._log.close(self._core.tick * TICK_S)
            self._log = None


def _told(view: PolicyView) -> dict[str, Any]:
    """Return the words of a view: task, room, own calls, acts of others and chat."""
    return {
        "instruction": view.instruction,
        "room": view.room,
        "history": tuple((past.text, past.response) for past in view.history),
        "acts": tuple((act.seat, act.text) for act in view.partner_acts),
        "chat": tuple((line.seat, line.text) for line in view.chat),
    }


_OUTSIDE = "outside"
"""Name of a policy that is not ours, in specs and logs."""


def parallel_env(team: str | Team = "2robot", **options: Any) -> HouseholdEnv:
    """Make the environment, by the name that PettingZoo's own ones have."""
    return HouseholdEnv(team, **options)
