"""``llamar``: the loop of its modules."""

from __future__ import annotations

from typing import Any

from server.robots.baselines.scripted_player import Done, Rest, ScriptedPlayer, Speak
from server.robots.models import UnavailableError
from server.robots.policies.llamar.board import Board
from tests.server.robots.policies.llamar_replies import (
    Replies,
    act,
    completed,
    plan,
    play,
    rooms,
)
from tests.server.sessions.first_house_sessions import HUMAN, core_of, task


def test_modules_are_asked_in_the_papers_order_and_stop_at_the_cap(loop: Any) -> None:
    room = rooms()[0]
    model = Replies(planner=[plan("find cup")], actor=[act(f"Navigate[{room}]")],
                 corrector=[{}], verifier=[completed()])  # fmt: skip
    player, _ = play(loop, "llamar:paper,most_decisions=3", model)
    between = ["corrector", "verifier"]
    step = ["planner", "actor"]
    assert model.roles == [*step, *between, *step, *between, *step, *between]
    assert player.finished
    assert player.policy.team.decisions == 3
    assert [c.purpose for c in player.take_calls()] == model.roles


def test_what_is_not_needed_is_not_asked(loop: Any) -> None:
    model = Replies(planner=[plan("find cup")], actor=[act("Pick[plate_9]"), act("Done[]")])
    play(loop, "llamar:bad_answer=result,confirms_done=false", model)
    # It failed: nothing to verify.
    assert model.roles == ["planner", "actor", "corrector", "planner", "actor"]


def test_the_memory_is_what_the_actor_last_wrote(loop: Any) -> None:
    near, far = rooms()[:2]
    model = Replies(planner=[plan("find cup")], verifier=[completed()], actor=[
        act(f"Navigate[{near}]", "the first note"), act(f"Navigate[{far}]", "another"),
        act("Done[]"),
    ])  # fmt: skip
    play(loop, "llamar:confirms_done=false", model)
    told = [text.rpartition("Memory: ")[2] for text in model.asked("actor")]
    assert told == ["empty, nothing has been done yet", "the first note", "another"]
    silent = Replies(planner=[plan("find cup")], actor=[act("Done[]", "a note")])
    play(loop, "llamar:memory=false,confirms_done=false", silent)
    assert all("Memory" not in text for text in silent.asked("actor"))


def test_a_correction_is_told_once(loop: Any) -> None:
    room = rooms()[0]
    model = Replies(
        planner=[plan("find cup")],
        actor=[act("Pick[cup_99]"), act(f"Navigate[{room}]"), act("Done[]")],
        corrector=[{"robot cause": "It has not been seen.", "robot correction": "Explore[]"}],
        verifier=[completed()],
    )
    play(loop, "llamar:bad_answer=result,confirms_done=false", model)
    first, second, third = model.asked("actor")
    advice = "Why that failed: It has not been seen. Suggested for the robot: Explore[]"
    assert [advice in text.replace("..", ".") for text in (first, second, third)] == [
        False, True, False,
    ]  # fmt: skip
    assert "Failed since the last success of the robot: Pick[cup_99]\n" in second
    assert "Failed since the last success of the robot: none\n" in third


def test_short_thoughts_cut_no_call(loop: Any) -> None:
    call = "Place[cup_0, on, table_7, next_to, chest_of_drawers_54]"
    model = Replies(planner=[plan("place cup")], actor=[act(call), act("Done[]")])
    options = "generation.thought_chars=40,bad_answer=result,confirms_done=false"
    player, _ = play(loop, f"llamar:{options}", model)
    assert [skill.call for skill in player.take_skills()] == [call]


def test_an_empty_list_ends_it(loop: Any) -> None:
    model = Replies(planner=[plan("find cup"), plan()], actor=[act(f"Navigate[{rooms()[0]}]")],
                 verifier=[completed("Find CUP."), completed()])  # fmt: skip
    player, _ = play(loop, "llamar", model)
    assert player.finished
    assert player.policy.team.board == Board((), ("find cup",))
    assert model.roles == ["planner", "actor", "verifier", "planner"]


def test_done_with_open_subtasks_is_asked_for_once_more(loop: Any) -> None:
    for text, times in (("llamar", 2), ("llamar:confirms_done=false", 1)):
        model = Replies(planner=[plan("find cup")], actor=[act("Done[]")], verifier=[completed()])
        player, _ = play(loop, text, model)
        assert player.finished
        assert model.roles.count("actor") == times
    assert model.asked("actor")


def test_a_call_that_fails_leaves_everything_as_it_was(loop: Any) -> None:
    model = Replies(
        planner=[plan("find cup")],
        actor=[act(f"Navigate[{rooms()[0]}]"), UnavailableError("gone"), act("Done[]")],
        verifier=[completed("find cup")],
    )
    player, _ = play(loop, "llamar:confirms_done=false,prefetch=false", model)
    assert model.roles[2:] == ["verifier", "planner", "actor"] * 2
    one, other = model.asked("verifier")
    assert one == other
    assert "gone" in next(c.error for c in player.take_calls() if c.error)


def test_an_answer_that_is_no_call_is_asked_for_again(loop: Any) -> None:
    model = Replies(planner=["no idea", plan("find cup")], actor=[act("Juggle[x]"), act("Done[]")])
    player, _ = play(loop, "llamar:confirms_done=false", model)
    assert model.roles == ["planner", "planner", "actor", "actor"]
    assert [c.parsed for c in player.take_calls()] == [
        "expected a JSON object, got 'no idea'", "find cup",
        'Tool "Juggle" not found', "robot_0: Done[]",
    ]  # fmt: skip


def test_in_the_paper_it_is_a_failed_action(loop: Any) -> None:
    model = Replies(planner=["no idea"], actor=[act("Juggle[x]"), "what?", act("Done[]")],
                 corrector=[{}], verifier=[completed()])  # fmt: skip
    player, _ = play(loop, "llamar:paper", model)
    responses = [skill.response for skill in player.take_skills()]
    assert responses[0] == 'Unexpected failure! - Tool "Juggle" not found'
    assert "SyntaxError" in responses[1]


def test_the_papers_own_keys_are_read(loop: Any) -> None:
    room = rooms()[0]
    answer = {"failure reason": "None", "memory": "a note", "reason": "so", "subtask": "find cup",
              "Robot's action": f"Navigate[{room}]"}  # fmt: skip
    model = Replies(
        planner=[plan("find cup")], actor=[answer, act("Done[]")],
        verifier=[{"reason": "so", "completed subtasks": ["find cup", "fly"]}],
    )  # fmt: skip
    player, _ = play(loop, "llamar:confirms_done=false,reopens=false", model)
    assert [skill.call for skill in player.take_skills()] == [f"Navigate[{room}]"]
    assert player.policy.team.board.completed == ("find cup",)
    parsed = [call.parsed for call in player.take_calls() if call.purpose == "verifier"]
    assert parsed == ["find cup | fly (not open: fly)"]


def test_a_call_that_keeps_failing_is_not_made_again(loop: Any) -> None:
    table = next(n for n in core_of(task(2)).names.graph.values() if n.startswith("table_"))
    model = Replies(planner=[plan("open it")], actor=[act(f"Open[{table}]")], corrector=[{}])
    player, _ = play(loop, "llamar:most_decisions=5,blocks_repeats=2", model)
    assert len(player.take_skills()) == 2
    assert "has failed 2 times and was not tried again" in model.asked("actor")[-1]


def test_what_is_said_is_told_and_ends_its_waiting(loop: Any) -> None:
    model = Replies(planner=[plan("find cup")], actor=[act("Wait[]"), act("Done[]")],
                 verifier=[completed()])  # fmt: skip
    human = ScriptedPlayer(HUMAN, [Rest(60), Speak('stop. Memory: "x"'), Rest(900), Done()])
    player, _ = play(loop, "llamar:confirms_done=false", model, human)
    first, second = (c.asked_tick for c in player.take_calls() if c.purpose == "planner")
    assert second - first < 120
    assert 'Partner: "stop. Memory: \\"x\\""\n' in model.asked("planner")[1]


def test_modules_can_have_models_of_their_own(loop: Any) -> None:
    model = Replies(planner=[plan("find cup")], actor=[act("Done[]")])
    play(loop, "llamar:generation.model=big,models.actor=small,confirms_done=false", model)
    assert [(r.purpose, r.model) for r in model.requests] == [
        ("planner", "big"),
        ("actor", "small"),
    ]
