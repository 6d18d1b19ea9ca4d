"""Tests of `cohabit.env`: PettingZoo's own, and what its users count on."""

from __future__ import annotations

import asyncio
import gc
import random
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import parallel_api_test, parallel_seed_test

from cohabit.env import HouseholdEnv, parallel_env
from episodes.teams import TeamError
from server.recording.recordings import read_recording
from server.recording.replay import rescore
from server.research.env.actions import FINISH, GO_ON, MOST_ACTIONS
from server.robots.policy_spec import RobotError

pytestmark = pytest.mark.slow


@pytest.fixture
def env(houses_dir: Path) -> Iterator[HouseholdEnv]:
    made = parallel_env("2robot", data_dir=houses_dir, time_limit_s=30.0)
    yield made
    made.close()


def _drawn(rng: random.Random, mask: Any) -> int:
    return int(rng.choice(np.flatnonzero(mask).tolist()))


def test_pettingzoo_finds_nothing_wrong(env: HouseholdEnv) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parallel_api_test(env, num_cycles=60)


def test_an_environment_that_nobody_closes_leaves_no_event_loop_open(
    houses_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loop = asyncio.new_event_loop()
    monkeypatch.setattr(asyncio, "new_event_loop", lambda: loop)
    env = parallel_env("1robot", data_dir=houses_dir)
    assert not loop.is_closed()
    del env
    gc.collect()
    assert loop.is_closed()


def test_the_same_seed_plays_the_same(houses_dir: Path) -> None:
    parallel_seed_test(
        lambda: parallel_env("2robot", data_dir=houses_dir, time_limit_s=20.0), num_cycles=25
    )


@pytest.mark.parametrize(
    "team",
    ["1robot", "human=policy,robot=policy", "3robot", "5robot", "human=scripted,robot=policy"],
)
def test_agents_of_any_team_play_to_an_end(houses_dir: Path, team: str) -> None:
    env = parallel_env(team, data_dir=houses_dir, time_limit_s=20.0)
    rng = random.Random(1)
    observations, infos = env.reset(seed=3)
    assert env.agents == env.possible_agents
    while env.agents:
        for agent, seen in observations.items():
            assert env.observation_space(agent).contains(seen)
        before = list(env.agents)
        actions = {a: _drawn(rng, observations[a]["action_mask"]) for a in before}
        observations, rewards, over, cut, infos = env.step(actions)
        assert set(rewards) == set(over) == set(cut) == set(infos) == set(before)
        assert len(set(rewards.values())) == 1
    assert all(info["success"] is not None for info in infos.values())
    assert all(over[agent] != cut[agent] for agent in before)
    env.close()


def test_whoever_is_not_asked_goes_on(env: HouseholdEnv) -> None:
    _, infos = env.reset(seed=0)
    first, second = env.agents
    explore = next(text for text in infos[first]["actions"] if text.startswith("Explore"))
    _, _, _, _, infos = env.step({first: explore, second: GO_ON})
    # The second waited for a second only; the first still looks around its room.
    assert (infos[first]["waits"], infos[second]["waits"]) == (False, True)
    observations, _, _, _, infos = env.step({first: FINISH, second: GO_ON})
    assert infos[first]["waits"] is False
    assert np.flatnonzero(observations[first]["action_mask"]).tolist() == [GO_ON]


def test_a_call_as_text_is_refused_as_a_policys_is(env: HouseholdEnv) -> None:
    env.reset(seed=0)
    first, second = env.agents
    _, _, _, _, infos = env.step({first: "Pick[unicorn_0]", second: GO_ON})
    past = env.view(first).history[-1]
    assert infos[first]["history"] == ((past.text, past.response),)
    assert past.text == "Pick[unicorn_0]"
    assert not past.succeeded
    _, _, _, _, infos = env.step({first: MOST_ACTIONS - 1, second: GO_ON})
    told = infos[first]["history"][-1][1]
    assert f"no action has the number {MOST_ACTIONS - 1}" in told


def test_what_one_says_the_others_hear(env: HouseholdEnv) -> None:
    env.reset(seed=0)
    first, second = env.agents
    env.step({first: "say: I take the kitchen", second: GO_ON})
    _, _, _, _, infos = env.step({first: GO_ON, second: GO_ON})
    assert infos[second]["chat"] == ((first, "I take the kitchen"),)


def test_all_who_have_finished_end_the_episode(env: HouseholdEnv) -> None:
    env.reset(seed=0)
    _, _, over, cut, infos = env.step(dict.fromkeys(env.agents, FINISH))
    assert all(over.values())
    assert not any(cut.values())
    assert {info["reason"] for info in infos.values()} == {"finished"}
    assert env.agents == []
    with pytest.raises(ValueError, match="call reset first"):
        env.step({})


def test_rewards_add_up_to_what_was_done(houses_dir: Path) -> None:
    """An expert of ours beside the agent does the task: the agent is rewarded alike."""
    env = parallel_env(
        "human=expert,robot=policy", data_dir=houses_dir, tasks=("1",), ends_on_success=True
    )
    env.reset(seed=1)
    total = 0.0
    infos: dict[str, dict[str, Any]] = {}
    while env.agents:
        _, rewards, _, _, infos = env.step(dict.fromkeys(env.agents, GO_ON))
        total += rewards["robot_0"]
    assert infos["robot_0"]["success"] is True
    assert total == pytest.approx(1.0)
    env.close()


def test_an_episode_is_recorded_as_any_other(houses_dir: Path, tmp_path: Path) -> None:
    env = parallel_env("2robot", data_dir=houses_dir, recordings=tmp_path / "logs", tasks=("1",))
    env.reset(seed=5)
    _, _, _, _, infos = env.step(dict.fromkeys(env.agents, FINISH))
    env.close()
    (log,) = (tmp_path / "logs").iterdir()
    assert rescore(log.read_bytes()).success is infos["robot_0"]["success"]
    (episode,) = read_recording(log)
    assert {s.policy for s in episode.header.spec.seats} == {"outside"}


@pytest.mark.parametrize(
    ("team", "told"),
    [
        ("pair", "nobody sits at an environment"),
        ("human=scripted,robot=expert", "expected a seat left open for an agent"),
        ("6robot", "five bodies at most"),
    ],
)
def test_a_team_that_no_agent_can_play_in_is_refused(
    houses_dir: Path, team: str, told: str
) -> None:
    with pytest.raises(TeamError, match=told):
        parallel_env(team, data_dir=houses_dir)


@pytest.mark.parametrize(
    ("team", "told"),
    [
        ("human=nosuch,robot=policy", "no policy 'nosuch'"),
        ("human=react,robot=policy", "react plays in no environment, which has no model"),
        ("human=remote:x,robot=policy", "remote:x plays in no environment"),
        ("robot=policy,robot=llamar:paper-centralised", "does not play beside policy; name it"),
        ("human=policy,human=scripted:nosuch=1", "nosuch"),
    ],
)
def test_policies_that_cannot_play_there_are_refused_at_once(
    houses_dir: Path, team: str, told: str
) -> None:
    with pytest.raises(RobotError, match=told):
        parallel_env(team, data_dir=houses_dir)


def test_tasks_that_the_team_cannot_do_are_left_out(houses_dir: Path) -> None:
    """Tasks 4 and 5 need somebody who washes and fills."""
    robots = parallel_env("2robot", data_dir=houses_dir)
    with pytest.raises(ValueError, match="no task '5' that 2robot can do"):
        robots.reset(options={"task": "5"})
    with pytest.raises(ValueError, match="no task is left: task 4 cannot be done by 2robot"):
        parallel_env("2robot", data_dir=houses_dir, tasks=("4", "5"))
    parallel_env("human=policy", data_dir=houses_dir).reset(options={"task": "5"})


def test_tasks_and_actions_that_are_not_there_are_refused(
    houses_dir: Path, env: HouseholdEnv
) -> None:
    with pytest.raises(ValueError, match="has no task 99"):
        parallel_env("1robot", data_dir=houses_dir, tasks=("1", "99"))
    with pytest.raises(
        ValueError, match=r"no task 'x' that 2robot can do; there are: 1, 2, 3, 6, 7"
    ):
        env.reset(options={"task": "x"})
    env.reset(seed=0, options={"task": "2"})
    with pytest.raises(ValueError, match="expected an action from 0 to"):
        env.step({"robot_0": MOST_ACTIONS, "robot_1": 0})
    for nothing in (1.5, True, None, b"x", float("nan")):
        with pytest.raises(ValueError, match="expected a whole number or a text as the action"):
            env.step({"robot_0": nothing, "robot_1": 0})  # type: ignore[dict-item]
    for time_limit_s in (0.0, -1.0, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="expected time_limit_s from"):
            parallel_env("1robot", data_dir=houses_dir, time_limit_s=time_limit_s)
    with pytest.raises(ValueError, match="expected actions for robot_0, robot_1, got one for 'x'"):
        env.step({"robot_0": 0, "robot_1": 0, "x": 0})
    with pytest.raises(ValueError, match="got none for robot_1"):
        env.step({"robot_0": 0})
