"""File descriptors: connections get what workers, database and log leave."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from server.settings import FEWEST_CONNECTIONS
from server.web.descriptors import (
    KEPT,
    KEPT_FOR_WORKER,
    OF_CONNECTION,
    most_connections,
    raise_limit,
)


@given(st.integers(1, 10_000), st.integers(64, 70_000), st.integers(1, 64))
def test_connections_get_what_others_leave(wanted: int, descriptors: int, workers: int) -> None:
    found = most_connections(wanted, descriptors, workers)
    assert FEWEST_CONNECTIONS <= found <= max(wanted, FEWEST_CONNECTIONS)
    if found > FEWEST_CONNECTIONS:
        assert OF_CONNECTION * found + KEPT + KEPT_FOR_WORKER * workers <= descriptors


def test_the_limit_is_raised_once() -> None:
    assert raise_limit() == raise_limit() >= 64
