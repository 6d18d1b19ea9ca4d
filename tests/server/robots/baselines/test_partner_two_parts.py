"""Lines in two parts, of which one is a claim, as a scripted partner understands them."""

from __future__ import annotations

import pytest

from server.robots.baselines.partner.request import Request
from server.robots.baselines.scripted_player import Rest
from tests.server.robots.baselines.test_partner_player import SECOND, played, talk
from tests.server.robots.baselines.test_partner_requests import asked


def parts(request: Request) -> list[tuple[str, str]]:
    """Return the kind and the thing of a request and of what follows it."""
    whole = [request, *request.then]
    if request.leaves is not None:
        whole.insert(0, Request("i_take", thing=request.leaves))
    return [(r.kind, "" if r.thing is None else ",".join(r.thing.keys)) for r in whole]


BLUE = ("i_take", "blue")
GIVES = [
    "I will take the blue book. Please bring the red book.",
    "I'll take the blue book and you bring the red one.",
    "I do the blue one, you do the red one",
    "You do the red one, I do the blue one.",
    "i take the blue book, can you bring the red book?",
    "I've got the blue book, you get the red one please",
    "Please bring the red book. I will take the blue one.",
    "I am taking the blue book; please fetch the red one",
    "hi! I'll get the blue book. Could you carry the red book?",
    "I'll do the blue book - you take the red one",
    "The blue book is mine. Please take the red book.",
    "let me take the blue book and you take the red one",
    "I will carry the blue book, so please carry the red one",
    "Let me do the blue book, you do the red book.",
    "You get the red book and I will get the blue book",
    "I'm getting the blue book. Can you get the red one please? Thanks!",
]


@pytest.mark.parametrize("text", GIVES)
def test_a_claim_and_a_request_are_both_understood(text: str) -> None:
    claim, (kind, thing) = parts(asked(text))
    assert claim == BLUE
    assert (kind, thing) in (("do", "red"), ("you_take", "red"))


ASKS = {
    "I take the blue book. Where is the red book?": ("where", "red"),
    "I'll do the blue one, where is the red one?": ("where", "red"),
    "Where is the red book? I take the blue book.": ("where", "red"),
    "I will bring the blue book. What are you doing?": ("doing", ""),
    "What are you doing? I'll take the blue book.": ("doing", ""),
    "I'm taking the blue book, what will you do?": ("doing", ""),
}


@pytest.mark.parametrize("text", ASKS)
def test_a_claim_and_a_question_are_both_understood(text: str) -> None:
    assert parts(asked(text)) == [BLUE, ASKS[text]]


@pytest.mark.parametrize(
    "text",
    [
        "I'll take the blue book if you bring the red one",
        "I can't carry the blue book. Please bring the red book.",
        "I will not take the blue book, you bring the red one.",
        "Did I take the blue book? Bring the red one.",
        "I took the blue book. Please bring the red book.",
        "I'll take the cup and you can put it in the sink.",
        "Should I take the blue book, and you the red one?",
    ],
)
def test_what_claims_nothing_is_no_claim(text: str) -> None:
    request = asked(text)
    assert not (request.kind == "i_take" and request.then), request


@pytest.mark.parametrize(
    "line",
    [
        "I will take the blue book. Please take the red book.",
        "You do the red one, I do the blue one.",
        "I'll get the blue book, can you bring the red book to the living room table?",
    ],
)
def test_both_parts_are_answered_and_kept(line: str) -> None:
    game = played(1, [*talk(line, every_s=1), Rest(50 * SECOND)], 50)
    assert any("All right, the blue book is yours" in said for said in game.said), game.said
    assert any("the red book" in said for said in game.said[1:]), game.said
    held = {label for _, seat, verb, label in game.did if seat == "robot_0" and verb == "pick"}
    assert held == {"red book"}
