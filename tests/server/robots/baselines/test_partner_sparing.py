"""A scripted partner that is to leave a thing alone, comes to help, and speaks of a thing."""

from __future__ import annotations

import pytest

from server.robots.baselines.partner import phrases
from server.robots.baselines.scripted_player import Rest, Speak, Step
from tests.server.robots.baselines.test_partner_absence import thing
from tests.server.robots.baselines.test_partner_claims import own_and_theirs
from tests.server.robots.baselines.test_partner_player import SECOND, played
from tests.server.robots.baselines.test_partner_talk import Talk
from tests.server.sessions.first_house_sessions import HUMAN, ROBOT


@pytest.fixture
def talk() -> Talk:
    return Talk()


@pytest.mark.parametrize(
    "line",
    [
        "leave the red book",
        "leave the red book where it is",
        "let the red book stay where it is",
        "don't touch the red book",
        "stay away from the red book",
        "never mind about the red book",
        "no need to move the red book",
    ],
)
def test_what_is_to_be_left_alone_is_nobody_s_until_it_is_asked_for(talk: Talk, line: str) -> None:
    red, work = thing(talk.core, "red book"), talk.with_it.work
    talk.say("you take the red book")
    assert work.owner[red] == ROBOT
    assert talk.say(line) == "All right, I leave the red book alone."
    assert work.owner[red] == HUMAN
    assert red not in work.carried(talk.core, [HUMAN], ROBOT)
    assert "the red book alone" in talk.say("go on")
    assert talk.say("take it after all") == "I take the red book."
    assert work.owner[red] == ROBOT
    assert not work.spared


def test_what_is_to_be_left_alone_keeps_nobody_busy_and_is_inherited_from_who_leaves(
    talk: Talk,
) -> None:
    red, work = thing(talk.core, "red book"), talk.with_it.work
    work.owner[red] = ROBOT
    for key in work.things(ROBOT):
        work.spared[key] = HUMAN
    assert not work.is_busy(talk.core, ROBOT)
    assert work.next(talk.core, ROBOT) is None
    work.spared.clear()
    assert work.is_busy(talk.core, ROBOT)
    # Somebody else asked for it to be left; whose it was leaves.
    work.owner[red], work.spared[red] = HUMAN, "human_9"
    talk.core.state.seats[HUMAN].presence = "gone"
    work.settle(talk.core)
    assert (work.owner[red], red in work.spared) == (ROBOT, False)


def test_it_never_asks_whether_to_do_what_a_line_forbids(talk: Talk) -> None:
    for line in (
        "don't take the blue book, I want it there",
        "leave the red book and take the blue book",
    ):
        assert talk.say(line) == phrases.NOT_SURE


def test_what_is_in_its_hand_and_to_be_left_alone_is_put_down(talk: Talk) -> None:
    red = thing(talk.core, "red book")
    talk.core.world.held[ROBOT], talk.core.world.holders[red] = red, ROBOT
    told = talk.say("leave the red book alone")
    assert told == "All right, I leave the red book alone: I put it down."


def test_it_does_not_take_up_again_what_it_left_alone() -> None:
    game = played(2, [Speak("leave the plate alone"), Rest(60 * SECOND)])
    assert "All right, I leave the plate alone." in game.said
    assert game.verbs(ROBOT) == []


@pytest.mark.parametrize(
    "line", ["stay away from the {}", "leave the {} to me", "don't touch the {}", "I take the {}"]
)
def test_who_has_one_thing_left_alone_has_the_rest_done(line: str) -> None:
    mine, theirs = own_and_theirs()
    lines: list[Step] = [
        Speak(line.format(mine)),
        Rest(15 * SECOND),
        Speak("yes please"),
        Rest(60 * SECOND),
    ]
    game = played(1, lines, 90)
    assert f"Shall I take the {theirs} instead?" in game.said
    assert {label for _, who, verb, label in game.did if (who, verb) == (ROBOT, "pick")} == {theirs}


@pytest.mark.parametrize("line", ["stay away from the {}", "leave the {} to me", "don't touch the "
                                  "{}"])  # fmt: skip
def test_leaving_one_thing_alone_keeps_it_from_nothing_else(line: str) -> None:
    mine, theirs = own_and_theirs()
    # It goes on with its own, and whatever the task asks nothing of changes nothing.
    for named in (theirs, "fridge", "couch"):
        game = played(1, [Rest(SECOND), Speak(line.format(named)), Rest(60 * SECOND)], 60)
        assert phrases.STOPPED not in game.said
        assert game.verbs(ROBOT)[-1:] == ["place"], (named, game.said)
        assert mine in {label for _, who, _, label in game.did if who == ROBOT}


@pytest.mark.parametrize(
    "line",
    [
        "r u carrying anything",
        "u got the red book on you?",
        "are you holding something?",
        "is your hand free?",
        "you carrying sth?",
        "do you have anything in your hand",
    ],
)
def test_it_says_what_is_in_its_hand(talk: Talk, line: str) -> None:
    assert talk.say(line) == "My hand is empty."
    red = thing(talk.core, "red book")
    talk.core.world.held[ROBOT], talk.core.world.holders[red] = red, ROBOT
    assert talk.say(line) == "I hold the red book."


@pytest.mark.parametrize(
    "line",
    [
        "I need the red book",
        "I want the red book",
        "I'd like the red book now please",
        "may I have the red book",
        "red book please",
        "grab the red book for me",
    ],
)
def test_what_somebody_needs_is_brought_to_them(talk: Talk, line: str) -> None:
    assert talk.say(line) == "I bring you the red book."


def test_who_asks_it_to_come_and_help_is_answered_that_it_comes(talk: Talk) -> None:
    (theirs,) = talk.with_it.work.things(HUMAN)
    taken = f"I take the {talk.core.names.labels[theirs]}."
    assert talk.say("come over and help me") == f"I come. {taken}"
    assert [order.to_seat for order in talk.body.orders] == [HUMAN]
    assert talk.say("come help me in the kitchen") == f"I go to the kitchen. {phrases.WHAT_THERE}"
    assert talk.core.names.labels[talk.body.orders[-1].thing] == "kitchen"


def test_furniture_cannot_be_moved_by_two_either(talk: Talk) -> None:
    assert talk.say("could you help me move the coffee table?") == phrases.FURNITURE_STAYS


@pytest.mark.parametrize("line", ["you take red, I'll take blue", "I got the blue book, you "
                                  "take the red one"])  # fmt: skip
def test_each_is_given_a_share_by_its_colour(talk: Talk, line: str) -> None:
    talk.say("I take the red book, you take the blue book")
    assert talk.say(line) == "All right, the blue book is yours. I take the red book."
    owner = talk.with_it.work.owner
    assert owner[thing(talk.core, "red book")] == ROBOT
    assert owner[thing(talk.core, "blue book")] == HUMAN


def test_it_speaks_of_the_thing_of_which_it_is_asked(talk: Talk) -> None:
    talk.say("I take the red book, you take the blue book")
    assert talk.say("what are you doing with the red book").endswith("I leave the red book to you.")
    assert "I take the blue book" in talk.say("what will you do with the blue book?")
