"""Server of the command `serve`: what is done once it listens."""

from __future__ import annotations

import gc
import socket
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from server.owner_lock import Ownership
from server.research.studies.opening import Running
from server.serve import _server
from server.settings import Settings
from server.web.guarded_server import GuardedServer


async def test_what_a_start_has_made_is_collected_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = _server(
        Settings(data_dir=tmp_path, _env_file=None),
        cast(Ownership, None),
        operator_link=False,
        opened=Running((), frozenset(), ()),
    )
    with socket.create_server(("127.0.0.1", 0)) as listening:

        async def listen(self: Any, sockets: object = None) -> None:
            self.servers, self.started = [SimpleNamespace(sockets=[listening])], True

        monkeypatch.setattr(GuardedServer, "startup", listen)
        try:
            await server.startup()
            assert gc.get_freeze_count() > 10_000
            assert len(gc.get_objects()) < 10_000
        finally:
            gc.unfreeze()
