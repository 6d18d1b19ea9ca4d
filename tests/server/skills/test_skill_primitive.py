"""Skills that are one primitive, run in a session."""

from __future__ import annotations

import pytest

from episodes.houses import first_house
from episodes.tasks import first_tasks
from server.sessions.core import SessionCore
from server.sessions.intents import Ready
from server.sessions.scripted import Go, ScriptedPlayer
from server.sessions.spec import EpisodeSpec, SessionSpec
from server.sessions.unpaced import run
from server.simulators.household import HouseholdSimulator, HouseLibrary
from server.skills import SKILLS, SUCCESS, TOO_LONG, failure
from server.skills.primitive import WAIT_TICKS, PrimitiveSkill

HUMAN = "human_0"


def _core() -> SessionCore:
    scene, catalogue = first_house()
    episode = first_tasks()[1]
    spec = EpisodeSpec("epi_1", "first", episode.episode_id)
    simulator = HouseholdSimulator(HouseLibrary.of(catalogue, [scene]))
    core = SessionCore(SessionSpec.solo("ses_1", 1), spec, episode, simulator)
    core.submit(HUMAN, Ready())
    core.step()
    assert core.phase == "running"
    return core


def _do(core: SessionCore, name: str, target: str = "", intent_id: int = 1) -> tuple[str, int]:
    skill = PrimitiveSkill(HUMAN, SKILLS[name], target, intent_id)
    for ticks in range(2000):
        for intent in skill.intents(core):
            core.submit(HUMAN, intent)
        if skill.response:
            return skill.response, ticks
        skill.see(core.step())
    raise AssertionError("the skill never ended")


def _free(core: SessionCore) -> list[str]:
    return [h for h in core.world.objects if core.shut_in(h) is None]


def test_pick_succeeds_near_and_fails_far_and_with_a_full_hand() -> None:
    core = _core()
    first, second = _free(core)[:2]
    far = max(_free(core), key=lambda h: core.view.distance(HUMAN, h))
    assert _do(core, "Pick", far)[0] == failure("Failed to pick! Not close enough to the object.")
    run(core, [ScriptedPlayer(HUMAN, [Go(first)])], 1500)
    assert _do(core, "Pick", first, 2)[0] == SUCCESS
    assert core.world.held[HUMAN] == first
    names = core.names.graph
    assert _do(core, "Pick", second, 3)[0] == failure(
        f"Failed to pick {names[second]}! The arm is currently grasping {names[first]}."
    )


def test_wait_succeeds_after_its_time() -> None:
    assert _do(_core(), "Wait") == (SUCCESS, WAIT_TICKS)


def test_an_unanswered_skill_takes_too_long() -> None:
    core = _core()
    skill = PrimitiveSkill(HUMAN, SKILLS["Open"], "nothing")
    for _ in range(11):
        assert skill.response == ""
        skill.intents(core)
    assert skill.response == failure(TOO_LONG)


def test_composite_skills_are_not_primitive() -> None:
    with pytest.raises(ValueError, match="Navigate"):
        PrimitiveSkill(HUMAN, SKILLS["Navigate"], "x")
