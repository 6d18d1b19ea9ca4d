"""Lines with the words of a request that do not make it: they are asked back, or not understood."""

from __future__ import annotations

import pytest

from server.robots.baselines.partner.understanding import understand
from tests.server.robots.baselines.test_partner_requests import THINGS

WHERE = "where is the red book"
TWISTED = (
    "i know where the red book is",
    f"ask me {WHERE}",
    f"nobody knows {WHERE}",
    f"i don't care {WHERE}",
    "where do you come from",
    "how many books are there usually",
    "what are you wearing",
    "set the table",
    "stop the music",
    "stop asking me where the red book is",
    "wait for me, then bring me the red book",
    "go on in five minutes",
    "carry on but not yet",
    "shut up",
    "instead of helping, bring me the red book",
    "you shouldn't help me",
    "i hate it when you take the red book",
    "take the red book in five minutes",
    "tell me when you see the red book",
    "good question",
    "great, now undo that",
)
"""Lines that patterns would take for a request that they are not."""


@pytest.mark.parametrize("line", TWISTED)
def test_what_only_looks_like_a_request_is_asked_back(line: str) -> None:
    assert understand(line, THINGS).kind in ("unknown", "unsure")


def test_what_may_be_a_stop_is_one_after_a_yes() -> None:
    request = understand("stop the music", THINGS)
    assert [guess.kind for guess in request.then] == ["stop"]


@pytest.mark.parametrize("line", ["take a break", "i lost track"])
def test_everyday_words_are_no_typing_errors_for_things_of_other_houses(line: str) -> None:
    assert understand(line, THINGS).thing is None
