"""A database that breaks under a running site: 503 on every page, 4010 on the lobby's socket."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from server.store.identifiers import new_id
from server.web.tokens import TicketClaim
from server.wire.close_codes import CloseCode
from tests.live_server import free_port
from tests.server.store.broken_databases import BREAKAGES, Breakage, database_folder
from tests.server.web.doubles import make_settings
from tests.server.web.test_lobby_socket import Served, hello

pytestmark = pytest.mark.processes

UNDER_A_SERVER = [b for b in BREAKAGES if b.name not in {"read_only", "a_folder"}]
"""Breakages that are possible while a server has the file open."""


@pytest.mark.parametrize("breakage", UNDER_A_SERVER, ids=lambda breakage: breakage.name)
async def test_pages_and_sockets_of_a_site_with_a_broken_database(
    breakage: Breakage, tmp_path: Path
) -> None:
    with database_folder(tmp_path / "db", breakage) as folder, ExitStack() as stack:
        url = f"sqlite:///{folder / 'cohabit.db'}"
        site = Served(make_settings(tmp_path, port=free_port(), database_url=url))
        await asyncio.to_thread(site.start)
        stack.callback(site.stop)
        browser = site.someone()
        await site.waits(browser)
        shown = await browser.get("/")
        assert shown.status_code == 200
        breakage.breaks(folder / "cohabit.db", stack)
        newcomer = site.someone()
        # Longer than SQLite waits for a lock.
        newcomer.client.timeout = 30
        # The first page of somebody unknown asks nothing; the form writes.
        pressed = await newcomer.press("/", "/play/solo")
        assert pressed.status_code == 503
        assert "A game that is going on goes on" in pressed.text
        # A full disk may be that of the recordings, too.
        assert "nothing is lost" not in pressed.text
        if breakage.on_write:
            return
        pages = (
            "/",
            f"/lobby/{new_id('tic')}",
            f"/play/{new_id('ses')}",
            f"/report/{new_id('epi')}",
            "/invite/bold-otter-12",
            "/readyz",
        )
        answers = {page: (await browser.get(page)).status_code for page in pages}
        assert {page: code for page, code in answers.items() if code != 503} == {}
        token = site.state.tokens.sign_ticket(TicketClaim(new_id("tic"), new_id("par")))
        async with site.socket() as socket:
            await hello(socket, {"token": token})
            with pytest.raises(ConnectionClosed) as closed:
                await socket.recv()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == CloseCode.TRY_AGAIN
