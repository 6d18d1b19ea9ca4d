"""Acts that a role does not allow: none is missing in the log, and none fills it."""

from __future__ import annotations

from typing import Any

import pytest

from server.operator_accounts import Role
from server.store import DatabaseError
from server.store.identifiers import new_id
from server.web.operator_refusals import EVERY_S
from tests.server.web.conftest import RunningSite
from tests.server.web.doubles import ORIGIN, Browser
from tests.server.web.operator_accounts import add_account, logged, signed_in


async def tries(browser: Browser, path: str, times: int = 1) -> None:
    for _ in range(times):
        answer = await browser.client.post(path, headers={"origin": ORIGIN})
        assert answer.status_code == 403


async def refusals(site: RunningSite) -> list[tuple[str, str, str]]:
    return [
        (row.who, row.target, row.detail) for row in await logged(site) if row.outcome == "refused"
    ]


async def watcher(site: RunningSite, name: str = "ben") -> Browser:
    await add_account(site, name, Role.WATCH)
    return await signed_in(site, name)


async def test_many_are_a_line_a_minute_with_their_number(site: RunningSite) -> None:
    ben, eve = await watcher(site), await watcher(site, "eve")
    acts = [f"/operator/act/end_session/{new_id('ses')}" for _ in range(30)]
    for path in acts:
        await tries(ben, path)
    await tries(ben, "/operator/accounts", 2)
    await tries(eve, acts[0])
    plain = "the role watch does not allow it"
    first = [
        ("ben", acts[0], plain),
        ("ben", "/operator/accounts", plain),
        ("eve", acts[0], plain),
    ]
    assert await refusals(site) == first
    await site.state.refusals.tell(site.clock() - EVERY_S)
    assert await refusals(site) == first, "the minute is not over"
    site.passed_s += EVERY_S
    await site.state.refusals.tell(site.clock() - EVERY_S)
    words = "more such since the last line, this the last of them"
    second = [
        ("ben", acts[-1], f"29 {words}; {plain}"),
        ("ben", "/operator/accounts", f"1 {words}; {plain}"),
    ]
    assert await refusals(site) == first + second
    # A minute without any is forgotten, and the next is logged at once.
    for _ in range(2):
        site.passed_s += EVERY_S
        await site.state.refusals.tell(site.clock() - EVERY_S)
    assert len(site.state.refusals) == 0
    await tries(ben, acts[3])
    assert await refusals(site) == [*first, *second, ("ben", acts[3], plain)]


async def test_what_was_counted_is_logged_at_the_end(site: RunningSite) -> None:
    ben = await watcher(site)
    await tries(ben, "/operator/accounts", 5)
    await site.state.refusals.tell_rest()
    assert [detail.split()[0] for _, _, detail in await refusals(site)] == ["the", "4"]


async def test_a_database_that_is_away_loses_none(
    site: RunningSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    ben = await watcher(site)
    await tries(ben, "/operator/accounts", 3)
    real = site.state.refusals._log

    async def away(*_: Any) -> None:
        raise DatabaseError("it is locked, on purpose")

    monkeypatch.setattr(site.state.refusals, "_log", away)
    await site.state.refusals.tell_rest()
    answer = await ben.client.post("/operator/preflight", headers={"origin": ORIGIN})
    assert answer.status_code == 503
    monkeypatch.setattr(site.state.refusals, "_log", real)
    await site.state.refusals.tell_rest()
    found = [(path, detail.split()[0]) for _, path, detail in await refusals(site)]
    assert found == [
        ("/operator/accounts", "the"),
        ("/operator/accounts", "2"),
        ("/operator/preflight", "1"),
    ]
