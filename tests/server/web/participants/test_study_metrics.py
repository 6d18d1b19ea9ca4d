"""Figures of studies at `/metrics`: those that are paused, and what nobody was told of."""

from __future__ import annotations

import pytest

from matchmaking.study.conduct import Pauses
from server.recruiting.operator_notices import OperatorNotices
from server.store.database_faults import DatabaseError
from server.store.visit_models import TroubleRow
from tests.server.web.conftest import MakeSite, RunningSite
from tests.server.web.participants.test_pauses import Told, fail
from tests.server.web.participants.visitors import Visitor, rows_of, short_study
from tests.server.web.test_metrics import samples
from tests.server.web.test_operators import PASSWORD

_BEARER = {"authorization": f"Bearer {PASSWORD}"}


async def _figures(site: RunningSite) -> dict[tuple[str, ...], float]:
    answer = await site.browser().client.get("/metrics", headers=_BEARER)
    for row in await rows_of(site, TroubleRow):
        assert row.visit_id not in answer.text, "no person shows in figures"
    return samples(answer)


async def test_pauses_are_counted_by_cause_and_reports_until_somebody_was_told(
    make_site: MakeSite,
) -> None:
    study = short_study(pauses=Pauses(spent=1))
    async with make_site(study, metrics_token=PASSWORD).running() as site:
        found = await _figures(site)
        assert found["cohabit_studies_paused", "cause=budget"] == 0
        assert found["cohabit_studies_paused", "cause=complete"] == 0
        assert found["cohabit_untold_reports",] == 0
        ann = Visitor(site)
        await ann.begin()
        await ann.open("/visit/i-have-a-problem")
        await ann.send({"text": "The door is stuck"})
        await fail(site)
        await site.state.recruiting.look()
        found = await _figures(site)
        assert found["cohabit_studies_paused", "cause=budget"] == 1
        assert found["cohabit_studies_paused", "cause=complete"] == 0
        assert found["cohabit_untold_reports",] == 1
        site.state.recruiting._notices = OperatorNotices([Told()])
        await site.state.recruiting.look()
        assert (await _figures(site))["cohabit_untold_reports",] == 0
        # Once a study is closed, that it is paused tells nothing.
        site.state.studies.close("short")
        assert (await _figures(site))["cohabit_studies_paused", "cause=budget"] == 0


async def test_without_a_database_the_other_figures_are_told(
    make_site: MakeSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with make_site(short_study(), metrics_token=PASSWORD).running() as site:

        def _down() -> None:
            raise DatabaseError("the database is away")

        monkeypatch.setattr(site.state.database, "transaction", _down)
        browser = site.browser()
        names = {
            name for name, *_ in samples(await browser.client.get("/metrics", headers=_BEARER))
        }
        assert "cohabit_sessions" in names
        assert "cohabit_untold_reports" not in names
