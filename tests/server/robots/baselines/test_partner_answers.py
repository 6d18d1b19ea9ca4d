"""Scripted people who answer what they are asked in the chat."""

from __future__ import annotations

from typing import Any

import pytest

from server.robots.baselines.expert.goals import plan
from server.robots.baselines.partner_answers import ALL_WELL, NO_IDEA, answer, is_question
from server.robots.baselines.scripted_people import ScriptedPerson
from server.robots.baselines.scripted_player import Done, Rest, ScriptedPlayer, Speak
from server.robots.baselines.settings import PersonManner
from server.robots.playing.thinkers import ChargedThinker
from server.robots.policies.helper.requests import CLOSING, question, request
from server.robots.policy_spec import PlayerOptions
from server.robots.registry.registry import make_player
from server.sessions.core import SessionCore, Tick
from server.sessions.events import Said
from server.worker.unpaced_runner import run
from tests.robot_doubles.helper import HelperDouble
from tests.server.sessions.first_house_sessions import HUMAN, ROBOT, core_of, task


def told(core: SessionCore, asked: str) -> str:
    return answer(core, HUMAN, plan(core), asked)


@pytest.mark.parametrize(
    ("number", "asked", "answered"),
    [
        (2, question("ask_where", "plate", ()), "The plate is on the counter 3 in the kitchen."),
        (2, question("ask_where", "cup", ()), "The cup is in the counter 2 in the kitchen."),
        (2, question("ask_where", "hat", ()), NO_IDEA),
        (2, question("ask_who", "plate", ()), "You, please."),
        # Only a person can wash it.
        (4, question("ask_who", "cup", ()), "I do."),
        (6, question("ask_where", "can", ()), "The can is on the counter 3 in the kitchen."),
        (2, CLOSING, "The plate belongs on the table. The cup belongs on the table, next to the "
                     "plate."),
        (4, CLOSING, "The cup has to be washed. The cup belongs in the cabinet 3."),
    ],
)  # fmt: skip
def test_a_person_knows_the_task(number: int, asked: str, answered: str) -> None:
    assert is_question(asked)
    assert told(core_of(task(number)), asked) == answered


def test_who_is_asked_to_do_something_does_not_answer() -> None:
    assert not is_question(request("wash", "cup", "kitchen"))
    assert not is_question("On my way.")


def chat_of(core: SessionCore, *players: Any) -> list[tuple[int, str, str]]:
    heard: list[tuple[int, str, str]] = []

    def watch(tick: Tick) -> None:
        heard.extend((tick.tick, e.seat, e.text) for e in tick.events if isinstance(e, Said))

    run(core, players, 20_000, watch=watch)
    return heard


@pytest.mark.parametrize("after_s", [None, 3.0])
def test_the_answer_comes_after_a_while_or_never(after_s: float | None) -> None:
    robot = ScriptedPlayer(ROBOT, [Speak("Where is the cup?"), Rest(150), Done()])
    manner = PersonManner(does="what only people can", patience_s=4.0, answers_after_s=after_s)
    said = chat_of(core_of(task(2)), robot, ScriptedPerson(HUMAN, manner))
    asked = said.pop(0)
    if after_s is None:
        assert said == []
    else:
        ((tick, seat, text),) = said
        assert (seat, text) == (HUMAN, "The cup is in the counter 2 in the kitchen.")
        assert tick - asked[0] == 3 * 30 + 1


def test_once_all_is_done_all_is_well() -> None:
    core = core_of(task(2), solo=True)
    run(core, [ScriptedPerson(HUMAN, PersonManner())], 9000)
    assert core.verdict().success
    assert told(core, CLOSING) == ALL_WELL


@pytest.mark.parametrize("number", [1, 3])
def test_helper_asks_and_goes_where_it_is_told(loop: Any, number: int) -> None:
    """The policy has the paper's questions, in a home where nothing is known at first."""
    core = core_of(task(number))
    model = HelperDouble.for_tasks([core], hints=False)
    name = "helper:helperx-s-questions,retrieval=words"
    player = make_player(name, ROBOT, PlayerOptions(ChargedThinker(loop, 0.2), model))
    person = ScriptedPerson(
        HUMAN, PersonManner(does="what only people can", patience_s=60, answers_after_s=3.0)
    )
    said = chat_of(core, player, person)
    asked = [text for _, seat, text in said if seat == ROBOT]
    assert asked
    assert [text for _, seat, text in said if seat == HUMAN]
    # Nobody is asked about what nothing was said about.
    assert {r.purpose for r in model.requests} >= {"planner", "question", "answer"}
    assert core.verdict().success, core.verdict().explanation
