"""``llamar-oracle`` is told by the evaluator what is completed, and is marked for it."""

from __future__ import annotations

import re
from typing import Any

import pytest

from server.robots.baselines.expert import experts
from server.robots.baselines.oracle import OraclePlayer, completed
from server.robots.playing.thinkers import ChargedThinker
from server.robots.policies.llamar.board import Board
from server.robots.policy_spec import PlayerOptions, RobotError
from server.robots.registry.registry import POLICIES, configured, make_player, spec_of
from server.worker.unpaced_runner import run
from tests.robot_doubles.llamar import LlamarDouble
from tests.server.robots.passive_person import passive_person
from tests.server.sessions.first_house_sessions import ROBOT, core_of, task


def test_what_the_task_asks_for_is_told_once_it_is_there() -> None:
    core = core_of(task(1))
    assert completed(core) == ()
    run(core, experts(core), 20_000)
    assert core.verdict().success
    told = completed(core)
    assert len(told) == len(core.verdict().propositions)
    thing = r"\w+_\d+"
    where = rf"(on|within|in|next to) {thing}|on the floor|clean|filled|powered (on|off)"
    for sentence in told:
        assert re.fullmatch(rf"{thing} is ({where})", sentence), sentence


@pytest.mark.parametrize("text", ["llamar-oracle", "llamar-oracle:paper"])
def test_it_stands_in_for_the_verifier(loop: Any, text: str) -> None:
    core = core_of(task(2))
    double = LlamarDouble.for_tasks([core])
    player: Any = make_player(text, ROBOT, PlayerOptions(ChargedThinker(loop, 0.1), double))
    result = run(core, [player, passive_person()], 20_000)
    assert result is not None
    assert result.verdict.success, result.verdict.explanation
    calls = player.take_calls()
    roles = {call.purpose for call in calls}
    assert {"planner", "actor"} <= roles <= {"planner", "actor", "corrector"}
    # Each list comes with the world as it is, so that nothing is asked early.
    assert not any(call.prefetched for call in calls)
    listed = player.policy.team.board.completed
    assert listed
    assert set(listed) <= set(completed(core))


def test_what_it_tells_replaces_the_list() -> None:
    board = Board(("wash cup_1", "find bowl"), ("find cup",), "a note")
    after = board.informed(["cup_1 is clean", "Find bowl."])
    assert after == Board(("wash cup_1",), ("cup_1 is clean", "Find bowl."), "a note")


def test_it_has_a_name_of_its_own_that_says_what_it_is(loop: Any) -> None:
    assert spec_of("llamar-oracle:paper").privileged
    assert not POLICIES["llamar-oracle"].offered
    for name in POLICIES["llamar"].presets:
        assert not spec_of(f"llamar:{name}").privileged
        double = LlamarDouble({}, {})
        player: Any = make_player(
            f"llamar:{name}", ROBOT, PlayerOptions(ChargedThinker(loop), double)
        )
        assert not isinstance(player, OraclePlayer)
        assert player.policy.team.oracle is None
    # No option makes one of the other.
    with pytest.raises(RobotError, match="no option 'oracle'"):
        configured("llamar:oracle=true")
