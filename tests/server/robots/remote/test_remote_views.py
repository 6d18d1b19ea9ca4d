"""Views as remote policies are shown them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from server.robots.policy import Heard, PastCall, Pause
from server.robots.remote.views import MOST_PAST, plain
from server.skills import Unparsed
from tests.server.robots.prepared_policy import PreparedPolicy, play
from tests.server.sessions.first_house_sessions import HUMAN


def test_a_view_has_the_latest_of_what_was_done_and_said(loop: Any) -> None:
    policy = PreparedPolicy([Pause(1)])
    play(loop, policy)
    past = [PastCall(Unparsed(f"call {n}", "no"), "no", n, n) for n in range(200)]
    lines = [Heard(n, HUMAN, f"line {n}") for n in range(200)]
    shown = plain(replace(policy.views[0], history=tuple(past), chat=tuple(lines)))
    assert [call["began"] for call in shown["history"]] == list(range(200 - MOST_PAST, 200))
    assert [line["tick"] for line in shown["chat"]] == list(range(200 - MOST_PAST, 200))
