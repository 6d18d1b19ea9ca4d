"""Lines of chat, as a scripted partner understands them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from server.robots.baselines.partner.request import Request
from server.robots.baselines.partner.understanding import understand
from server.robots.baselines.partner.words import Name

DATA = Path(__file__).parents[3] / "data"
NAMES = (
    Name("red", False, ("red book", "book", "red one")),
    Name("blue", False, ("blue book", "book", "blue one")),
    Name("cup", False, ("cup", "mug")),
    Name("plate", False, ("plate", "dish")),
    Name("lamp", False, ("lamp",)),
    Name("vase", False, ("vase",)),
    Name("can", False, ("can", "tin")),
    Name("coffee", True, ("coffee table", "table")),
    Name("dining", True, ("dining table", "table")),
    Name("cabinet", True, ("kitchen cabinet", "cabinet", "cupboard")),
    Name("fridge", True, ("fridge", "refrigerator")),
    Name("nightstand", True, ("nightstand", "stand", "bedside table")),
    Name("sink", True, ("sink",)),
    Name("kitchen", True, ("kitchen",)),
    Name("living", True, ("living room",)),
    Name("bedroom", True, ("bedroom",)),
)

THINGS = (*NAMES, *(Name(word, False, (word,)) for word in ("candle", "bowl", "plant")))

NOTHING_DONE = {"unknown", "thanks", "nod", "sorry", "self", "unable", "unsure"}
"""Kinds after which nothing is done, as talk wants it that asks for nothing."""


def wordings(name: str = "partner_requests") -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in (DATA / f"{name}.txt").read_text().splitlines():
        if line.startswith("["):
            found[line.strip("[]")] = []
        elif line and not line.startswith("#"):
            found[list(found)[-1]].append(line)
    return found


def asked(text: str, names: tuple[Name, ...] = NAMES) -> Request:
    return understand(text, names)


@pytest.mark.parametrize("kind", [kind for kind in wordings() if kind != "unknown"])
def test_wordings_of_a_kind_are_understood(kind: str) -> None:
    told = wordings()[kind]
    kinds = Counter(asked(text).kind for text in told)
    assert kinds[kind] >= 0.9 * len(told)  # type: ignore[index]
    wrong = len(told) - kinds[kind] - kinds["unknown"] - kinds["unsure"]  # type: ignore[index]
    assert wrong <= 0.02 * len(told)


HURRIED = "partner_requests_hurried"


def test_a_person_in_a_hurry_is_understood() -> None:
    told = [(kind, text) for kind, texts in wordings(HURRIED).items() for text in texts]
    assert len(told) >= 60
    assert [(kind, text) for kind, text in told if asked(text, THINGS).kind != kind] == []


UNSEEN = "partner_requests_unseen"
SOCIAL = {"unknown", "thanks", "hello", "yes", "no", "unsure"}


@pytest.mark.parametrize("kind", [kind for kind in wordings(UNSEEN) if kind != "unknown"])
def test_wordings_that_nobody_tuned_on_are_understood(kind: str) -> None:
    told = wordings(UNSEEN)[kind]
    kinds = Counter(asked(text).kind for text in told)
    assert len(told) >= 30
    assert kinds[kind] >= 0.8 * len(told)  # type: ignore[index]


def test_hardly_any_unseen_wording_is_taken_for_another_request() -> None:
    told = [(kind, text) for kind, texts in wordings(UNSEEN).items() for text in texts]
    requests = [(kind, asked(text).kind) for kind, text in told if kind != "unknown"]
    wrong = [pair for pair in requests if pair[1] not in (pair[0], "unknown", "unsure")]
    assert len(wrong) <= 0.02 * len(requests)


@pytest.mark.parametrize(
    ("text", "robots", "speakers"),
    [
        ("you do the cup, I do the lamp", "cup", "lamp"),
        ("I'll do the lamp if you do the cup", "cup", "lamp"),
        ("the cup is yours, the lamp is mine", "cup", "lamp"),
        ("me lamp, you cup", "cup", "lamp"),
        ("i can do the cup while you do the plate", "plate", "cup"),
    ],
)
def test_who_takes_what_is_told_apart(text: str, robots: str, speakers: str) -> None:
    request = asked(text)
    assert request.kind == "you_take"
    assert request.thing is not None
    assert request.thing.keys == (robots,)
    assert request.leaves is not None
    assert request.leaves.keys == (speakers,)


def test_of_the_rest_only_what_the_speaker_takes_is_named() -> None:
    request = asked("i'll do the lamp, you do the rest")
    assert (request.kind, request.thing) == ("you_take", None)
    assert request.leaves is not None
    assert request.leaves.keys == ("lamp",)


@pytest.mark.parametrize("text", ["bring the cup to the kitchen table", "cup onto kitchen table"])
def test_a_table_is_named_by_its_room(text: str) -> None:
    request = asked(text)
    assert request.place is not None
    assert request.room is not None
    assert (set(request.place.keys), request.room.keys) == ({"coffee", "dining"}, ("kitchen",))


def test_what_asks_nothing_is_not_taken_for_a_request() -> None:
    assert [text for text in wordings()["unknown"] if asked(text).kind not in NOTHING_DONE] == []


@pytest.mark.parametrize(
    ("text", "thing", "place"),
    [
        ("Put the cup on the dining table", ("cup",), ("dining",)),
        ("could you please carry teh red book over to the coffee table?", ("red",), ("coffee",)),
        ("take the cup from the cabinet and put it on the dining table", ("cup",), ("dining",)),
        ("the cup in the kitchen should go to the bedroom", ("cup",), ("bedroom",)),
        ("bring me the blue one", ("blue",), None),
        ("open the can", ("can",), None),
    ],
)
def test_a_request_names_a_thing_and_a_place(
    text: str, thing: tuple[str, ...], place: tuple[str, ...] | None
) -> None:
    request = asked(text)
    assert request.kind == "do"
    assert request.thing is not None
    assert request.thing.keys == thing
    assert (None if request.place is None else request.place.keys) == place


def test_a_place_is_narrowed_by_its_room() -> None:
    request = asked("put the plate on the table in the living room")
    assert request.place is not None
    assert set(request.place.keys) == {"coffee", "dining"}
    assert request.room is not None
    assert request.room.keys == ("living",)


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("put it in the cabinet", "put"),
        ("wash the cup", "clean"),
        ("the cup needs washing", "clean"),
        ("turn on the lamp", "power_on"),
        ("switch the lamp off please", "power_off"),
        ("fill the vase", "fill"),
        ("shut the fridge", "close"),
        ("come here", "go"),
        ("go to the bedroom", "go"),
        ("put that down", "put_down"),
        ("bring me the cup", "bring"),
    ],
)
def test_a_request_says_what_is_to_be_done(text: str, action: str) -> None:
    request = asked(text)
    assert (request.kind, request.action) == ("do", action)


@pytest.mark.parametrize("text", ["turn on the sink", "switch the sink on", "power on the sink"])
def test_what_is_switched_on_is_the_thing_and_no_place(text: str) -> None:
    request = asked(text)
    assert request.thing is not None
    assert request.thing.keys == ("sink",)
    assert request.place is None


@pytest.mark.parametrize(
    ("yes", "kind", "no", "other"),
    [
        ("stop", "stop", "don't stop", "go_on"),
        ("take the red book", "you_take", "don't take the red book", "i_take"),
        ("you take the cup", "you_take", "I'll take the cup", "i_take"),
        ("help me", "help", "how can I help?", "suggest"),
        ("where is the cup?", "where", "where does the cup go?", "belongs"),
        ("where is the cup?", "where", "where are you going?", "doing"),
        ("put the cup on the table", "do", "I put the cup on the table", "nod"),
    ],
)
def test_small_words_make_another_request(yes: str, kind: str, no: str, other: str) -> None:
    assert (asked(yes).kind, asked(no).kind) == (kind, other)


def test_of_several_clauses_the_one_that_asks_counts_and_stopping_comes_first() -> None:
    assert asked("Hi! Nice house. Where is the cup?").kind == "where"
    assert asked("Wait, where is the cup?").kind == "where"
    assert asked("Bring the cup. No, stop!").kind == "stop"


@pytest.mark.parametrize("text", ["", "   ", "???", "\u0001", "🙂", "a" * 500, "the " * 200])
def test_any_line_is_read(text: str) -> None:
    assert asked(text).kind == "unknown"


@pytest.mark.parametrize(
    "text",
    [
        "please move, you are in my way", "get out of the way", "out of my way!", "step aside",
        "could you step back a little?", "move over please", "you're blocking me",
        "you are blocking the door", "let me through", "can you let me pass", "make room please",
        "i can't get past you", "i cannot get out", "scoot over", "back up a bit",
        "stand aside, robot", "move!", "get away from the door", "excuse me", "clear the doorway",
        "i need to get through", "would you move to the side",
    ],
)  # fmt: skip
def test_who_is_in_the_way_is_asked_to_go_and_not_to_come(text: str) -> None:
    assert (asked(text).kind, asked(text).action) == ("do", "make_way")


@pytest.mark.parametrize(
    "text",
    [
        "come over here", "go back to the kitchen", "move the cup away from the sink",
        "put the plate over there", "move the plate to the side of the sink",
        "bring the red book back", "go to the bedroom",
    ],
)  # fmt: skip
def test_who_is_to_come_or_carry_is_not_sent_away(text: str) -> None:
    assert asked(text).action != "make_way"


@pytest.mark.parametrize(
    "text",
    [
        "whoa wait", "whoa", "woah there", "wait wait wait", "stoooop", "waaait!", "no no no stop",
        "wait no", "easy there", "hold on hold on", "hey hold up", "no wait stop", "not that one",
        "no not there!", "stop right there please", "careful!", "oh no wait", "freeze please",
        "whoa, hang on a second", "ok stop now",
    ],
)  # fmt: skip
def test_a_cry_stops_it_whatever_its_words(text: str) -> None:
    assert asked(text).kind == "stop"


@pytest.mark.parametrize(
    ("text", "things"),
    [
        ("which room is the cup in", ("cup",)),
        ("in which room is the red book?", ("red",)),
        ("what room can I find the plate in?", ("plate",)),
        ("which cabinet is the cup in?", ("cup",)),
    ],
)
def test_the_room_that_is_asked_for_is_not_what_is_sought(
    text: str, things: tuple[str, ...]
) -> None:
    request = asked(text)
    assert request.kind == "where"
    assert request.thing is not None
    assert request.thing.keys == things


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("are we done?", "remaining"), ("is everything done", "remaining"),
        ("did we finish?", "remaining"), ("so are we finished now", "remaining"),
        ("why didn't you open it?", "doing"), ("why did you put it there?", "doing"),
        ("why don't you open the cabinet", "do"), ("mind fetching the cup for me?", "do"),
        ("cup -> sink", "do"), ("so whats still to do?", "remaining"),
        ("how many things are left", "remaining"), ("did we forget something", "remaining"),
        ("ok done with the bedroom", "report"), ("i finished my part", "report"),
        ("the cup is done", "report"), ("is the cup done?", "unknown"),
        ("finish the bedroom", "you_take"), ("nope, wrong lamp", "stop"),
        ("that's not what i meant", "stop"), ("that's not funny", "unknown"),
        ("what do you think of this game", "unknown"),
    ],
)  # fmt: skip
def test_other_questions_and_wishes(text: str, kind: str) -> None:
    assert asked(text).kind == kind


def test_a_room_before_a_name_says_which_one() -> None:
    request = asked("could you turn the bedroom lamp on?")
    assert (request.action, request.thing and request.thing.keys) == ("power_on", ("lamp",))
    assert request.room is not None
    assert request.room.keys == ("bedroom",)


@pytest.mark.parametrize(
    ("text", "kind", "action"),
    [
        ("who takes the blue book?", "shares", None),
        ("I help. Who takes what?", "shares", None),
        ("Happy to help! Who takes what?", "shares", None),
        ("I'm happy to help", "suggest", None),
        ("I am here to help", "suggest", None),
        ("I need help", "help", "get"),
        ("which one of us gets the red book", "shares", None),
        ("who do you think will win", "unknown", None),
        ("wait there dont move", "stop", None),
        ("no no leave it, put that down", "do", "put_down"),
        ("how's your day going?", "hello", None),
        ("I've already put the blue book away", "report", None),
        ("somebody should really move the blue book", "do", "get"),
        ("red book please", "do", "bring"),
        ("hands off the red book", "i_take", "spare"),
        ("put teh red book were it belongs", "do", "get"),
        ("drop it", "do", "put_down"),
        ("put the gizmo on the coffee table", "unsure", None),
        ("move to the coffee table", "do", "go"),
        ("ok", "yes", None),
        ("thanks mate", "thanks", None),
    ],
)
def test_what_newcomers_said_and_were_not_understood(
    text: str, kind: str, action: str | None
) -> None:
    request = asked(text)
    assert (request.kind, request.action) == (kind, action)
