"""Page of the preflight: who may start it, what it shows, and the row that it leaves."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from server.operator_accounts import Role
from server.settings import Settings
from server.web.preflight_runs import PreflightRuns, as_environment
from tests.server.web.conftest import MakeSite
from tests.server.web.doubles import make_settings
from tests.server.web.operator_accounts import add_account, logged, signed_in
from tests.server.web.participants.visitors import PAIR, short_study

pytestmark = pytest.mark.processes
PATH = "/operator/preflight"


async def test_an_operator_starts_it_and_reads_what_fails(make_site: MakeSite) -> None:
    async with make_site(short_study(cells=(PAIR,))).running() as site:
        await add_account(site, "anna")
        await add_account(site, "ben", Role.RUN)
        await add_account(site, "cleo", Role.WATCH)
        browser = await signed_in(site, "ben")
        assert "Nobody has looked" in (await browser.get(PATH)).text
        started = await browser.press(PATH, PATH, study="")
        assert (started.status_code, started.headers["location"]) == (303, PATH)
        going = await browser.press(PATH, PATH, study="")
        assert (going.status_code, "One runs already" in going.text) == (409, True)
        assert 'data-state="running"' in (await browser.get(PATH)).text
        await site.state.preflights.finished()
        page = (await browser.get(PATH)).text
        assert 'data-state="over"' in page
        assert "by ben" in page
        assert 'data-level="fail" data-testid="preflight-server"' in page
        assert "cohabit serve" in page
        assert "Not yet:" in page
        row = (await logged(site, "ben"))[-1]
        assert (row.act, row.outcome) == ("preflight", "done")
        assert "failed: " in row.detail
        assert "server" in row.detail
        unknown = await browser.press(PATH, PATH, study="nobody")
        assert (unknown.status_code, "Nothing was started" in unknown.text) == (400, True)
        watching = await signed_in(site, "cleo")
        assert PATH not in (await watching.get("/operator")).text
        assert PATH in (await browser.get("/operator")).text


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("import sys; sys.exit('no such thing')", "it broke off: no such thing"),
        ("import os; os.kill(os.getpid(), 9)", "it broke off: status -9"),
    ],
    ids=["says why", "is killed"],
)
async def test_a_process_that_breaks_off_is_told(
    script: str, said: str, make_site: MakeSite
) -> None:
    line = {"check": "disk", "level": "ok", "found": "room", "remedy": "", "took_s": 0.1}
    plan = {"checks": ["disk", "clock"]}
    program = f"print({json.dumps(plan)!r}); print({json.dumps(line)!r}, flush=True); {script}"
    async with make_site().running() as site:
        runs = PreflightRuns(
            site.settings, site.state.database, site.state.now, command=("-c", program)
        )
        assert runs.start("", "ben")
        await runs.finished()
        assert runs.last is not None
        assert [found.check for found in runs.last.lines] == ["disk"]
        assert (runs.last.planned, runs.last.broke_off) == (("disk", "clock"), said)
        assert said in (await logged(site, "ben"))[-1].detail


def test_another_process_has_the_same_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = make_settings(
        tmp_path,
        public_url="https://homes.example.org",
        exempt_loopback=True,
        model_slow_s=2.5,
        model_key="sesame",
        proxy_ips="127.0.0.1,::1",
    )
    for name, value in as_environment(settings).items():
        monkeypatch.setenv(name, value)
    assert Settings(_env_file=None) == settings
