"""Chat, and what a selection offers."""

from __future__ import annotations

from playing import (
    HUMAN,
    ROBOT,
    ask,
    stand_for,
    started,
)

from server.sessions.core import SessionCore
from server.sessions.events import (
    Selection,
)
from server.sessions.intents import Act, Drive, Say, Select


def _kinds(core: SessionCore) -> tuple[str, str]:
    """A cup and a plate of task 2."""
    cup = next(h for h in core.world.objects if h.startswith("cup"))
    plate = next(h for h in core.world.objects if h.startswith("plate_"))
    return cup, plate


def test_chat_keeps_its_order_and_empty_lines_are_refused() -> None:
    core = started()
    core.submit(HUMAN, Say("  where is the cup? "))
    core.submit(ROBOT, Say("in the kitchen"))
    core.step()
    assert [(c.seat, c.text) for c in core.chat] == [
        (HUMAN, "where is the cup?"),
        (ROBOT, "in the kitchen"),
    ]
    assert ask(core, HUMAN, Say(" \n")) is not None


def _selections(events: tuple[object, ...]) -> list[Selection]:
    return [e for e in events if isinstance(e, Selection)]


def test_selection_is_kept_up_to_date() -> None:
    core = started()
    _, plate = _kinds(core)
    core.submit(HUMAN, Select(plate))
    (panel,) = _selections(core.step().events)
    assert (panel.to, panel.target) == (HUMAN, plate)
    pick = next(a for a in panel.actions if a.verb == "pick")
    assert (pick.possible, pick.reason) == (False, "Too far away: walk closer")
    stand_for(core, HUMAN, plate)
    core.submit(HUMAN, Drive(0.01, 0.0))
    told: list[Selection] = []
    for _ in range(8):
        told += _selections(core.step().events)
    assert len(told) == 1
    assert told[0].actions[0].possible
    stand_for(core, ROBOT, plate)
    core.submit(ROBOT, Act(1, "pick", plate))
    (panel,) = _selections(core.step().events)
    assert panel.actions[0].reason == "Your partner is holding the plate"
    core.submit(HUMAN, Select())
    (panel,) = _selections(core.step().events)
    assert (panel.target, panel.actions) == (None, ())


def test_selecting_nonsense_is_harmless() -> None:
    core = started()
    core.submit(HUMAN, Select("ghost", 99))
    (panel,) = _selections(core.step().events)
    assert panel.actions == ()
