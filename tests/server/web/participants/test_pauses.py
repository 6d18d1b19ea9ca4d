"""Pauses: a study that takes nobody for now, what its people see, and what its operator is told."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

from matchmaking.study.conduct import Pauses
from matchmaking.study.endings import Ending
from matchmaking.study.pages import Lobby, Play
from matchmaking.study.pay import Pay
from server.cli.main import app
from server.recruiting.operator_notices import OperatorNotices
from server.store.models import TicketRow
from server.store.study_pauses import resume_study
from server.store.visit_models import IdentityRow, StudyPauseRow, TroubleRow, VisitRow
from tests.patience import PATIENCE_S
from tests.server.web.conftest import MakeSite, RunningSite
from tests.server.web.doubles import proposition, verdict
from tests.server.web.participants.visitors import (
    AGREES,
    ALL_CODES,
    CONSENT,
    PAIR,
    WITH_ROBOT,
    Visitor,
    play_to_the_end,
    rows_of,
    short_study,
    through,
)
from tests.server.web.test_operators import PASSWORD, enter

PAY = Pay(base=600, hourly=900, cap=100_000)
UNDONE = verdict(proposition(0, satisfied=False, satisfied_tick=None))


class Told:
    """Channel that keeps notices; ``is_down`` has none get through."""

    def __init__(self) -> None:
        self.notices: list[tuple[str, str, dict[str, str]]] = []
        self.ids: list[str] = []
        """Ids of all that it was told, also where it did not answer in time."""
        self.is_down, self.is_told = False, asyncio.Event()

    async def tell(self, subject: str, text: str, facts: dict[str, str]) -> None:
        facts = dict(facts)
        self.ids.append(facts.pop("id"))
        if self.is_down:
            raise OSError("no mail server")
        self.notices.append((subject, text, facts))
        self.is_told.set()


def _listen(site: RunningSite) -> Told:
    told = Told()
    site.state.recruiting._notices = OperatorNotices([told])
    return told


async def fail(site: RunningSite) -> Visitor:
    """Bring somebody into a session which then breaks."""
    visitor = Visitor(site)
    await visitor.begin()
    await visitor.send(AGREES)
    await visitor.send({})
    await site.host.finish(visitor.path.removeprefix("/play/"), UNDONE, "failed")
    await visitor.open("/visit")
    assert 'data-ending="technical_failure"' in visitor.page.text
    return visitor


async def test_three_technical_failures_pause_the_study_and_the_operator_is_told_once(
    make_site: MakeSite,
) -> None:
    async with make_site(short_study(), metrics_token=PASSWORD).running() as site:
        told, early, operator = _listen(site), Visitor(site), site.browser()
        await enter(operator, PASSWORD)
        assert "takes nobody" not in (await operator.get("/operator")).text
        await early.begin()
        for _ in range(3):
            await site.state.recruiting.look()
            assert told.notices == []
            await fail(site)
        told.is_down = True
        await site.state.recruiting.look()
        page = (await operator.get("/operator")).text
        assert "The study short (live) takes nobody since" in page
        assert "3 of the last 3 visits ended as technical failures" in page
        late = Visitor(site)
        await late.open("/s/short")
        assert late.page.status_code == 503
        assert "This study takes nobody just now" in late.page.text
        # Who takes part goes on.
        await early.send(AGREES)
        assert early.path == "/visit/lobby"
        told.is_down = False
        for _ in range(2):
            await site.state.recruiting.look()
        ((subject, text, facts),) = told.notices
        assert subject == "Study short has paused its recruiting"
        assert "3 of the last 3 visits ended as technical failures" in text
        assert facts == {"study": "short", "cause": "failures"}
        # What may have got through before its answer was late has the same id again.
        assert len(told.ids) == 2
        assert len({*told.ids}) == 1
        assert told.ids[0].startswith("pause-short-")
        async with site.state.database.transaction() as db:
            assert await resume_study(db, "short", site.state.now()) == 1
        assert "takes nobody" not in (await operator.get("/operator")).text
        # What failed before it was taken up again counts no more.
        await site.state.recruiting.look()
        await late.begin()
        assert late.path == "/visit/consent"
        assert len(await rows_of(site, StudyPauseRow)) == 1


async def test_no_visit_begins_that_could_pass_the_cap_however_many_come_at_once(
    make_site: MakeSite,
) -> None:
    most = short_study(pay=PAY).most_of_a_visit
    assert most is not None
    async with make_site(short_study(pay=replace(PAY, cap=3 * most - 1))).running() as site:
        visitors = [Visitor(site) for _ in range(8)]
        for visitor in visitors:
            await visitor.open("/s/short")
        await asyncio.gather(*(visitor.send({}) for visitor in visitors))
        begun = [v for v in visitors if v.path == "/visit/consent"]
        assert len(begun) == len(await rows_of(site, VisitRow)) == 2
        others = [v for v in visitors if v not in begun]
        assert {v.page.status_code for v in others} == {503}
        assert all("All places are taken just now" in v.page.text for v in others)
        assert len(await rows_of(site, IdentityRow)) == 2
        await site.state.recruiting.look()
        assert await rows_of(site, StudyPauseRow) == []
        # A visit that costs less leaves its place to somebody else.
        await begun[0].send({"decision": "refuse"})
        await others[0].begin()
        assert others[0].path == "/visit/consent"


async def test_a_study_whose_money_is_spent_pauses(make_site: MakeSite) -> None:
    async with make_site(short_study(pauses=Pauses(spent=1))).running() as site:
        told = _listen(site)
        await fail(site)
        await site.state.recruiting.look()
        (pause,) = await rows_of(site, StudyPauseRow)
        assert pause.cause == "budget"
        assert len(told.notices) == 1
        late = Visitor(site)
        await late.open("/s/short")
        assert late.page.status_code == 503


async def test_a_study_that_asks_for_more_tasks_than_there_are_takes_nobody(
    make_site: MakeSite,
) -> None:
    pages = (CONSENT, Lobby(), Play(episodes=10_000))
    async with make_site(short_study(pages=pages)).running() as site:
        told, draws = _listen(site), site.state.lobby.study_draws
        late = Visitor(site)
        await late.open("/s/short")
        assert late.page.status_code == 503
        assert "This study takes nobody just now" in late.page.text
        for _ in range(2):
            await site.state.recruiting.look()
        ((_, text, facts),) = told.notices
        assert "forms no groups: its tasks cannot be dealt" in text
        assert facts == {"study": "short", "cause": "no_groups"}
        assert draws.fault_of(short_study().key) in site.state.lobby.problems()


async def test_whoever_is_on_the_way_when_no_groups_are_formed_any_more_waits_for_none(
    make_site: MakeSite,
) -> None:
    async with make_site(short_study()).running() as site:
        ann = Visitor(site)
        await ann.begin()
        await ann.send(AGREES)
        await site.state.lobby.take_up(short_study(pages=(CONSENT, Lobby(), Play(episodes=10_000))))
        await ann.send({})
        assert ann.page.status_code == 503
        assert "The tasks cannot begin just now" in ann.page.text
        assert 'href="/visit"' in ann.page.text
        assert await rows_of(site, TicketRow) == []


async def test_a_study_that_has_its_people_takes_nobody_and_the_operator_is_told_once(
    make_site: MakeSite,
) -> None:
    study = short_study(cells=(replace(WITH_ROBOT, target=1),))
    async with make_site(study, metrics_token=PASSWORD).running() as site:
        told, ann, ben, early, late, operator = (
            _listen(site),
            *(Visitor(site) for _ in range(4)),
            site.browser(),
        )
        await enter(operator, PASSWORD)
        for visitor in (ann, ben):
            await visitor.begin()
            await visitor.send(AGREES)
        await early.open("/s/short")
        assert early.page.status_code == 200
        await ann.send({})
        # While the last group plays nobody knows whether its place comes back.
        await late.open("/s/short")
        assert "All places are taken just now" in late.page.text
        await site.state.recruiting.look()
        assert told.notices == []
        await play_to_the_end(site, ann)
        await through(ann)
        await site.state.lobby.study_draws.read()
        await early.send({})
        assert "This study has all the people that it needs" in early.page.text
        await late.open("/s/short")
        assert "This study has all the people that it needs" in late.page.text
        assert len(await rows_of(site, VisitRow)) == len(await rows_of(site, IdentityRow)) == 2
        for _ in range(2):
            await site.state.recruiting.look()
        ((subject, text, facts),) = told.notices
        assert subject == "Study short takes nobody new"
        assert "every condition has all its groups" in text
        assert "`cohabit study close short` ends the study" in text
        assert facts == {"study": "short", "cause": "complete"}
        page = (await operator.get("/operator")).text
        assert "The study short (live) takes nobody since" in page
        assert "A version with larger targets takes people again" in page
        # Whoever is on the way comes to an end of their own, and is paid.
        await ben.open("/s/short")
        assert ben.path == "/visit/lobby"
        await ben.send({})
        await _until_it_ends(ben)
        assert 'data-ending="over_recruited"' in ben.page.text
        assert ALL_CODES[Ending.OVER_RECRUITED] in ben.page.text
        # Whoever takes it up again is told of it once more.
        async with site.state.database.transaction() as db:
            assert await resume_study(db, "short", site.state.now()) == 1
        await late.open("/s/short")
        assert "This study has all the people that it needs" in late.page.text
        await site.state.recruiting.look()
        assert len(told.notices) == len({*told.ids}) == 2


async def test_a_study_whose_places_are_all_begun_takes_newcomers_once_one_is_given_back(
    make_site: MakeSite,
) -> None:
    study = short_study(cells=(replace(WITH_ROBOT, target=1),))
    async with make_site(study).running() as site:
        ann, early, late = (Visitor(site) for _ in range(3))
        await ann.begin()
        await ann.send(AGREES)
        await early.open("/s/short")
        await ann.send({})
        # Neither whoever opens the link now nor whoever had it open begins a visit.
        await late.open("/s/short")
        await early.send({})
        for visitor in (late, early):
            assert visitor.page.status_code == 503
            assert "All places are taken just now" in visitor.page.text
            assert "nothing of your link was kept" in visitor.page.text
        assert len(await rows_of(site, VisitRow)) == len(await rows_of(site, IdentityRow)) == 1
        # Whoever takes part is not turned away from their own visit.
        await ann.open("/s/short")
        assert ann.page.status_code == 200
        await site.state.sessions._close(ann.path.removeprefix("/play/"), "failed")
        await site.state.lobby.study_draws.read()
        await late.begin()
        assert late.path == "/visit/consent"


async def test_another_version_with_larger_targets_takes_people_again(make_site: MakeSite) -> None:
    first = short_study(cells=(replace(WITH_ROBOT, target=1, most_begun=1),))
    then = replace(first, version=2, cells=(replace(WITH_ROBOT, target=2),))
    async with make_site(first).running() as site:
        told, ann, late = _listen(site), Visitor(site), Visitor(site)
        await ann.begin()
        await ann.send(AGREES)
        # One has begun, and no more may.
        await ann.send({})
        await site.state.recruiting.look()
        await late.open("/s/short")
        assert "This study has all the people that it needs" in late.page.text
        await site.state.lobby.take_up(then)
        site.state.studies.take_up(then)
        await late.begin()
        assert late.path == "/visit/consent"
        await site.state.recruiting.look()
        (pause,) = await rows_of(site, StudyPauseRow)
        assert pause.resumed_at is not None
        assert len(told.notices) == 1


async def _until_it_ends(visitor: Visitor) -> None:
    ticket, lobby = visitor.path.removeprefix("/lobby/"), visitor.site.state.lobby
    if await lobby.connect(ticket, ticket) is not None and (outcome := lobby.outcome(ticket)):
        await asyncio.wait_for(asyncio.shield(outcome), PATIENCE_S)
    await visitor.open("/visit")


async def test_a_wait_beyond_its_limit_pauses(make_site: MakeSite) -> None:
    study = short_study(cells=(PAIR,), pauses=Pauses(wait_s=60))
    async with make_site(study).running() as site:
        await site.state.recruiting.look()
        assert await rows_of(site, StudyPauseRow) == []
        site.state.recruiting._longest_wait_s = {short_study().key: 61.0}.__getitem__
        await site.state.recruiting.look()
        (pause,) = await rows_of(site, StudyPauseRow)
        assert pause.cause == "wait"


async def test_a_problem_reaches_the_operator_with_visit_and_place(make_site: MakeSite) -> None:
    async with make_site(short_study(), metrics_token=PASSWORD).running() as site:
        told, ann, operator = _listen(site), Visitor(site), site.browser()
        await enter(operator, PASSWORD)
        assert "What people report" not in (await operator.get("/operator")).text
        await ann.begin()
        await ann.open("/visit/i-have-a-problem")
        await ann.send({"text": "The house is upside <b>down</b>"})
        # The page has woken the watch.
        await asyncio.wait_for(told.is_told.wait(), PATIENCE_S)
        ((subject, text, facts),) = told.notices
        assert subject == "Somebody in study short has a problem"
        assert text == "The house is upside <b>down</b>"
        page = (await operator.get("/operator")).text
        assert "<td>The house is upside &lt;b&gt;down&lt;/b&gt;</td>" in page
        assert facts["visit"] == (await ann.row()).visit_id
        assert facts["place"] == "consent"
        assert told.ids[0].startswith(f"report-{facts['visit']}-")
        await site.state.recruiting.look()
        assert len(told.notices) == 1
        (trouble,) = await rows_of(site, TroubleRow)
        assert trouble.told_at is not None


def test_the_commands_list_problems_and_take_a_study_up_again(
    make_site: MakeSite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COHABIT_DATA_DIR", str(tmp_path / "data"))

    async def _day() -> None:
        async with make_site(short_study()).running() as site:
            for _ in range(3):
                await fail(site)
            ann = Visitor(site)
            await ann.begin()
            await ann.open("/visit/i-have-a-problem")
            await ann.send({"text": "It broke\n2026 vis_x at lobby: \x1b[2J all is well"})
            await site.state.recruiting.look()

    asyncio.run(_day())

    def _run(*arguments: str) -> str:
        done = CliRunner().invoke(app, ["study", *arguments])
        return f"{done.exit_code} {done.output}{done.exception or ''}"

    listed = _run("problems", "short")
    assert listed.startswith("0 ")
    assert "paused (failures) and is paused still: 3 of the last 3 visits" in listed
    assert " at consent: It broke 2026 vis_x at lobby: [2J all is well\n" in listed
    assert "1 problems reported, 1 pauses" in listed
    assert "short takes people again" in _run("resume", "short")
    assert "has not paused" in _run("resume", "short")
    assert "no study 'other'" in _run("problems", "other")
