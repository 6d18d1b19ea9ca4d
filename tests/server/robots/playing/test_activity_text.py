"""Words for what a body is doing: labels of what there is, and little of what somebody made up."""

from __future__ import annotations

import pytest

from server.robots.playing.activity_text import LONGEST_NAME, in_words
from server.robots.playing.knowledge import Knowledge
from server.skills import Call
from tests.server.sessions.first_house_sessions import ROBOT, core_of, task


@pytest.mark.parametrize(
    ("made_up", "told"),
    [
        ("x" * 500, "x" * (LONGEST_NAME - 1) + "…"),
        ("\u202e\x00cup", "\\u202e\\u0000cup"),
        ("two\nlines", "two lines"),
        ("no_such_cup_1", "no_such_cup_1"),
    ],
)
def test_a_name_that_nothing_has_is_told_short_and_visibly(made_up: str, told: str) -> None:
    core = core_of(task(2))
    graph = Knowledge(core, ROBOT).graph
    words = in_words(Call.of("Pick", made_up), core.names, graph)
    assert words == f"picking up the {told}"


def test_what_there_is_is_told_by_its_label() -> None:
    core = core_of(task(2))
    graph = Knowledge(core, ROBOT).graph
    room = graph.scene.rooms[0].room_id
    name = graph.names.graph[room]
    words = in_words(Call.of("Navigate", name), core.names, graph)
    assert words == f"walking to the {core.names.labels[room]}"
