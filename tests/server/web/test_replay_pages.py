"""Replay pages: who may watch what, and that the film comes to the browser."""

from __future__ import annotations

import zlib

import httpx
import msgspec

from server.wire.codecs import CODECS
from server.wire.film_messages import FilmIndex
from server.wire.messages import Snapshot
from tests.server.recording.short_recordings import record
from tests.server.sessions.first_house_sessions import write_first_house
from tests.server.web.conftest import MakeSite, RunningSite
from tests.server.web.doubles import Browser, boot_of, proposition, verdict
from tests.server.web.test_pages import alone

PASSWORD = "open sesame, please"
UNKNOWN = ("epi_00000000000000000000000000", "ses_1", "..%2F..%2Fetc%2Fpasswd")


async def test_who_played_and_operators_may_watch_and_nobody_else(make_site: MakeSite) -> None:
    async with make_site(metrics_token=PASSWORD).running() as site:
        player, stranger = site.browser(), site.browser()
        session = await alone(site, player)
        episode = site.host.opened[0][1].episode_id
        assert (await player.get(f"/replay/{episode}")).status_code == 404
        await site.host.finish(session, verdict(proposition(0)))
        page = await player.get(f"/replay/{episode}")
        assert page.status_code == 200
        boot = boot_of(page.text)
        assert (boot["seat"], boot["homePath"]) == ("human_0", f"/report/{episode}")
        for path in ("", "/film", "/film/0"):
            assert (await stranger.get(f"/replay/{episode}{path}")).status_code == 403
        for unknown in UNKNOWN:
            assert (await player.get(f"/replay/{unknown}")).status_code == 404
        for path in ("", "/film", "/film/0"):
            assert (await player.get(f"/operator/replay/{episode}{path}")).status_code == 403
        stranger.client.headers["authorization"] = f"Bearer {PASSWORD}"
        boot = boot_of((await stranger.get(f"/operator/replay/{episode}")).text)
        assert (boot["seat"], boot["homePath"]) == ("", "/operator")
        assert boot["filmPath"] == f"/operator/replay/{episode}/film"
        listed = (await stranger.get("/operator")).text
        assert f'href="/operator/replay/{episode}"' in listed
        assert "100" not in listed.partition("Ended lately")[2], "outcomes are not told here"


async def test_who_watches_keeps_the_home_for_the_next_task(site: RunningSite) -> None:
    player = site.browser()
    session = await alone(site, player)
    episode = await site.host.finish(session, verdict(proposition(0)))
    kept = f'data-still-here="/sessions/{session}/here"'
    page = (await player.get(f"/replay/{episode}")).text
    assert kept in page
    # A home that is closed meanwhile takes nothing from the picture.
    assert "<template data-when-closed></template>" in page


async def test_without_a_recording_there_is_no_film(site: RunningSite) -> None:
    player = site.browser()
    episode = await site.host.finish(await alone(site, player), verdict(proposition(0)))
    assert (await player.get(f"/replay/{episode}/film")).status_code == 404
    assert (await player.get(f"/replay/{episode}/film/0")).status_code == 404


async def film_of(browser: Browser, episode: str) -> httpx.Response:
    """Ask for a film until the server has made it, for which each request waits."""
    for _ in range(5):
        answer = await browser.get(f"/replay/{episode}/film")
        if answer.status_code != 202:
            break
    return answer


async def test_a_browser_is_sent_the_film_in_reels(site: RunningSite) -> None:
    write_first_house(site.settings.data_dir)
    player = site.browser()
    session = await alone(site, player)
    episode = site.host.opened[0][1].episode_id
    site.settings.recordings_dir.mkdir(parents=True, exist_ok=True)
    record(site.settings.recordings_dir / f"{session}.jsonl", 3, episode_id=episode)
    await site.host.finish(session, verdict(proposition(0)))

    index = msgspec.json.decode((await film_of(player, episode)).content, type=FilmIndex)
    assert index.episode_id == episode
    assert len(index.reels) > 1
    for number in range(len(index.reels)):
        reel = await player.get(f"/replay/{episode}/film/{number}")
        raw = msgspec.msgpack.decode(zlib.decompress(reel.content), type=list[msgspec.Raw])
        first = CODECS["msgpack"].decode_server(bytes(raw[0]))
        assert isinstance(first, Snapshot)
        assert first.tick == index.reels[number].first
    for wrong in (str(len(index.reels)), "-1", "x"):
        assert (await player.get(f"/replay/{episode}/film/{wrong}")).status_code in (400, 404)
