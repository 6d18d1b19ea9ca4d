"""Lists of wordings by kind, act and slots: what is understood, and what is taken for another."""

from __future__ import annotations

import pytest

from server.robots.baselines.partner.understanding import understand
from tests.server.robots.baselines.request_scores import outcome, scores, wordings
from tests.server.robots.baselines.test_partner_requests import THINGS

LISTS = (
    "partner_acts",
    "partner_requests_120",
    "partner_requests_second",
    "partner_requests_third",
    "partner_requests_fourth",
    "partner_spare",
)


@pytest.mark.parametrize("name", LISTS)
def test_hardly_any_line_is_taken_for_another_act_or_thing(name: str) -> None:
    listed = wordings(name)
    found = scores(listed, THINGS)
    wrong = [w.text for w in listed if outcome(w, THINGS) == "misread"]
    assert len(wrong) <= 0.02 * len(listed), wrong
    assert found["understood"] >= 0.9 * len(listed)


def test_who_wants_one_thing_left_alone_stops_nothing_else() -> None:
    lines = [w for w in wordings("partner_spare") if w.kinds == {"i_take"}]
    assert len(lines) >= 50
    stopped = [w.text for w in lines if understand(w.text, THINGS).kind == "stop"]
    assert stopped == []


@pytest.mark.parametrize(
    "text", ["move the can off the table", "get off the lamp", "take it off", "put it on the lamp"]
)
def test_off_and_on_switch_nothing_without_a_verb_that_switches(text: str) -> None:
    assert understand(text, THINGS).action not in ("power_on", "power_off")


def test_what_nothing_here_is_called_is_no_typing_error() -> None:
    request = understand("put the spoon on the coffee table", THINGS)
    assert (request.kind, request.action) == ("do", "put")
    assert request.thing is not None
    assert (request.thing.words, request.thing.keys) == ("spoon", ())
