"""The policy contract, on every policy that comes with the server."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from episodes.seats import PAIR
from server.recording.log_writer import LogWriter
from server.robots.baselines.expert import experts
from server.robots.contract_suite.candidate import Candidate
from server.robots.contract_suite.suite import PlayerContract, PolicyContract
from server.robots.models import Completes, ModelAnswer, ModelRequest
from server.robots.policies.shared.retrieval import Library, SolvedTrace
from server.robots.registry.registry import POLICIES
from server.sessions.core import SessionCore
from server.worker.unpaced_runner import run
from tests.robot_doubles.cohab import CohabDouble
from tests.robot_doubles.helper import HelperDouble
from tests.robot_doubles.llamar import LlamarDouble
from tests.robot_doubles.partnr import PartnrDouble
from tests.server.sessions.first_house_sessions import core_of, task

pytestmark = pytest.mark.slow


class GivingUp:
    """Model double that says it is done when it would say the same for the thirteenth time."""

    def __init__(self, inner: Completes) -> None:
        self.inner = inner
        self.said: Counter[str] = Counter()

    async def complete(self, request: ModelRequest) -> ModelAnswer:
        answer = await self.inner.complete(request)
        self.said[answer.text] += 1
        if self.said[answer.text] <= 12 or request.purpose != "act":
            return answer
        return dataclasses.replace(answer, text="Thought: I give it up.\nDone[]\n")


MODELS: dict[str, Callable[[SessionCore], Completes]] = {
    "react": lambda core: GivingUp(PartnrDouble.for_tasks([core])),
    "react-rag": lambda core: GivingUp(PartnrDouble.for_tasks([core])),
    "finetuned": lambda core: GivingUp(PartnrDouble.for_tasks([core])),
    "cohab": CohabDouble,
    "helper": lambda core: HelperDouble.for_tasks([core]),
    "llamar": lambda core: LlamarDouble.for_tasks([core]),
    "llamar-oracle": lambda core: LlamarDouble.for_tasks([core]),
}
PLAYERS = ("expert", "scripted", "ghost", "tutor")
"""The baselines that bring a player of their own and make no decisions."""
NO_SERVER = {"react-rag:partnr": "retrieval=words"} | {
    f"helper:{name}": "retrieval=words" for name in POLICIES["helper"].presets if "helperx" in name
}
"""Options for presets whose retrieval asks a server of embeddings."""


def whole_names(policy: str) -> list[str]:
    return [f"{policy}:{preset}" for preset in POLICIES[policy].presets or ("",)]


ALIKE = ("react-rag", "llamar-oracle")
"""Policies that inherit all that the suite looks at from another one."""


def each(policies: list[str]) -> list[object]:
    """Return every preset of policies; what is much like another one is for `make test-long`."""
    return [
        pytest.param(name.removesuffix(":"), marks=[] if is_quick(name) else pytest.mark.long)
        for policy in policies
        for name in whole_names(policy)
    ]


def is_quick(name: str) -> bool:
    return name.endswith((":default", ":")) and not name.startswith(ALIKE)


def candidate_of(name: str, folder: Path) -> Candidate:
    policy, _, preset = name.partition(":")
    options = [preset, NO_SERVER.get(name, "")]
    if policy == "react-rag":
        path = folder / "traces.json"
        Library([SolvedTrace(name="epi_1", instruction="Tidy up.", text="Pick[cup_0]")]).write(path)
        options.append(f"library={path}")
    if policy == "ghost":
        options.append(f"recording={recorded(folder / 'ses_1.jsonl')}")
    told = ",".join(option for option in options if option)
    seats = tuple(seat.seat_id for seat in PAIR if seat.kind in POLICIES[policy].bodies)
    name = f"{policy}:{told}" if told else policy
    return Candidate(name, model=MODELS.get(policy), seats=seats)


def recorded(path: Path) -> Path:
    """Write the recording of a task that experts solve."""
    core = core_of(task(2))
    with path.open("wb") as file:
        log = LogWriter(file)
        log.open_episode(core, 0.0)
        run(core, experts(core), 6000, log=log)
        log.close(300.0)
    return path


class TestShippedPolicies(PolicyContract):
    @pytest.fixture(params=each([name for name in POLICIES if name not in PLAYERS]))
    def candidate(self, request: pytest.FixtureRequest, tmp_path: Path) -> Candidate:
        return candidate_of(request.param, tmp_path)

    @pytest.mark.long
    def test_decides_the_same_in_another_process(self, candidate: Candidate) -> None:
        super().test_decides_the_same_in_another_process(candidate)


class TestShippedPlayers(PlayerContract):
    @pytest.fixture(params=each(list(PLAYERS)))
    def candidate(self, request: pytest.FixtureRequest, tmp_path: Path) -> Candidate:
        return candidate_of(request.param, tmp_path)

    @pytest.mark.long
    def test_decides_the_same_in_another_process(self, candidate: Candidate) -> None:
        super().test_decides_the_same_in_another_process(candidate)


@pytest.mark.parametrize("name", ["cohab", "random"])
def test_sets_in_another_order_change_nothing(name: str, tmp_path: Path) -> None:
    """The long runs try the others too."""
    TestShippedPolicies().test_decides_the_same_in_another_process(candidate_of(name, tmp_path))
