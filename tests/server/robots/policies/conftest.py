"""What ``helper`` is shown in tests that answer for its model (`asked_helper`)."""

from __future__ import annotations

import pytest

from server.robots.policy import PolicyView
from tests.server.robots.policies.asked_helper import all_seen


@pytest.fixture
def seen() -> PolicyView:
    """A cup on the bed, a bowl on the kitchen table."""
    return all_seen()


@pytest.fixture
def unseen(seen: PolicyView) -> PolicyView:
    """The cup has not been found."""
    seen.graph.objects.pop("cup_x")
    return seen
