"""Policies in live sessions: those that share a mind, and those whose model is silent. In ticks."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Any

import pytest
import pytest_asyncio

from episodes.seats import PAIR
from server.robots.models.model_server import ModelServer, to_environment
from server.sessions.intents import Intent
from server.sessions.spec import SeatSpec
from server.wire.messages import FinishInput, ReadyInput
from server.worker.policy_seats import PolicyBuilder
from server.worker.simulator_backends import policies as policies_of_workers
from tests.model_double import ModelDouble, Reply
from tests.server.sessions.first_house_sessions import HUMAN, ROBOT, episode_spec, task
from tests.server.worker.live_table import Chatter, Table

BOTH = "react:partnr-centralised"


def seats(human: str, robot: str) -> tuple[SeatSpec, ...]:
    names = {HUMAN: human, ROBOT: robot}
    return tuple(SeatSpec(seat, True, names[seat.seat_id]) for seat in PAIR)


@pytest_asyncio.fixture
async def leaving() -> AsyncIterator[AsyncExitStack]:
    async with AsyncExitStack() as stack:
        yield stack


def served(double: ModelDouble, leaving: AsyncExitStack, monkeypatch: Any) -> PolicyBuilder:
    """Return the policies of a worker that was told of a model server."""
    server = ModelServer(double.url, model="double", deadline_s=5)
    for name, value in to_environment(server).items():
        monkeypatch.setenv(name, value)
    return policies_of_workers(leaving)


async def play(table: Table, seconds: float, until: Any = lambda: False) -> None:
    """Step faster than real time, with room for what goes on beside the ticks."""
    for _ in range(round(30 * seconds)):
        table.run(1 / 30)
        await asyncio.sleep(0.001)
        if until():
            return


async def closed(table: Table) -> None:
    table.session.close(0.0)
    # What was cancelled has its end.
    await asyncio.sleep(0.01)


async def test_one_mind_for_both_seats_is_one_in_a_live_session(
    leaving: AsyncExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    go = "Thought: On.\nAgent_0_Action: Navigate[hallway_1]\nAgent_1_Action: Navigate[bedroom_1]\n"
    with ModelDouble(Reply(go)) as double:
        policies = served(double, leaving, monkeypatch)
        table = Table(policies=policies, seats=seats(BOTH, BOTH))
        await play(table, 120, lambda: len(double.asked) > 3)
        await closed(table)
    prompts = [asked.prompt for asked in double.asked]
    assert len(prompts) > 3
    # One conversation that grows, whoever asks.
    for before, after in itertools.pairwise(prompts):
        assert after.startswith(before)
        assert len(after) > len(before)


def test_players_share_what_is_theirs_for_one_episode() -> None:
    made: list[Chatter] = []

    def make(seat: str, company: dict[str, Any]) -> Chatter:
        made.append(Chatter(seat, company))
        return made[-1]

    table = Table(policies={"a": make, "b": make}, seats=seats("a", "b"))
    table.run(1)
    table.session.core.end("operator")
    table.run(0.1)
    table.session.begin(episode_spec(task(2), "epi_2"), task(2), 0.0)
    table.run(1)
    first, second, third, fourth = made
    assert first.company is second.company
    assert third.company is fourth.company
    assert first.company is not third.company


class Silent(Chatter):
    """A policy that gives up after two seconds."""

    @property
    def gave_up(self) -> str:
        return "no decision" if self.seen > 60 else ""

    def intents(self, core: Any) -> list[Intent]:
        return super().intents(core) if core.phase == "gathering" else []


class Forgets(Chatter):
    """A policy that cannot tell what it asked, and fails at its end, too."""

    def take_calls(self) -> list[Any]:
        raise RuntimeError("lost")

    def close(self) -> None:
        raise RuntimeError("not even that")


POLICIES: PolicyBuilder = {"silent": Silent, "chatter": Chatter, "forgets": Forgets}


def test_what_a_policy_does_wrong_when_the_log_asks_costs_its_seat_only() -> None:
    table = Table(policies=POLICIES, seats=seats("", "forgets"))
    human = table.come(HUMAN)
    table.send(human, ReadyInput())
    table.run(1, [human])
    assert table.presence(ROBOT) == "gone"
    assert table.session.core.seats[HUMAN].presence == "connected"
    table.session.close(0.0)


@pytest.mark.parametrize(
    ("outcome", "policy", "presence", "phase"),
    [
        ({"when_gone": "go_on"}, "silent", "gone", "running"),
        ({"when_gone": "end"}, "silent", "gone", "ended"),
        ({"when_gone": "policy", "stand_in": "chatter"}, "chatter", "connected", "running"),
        # Nobody stands in for itself.
        ({"when_gone": "policy", "stand_in": "silent"}, "silent", "gone", "running"),
    ],
)
def test_a_robot_that_has_given_up_is_as_gone_as_a_person(
    outcome: dict[str, Any], policy: str, presence: str, phase: str
) -> None:
    table = Table(policies=POLICIES, seats=seats("", "silent"), **outcome)
    human = table.come(HUMAN)
    table.send(human, ReadyInput())
    table.run(5, [human])
    seated = table.session.core.seats[ROBOT]
    assert (seated.policy, seated.presence, table.phase) == (policy, presence, phase)
    told = [line.text for line in table.models[human].chat]
    assert told == (["I am here"] if policy == "chatter" else [])
    # Who is left can finish alone, and the next task has the robot again.
    table.session.core.end("operator")
    if phase == "running" and presence == "gone":
        table.send(human, FinishInput())
    table.run(0.1)
    assert table.phase == "ended"
    table.session.begin(episode_spec(task(2), "epi_2"), task(2), 0.0)
    assert (seated_again := table.session.core.seats[ROBOT]).policy == "silent"
    table.send(human, ReadyInput())
    table.run(1, [human])
    assert (seated_again.presence, table.phase) == ("connected", "running")


async def test_a_model_that_goes_down_in_the_middle_costs_the_robot_its_seat(
    leaving: AsyncExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The partner sees that no answer comes; after the policy's time the outcome follows."""
    with ModelDouble(Reply("Thought: I wait.\nNavigate[kitchen_1]\n")) as double:
        policies = served(double, leaving, monkeypatch)
        robot = "react:default,gives_up_s=20,generation.retries=false"
        table = Table(
            policies=policies, seats=seats("", robot), when_gone="policy", stand_in="expert"
        )
        human = table.come(HUMAN)
        table.send(human, ReadyInput())
        seated = table.session.core.seats[ROBOT]
        await play(table, 120, lambda: len(double.asked) > 1 and seated.doing == "thinking")
        assert len(double.asked) > 1
        double.behave = lambda _asked: Reply("down", status=500)
        told = set()
        for _ in range(200):
            await play(table, 1)
            told.add(seated.doing)
            if seated.policy != robot:
                break
        assert "getting no answer" in told
        assert (seated.policy, seated.stands_in) == ("expert", False)
        await closed(table)
