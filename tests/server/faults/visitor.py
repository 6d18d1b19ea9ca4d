"""A visitor who comes to a whole server through its pages and plays alone by program."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from pathlib import Path

import httpx

from episodes.world import WorldState
from server.recording.archive import read_log
from server.recording.log_checksums import verify
from server.recording.replay import episodes_in, fold_all
from tests.live_server import LiveServer
from tests.load.protocol_client import ProtocolClient
from tests.patience import PATIENCE_S
from tests.server.web.doubles import Browser, boot_of


class Visitor:
    """``await visitor.move_in()``, then `client` as often as the connection was lost."""

    def __init__(self, server: LiveServer) -> None:
        self._server = server
        self.browser = Browser(
            httpx.AsyncClient(base_url=server.url, trust_env=False, timeout=PATIENCE_S), server.url
        )
        self.session_id = self.token = self.home = ""

    async def move_in(self) -> None:
        self.home = (await self.browser.press("/", "/play/solo")).headers["location"]
        await self.come_back()

    async def come_back(self) -> None:
        """Load the page of the session again, which has a fresh token."""
        boot = boot_of((await self.browser.get(self.home)).text)
        self.session_id, self.token = boot["sessionId"], boot["token"]

    def client(self) -> ProtocolClient:
        """Return a client with the token of the first page, as a page has that connects again."""
        address = self._server.url.replace("http", "ws") + "/ws/play"
        return ProtocolClient(address, self._server.url, self.token)


async def eventually(condition: Callable[[], object], timeout_s: float = PATIENCE_S) -> None:
    """Wait until something is so that nobody tells us of. Raises TimeoutError."""
    async with asyncio.timeout(timeout_s):
        while not condition():  # noqa: ASYNC110 — other processes have no events for us
            await asyncio.sleep(0.05)


def replayed(log: Path) -> WorldState:
    """Return the world in which the last episode of a log ended, made again from the log alone."""
    header, lines = episodes_in(verify(read_log(log)).data)[-1]
    return fold_all(header, lines).state.world


def recorded_digest(data_dir: Path, session_id: str) -> str:
    """Return the digest of the world in which a session's last episode ended.

    It comes from the (SQLite) database.
    """
    with sqlite3.connect(data_dir / "cohabit.db") as db:
        found = db.execute(
            "SELECT state_digest FROM episodes WHERE session_id = ? ORDER BY order_index DESC",
            (session_id,),
        ).fetchone()
    return str(found[0])
