"""The inputs of a page, turned into intents."""

from __future__ import annotations

from typing import Any, cast

from server.sessions.intents import Act, Place
from server.wire.messages import ActInput, PlaceInput, RefusedEvent
from server.worker.view.client_inputs import intents_of
from server.worker.view.public_view import PublicView


class _OneCup:
    """A view in which entity 3 is a cup and nothing else is there."""

    def handle(self, number: int) -> str | None:
        return "cup_1_:0000" if number == 3 else None


VIEW = cast(PublicView, cast(Any, _OneCup()))


def test_actions_keep_the_clock_of_the_page() -> None:
    assert intents_of(ActInput(1234, 7, "pick", 3), VIEW) == (
        Act(7, "pick", "cup_1_:0000", None, client_ms=1234),
    )
    assert intents_of(PlaceInput(99, 8, (1000, 500, -2000), 1571, -1), VIEW) == (
        Place(8, (1.0, 0.5, -2.0), 1.571, None, client_ms=99),
    )


def test_nothing_from_a_page_counts_as_a_skill() -> None:
    (act,) = cast(Any, intents_of(ActInput(0, 1, "open", 3), VIEW))
    assert act.by_skill is False


def test_what_is_not_in_view_is_refused() -> None:
    refused = intents_of(ActInput(0, 5, "pick", 4), VIEW)
    assert isinstance(refused, RefusedEvent)
    assert refused.intent_id == 5
