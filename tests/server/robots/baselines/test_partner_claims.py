"""Claims and noes to a scripted partner: what somebody says is theirs, it leaves to them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from server.robots.baselines.partner import phrases
from server.robots.baselines.scripted_player import Rest, Speak, Step
from tests.server.robots.baselines.test_partner_absence import thing
from tests.server.robots.baselines.test_partner_player import SECOND, played
from tests.server.robots.baselines.test_partner_talk import WHICH, Talk
from tests.server.sessions.first_house_sessions import HUMAN, ROBOT

DATA = Path(__file__).parents[3] / "data"


def listed(name: str) -> list[tuple[str, str, str, str]]:
    """Return the lines of a list: where they are said, the line, and what each has afterwards."""
    found, about = [], ""
    for line in (DATA / f"{name}.txt").read_text().splitlines():
        if line.startswith("["):
            about = line.strip("[]")
        elif not line.startswith("#"):
            text, theirs, mine = (part.strip() for part in f"{line} | ".split("|")[:3])
            found.append((about, text, theirs, mine))
    return found


def outcome(about: str, line: str, theirs: str, mine: str) -> str:
    """Say a line where it belongs, and return what went wrong; empty: nothing."""
    talk = Talk()
    core, work, taking = talk.core, talk.with_it.work, talk.with_it.taking
    keys = {colour: thing(core, f"{colour} book") for colour in ("red", "blue")}
    assert work.owner == {keys["red"]: HUMAN, keys["blue"]: ROBOT}
    if about == "offer":
        talk.with_it.offer(core, keys["red"])
        del work.owner[keys["blue"]]
        work.open = {n for n in work.open if work.goals[n].thing == keys["red"]}
    else:
        taking.announce(core, [keys["blue"]])
        talk.body.busy = keys["blue"] if about == "plan" else ""
    said = talk.say(line)
    kept = keys[theirs]
    brought = [order.thing for order in talk.body.orders]
    is_theirs = work.owner[kept] == HUMAN and work.by_request.get(kept) == HUMAN
    if not is_theirs or kept in brought or talk.body.is_stopped:
        return f"{line}: {said}"
    if mine and work.owner[keys[mine]] != ROBOT and keys[mine] not in brought:
        return f"{line}: {said}"
    return ""


@pytest.mark.parametrize("name", ["partner_claims", "partner_claims_held"])
def test_wordings_of_claims_and_noes_are_understood(name: str) -> None:
    lines = listed(name)
    assert len(lines) >= 18
    wrong = [said for line in lines if (said := outcome(*line))]
    assert len(wrong) <= 0.1 * len(lines), "\n".join(wrong)


TOGETHER = "I get the {mine}, bring the other one please"


def own_and_theirs() -> tuple[str, str]:
    """Return the labels of what the partner shares out to itself and to the person."""
    first = played(1, [Rest(1)], 5).said[0]
    return first.split("I take the ")[1].split(",")[0], first.split("take the ")[-1].rstrip(".")


@pytest.mark.parametrize(
    "line",
    ["no, I carry the {mine} myself", "no, leave it, I do that", "no", "not that one", TOGETHER],
)
def test_what_somebody_keeps_for_themselves_is_not_taken(line: str) -> None:
    mine, theirs = own_and_theirs()
    told = line.format(mine=mine)
    game = played(1, [Rest(1 * SECOND), Speak(told), Rest(110 * SECOND)], 110)
    taken = {label for _, seat, verb, label in game.did if seat == ROBOT and verb == "pick"}
    assert taken == ({theirs} if line == TOGETHER else set()), game.said
    assert any(said.startswith(f"All right, the {mine} is yours") for said in game.said)
    if line != TOGETHER:
        assert any(phrases.NOTHING_FOR_ME in said for said in game.said), game.said
    # Nor does it offer to take it again before long.
    assert not [said for said in game.said if f"Shall I take the {mine}" in said]


def test_what_was_claimed_is_taken_when_it_is_given_back() -> None:
    mine, _ = own_and_theirs()
    refused = Speak(f"no, the {mine} is mine")
    lines: list[Step] = [refused, Rest(20 * SECOND), Speak(f"you take the {mine}")]
    game = played(1, [Rest(1 * SECOND), *lines, Rest(60 * SECOND)], 90)
    assert any(seat == ROBOT and label == mine for _, seat, _, label in game.did)


@pytest.mark.parametrize("line", ["I take the blue book, you take the rest", "ok i do the blue "
                                  "book u do the other one"])  # fmt: skip
def test_what_is_not_claimed_is_the_other_one_and_the_rest(line: str) -> None:
    talk = Talk()
    assert talk.say(line) == "All right, the blue book is yours. I take the red book."


def test_a_claim_of_one_that_is_shared_out_so_already_is_not_asked_about() -> None:
    # Both books are in the bedroom, and each of the two has one by then.
    line = "I take the book in the bedroom, please look for the other one"
    said = Talk().say(line)
    assert re.fullmatch(r"All right, the (red|blue) book is yours\. The \w+ book is .*", said), said
    # Without the other half nobody knows which one is meant.
    assert Talk().say("I take the book in the bedroom").startswith("Which one do you mean, ")


def test_a_claim_is_kept_where_the_rest_of_the_line_is_not_understood() -> None:
    talk = Talk()
    blue = thing(talk.core, "blue book")
    said = talk.say("I carry the blue book, frobnicate the dishwasher twice")
    assert said.startswith("All right, the blue book is yours.")
    assert said.endswith((phrases.NOT_UNDERSTOOD, phrases.NOT_SURE))
    assert talk.with_it.work.owner[blue] == HUMAN


def test_a_no_after_a_question_is_about_the_question() -> None:
    talk = Talk()
    blue = thing(talk.core, "blue book")
    talk.with_it.taking.announce(talk.core, [blue])
    talk.say("open the fridge if you pass it by")
    assert talk.say("no") == phrases.AGREED
    assert talk.with_it.work.owner[blue] == ROBOT


def test_a_no_to_several_things_asks_which_and_long_after_it_means_none() -> None:
    talk = Talk()
    core, work = talk.core, talk.with_it.work
    both = [thing(core, "red book"), thing(core, "blue book")]
    for key in both:
        work.hand(key, ROBOT)
    talk.with_it.taking.announce(core, both)
    assert talk.say("no") in WHICH
    assert talk.say("the blue one").startswith("All right, the blue book is yours.")
    assert work.owner[both[1]] == HUMAN
    core.state.tick += 120 * SECOND
    assert talk.say("no") == phrases.NO_TO_WHAT
    assert work.owner[both[0]] == ROBOT


@pytest.mark.parametrize("line", ["no, take the red book instead", "no, the red one", "Nope, you "
                                  "do the red one."])  # fmt: skip
def test_a_no_with_another_thing_leaves_the_first_to_who_says_it(line: str) -> None:
    talk = Talk()
    red, blue = (thing(talk.core, f"{colour} book") for colour in ("red", "blue"))
    talk.with_it.taking.announce(talk.core, [blue])
    assert talk.say(line) == "All right, the blue book is yours. I take the red book."
    assert talk.with_it.work.owner == {red: ROBOT, blue: HUMAN}


def room_label(talk: Talk, label: str) -> str:
    """Return the name of the room in which a thing lies."""
    core = talk.core
    room = core.simulator.scene.room_around(core.view.pose(thing(core, label)).position)
    assert room is not None
    return core.names.labels[room.room_id]


def test_the_one_in_a_room_is_the_one_that_is_there_and_not_what_was_announced() -> None:
    talk = Talk()
    red, blue = (thing(talk.core, f"{colour} book") for colour in ("red", "blue"))
    # What it has said to take is not what somebody claims by its room.
    talk.with_it.taking.announce(talk.core, [red, blue])
    rooms = [room_label(talk, "red book"), room_label(talk, "blue book")]
    told = talk.say(f"I'll fetch the {rooms[0]} one myself, look for the other book please")
    if rooms[0] == rooms[1]:
        assert told in WHICH
        told = talk.say("the red one")
    assert told.startswith("All right, the red book is yours. The blue book is ")
    assert "The red book is" not in told
    assert talk.with_it.work.owner[red] == HUMAN


def test_a_claim_that_may_mean_several_is_asked_back_before_anything_is_said_of_them() -> None:
    talk = Talk()
    before = dict(talk.with_it.work.owner)
    told = talk.say("I'll fetch the laundry room one myself, look for the other book please")
    assert told in WHICH
    assert talk.with_it.work.owner == before
    told = talk.say("the red one")
    assert told.startswith("All right, the red book is yours. The blue book is ")


@pytest.mark.parametrize(
    "line",
    [
        "no, I would rather not have the blue one",
        "I'd rather not take the blue book",
        "no thanks, I don't want the blue one",
        "sorry, I'd prefer not to do the blue book",
    ],
)
def test_what_somebody_would_rather_not_have_is_not_left_to_them(line: str) -> None:
    talk = Talk()
    blue = thing(talk.core, "blue book")
    assert talk.say("I take the blue book").startswith("All right, the blue book is yours")
    assert talk.say(line) == "I take the blue book."
    assert talk.with_it.work.owner[blue] == ROBOT


@pytest.mark.parametrize(
    "line", ["I'd rather you not take the blue book", "please don't take the blue one"]
)
def test_what_the_robot_is_asked_not_to_take_it_does_not(line: str) -> None:
    talk = Talk()
    talk.with_it.taking.announce(talk.core, [thing(talk.core, "blue book")])
    assert not talk.say(line).startswith("I take")
    assert talk.with_it.work.owner[thing(talk.core, "blue book")] != ROBOT


def test_a_thing_is_claimed_by_the_drawer_that_it_lies_in() -> None:
    """Words of the task itself: *the book from the bedroom drawer*."""
    for line in ("I fetch the book from the bedroom drawer", "I take the book out of the drawer"):
        assert Talk().say(line) in WHICH, "understood, and asked which of two"
    said = Talk().say("I get the red book from the bedroom drawer")
    assert said == "All right, the red book is yours.", said
    said = Talk().say("I get the red book, can you find the other one please")
    assert said.endswith("The blue book is on the bed in the bedroom."), said
