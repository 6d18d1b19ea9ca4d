"""Device that people are told to need: the one that the study's check lets pass."""

from __future__ import annotations

from typing import Any

import pytest

from matchmaking.study.pages import Device
from server.web.participants.device_needs import need_at
from server.web.participants.views.device import Measured, shortcomings
from tests.server.web.conftest import MakeSite
from tests.server.web.participants.visitors import Visitor, short_study

PHONE = Measured(360, 640, 60, [20.0] * 5, ["touch"])
TABLET = Measured(1024, 768, 60, [20.0] * 5, ["touch"])
COMPUTER = Measured(1280, 720, 60, [20.0] * 5, ["keyboard", "mouse"])
CHECKS: tuple[tuple[dict[str, Any], str], ...] = (
    ({}, "any"),
    ({"least_width": 300, "least_height": 400}, "any"),
    ({"least_width": 1000, "least_height": 600}, "large"),
    ({"inputs": ("keyboard", "mouse")}, "computer"),
    ({"inputs": ("mouse",), "least_width": 1000}, "computer"),
    ({"inputs": ("touch",)}, "touch"),
    ({"inputs": ("touch",), "least_width": 1000}, "tablet"),
)
PASSES = {
    "any": (PHONE, TABLET, COMPUTER),
    "large": (TABLET, COMPUTER),
    "computer": (COMPUTER,),
    "touch": (PHONE, TABLET),
    "tablet": (TABLET,),
}


@pytest.mark.parametrize(("check", "need"), CHECKS)
def test_what_people_are_told_to_need_is_what_the_check_lets_pass(
    check: dict[str, Any], need: str
) -> None:
    page = Device(**check)
    assert need_at(page) == need
    passing = tuple(d for d in (PHONE, TABLET, COMPUTER) if not shortcomings(page, d))
    assert passing == PASSES[need]


async def test_the_first_page_says_which_device_the_study_needs(make_site: MakeSite) -> None:
    pages = short_study().pages
    studies = (
        short_study(name="phones"),
        short_study(name="computers", pages=(Device(inputs=("keyboard", "mouse")), *pages)),
    )
    async with make_site(*studies).running() as site:
        ann = Visitor(site)
        await ann.open("/s/phones")
        assert "a computer, a tablet or a phone" in ann.page.text
        await ann.open("/s/computers")
        assert "a computer with a keyboard and a mouse." in ann.page.text
        await ann.begin("/s/computers")
        touch = {"width": "800", "height": "600", "fps": "60", "rtt_ms": "9,9,9,9,9"}
        await ann.send({**touch, "inputs": "touch"})
        assert "open the link that you were given once more on a computer" in ann.page.text
