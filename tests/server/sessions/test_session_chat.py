"""Chat, and what a selection offers."""

from __future__ import annotations

import pytest

from server.sessions.chat import MOST_LINES, WITHIN_TICKS
from server.sessions.core import SessionCore
from server.sessions.events import Said, Selection
from server.sessions.intents import Act, Drive, Say, Select
from server.sessions.spec import ChatRules
from tests.server.sessions.first_house_sessions import (
    HUMAN,
    ROBOT,
    ask,
    stand_for,
    started,
)


def _kinds(core: SessionCore) -> tuple[str, str]:
    """Return a cup and a plate of task 2."""
    cup = next(h for h in core.world.objects if h.startswith("cup"))
    plate = next(h for h in core.world.objects if h.startswith("plate_"))
    return cup, plate


def test_chat_keeps_its_order_and_empty_lines_are_refused() -> None:
    core = started()
    core.submit(HUMAN, Say("  where is the cup? "))
    core.submit(ROBOT, Say("in the kitchen"))
    core.step()
    assert [(c.seat, c.text) for c in core.chat] == [
        (HUMAN, "where is the cup?"),
        (ROBOT, "in the kitchen"),
    ]
    assert ask(core, HUMAN, Say(" \n")) is not None


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("one\ntwo\r\n\tthree\x00\x1b[31m", "one two three [31m"),
        ("next\u2028line\u2029and\x85more", "next line and more"),
        ("\u202ebackwards\u202c and \u2066so\u2069 on", "backwards and so on"),
        ("in\u200bvisible\ufeff\U000e0041\U000e0042", "invisible"),
        ("שלום\u200f! नमस्\u200dते 👩\u200d🍳", "שלום\u200f! नमस्\u200dते 👩\u200d🍳"),
        ("Z" + "\u0301" * 300 + "a\u0323\u0302", "Z" + "\u0301" * 4 + "a\u0323\u0302"),
        ("not\ufffea\uffff\U0001fffechar\ufdd0acter", "notacharacter"),
        ("x" * 501, "x" * 499 + "…"),
    ],
)
def test_X5_a_line_is_one_line_that_hides_nothing(written: str, told: str) -> None:
    core = started()
    assert ask(core, HUMAN, Say(written)) is None
    assert core.chat[-1].text == told
    assert ask(core, ROBOT, Say(told)) is None
    assert core.chat[-1].text == told, "what was told once is told again as it is"


def test_what_cannot_be_seen_says_nothing() -> None:
    core = started()
    assert ask(core, HUMAN, Say("\u200b\u202e\x07 \u2029")) is not None
    assert ask(core, HUMAN, Say("\u200e \u200d")) is not None, "marks of no word"


def test_X5_a_seat_talks_only_so_much_and_costs_the_other_nothing() -> None:
    """Policies are held to it too: they come past no socket."""
    core = started()
    for number in range(MOST_LINES):
        assert ask(core, ROBOT, Say(f"line {number}")) is None
    refused = ask(core, ROBOT, Say("and another"))
    assert refused is not None
    assert "wait" in refused.reason
    assert ask(core, HUMAN, Say("Stop!")) is None
    while core.tick < WITHIN_TICKS + 2:
        core.step()
    assert ask(core, ROBOT, Say("as I was saying")) is None
    assert len(core.chat) == MOST_LINES + 2


def _selections(events: tuple[object, ...]) -> list[Selection]:
    return [e for e in events if isinstance(e, Selection)]


def test_selection_is_kept_up_to_date() -> None:
    core = started()
    _, plate = _kinds(core)
    core.submit(HUMAN, Select(plate))
    (panel,) = _selections(core.step().events)
    assert (panel.to, panel.target) == (HUMAN, plate)
    pick = next(a for a in panel.actions if a.verb == "pick")
    assert (pick.possible, pick.reason) == (False, "Too far away: walk closer")
    stand_for(core, HUMAN, plate)
    core.submit(HUMAN, Drive(0.01, 0.0))
    told: list[Selection] = []
    for _ in range(8):
        told += _selections(core.step().events)
    assert len(told) == 1
    assert told[0].actions[0].possible
    stand_for(core, ROBOT, plate)
    core.submit(ROBOT, Act(1, "pick", plate))
    (panel,) = _selections(core.step().events)
    assert panel.actions[0].reason == "Your partner is holding the plate"
    core.submit(HUMAN, Select())
    (panel,) = _selections(core.step().events)
    assert (panel.target, panel.actions) == (None, ())


def test_selecting_nonsense_is_harmless() -> None:
    core = started()
    core.submit(HUMAN, Select("ghost", 99))
    (panel,) = _selections(core.step().events)
    assert panel.actions == ()


def _with_chat(rules: ChatRules) -> SessionCore:
    return started(chat=rules)


def test_where_a_study_has_no_chat_nothing_is_said_and_no_page_offers_it() -> None:
    core = _with_chat(ChatRules(is_on=False))
    refusal = ask(core, HUMAN, Say("hello"))
    assert refusal is not None
    assert refusal.reason == "There is no chat in this session"
    assert not core.chat
    assert "chat" not in core.profile.features


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("Damn, the cup!", "****, the cup!"),
        ("you DAMN  pest of a cup", "you **** **** ** * cup"),
        ("the dam, damned", "the dam, damned"),
        ("schei\u00dfe (damn)", "******* (****)"),
    ],
)
def test_X5_people_are_shown_stars_of_words_that_a_study_hides(written: str, told: str) -> None:
    core = _with_chat(ChatRules(hidden_words=("damn", "pest of a", "SCHEI\u00dfE", "pest")))
    core.submit(HUMAN, Say(written))
    tick = core.step()
    assert core.chat[-1].text == told
    assert [event.text for event in tick.events if isinstance(event, Said)] == [told]
    # The recording has what was written.
    assert [heard.intent for heard in tick.intents if heard.seat == HUMAN] == [Say(written)]
