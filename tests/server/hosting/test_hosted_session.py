"""The states of a session between its host and its worker."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from server.hosting.hosted_session import NEXT, HostedSession, HostingState
from server.sessions.spec import EpisodeSpec, SessionSpec

News = Callable[[HostedSession], bool]
OPENING, UP, DOWN = HostingState.OPENING, HostingState.UP, HostingState.DOWN
ENDED, FAILED = HostingState.ENDED, HostingState.FAILED
NEWS: dict[HostingState, News] = {
    UP: HostedSession.opened,
    DOWN: HostedSession.lost_worker,
    ENDED: HostedSession.ended,
    FAILED: HostedSession.failed,
}


def session_in(state: HostingState) -> HostedSession:
    hosted = HostedSession(
        SessionSpec.pair("ses_1", 1), EpisodeSpec("epi_1", "tasks/first.json.gz", "1")
    )
    if state is not OPENING:
        assert NEWS[state](hosted)
    assert hosted.state is state
    return hosted


@pytest.mark.parametrize(
    ("before", "after"),
    [
        # What follows on the news of: opened, lost worker, ended, failed.
        (OPENING, (UP, DOWN, ENDED, FAILED)),
        (UP, (UP, DOWN, ENDED, FAILED)),
        (DOWN, (UP, DOWN, ENDED, FAILED)),
        (ENDED, (ENDED, ENDED, ENDED, ENDED)),
        (FAILED, (FAILED, FAILED, FAILED, FAILED)),
    ],
)
def test_each_state_takes_each_news_so(
    before: HostingState, after: tuple[HostingState, ...]
) -> None:
    for news, state in zip(NEWS.values(), after, strict=True):
        hosted = session_in(before)
        assert news(hosted) == (state is not before)
        assert hosted.state is state


def test_every_state_has_a_row() -> None:
    assert set(NEXT) == set(HostingState)


def test_a_failure_is_not_forgotten_when_the_worker_closes_the_session() -> None:
    hosted = session_in(FAILED)
    assert not hosted.ended()
    assert hosted.has_failed
    assert not hosted.is_running
