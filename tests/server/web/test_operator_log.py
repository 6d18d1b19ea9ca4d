"""The page of the operators' log: what stands in it, and that an index finds it."""

from __future__ import annotations

import re
from typing import Any

from sqlalchemy import Connection, event

from server.hosting.host_stats import SeatState, SessionState
from server.operator_accounts import Role
from server.store.identifiers import new_id
from server.store.operator_acts import note_act
from server.web.operators.log_pages import SHOWN
from tests.server.web.conftest import RunningSite
from tests.server.web.doubles import proposition, verdict
from tests.server.web.operator_accounts import add_account, logged, signed_in
from tests.server.web.test_pages import alone

MANY = 10_000


async def test_watching_and_replays_are_logged_with_who_looked(site: RunningSite) -> None:
    player = site.browser()
    session = await alone(site, player)
    episode = site.host.opened[0][1].episode_id
    await site.host.finish(session, verdict(proposition(0)))
    await add_account(site, "anna")
    await add_account(site, "ben", Role.WATCH)
    browser = await signed_in(site, "ben")
    seats = (SeatState("human_0", "", "connected"),)
    site.host.states = [SessionState(session, "t1", "playing", seats, 0)]
    assert (await browser.get(f"/operator/watch/{session}")).status_code == 200
    # A film comes in parts, and is one look.
    for part in ("", "/film", ""):
        await browser.get(f"/operator/replay/{episode}{part}")
    await browser.get(f"/operator/watch/{new_id('ses')}")
    acts = [(row.act, row.target, row.outcome) for row in await logged(site, "ben")]
    assert acts == [
        ("sign_in", "ben", "done"),
        ("watch", session, "done"),
        ("replay", episode, "done"),
    ]
    page = (await browser.get("/operator/log?act=sign+in")).text
    assert session not in page
    page = (await browser.get("/operator/log")).text
    assert session in page
    assert episode in page
    # A film that is asked for without its page is a look, too.
    second = await signed_in(site, "anna")
    await second.get(f"/operator/replay/{episode}/film/0")
    assert [row.act for row in await logged(site, "anna")] == ["sign_in", "replay"]


async def test_A6_ten_thousand_acts_page_and_filter_by_an_index(site: RunningSite) -> None:
    await add_account(site, "anna")
    browser = await signed_in(site, "anna")
    async with site.state.database.transaction() as db:
        for n in range(MANY):
            who, study = f"operator{n % 7}", f"study{n % 5}"
            note_act(db, who, "watch", f"target{n}", site.state.now(), study=study, detail="<b>")
    plans: list[str] = []

    def explain(
        connection: Connection, _c: object, statement: str, given: Any, *_rest: object
    ) -> None:
        if "FROM operator_acts" in statement and statement.startswith("SELECT"):
            plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", given)
            plans.append("; ".join(row[3] for row in plan))

    event.listen(site.state.database.engine.sync_engine, "before_cursor_execute", explain)
    seen, path, pages = [], "/operator/log?who=operator3&study=study2", 0
    while path:
        page = await browser.get(path)
        pages += 1
        assert page.status_code == 200
        rows = re.findall(r"<td>target(\d+)</td>", page.text)
        seen += [int(number) for number in rows]
        older = re.search(r'href="(/operator/log\?[^"]*)" data-testid="operator-older"', page.text)
        path = older[1].replace("&amp;", "&") if older else ""
    assert seen == [n for n in reversed(range(MANY)) if n % 7 == 3 and n % 5 == 2]
    assert pages == len(plans) == -(-len(seen) // SHOWN)
    assert all("USING INDEX ix_operator_acts_" in plan for plan in plans), plans
    plans.clear()
    for path in ("/operator/log", "/operator/log?before=200", "/operator/log?act=purge"):
        page = await browser.get(path)
        assert page.status_code == 200
        assert "<b>" not in page.text
    # From the end of the table, in its own order.
    assert not any("TEMP B-TREE" in plan for plan in plans), plans
    assert "nothing of that kind" in page.text


async def test_addresses_that_make_no_sense_show_the_newest(site: RunningSite) -> None:
    browser = site.browser()
    for query in (
        "before=x",
        "before=-1",
        f"before={10**20}",
        f"before={2**31 - 1}",
        f"before={2**31}",
        f"before={'9' * 5000}",
        "who=%00%ff&study=' OR 1",
    ):
        assert (await browser.get(f"/operator/log?{query}")).status_code == 200


async def test_there_is_no_way_to_change_the_log_from_a_page(site: RunningSite) -> None:
    browser = site.browser()
    for method in ("POST", "PUT", "PATCH", "DELETE"):
        answer = await browser.client.request(method, "/operator/log")
        assert answer.status_code == 405
