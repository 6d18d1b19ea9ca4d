"""Single configurations of ``llamar``, and its seeds; `test_configurations` has their settings."""

from __future__ import annotations

from typing import Any

from server.robots.baselines.scripted_player import Done, ScriptedPlayer
from server.robots.playing.thinkers import ChargedThinker
from server.robots.policy_spec import PlayerOptions
from server.robots.registry.registry import configured, make_player
from server.worker.unpaced_runner import run
from tests.server.robots.policies.llamar_replies import Replies, act, plan, play, rooms
from tests.server.sessions.first_house_sessions import HUMAN, ROBOT, core_of, task


def test_the_papers_actor_alone_is_told_all_that_it_did(loop: Any) -> None:
    room = rooms()[0]
    model = Replies(actor=[act(f"Navigate[{room}]"), act("Pick[cup_99]"), act("Done[]")])
    player, _ = play(loop, "llamar:paper-actor", model)
    assert set(model.roles) == {"actor"}
    first, _, third = model.asked("actor")
    (walk, pick) = player.take_skills()
    assert (
        f"The robot so far:\n{walk.call}: {walk.response}\n{pick.call}: {pick.response}\n" in third
    )
    assert "so far" not in first
    for absent in ("Memory: ", "subtasks", "Failed since", "Why that failed"):
        assert absent not in third
    setup = configured("llamar:paper-actor").setup
    assert setup.settings.most_decisions == 30
    assert setup.seating == configured("llamar:paper").setup.seating


def test_repetitions_ask_with_seeds_of_their_own(loop: Any) -> None:
    seeds = []
    for seed in (0, 3):
        model = Replies(planner=[plan()], actor=[act("Done[]")])
        player = make_player(
            "llamar", ROBOT, PlayerOptions(ChargedThinker(loop, 0.0), model, seed=seed)
        )
        run(core_of(task(2)), [player, ScriptedPlayer(HUMAN, [Done()])], 30)
        seeds.append(model.requests[0].seed)
    assert seeds == [0, 3]
