"""Views of ``helper`` in tests that answer for its model (`prepared_helper`)."""

from __future__ import annotations

import pytest

from server.robots.policy import PolicyView
from tests.server.robots.policies.prepared_helper import all_seen


@pytest.fixture
def seen() -> PolicyView:
    """Return a view with a cup on the bed and a bowl on the kitchen table."""
    return all_seen()


@pytest.fixture
def unseen(seen: PolicyView) -> PolicyView:
    """Return the view without the cup, which has not been found."""
    seen.graph.objects.pop("cup_x")
    return seen
