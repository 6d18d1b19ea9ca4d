"""Transactions of a request take turns by the address that it comes from."""

from __future__ import annotations

import pytest
from starlette.types import Receive, Scope, Send

from server.store.turns import ON_BEHALF_OF
from server.web.behalf import OnBehalf


@pytest.mark.parametrize(
    ("kind", "client", "address"),
    [
        ("http", ("192.0.2.7", 4000), "192.0.2.7"),
        ("websocket", ("2001:db8:1:2:3:4:5:6", 4000), "2001:db8:1:2::/64"),
        ("http", None, "unknown"),
        ("lifespan", None, ""),
    ],
)
async def test_a_request_works_for_its_address(
    kind: str, client: tuple[str, int] | None, address: str
) -> None:
    seen = []

    async def app(_scope: Scope, _receive: Receive, _send: Send) -> None:
        seen.append(ON_BEHALF_OF.get())

    async def never() -> None:
        raise AssertionError

    await OnBehalf(app)({"type": kind, "client": client}, never, never)  # type: ignore[arg-type]
    assert seen == [address]
