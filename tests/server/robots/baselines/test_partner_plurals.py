"""A scripted partner that is asked for several things, for the other one, for the way, and why."""

from __future__ import annotations

import pytest

from server.robots.baselines.partner import phrases
from server.robots.baselines.scripted_player import Rest
from tests.server.robots.baselines.test_partner_player import SECOND, played, talk
from tests.server.robots.baselines.test_partner_requests import asked


@pytest.mark.parametrize(
    "line",
    [
        "would you collect both books for us?",
        "take both books to the coffee table please",
        "can you bring the books to the living room",
        "you take all the books",
    ],
)
def test_who_asks_for_both_gets_both_where_the_task_wants_them(line: str) -> None:
    game = played(1, [*talk(line, every_s=2), Rest(110 * SECOND)])
    assert set(game.said[1].removeprefix("I take ").rstrip(".").split(" and ")) == {
        "the red book",
        "the blue book",
    }
    assert not [said for said in game.said if said.startswith("My part is done")]
    assert game.core.verdict().success


def test_both_to_me_are_fetched_one_at_a_time_and_it_says_where_they_lie() -> None:
    game = played(1, [*talk("bring me the red book", every_s=2), Rest(60 * SECOND)])
    assert any(said.startswith("I bring you the red book.") for said in game.said)
    assert any(said.startswith("The red book is ") for said in game.said)


def test_the_other_one_is_what_was_not_talked_of() -> None:
    game = played(
        1,
        [*talk("you take the red book", "and the other one as well", every_s=2), Rest(SECOND)],
        20,
    )
    assert "I take the blue book." in game.said


def test_a_yes_counts_though_something_was_asked_between() -> None:
    game = played(1, [Rest(85 * SECOND), *talk("what is left to do?", "yes", every_s=3)], 150)
    offered = [n for n, said in enumerate(game.said) if "Shall I take" in said]
    assert offered
    assert any(said.startswith("I take the ") for said in game.said[offered[0] :])
    assert game.core.verdict().success


def test_it_says_why_and_who_sees_to_what() -> None:
    game = played(1, talk("why the blue one?", "let's split the work", "which one is mine?"), 40)
    plan, why = game.said[:2]
    assert why == phrases.HOW_SHARED or ", because " in why
    assert game.said.count(plan) == 2
    # Its own part is done by then.
    assert any(said.startswith("You take the ") for said in game.said)


def test_the_way_to_a_room_is_no_request() -> None:
    lost = asked("i am lost, how do i get to the bedroom?")
    assert (lost.kind, lost.thing and lost.thing.keys) == ("where", ("bedroom",))
    assert asked("which way is the kitchen?").kind == "where"


def test_forget_it_is_only_how_somebody_begins_to_speak() -> None:
    assert asked("forget it").kind == "stop"
    after = asked("oh forget it, fetch the cup and drop it on the dining table")
    assert (after.kind, after.place and after.place.keys) == ("do", ("dining",))
    assert asked("never mind, where is the cup?").kind == "where"


@pytest.mark.parametrize("line", ["lets split the work", "who does what?", "which part is mine?"])
def test_who_sees_to_what_is_asked_in_several_ways(line: str) -> None:
    assert asked(line).kind == "shares"
    assert asked("let's split it: you do the lamp, I do the cup").kind == "you_take"
