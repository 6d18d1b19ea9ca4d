"""Lines of which a scripted partner understands a part: it asks back, and does nothing."""

from __future__ import annotations

import pytest

from server.robots.baselines.partner import phrases
from server.robots.baselines.partner.understanding import understand
from server.robots.baselines.scripted_player import Turn
from tests.server.robots.baselines.test_partner_requests import THINGS
from tests.server.robots.baselines.test_partner_talk import Talk


@pytest.fixture
def talk() -> Talk:
    return Talk()


@pytest.mark.parametrize(
    "line",
    [
        "bring me the cup unless it's dirty",
        "get the cup but leave the plate",
        "you've got the wrong one",
        "everything except the cup goes in the kitchen",
        "take them both to the bedroom",
        "one book on the table and one on the nightstand",
        "got the blue book",
        "are you stuck?",
        "i don't need help",
        "go to the bedroom and wait there",
        "could you wash the plate and dry it",
    ],
)
def test_what_says_more_than_was_understood_is_not_done(line: str) -> None:
    assert understand(line, THINGS).kind == "unsure"


def test_what_was_understood_is_asked_back_and_a_yes_does_it(talk: Talk) -> None:
    said = talk.say("open the kitchen cabinet when you get past it")
    assert said == "Should I open the kitchen cabinet? Say yes, or say it another way."
    assert talk.body.orders == []
    assert talk.say("yes please") == "I open the kitchen cabinet."
    assert talk.say("open the fridge when you get past it").endswith("another way.")
    talk.say("where is the red book?")
    assert talk.say("yes") == phrases.AGREED
    assert len(talk.body.orders) == 1


def test_several_acts_are_done_one_after_the_other(talk: Talk) -> None:
    said = talk.say("open the kitchen cabinet and close it again")
    assert said == "I open the kitchen cabinet. I close the kitchen cabinet."
    steps = [order.steps[0] for order in talk.body.orders]
    assert [isinstance(step, Turn) and step.opening for step in steps] == [True, False]


def test_all_that_is_open_is_closed(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    assert talk.say("close all the drawers") == "All of that is closed already."
    core = talk.core
    for label in ("fridge", "dishwasher"):
        key = next(k for k, name in core.names.labels.items() if name == label)
        for part in core.view.template(key).parts:
            monkeypatch.setitem(core.world.joints, (key, part.index), part.open_value)
    said = talk.say("shut everything that's open")
    assert {order.thing.split("_")[0] for order in talk.body.orders} == {"fridge", "dishwasher"}
    assert said.startswith("I close the ")


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("is the fridge open?", "The fridge is closed."),
        ("how many books are there", "There are 2: the red book and the blue book."),
        ("what's in the fridge", "Nothing that can be carried is in or on the fridge."),
        ("are you a real person?", phrases.ABLE),
        ("how much time is left", phrases.CLOCK),
        ("which key do i press", phrases.KEYS),
        ("don't put it in the fridge", phrases.CANNOT_KEEP),
        ("pour it out", phrases.UNABLE),
        ("put it back where it was", phrases.NOT_WHERE_IT_WAS),
    ],
)
def test_questions_and_bans_are_answered_and_nothing_is_done(
    talk: Talk, line: str, answer: str
) -> None:
    assert talk.say(line) == answer
    assert talk.body.orders == []


def test_where_something_was_found_is_not_where_it_is(talk: Talk) -> None:
    talk.say("where is the red book?")
    assert talk.say("where did you find it").startswith(phrases.NOT_BEFORE)
    last = talk.say("what does the task say")
    assert last == f"The task is: {talk.core.task_text}"
    assert talk.say("say that again?") == last


def test_a_place_is_corrected(talk: Talk) -> None:
    talk.say("put the red book on the fridge")
    said = talk.say("no, i meant on the couch")
    assert said == "I am taking the red book to the couch."


@pytest.mark.parametrize(
    ("begins", "again"),
    [
        ("bring the cup", " back over"),
        ("bring me the cup", " to me"),
        ("put it", " on it"),
        ("can you", " please can you"),
    ],
)
def test_a_line_that_says_one_thing_again_and_again_is_not_thought_over_for_ever(
    begins: str, again: str
) -> None:
    """Lines are understood in the thread of everybody's ticks, and this would take hours."""
    assert understand((begins + again * 60)[:500], THINGS).kind != "do"
