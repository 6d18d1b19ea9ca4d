"""Lists of studies and participants: what they count, how they page, and how fast they are."""

from __future__ import annotations

import re
from pathlib import Path

from server.durations import Durations
from server.hosting.host_stats import WorkerState
from server.ipc.messages import WorkerStats
from server.operator_accounts import Role
from tests.benchmarks.operator_lists import MOST_MS, PATHS, fill, times_ms
from tests.server.web.conftest import MakeSite, RunningSite
from tests.server.web.operator_accounts import add_account, signed_in
from tests.server.web.participants.visitors import PAIR, pair, short_study


async def test_cells_people_and_spending_of_a_study_stand_on_its_page(
    make_site: MakeSite,
) -> None:
    async with make_site(short_study(cells=(PAIR,))).running() as site:
        await add_account(site, "anna")
        await add_account(site, "ben", Role.WATCH)
        ann, _ = await pair(site)
        await site.state.recruiting.look()
        page = (await (await signed_in(site, "ben")).get("/operator/studies")).text
        assert 'data-testid="study-short"' in page
        assert "At play" in page
        assert f"<td>{PAIR.name}</td>" in page
        assert "/operator/act/" not in page, "who only watches is offered no act"
        browser = await signed_in(site, "anna")
        assert "/operator/act/pause_study/short" in (await browser.get("/operator/studies")).text
        page = (await browser.get("/operator/participants?study=short&place=play")).text
        assert "2 visits of that kind" in page
        visit = (await ann.row()).visit_id
        assert f"/operator/act/remove/{visit}" in page
        # Nothing by which a recruiter knows people, nor anything odd in the address, gets there.
        for odd in ("?study=%00", "?before=vis_x", "?place=<b>", "?visit=%25", "?ending=1;--"):
            assert (await browser.get(f"/operator/participants{odd}")).status_code == 200


async def test_workers_and_the_answers_of_models_stand_on_the_page(site: RunningSite) -> None:
    calls = Durations((1, 2, 1), 6.0)
    told = WorkerStats(
        7, 3, 900, 0.1, 4.26, 80.0, 9.0, 123_000_000, model_calls=calls, model_errors=5
    )
    site.host.workers = (
        WorkerState("worker-0", True, False, 0, 0.0, told),
        WorkerState("worker-1", False, False, 2, 0.0, None),
    )
    page = (await site.browser().get("/operator")).text
    assert "<td>3</td><td>4.3 ms</td><td>123 MB</td><td>4</td><td>1.5 s</td><td>5</td>" in page
    assert "<td>worker-1</td><td>down</td><td>2</td>" in page
    assert "has told nothing yet" in page


async def test_participants_page_through_all_of_them_once(site: RunningSite) -> None:
    ids = await fill(site, 250)
    browser = site.browser()
    seen, path = [], "/operator/participants"
    while path:
        page = (await browser.get(path)).text
        assert "250 visits" in page
        seen += re.findall(r"<td>(vis_\w+)</td>", page)
        older = re.search(r'href="(/operator/participants\?[^"]*)" data-testid="participants', page)
        path = older[1].replace("&amp;", "&") if older else ""
    assert seen == sorted(ids, reverse=True)
    page = (await browser.get(f"/operator/participants?visit={ids[7]}")).text
    assert re.findall(r"<td>(vis_\w+)</td>", page) == [ids[7]]
    assert "1 visit of that kind" in page
    page = (await browser.get(f"/operator/participants?visit={ids[7][:4]}")).text
    assert "250 visits of that kind" in page


async def test_A6_lists_of_ten_thousand_participants_come_in_time(tmp_path: Path) -> None:
    found = await times_ms(tmp_path)
    assert set(found) == set(PATHS)
    # Machines of tests are shared; the program in the benchmarks prints what a free one takes.
    assert max(found.values()) < 3 * MOST_MS, found
