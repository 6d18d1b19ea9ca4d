"""A visit stays with the version of its study that it began in, whatever is opened after it."""

from __future__ import annotations

import asyncio
import hashlib
import re
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from matchmaking.study import Study
from matchmaking.study.pages import Consent, Instructions
from matchmaking.study.pay import Pay
from matchmaking.study.recruiter import Recruiter
from matchmaking.visits import Place
from server import newly_opened
from server.newly_opened import NewlyOpened
from server.recruiting.payments import payments_of
from server.research.studies.manifest import Manifest
from server.store.models import MatchRow
from server.store.studies import note_opened
from server.store.study_runs import run_of
from server.store.visit_models import ConsentRow, StudyPauseRow
from server.web.participants.keeper import look_after, note_closed
from tests.patience import PATIENCE_S
from tests.server.web.conftest import MakeSite, RunningSite
from tests.server.web.participants.test_newly_opened import opened
from tests.server.web.participants.test_pauses import fail
from tests.server.web.participants.visitors import (
    AGREES,
    ALL_CODES,
    CONSENT,
    PAIR,
    Visitor,
    play_to_the_end,
    rows_of,
    short_study,
    through,
)

NEW_TEXT = "We sell all of it, and pay less than the time."
NEW_CONSENT = Consent(version="8", text={"en": NEW_TEXT}, on_pay={"en": NEW_TEXT})
NEW_CODES = {ending: f"NEW-{code}" for ending, code in ALL_CODES.items()}


def second(first: Study, **changes: Any) -> Study:
    """Return another version of a study, in which all that a page shows is different."""
    fields: dict[str, Any] = {
        "version": first.version + 1,
        "pages": (Instructions(text={"en": "Read this."}), NEW_CONSENT, *first.pages[1:]),
        "pay": Pay(base=100, hourly=900, cap=100_000),
        "recruiter": Recruiter(kind="direct", codes=NEW_CODES),
    }
    return replace(first, **{**fields, **changes})


@pytest.fixture(autouse=True)
def unchanged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have nothing changed since a study was opened: there are no houses here."""
    monkeypatch.setattr(
        newly_opened,
        "check_may_go_on",
        lambda run, _dir: msgspec.convert(run.manifest, Manifest).study,
    )


async def follow(site: RunningSite, first: Study, then: Study) -> None:
    """Close the version that people are in, and open another, as the commands do."""
    watch = NewlyOpened(site.state)
    await opened(site, first)
    await watch.look()
    async with site.state.database.transaction() as db:
        run = await run_of(db, first.key)
        assert run is not None
        run.closed_at = site.state.now()
    await note_closed(site.state)
    site.passed_s += 1
    await opened(site, then)
    async with site.state.database.transaction() as db:
        await note_opened(db, [then], site.state.now())
    await watch.look()
    current = site.state.studies.get(first.name)
    assert current is not None
    assert (current.study.version, current.is_closed) == (then.version, False)


async def wait_in_lobby(visitor: Visitor) -> asyncio.Future[Any]:
    """Bring a visitor's page into the lobby; return how the stay ends."""
    ticket = visitor.path.removeprefix("/lobby/")
    lobby = visitor.site.state.lobby
    assert await lobby.connect(ticket, ticket)
    outcome = lobby.outcome(ticket)
    assert outcome is not None
    return outcome


async def to_lobby(visitor: Visitor) -> None:
    """Begin a visit of the first version, and agree."""
    await visitor.begin()
    await visitor.send(AGREES)
    await visitor.send({})
    assert visitor.path.startswith("/lobby/"), visitor.page.text


def assert_shows_pay(visitor: Visitor) -> None:
    """Check that a last page says what the first version pays."""
    (owed,) = re.findall(r'data-testid="owed">(.*?)</p>', visitor.page.text)
    assert owed.startswith("You will be paid 6.")


async def assert_consent_of_first(site: RunningSite) -> None:
    (consent,) = await rows_of(site, ConsentRow)
    shown = hashlib.sha256(CONSENT.text["en"].encode()).hexdigest()
    assert (consent.version, consent.text_digest) == (CONSENT.version, shown)


async def test_what_failed_in_an_earlier_version_pauses_no_later_one(make_site: MakeSite) -> None:
    first = short_study()
    async with make_site(first).running() as site:
        await fail(site)
        await fail(site)
        await follow(site, first, replace(first, version=2))
        for left in (2, 1, 0):
            await fail(site)
            await site.state.recruiting.look()
            assert len(await rows_of(site, StudyPauseRow)) == (left == 0)


async def test_who_began_before_goes_on_in_the_version_that_they_saw(make_site: MakeSite) -> None:
    first = short_study()
    async with make_site(first).running() as site:
        ann = Visitor(site)
        await ann.begin()
        await follow(site, first, second(first))
        await ann.send(AGREES)
        await assert_consent_of_first(site)
        assert (await ann.row()).place == Place.LOBBY
        await ann.send({})
        await play_to_the_end(site, ann)
        (match,) = await rows_of(site, MatchRow)
        assert match.study_version == 1
        await through(ann)
        assert "CODE-completed" in ann.page.text
        assert "NEW-" not in ann.page.text
        async with site.state.database.transaction() as db:
            (payment,) = (await payments_of(db, "short", site.state.now())).rows
        assert (payment.owed.base, payment.code) == (600, "CODE-completed")
        assert_shows_pay(ann)
        newcomer = Visitor(site)
        await newcomer.begin()
        assert "Read this." in newcomer.page.text


@pytest.mark.parametrize("has_ended", [False, True])
async def test_after_a_restart_a_visit_is_in_its_own_version(
    make_site: MakeSite, has_ended: bool
) -> None:
    first = short_study()
    then = second(first)
    async with make_site(first).running() as site:
        ann = Visitor(site)
        await ann.begin()
        if has_ended:
            await ann.send(AGREES)
            await ann.send({})
            await play_to_the_end(site, ann)
            await through(ann)
    async with make_site(then).running() as site:
        again = Visitor(site)
        again.browser.client.cookies = ann.browser.client.cookies
        await again.open("/visit")
        if not has_ended:
            await again.send(AGREES)
            await again.send({})
            assert again.path.startswith("/play/"), again.page.text
            await play_to_the_end(site, again)
            await through(again)
        await assert_consent_of_first(site)
        (match,) = await rows_of(site, MatchRow)
        assert match.study_version == 1
        assert "CODE-completed" in again.page.text
        assert "NEW-" not in again.page.text
        assert_shows_pay(again)


async def test_people_of_two_versions_are_never_matched(make_site: MakeSite) -> None:
    first = short_study(cells=(PAIR,))
    then = second(first, pages=(NEW_CONSENT, *first.pages[1:]))
    async with make_site(first).running() as site:
        ann, ben, cat, dan = (Visitor(site) for _ in range(4))
        await to_lobby(ann)
        await ben.begin()
        ends = {"ann": await wait_in_lobby(ann)}
        await follow(site, first, then)
        await to_lobby(cat)
        ends["cat"] = await wait_in_lobby(cat)
        await to_lobby(dan)
        ends["dan"] = await wait_in_lobby(dan)
        await asyncio.wait_for(asyncio.gather(ends["cat"], ends["dan"]), PATIENCE_S)
        assert not ends["ann"].done()
        (match,) = await rows_of(site, MatchRow)
        assert match.study_version == 2
        await ben.send(AGREES)
        await ben.send({})
        ends["ben"] = await wait_in_lobby(ben)
        await asyncio.wait_for(asyncio.gather(ends["ann"], ends["ben"]), PATIENCE_S)
        assert sorted((m.study_version, m.place) for m in await rows_of(site, MatchRow)) == [
            (1, 0),
            (2, 0),
        ]
        await look_after(site.state)
        assert [(await v.row()).place for v in (ann, ben, cat, dan)] == [Place.PLAY] * 4


async def test_who_waits_in_an_earlier_version_waits_on_after_a_restart(
    make_site: MakeSite,
) -> None:
    first = short_study(cells=(PAIR,))
    async with make_site(first).running() as site:
        ann, ben = Visitor(site), Visitor(site)
        await to_lobby(ann)
        await wait_in_lobby(ann)
        await ben.begin()
    async with make_site(second(first, pages=(NEW_CONSENT, *first.pages[1:]))).running() as site:
        cat = Visitor(site)
        await to_lobby(cat)
        stays = {"cat": await wait_in_lobby(cat)}
        for name, before in (("ann", ann), ("ben", ben)):
            again = Visitor(site)
            again.browser.client.cookies = before.browser.client.cookies
            await again.open("/visit")
            if name == "ben":
                await again.send(AGREES)
                await again.send({})
            stays[name] = await wait_in_lobby(again)
        await asyncio.wait_for(asyncio.gather(stays["ann"], stays["ben"]), PATIENCE_S)
        assert not stays["cat"].done()
        (match,) = await rows_of(site, MatchRow)
        assert match.study_version == 1


async def test_the_cap_counts_each_visit_at_the_most_of_its_own_version(
    make_site: MakeSite,
) -> None:
    first = short_study(pay=Pay(base=600, hourly=900, cap=100_000))
    most, cheaper = first.most_of_a_visit, second(first).most_of_a_visit
    assert most is not None
    assert cheaper is not None
    cap = 2 * cheaper
    assert cap < most + cheaper
    then = second(first, pay=Pay(base=100, hourly=900, cap=cap))
    async with make_site(first).running() as site:
        await Visitor(site).begin()
        await follow(site, first, then)
        async with site.state.database.transaction() as db:
            assert await site.state.recruiting.closure_of(db, then) == "full"
