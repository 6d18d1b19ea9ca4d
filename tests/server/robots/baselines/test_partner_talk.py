"""Answers of a scripted partner: what *it* means, which one is meant, and who has what."""

from __future__ import annotations

import pytest

from server.robots.baselines.partner import phrases
from server.robots.baselines.partner.conversation import Conversation
from server.robots.baselines.partner.order import Order
from server.robots.baselines.partner.understanding import understand
from server.robots.baselines.partner.vocabulary import vocabulary
from server.robots.baselines.scripted_player import Take
from server.sessions.core import SessionCore
from tests.server.robots.baselines.test_partner_absence import BOOKS, fresh, thing, work_of
from tests.server.robots.baselines.test_partner_player import SECOND
from tests.server.sessions.first_house_sessions import HUMAN, ROBOT

WHICH = {
    "Which one do you mean, the red book or the blue book?",
    "Which one do you mean, the blue book or the red book?",
}


class Body:
    """Hands that do nothing but take note of what they are told."""

    seat = ROBOT

    def __init__(self) -> None:
        self.is_stopped = False
        self.busy = ""
        self.orders: list[Order] = []

    def told_doing(self) -> str:
        return "I am waiting: my part is done."

    def busy_with(self) -> str:
        return self.busy

    def stop(self, asker: str) -> None:
        self.is_stopped = True

    def go_on(self) -> None:
        self.is_stopped = False

    def obey(self, order: Order) -> None:
        self.orders.append(order)

    def let_go_of(self, thing: str) -> None:
        """Take no note."""


class Talk:
    """A person and a partner at the start of the two books."""

    def __init__(self) -> None:
        self.core: SessionCore = fresh(1, 1, BOOKS)
        self.body = Body()
        self.with_it = Conversation(self.body, work_of(self.core))
        self._names = vocabulary(self.core)

    def say(self, line: str) -> str:
        return self.with_it.answer(self.core, HUMAN, understand(line, self._names))


@pytest.fixture
def talk() -> Talk:
    return Talk()


def test_it_is_never_furniture_for_a_verb_that_carries(talk: Talk) -> None:
    talk.say("open the fridge")
    assert talk.say("give it to me") in WHICH
    talk.say("where is the red book?")
    assert "the red book" in talk.say("give it to me")


def test_you_take_it_is_the_speaker_s_only_thing_or_what_was_named(talk: Talk) -> None:
    (theirs,) = talk.with_it.work.things(HUMAN)
    talk.say("open the fridge")
    assert talk.say("you take it") == f"I take the {talk.core.names.labels[theirs]}."


def test_what_was_spoken_of_long_ago_is_not_meant(talk: Talk) -> None:
    talk.say("where is the red book?")
    talk.core.state.tick += 90 * SECOND
    assert talk.say("give it to me").startswith("Which one do you mean")


def test_what_it_holds_is_what_it_drops_and_gives(talk: Talk) -> None:
    assert talk.say("drop it") == "My hand is empty."
    red, blue = thing(talk.core, "red book"), thing(talk.core, "blue book")
    talk.core.world.held[ROBOT], talk.core.world.holders[red] = red, ROBOT
    talk.say("where is the blue book?")
    assert talk.say("drop it") == "I put the red book down."
    assert talk.say("give it to me") == "I bring you the red book."
    assert [order.thing for order in talk.body.orders] == [red, red]
    assert blue not in [order.thing for order in talk.body.orders]


def test_where_it_was_put_is_where_it_is_and_not_where_the_robot_is(talk: Talk) -> None:
    talk.body.busy = thing(talk.core, "blue book")
    for line in ("where did you put it", "where'd you put it?", "did you find it yet?"):
        assert talk.say(line).startswith("The blue book is ")


def test_who_has_a_thing_and_who_takes_what_the_task_does_not_ask_for(talk: Talk) -> None:
    assert talk.say("who has the red book?").startswith("Nobody has it in the hand. The red book")
    red = thing(talk.core, "red book")
    talk.core.world.held[HUMAN], talk.core.world.holders[red] = red, HUMAN
    assert talk.say("who's got the red book") == "The red book is in the person's hand."
    assert talk.say("who takes the fridge") == "Nobody: the task asks nothing of the fridge."


def test_of_several_of_a_kind_each_place_is_named(talk: Talk) -> None:
    told = talk.say("where are the books?")
    assert "The red book is" in told
    assert "The blue book is" in told


def test_what_is_not_here_is_said_not_to_be(talk: Talk) -> None:
    for line in ("where is the shampoo", "put the shampoo on the coffee table"):
        assert talk.say(line) == "I know of no shampoo here."
    assert talk.body.orders == []


def test_rooms_are_shared_out_by_what_is_in_them(talk: Talk) -> None:
    core = talk.core
    rooms = {}
    for label in ("red book", "blue book"):
        room = core.simulator.scene.room_around(core.view.pose(thing(core, label)).position)
        assert room is not None
        rooms[label] = core.names.labels[room.room_id]
    told = talk.say(f"you do the {rooms['red book']}")
    assert "the red book" in told
    assert talk.with_it.work.owner[thing(core, "red book")] == ROBOT
    assert talk.say("you do the laundry room").endswith("is left in the laundry room.")


def test_a_nod_is_answered_with_one_and_starts_nothing(talk: Talk) -> None:
    assert talk.say("ok") == phrases.AGREED
    talk.say("stop")
    assert talk.say("ok") == phrases.AGREED
    assert talk.body.is_stopped
    assert talk.say("sorry") == phrases.NO_HARM
    assert talk.say("nice") == phrases.AGREED
    assert talk.say("hello robot!") == talk.say("how are you today") == phrases.HELLO
    assert talk.say("thanks mate") == phrases.WELCOME


def test_an_order_about_it_is_about_the_thing_that_the_line_names(talk: Talk) -> None:
    talk.say("the blue book, can you give it to me?")
    (order,) = talk.body.orders
    assert order.thing == thing(talk.core, "blue book")
    assert order.steps == [Take(order.thing)]


def test_which_of_several_is_asked_and_the_answer_goes_on_with_it(talk: Talk) -> None:
    assert talk.say("bring me the book") in WHICH
    assert not talk.body.orders
    assert talk.say("the blue one") == "I bring you the blue book."
    assert talk.say("no, the red one") == "I bring you the red book."
    assert talk.say("no, not that one, the other one") == "I bring you the blue book."


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("bring me the green book", "I know of no green book here."),
        ("bring me the red cup", "I know of no red cup here."),
        ("put the red book in the garage", "I know of no garage here."),
        ("switch off the light in the kitchen", "I know of no light in the kitchen."),
        ("put the blue book under the bed", phrases.NO_SUCH_SIDE),
        ("put the red book back where it was", phrases.NOT_WHERE_IT_WAS),
        ("take the lamp to the bedroom", "I cannot carry the lamp."),
        ("do not open the fridge", phrases.CANNOT_KEEP),
        ("never close the fridge", phrases.CANNOT_KEEP),
        ("what are you carrying?", "My hand is empty."),
        ("what did you do?", phrases.NO_PAST),
        ("where am i", "You are in the living room."),
        ("which room are you in?", "I am in the hallway."),
        ("what can you do", phrases.ABLE),
    ],
)
def test_what_it_does_not_have_or_know_is_said_and_nothing_is_done(
    talk: Talk, line: str, said: str
) -> None:
    assert talk.say(line) == said
    assert not talk.body.orders


@pytest.mark.parametrize(
    "line", ["open the nightstand", "close the washing machine", "i take the lamp"]
)
def test_of_several_pieces_of_furniture_it_asks_which(talk: Talk, line: str) -> None:
    assert talk.say(line).startswith("Which one do you mean")
    assert not talk.body.orders


def test_what_is_being_opened_is_closed_afterwards(talk: Talk) -> None:
    assert talk.say("open the fridge") == "I open the fridge."
    talk.body.busy = talk.body.orders[-1].thing
    assert talk.say("close it") == "I close the fridge."
    assert len(talk.body.orders) == 2
