"""Lines of chat as long as they may be, whose words fit the partner's forms in many ways."""

from __future__ import annotations

import pytest

from server.robots.baselines.partner.understanding import understand
from server.sessions.chat import LONGEST_LINE


@pytest.mark.parametrize(
    ("lead", "words"),
    [
        ("I take it", "over in here"),
        ("I carry it", "one those"),
        ("I am", "in"),
        ("let me", "on for"),
        ("no", "thank you"),
        ("not", "have to"),
        ("stop", "there now"),
        ("stop", "doing it"),
        ("no I can", "really just"),
        ("I not want it", "over in here"),
        ("no thank you I rather not have it", "one those"),
    ],
)
def test_a_long_line_that_fits_nowhere_is_read_at_once(lead: str, words: str) -> None:
    # Loops that take the same words in two ways would not end on any of these.
    end = " zzz"
    times = (LONGEST_LINE - len(lead) - len(end)) // (len(words) + 1)
    line = lead + f" {words}" * times + end
    assert LONGEST_LINE - 20 < len(line) <= LONGEST_LINE
    assert understand(line).kind in ("unknown", "unsure", "stop", "no")
