"""Files of a server: nobody else on the machine may read what people do."""

from __future__ import annotations

import os

import pytest

from tests.server.faults.conftest import StartNearServer
from tests.server.faults.visitor import Visitor

pytestmark = pytest.mark.processes


async def test_what_people_do_is_for_the_servers_user_only(near_server: StartNearServer) -> None:
    before = os.umask(0o022)
    try:
        server = near_server()
    finally:
        os.umask(before)
    visitor = Visitor(server)
    await visitor.move_in()
    async with visitor.client() as client:
        await client.until_playing()
        recordings = server.data_dir / "recordings"
        private = [server.data_dir / "cohabit.db", recordings, *recordings.glob("*.jsonl")]
        assert len(private) == 3
        assert {path.name: path.stat().st_mode & 0o077 for path in private} == {
            path.name: 0 for path in private
        }
