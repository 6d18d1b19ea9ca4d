"""Signs of scripts and inattention: what gives one, and what people do that gives none."""

from __future__ import annotations

from random import Random

import pytest

from matchmaking.visit_signs import LONG_S, PageUse, SignKind, signs_of

PERSON = Random(7)
TYPED = [max(30.0, PERSON.gauss(180, 70)) for _ in range(30)]


@pytest.mark.parametrize(
    ("use", "kinds"),
    [
        (PageUse(words=120, spent_s=45, gaps_ms=TYPED), []),
        (PageUse(words=120, spent_s=9.9), [SignKind.TOO_FAST]),
        (PageUse(words=120, spent_s=10.1), []),
        (PageUse(words=12, spent_s=0.2), []),
        (PageUse(words=0, spent_s=LONG_S + 1), [SignKind.LONG_PAUSE]),
        (PageUse(words=0, spent_s=20, is_automated=True), [SignKind.AUTOMATED]),
        (PageUse(words=0, spent_s=20, gaps_ms=[100.0, 101.0] * 6), [SignKind.REGULAR_INPUT]),
        (PageUse(words=0, spent_s=20, gaps_ms=[100.0] * 10), []),
        (PageUse(words=0, spent_s=20, gaps_ms=[0.0] * 20), []),
    ],
)
def test_a_page_gives_the_signs_that_no_person_gives(use: PageUse, kinds: list[SignKind]) -> None:
    assert [sign.kind for sign in signs_of(use)] == kinds
