"""Playing with a robot, from the start page to what is opened."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable

import pytest

from server.web.participants.texts import texts_in
from tests.model_double import ModelDouble, named
from tests.patience import PATIENCE_S
from tests.server.web.conftest import RunningSite

MakeSite = Callable[..., RunningSite]


def seats_of(site: RunningSite) -> dict[str, tuple[bool, str]]:
    """Return the seats of the session that was opened last: occupied, and by which policy."""
    spec, _, _ = site.host.opened[-1]
    return {s.seat.seat_id: (s.occupied, s.policy) for s in spec.seats}


async def test_without_a_model_server_there_is_the_expert_and_it_is_named_as_what_it_is(
    site: RunningSite,
) -> None:
    browser = site.browser()
    page = (await browser.get("/")).text
    # The partner comes first, and the yardstick stays.
    offered = re.findall(r'name="robot" value="([^"]+)"', page)
    assert offered == ["expert:partner", "expert"]
    for words in ("Scripted partner", "Scripted expert", "knows the goal", "No language model"):
        assert words in page
    answer = await browser.press("/", "/play/robot", robot="expert")
    assert answer.headers["location"].startswith("/play/ses_")
    assert seats_of(site) == {"human_0": (True, ""), "robot_0": (True, "expert")}


async def test_a_robot_with_a_model_is_there_while_the_model_is(make_site: MakeSite) -> None:
    with ModelDouble() as double:
        async with make_site(model_url=double.url, robot="react").running() as site:
            await site.state.robots.model_watch.look()
            assert "Decides each move with a language model" in (await site.browser().get("/")).text
            await site.browser().press("/", "/play/robot", robot="react")
            assert seats_of(site)["robot_0"] == (True, "react")
            # Who chooses none gets that of the settings.
            await site.browser().press("/", "/play/robot")
            assert seats_of(site)["robot_0"] == (True, "react")

            double.behave = named("500")
            await site.state.robots.model_watch.look()
            browser = site.browser()
            assert 'value="react"' not in (await browser.get("/")).text
            answer = await browser.press("/", "/play/robot", robot="react")
            assert answer.status_code == 503
            assert "Choose another robot" in answer.text
            assert len(site.host.opened) == 2


@pytest.mark.parametrize(
    "name", ["scripted", "ghost:recording=/etc/hostname", "/tmp/mine.py", "react:think_s=9", "no"]
)
async def test_only_what_is_offered_can_be_asked_for(site: RunningSite, name: str) -> None:
    answer = await site.browser().press("/", "/play/robot", robot=name)
    assert answer.status_code == 404
    assert "There is no such robot" in answer.text
    assert site.host.opened == []


async def test_pages_do_not_tell_the_options_of_a_robot(make_site: MakeSite) -> None:
    name = "react:generation.model=/srv/private/model"
    with ModelDouble() as double:
        async with make_site(model_url=double.url, robots=f"expert {name}").running() as site:
            await site.state.robots.model_watch.look()
            browser = site.browser()
            page = (await browser.get("/")).text
            assert "private" not in page
            chosen = next(
                value
                for value in re.findall(r'name="robot" value="([^"]+)"', page)
                if value != "expert"
            )
            await browser.press("/", "/play/robot", robot=chosen)
            assert seats_of(site)["robot_0"] == (True, name)


async def test_a_form_without_its_token_opens_nothing(site: RunningSite) -> None:
    browser = site.browser()
    await browser.get("/")
    assert (await browser.client.post("/play/robot", data={"robot": "expert"})).status_code == 403
    assert site.host.opened == []


async def test_a_robot_comes_by_itself_to_who_has_waited_and_was_told_so(
    make_site: MakeSite,
) -> None:
    async with make_site(robot_after_s=0.2).running() as site:
        answer = await site.browser().press("/", "/play/person")
        ticket = answer.headers["location"].removeprefix("/lobby/")
        status, outcome = (
            site.state.lobby.status(ticket, texts_in("en")),
            site.state.lobby.outcome(ticket),
        )
        assert status is not None
        assert outcome is not None
        assert "a program plays the robot" in status.text
        assert await site.state.lobby.connect(ticket, "tab")
        await asyncio.wait_for(asyncio.shield(outcome), PATIENCE_S)
        assert seats_of(site) == {"human_0": (True, ""), "robot_0": (True, "expert:partner")}


@pytest.mark.parametrize("tells", [True, False])
async def test_what_robots_do_is_told_if_the_settings_say_so(
    make_site: MakeSite, tells: bool
) -> None:
    async with make_site(tells_doing=tells).running() as site:
        await site.browser().press("/", "/play/robot", robot="expert")
        spec, _, _ = site.host.opened[-1]
        assert spec.tells_doing == tells
