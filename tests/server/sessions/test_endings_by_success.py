"""Success as the end of an episode: nothing by default, and never with a goal thing in a hand."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from episodes.dataset import Task
from server.robots.baselines.expert import solve
from server.robots.baselines.scripted_player import Done, Rest, ScriptedPlayer
from server.sessions.spec import Ending
from tests.server.sessions.first_house_sessions import HUMAN, Recording, task
from tests.server.sessions.test_endings import session


def cup_to_wash() -> tuple[Task, Task]:
    """Return the task of a dirty cup, and one that wants nothing of it but to be clean."""
    whole = task(4)
    assert [p.function_name for p in whole.evaluation_propositions] == ["is_clean", "is_inside"]
    only = whole.evaluation_propositions[:1]
    return whole, msgspec.structs.replace(
        whole,
        evaluation_propositions=only,
        evaluation_proposition_dependencies=[],
        evaluation_constraints=[],
    )


def washed(ending: Ending | UnsetType, **options: Any) -> tuple[Recording, list[tuple[bool, bool]]]:
    """Wash the cup and put it away; return at each tick whether that is success, and it is held."""
    whole, wanted = cup_to_wash()
    recording = session("1human", wanted, ending=ending, **options)
    core = recording.core
    other = session("1human", whole)
    steps = [s for s in solve(other.core) if not isinstance(s, Done)]
    player = ScriptedPlayer(HUMAN, [*steps, Rest(30), Done()])
    [cup] = wanted.evaluation_propositions[0].args["object_handles"]
    found = []
    while core.phase == "running":
        player.see(recording.step([(HUMAN, intent) for intent in player.intents(core)]))
        assert player.failure is None
        found.append((core.scorer.succeeded(), cup in core.world.holders))
    return recording, found


def test_success_alone_ends_nothing() -> None:
    recording, found = washed(Ending())
    assert recording.core.result().reason == "finished"
    assert found.count((True, False)) > 30


def test_success_never_ends_it_while_a_goal_thing_is_in_a_hand() -> None:
    recording, found = washed(Ending(on_success=True))
    core = recording.core
    assert (core.result().reason, core.result().verdict.success) == ("success", True)
    assert found.count((True, True)) > 1
    assert found.count((True, False)) == 1
    assert found[-1] == (True, False)


def test_older_sessions_end_with_success_in_whatever_hand() -> None:
    _, found = washed(UNSET, end_on_success=True)
    assert found.count((True, True)) == 1
    assert found[-1] == (True, True)
