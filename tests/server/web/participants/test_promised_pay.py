"""Sentences on pay that people read before they know how their visit ends."""

from __future__ import annotations

import re

import pytest

from matchmaking.study.endings import Ending
from matchmaking.study.pages import Consent, Lobby, Play
from matchmaking.study.pay import Measure, Pay, Payment
from server.web.participants.texts import texts_in
from tests.server.web.conftest import MakeSite
from tests.server.web.participants.visitors import AGREES, PAIR, Visitor, short_study

UNPAID = Payment(Measure.NONE)
EARLY = dict.fromkeys((Ending.NO_PARTNER, Ending.WITHDREW, Ending.SCREENED_OUT), UNPAID)
CONSENT = Consent(
    version="1",
    text={"en": "We record what you do. Not all time is paid."},
    on_pay={"en": "Not all time is paid."},
)
ALL = "20 minutes at most, and the time that you wait in the lobby besides, up to 12.00 GBP"
ALONE = "without the time that you wait in the lobby: 20 minutes at most, up to 3.00 GBP."
APART = "an hour earns 9.00 GBP, an hour in the lobby 3.00 GBP, and all of it 6.00 GBP at most."
MOST = "by the hour, an hour earns 9.00 GBP, and all of it 12.00 GBP at most."


@pytest.mark.parametrize(
    ("pay", "consent", "waits_for_pay", "stops_for_pay"),
    [
        ({}, ALL, True, True),
        ({"endings": EARLY}, MOST, False, False),
        ({"waiting_hourly": 0}, ALONE, False, False),
        ({"waiting_free_s": 600.0, "base": 300}, MOST, False, True),
        ({"endings": EARLY, "waiting_hourly": 300}, APART, False, False),
        ({"time_ceiling": 0}, "", False, False),
    ],
)
async def test_every_page_promises_what_the_study_pays_and_no_more(
    make_site: MakeSite,
    pay: dict[str, object],
    consent: str,
    waits_for_pay: bool,
    stops_for_pay: bool,
) -> None:
    declared = Pay(**{"base": 600, "hourly": 900, "cap": 100_000} | pay)  # type: ignore[arg-type]
    study = short_study(cells=(PAIR,), pay=declared, pages=(CONSENT, Lobby(), Play()))
    async with make_site(study).running() as site:
        ann = Visitor(site)
        await ann.open("/s/short")
        assert ("Waiting is paid too." in ann.page.text) == waits_for_pay
        await ann.send({})
        assert consent in ann.page.text
        assert ('data-testid="consent-pay"' in ann.page.text) == bool(consent)
        await ann.send(AGREES)
        assert ("Waiting is paid." in ann.page.text) == waits_for_pay
        await ann.send({})
        ticket = ann.path.removeprefix("/lobby/")
        assert await site.state.lobby.connect(ticket, ticket)
        status = site.state.lobby.status(ticket, texts_in("en"))
        assert status is not None
        assert ("Your time here is paid." in status.text) == waits_for_pay
        await ann.open("/visit/stop-here")
        assert ("You are paid for the time" in ann.page.text) == stops_for_pay


@pytest.mark.parametrize(
    ("pay", "told"),
    [
        ({}, ["Whoever comes to the end is paid 6.00 GBP."]),
        (
            {"bonus_per_success": 50},
            [
                "Whoever comes to the end is paid 6.00 GBP.",
                "Each task that is done in full adds 0.50 GBP if you come to the end; "
                "the practice does not count.",
            ],
        ),
        ({"base": 0}, []),
        ({"endings": {Ending.COMPLETED: UNPAID}, "bonus_per_success": 50}, []),
        (
            {"endings": {Ending.COMPLETED: Payment(Measure.FIXED, 250)}},
            ["Whoever comes to the end is paid 2.50 GBP."],
        ),
    ],
)
async def test_consent_names_what_completing_earns(
    make_site: MakeSite, pay: dict[str, object], told: list[str]
) -> None:
    declared = Pay(**{"base": 600, "hourly": 900, "cap": 100_000} | pay)  # type: ignore[arg-type]
    study = short_study(cells=(PAIR,), pay=declared, pages=(CONSENT, Lobby(), Play()))
    async with make_site(study).running() as site:
        ann = Visitor(site)
        await ann.begin()
        found = re.findall(r'data-testid="consent-earns">(.*?)</p>', ann.page.text)
        assert found == told


@pytest.mark.parametrize(
    ("endings", "told"),
    [
        ({}, "Whoever comes to the end is paid 6.00 GBP at least."),
        (
            {Ending.COMPLETED: Payment(Measure.FIXED, 250)},
            "Whoever comes to the end is paid 2.50 GBP.",
        ),
    ],
)
async def test_without_minutes_the_time_may_earn_more_but_not_more_than_a_fixed_amount(
    make_site: MakeSite, endings: dict[Ending, Payment], told: str
) -> None:
    declared = Pay(base=600, hourly=900, cap=100_000, endings=endings)
    pages = (CONSENT, Lobby(), Play(episodes=1))
    study = short_study(pay=declared, pages=pages, minutes=None, visit_limit_s=7200)
    async with make_site(study).running() as site:
        ann = Visitor(site)
        await ann.begin()
        found = re.findall(r'data-testid="consent-earns">(.*?)</p>', ann.page.text)
        assert found == [told]


async def test_consent_names_each_ending_that_is_not_paid_by_the_time(make_site: MakeSite) -> None:
    endings = {Ending.WITHDREW: UNPAID, Ending.PARTNER_LEFT: Payment(Measure.FIXED, 150)}
    declared = Pay(base=600, hourly=900, cap=100_000, endings=endings)
    told = [
        "If a partner leaves and the study cannot go on, you are paid 1.50 GBP, however long it "
        "took.",
        "If you stop taking part, you are paid nothing.",
    ]
    for cell, expected in ((PAIR, told), (short_study().cells[0], told[1:])):
        study = short_study(cells=(cell,), pay=declared, pages=(CONSENT, Lobby(), Play(episodes=1)))
        async with make_site(study).running() as site:
            ann = Visitor(site)
            await ann.begin()
            found = re.findall(r'data-testid="consent-less">(.*?)</p>', ann.page.text)
            assert found == expected


@pytest.mark.parametrize(
    ("pay", "sentence"),
    [
        ({}, "You are paid through"),
        ({"endings": {Ending.COMPLETED: UNPAID}}, "There is no fixed pay for completing it."),
        ({"base": 0, "bonus_per_success": 50}, "There is no fixed pay for completing it."),
    ],
)
async def test_the_first_page_says_that_people_are_paid_only_where_completing_is(
    make_site: MakeSite, pay: dict[str, object], sentence: str
) -> None:
    declared = Pay(**{"base": 600, "hourly": 900, "cap": 100_000} | pay)  # type: ignore[arg-type]
    study = short_study(pay=declared, pages=(CONSENT, Lobby(), Play(episodes=1)))
    async with make_site(study).running() as site:
        ann = Visitor(site)
        await ann.open("/s/short")
        assert sentence in ann.page.text
        assert ("You are paid" in ann.page.text) == (not pay)


async def test_where_nobody_is_waited_for_no_page_speaks_of_waiting(make_site: MakeSite) -> None:
    async with make_site(short_study()).running() as site:
        ann = Visitor(site)
        await ann.open("/s/short")
        assert " wait" not in re.sub(r"<[^>]*>", " ", ann.page.text).lower()
        await ann.begin()
        assert "20 minutes at most, up to 3.00 GBP." in ann.page.text
        assert " wait" not in re.sub(r"<[^>]*>", " ", ann.page.text).lower()
