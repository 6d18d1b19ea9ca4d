"""Tokens and clocks: one may be set back by as much as a token lives, and no more."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.web.tokens import (
    SEAT_TOKEN_AGE_S,
    SKEW_S,
    TICKET_TOKEN_AGE_S,
    SeatClaim,
    TicketClaim,
    TokenError,
    Tokens,
    WatchClaim,
)

KEY = "a key for tests, long enough for one"
NOW = 1_800_000_000.0


def tokens(at: float) -> Tokens:
    return Tokens(KEY, lambda: at)


def sign(maker: Tokens, kind: str) -> str:
    match kind:
        case "seat":
            return maker.sign_seat(SeatClaim("ses_1", "human_0", "par_1"))
        case "ticket":
            return maker.sign_ticket(TicketClaim("tic_1", "par_1"))
        case _:
            return maker.sign_watch(WatchClaim("ses_1", "f00d"))


def read(checker: Tokens, kind: str) -> Callable[[str], object]:
    return {
        "seat": checker.read_seat,
        "ticket": checker.read_ticket,
        "watch": checker.read_watch,
    }[kind]


AGES = {"seat": SEAT_TOKEN_AGE_S, "ticket": TICKET_TOKEN_AGE_S, "watch": SEAT_TOKEN_AGE_S}


@pytest.mark.parametrize("kind", AGES)
@pytest.mark.parametrize("ahead_s", [0, 1, 30, SKEW_S, SKEW_S + 1, 50 * 60, TICKET_TOKEN_AGE_S])
def test_a_clock_that_was_set_back_takes_no_seat(kind: str, ahead_s: int) -> None:
    token = sign(tokens(NOW + ahead_s), kind)
    assert read(tokens(NOW), kind)(token)


@pytest.mark.parametrize("kind", AGES)
def test_a_token_of_further_ahead_is_refused(kind: str) -> None:
    token = sign(tokens(NOW + AGES[kind] + SKEW_S + 1), kind)
    with pytest.raises(TokenError, match="dated in the future"):
        read(tokens(NOW), kind)(token)


@pytest.mark.parametrize("kind", AGES)
def test_an_age_bears_the_skew_and_no_more(kind: str) -> None:
    token, most = sign(tokens(NOW), kind), AGES[kind] + SKEW_S
    assert read(tokens(NOW + most), kind)(token)
    with pytest.raises(TokenError, match="has expired"):
        read(tokens(NOW + most + 1), kind)(token)


@given(st.floats(-1e6, 1e6))
def test_any_clock_is_within_the_rule_or_refused(apart_s: float) -> None:
    token = sign(tokens(NOW), "ticket")
    try:
        read(tokens(NOW + apart_s), "ticket")(token)
    except TokenError:
        assert abs(apart_s) > TICKET_TOKEN_AGE_S + SKEW_S
    else:
        assert abs(apart_s) <= TICKET_TOKEN_AGE_S + SKEW_S


@pytest.mark.parametrize("kind", AGES)
def test_a_token_has_one_spelling(kind: str) -> None:
    """Base64 has others that mean the same bytes: padding, unused bits, what decoders skip."""
    token = sign(tokens(NOW), kind)
    assert read(tokens(NOW), kind)(token)
    payload, dated, signature = token.split(".")
    others = [f"{token}{end}" for end in ("=", "==", "A", "é", "\ufffd", "\n", " ", "\0", ".")]
    others += [f"{token[:-1]}{chr(ord(token[-1]) + 1)}", f" {token}", f"é{token}", f".{token}"]
    others += [f"{payload}.{dated}.{signature[:5]}{skipped}{signature[5:]}" for skipped in "é !="]
    others += [f"{payload}=.{dated}.{signature}", f"{payload}.{dated}=.{signature}"]
    for other in others:
        with pytest.raises(TokenError, match="not valid"):
            read(tokens(NOW), kind)(other)


def test_S4_a_token_is_good_for_its_kind_and_key_alone() -> None:
    """Check what holds in place of a token for one use.

    A page keeps its token, because it comes back by itself after a lost connection; who has the
    seat is decided by the tab (`E3`), and a socket that has lost it moves nothing (`S5`).
    """
    seat = sign(tokens(NOW), "seat")
    with pytest.raises(TokenError, match="not valid"):
        tokens(NOW).read_ticket(seat)
    with pytest.raises(TokenError, match="not valid"):
        Tokens("another key for tests, as long as it", lambda: NOW).read_seat(seat)
    with pytest.raises(TokenError, match="not valid"):
        tokens(NOW).read_seat("")
