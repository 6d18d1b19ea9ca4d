"""Colours of drawings are those of the pages."""

from __future__ import annotations

import re
from pathlib import Path

from episodes.drawing import colours as c

STYLES = Path(__file__).parents[3] / "client/src/styles"


def test_each_seat_has_the_colour_that_pages_give_it() -> None:
    tokens = dict(re.findall(r"--([\w-]+): (#\w+);", (STYLES / "tokens.css").read_text()))
    found = re.findall(
        r'data-look="(\w+-\d)"\] \{\s*--look: (?:var\(--(\w+)\)|(#\w+));',
        (STYLES / "looks.css").read_text(),
    )
    assert {look: colour or tokens[name] for look, name, colour in found} == c.LOOKS


def test_a_tint_is_light_and_those_of_a_pair_are_the_pages_own() -> None:
    assert c.soft(c.HUMAN) == c.HUMAN_SOFT
    assert c.soft("#000000") == "#d9d9d9"
    assert c.soft("#1c5d9f") == "#dde7f1"
