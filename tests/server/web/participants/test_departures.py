"""People who go away from a session of a study: what each of the group ends with, and is paid."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import msgspec
import pytest

from matchmaking.study.conduct import Departures
from matchmaking.study.design import Tasks
from matchmaking.study.endings import Ending
from matchmaking.study.pages import Debrief, Lobby, Play, Survey
from matchmaking.study.pay import DEFAULT_PAYMENTS, Measure, Pay, Payment
from server.recruiting.payments import payments_of
from server.store.models import EpisodeRow
from server.store.sessions import close_session, seat_of, session_row
from server.store.study_groups import courses_of
from server.web.participants.keeper import look_after
from tests.matchmaking.study.made_studies import scale
from tests.server.web.conftest import MakeSite, RunningSite
from tests.server.web.doubles import proposition, verdict
from tests.server.web.participants.visitors import (
    AGREES,
    CONSENT,
    PAIR,
    Visitor,
    pair,
    play_to_the_end,
    rows_of,
    short_study,
    through,
)

UNDONE = verdict(proposition(0, satisfied=False, satisfied_tick=None))


async def _end(site: RunningSite, session_id: str, reason: str, **gone: int) -> None:
    """End the task of a session; ``gone`` are the ticks for which seats have been left."""
    await site.host.finish(session_id, UNDONE, reason, gone=gone)


async def _seat(site: RunningSite, visitor: Visitor) -> str:
    participant = (await visitor.row()).participant_id
    spec, _, _ = site.host.opened[-1]
    async with site.state.database.transaction() as db:
        session = await session_row(db, spec.session_id)
    assert session is not None
    seat = seat_of(session, participant)
    assert seat is not None
    return seat


async def test_S3_whose_partner_left_has_that_ending_and_its_pay_and_the_leaver_has_not(
    make_site: MakeSite,
) -> None:
    study = short_study(cells=(PAIR,), departures=Departures(outcome="end"))
    async with make_site(study).running() as site:
        ann, ben = await pair(site)
        session_id = ann.path.removeprefix("/play/")
        await _end(site, session_id, "left", **{await _seat(site, ben): 1})
        await through(ann)
        assert 'data-ending="partner_left"' in ann.page.text
        assert re.search(r"6\.0\d GBP", ann.page.text)
        await ben.open("/visit")
        assert 'data-ending="withdrew"' in ben.page.text
        assert re.search(r"0\.\d\d GBP", ben.page.text)
        # Whoever stays away has not taken back what they agreed to.
        assert (await ben.row()).withdrawn_at is None
        assert 'data-testid="withdrawn"' not in ben.page.text


async def test_S3_who_went_away_ends_though_there_are_questions_after_the_task(
    make_site: MakeSite,
) -> None:
    each = Survey(name="each", questions=(scale("fluent"),))
    pages = (CONSENT, Lobby(), Play(episodes=2, after_each=each))
    study = short_study(cells=(PAIR,), pages=pages, departures=Departures(outcome="end"))
    async with make_site(study).running() as site:
        ann, ben = await pair(site)
        session_id = ann.path.removeprefix("/play/")
        await _end(site, session_id, "left", **{await _seat(site, ben): 1})
        await look_after(site.state)
        assert (await ben.row()).ending == "withdrew", "nobody has to look at their visit"
        assert (await ann.row()).place == "episode_survey"
        await ann.open("/visit")
        await ann.send({"q.fluent": "4"})
        assert (await ann.row()).ending == "partner_left"


async def test_S3_the_study_says_what_whose_partner_left_is_paid(make_site: MakeSite) -> None:
    text = "Somebody whose partner leaves is paid for the time."
    consent = msgspec.structs.replace(CONSENT, text={"en": text}, on_pay={"en": text})
    study = short_study(
        cells=(PAIR,),
        pages=(consent, Lobby(), Play(episodes=1), Debrief(text={"en": "Thanks."})),
        pay=Pay(
            base=600,
            hourly=900,
            cap=100_000,
            endings={**DEFAULT_PAYMENTS, Ending.PARTNER_LEFT: Payment(Measure.FIXED, 250)},
        ),
    )
    async with make_site(study).running() as site:
        ann, ben = await pair(site)
        session_id = ann.path.removeprefix("/play/")
        await _end(site, session_id, "left", **{await _seat(site, ben): 30})
        await through(ann)
        async with site.state.database.transaction() as db:
            found = await payments_of(db, "short", site.state.now())
        assert [(row.ending, row.owed.base) for row in found.rows] == [("partner_left", 250)]


async def test_S3_who_goes_on_without_the_one_who_left_completes(make_site: MakeSite) -> None:
    async with make_site(short_study(cells=(PAIR,))).running() as site:
        ann, ben = await pair(site)
        session_id = ann.path.removeprefix("/play/")
        await ben.open("/visit/stop-here")
        await ben.send({})
        await ann.open("/visit")
        assert ann.path == f"/play/{session_id}"
        await play_to_the_end(site, ann)
        await through(ann)
        assert 'data-ending="completed"' in ann.page.text


@pytest.mark.parametrize("asks", [True, False])
async def test_S3_who_is_gone_when_the_last_task_ends_has_not_played_it(
    make_site: MakeSite, asks: bool
) -> None:
    """The other goes on without and completes; whoever went away is asked nothing any more."""
    each = Survey(name="each", questions=(scale("fluent"),)) if asks else None
    last = Survey(name="last", questions=(scale("fluent"),))
    pages = (CONSENT, Lobby(), Play(episodes=1, after_each=each), last)
    async with make_site(short_study(cells=(PAIR,), pages=pages)).running() as site:
        ann, ben = await pair(site)
        session_id = ann.path.removeprefix("/play/")
        await _end(site, session_id, "finished", **{await _seat(site, ben): 750})
        await look_after(site.state)
        assert (await ben.row()).ending == "withdrew"
        assert (await ann.row()).place == ("episode_survey" if asks else "survey")
        for _ in range(1 + asks):
            await ann.open("/visit")
            await ann.send({"q.fluent": "4"})
        assert (await ann.row()).ending == "completed"


async def test_S3_who_leaves_the_page_after_the_last_task_has_played_it(
    make_site: MakeSite,
) -> None:
    async with make_site(short_study(cells=(PAIR,))).running() as site:
        ann, ben = await pair(site)
        session_id = ann.path.removeprefix("/play/")
        await _end(site, session_id, "finished")
        async with site.state.database.transaction() as db:
            await close_session(db, session_id, "finished", site.state.now())
        for visitor in (ann, ben):
            await through(visitor)
            assert 'data-ending="completed"' in visitor.page.text


async def test_S3_two_who_leave_one_after_the_other_are_told_apart(make_site: MakeSite) -> None:
    async with make_site(short_study(cells=(PAIR,))).running() as site:
        ann, ben = await pair(site)
        session_id = ann.path.removeprefix("/play/")
        seats = {await _seat(site, ann): 3, await _seat(site, ben): 900}
        await _end(site, session_id, "left", **seats)
        await look_after(site.state)
        assert [(await v.row()).ending for v in (ann, ben)] == ["partner_left", "withdrew"]


async def test_S3_two_who_go_away_at_once_are_no_technical_failure(make_site: MakeSite) -> None:
    async with make_site(short_study(cells=(PAIR,))).running() as site:
        ann, ben = await pair(site)
        session_id = ann.path.removeprefix("/play/")
        seats = {await _seat(site, ann): 903, await _seat(site, ben): 900}
        await _end(site, session_id, "left", **seats)
        await look_after(site.state)
        assert [(await v.row()).ending for v in (ann, ben)] == ["withdrew"] * 2


@pytest.mark.parametrize("is_substituted", [True, False])
async def test_S3_an_episode_with_a_substitute_is_tagged(
    make_site: MakeSite, is_substituted: bool
) -> None:
    study = short_study(cells=(PAIR,), substitute="expert", departures=Departures(outcome="robot"))
    async with make_site(study).running() as site:
        ann, _ = await pair(site)
        (spec, _, _) = site.host.opened[-1]
        assert (spec.when_gone, spec.stand_in) == ("policy", "expert")
        session_id = ann.path.removeprefix("/play/")
        await site.host.finish(session_id, verdict(proposition(0)), is_substituted=is_substituted)
        (episode,) = await rows_of(site, EpisodeRow)
        assert episode.is_substituted is is_substituted
        assert site.state.lobby.rules.studies == (study,)
        async with site.state.database.transaction() as db:
            course = (await courses_of(db, study.key, [0]))[0]
        assert (course.is_complete, course.is_substituted) == (True, is_substituted)


@pytest.mark.parametrize(
    ("reason", "ending"), [("failed", "technical_failure"), ("operator", "technical_failure")]
)
async def test_S9_a_task_that_we_broke_off_is_no_task_that_was_played(
    make_site: MakeSite, reason: str, ending: str
) -> None:
    async with make_site(short_study()).running() as site:
        ann = await _playing(site)
        session_id = ann.path.removeprefix("/play/")
        await _end(site, session_id, reason)
        await ann.open("/visit")
        assert f'data-ending="{ending}"' in ann.page.text
        assert "for the time" in ann.page.text or re.search(r"0\.\d\d GBP", ann.page.text)


@pytest.mark.parametrize(
    ("cells", "is_one_gone", "endings"),
    [
        # All of a group have closed their browsers: nothing of ours has failed.
        ((PAIR,), False, ["withdrew", "withdrew"]),
        ((PAIR,), True, ["partner_left", "withdrew"]),
    ],
)
async def test_S3_a_session_that_no_page_follows_ends_nobodys_visit_as_timed_out(
    make_site: MakeSite, cells: Any, is_one_gone: bool, endings: list[str]
) -> None:
    async with make_site(short_study(cells=cells)).running() as site:
        ann, ben = await pair(site)
        session_id = ann.path.removeprefix("/play/")
        gone = {await _seat(site, ben): 600} if is_one_gone else {}
        await _end(site, session_id, "abandoned", **gone)
        async with site.state.database.transaction() as db:
            await close_session(db, session_id, "abandoned", site.state.now())
        await look_after(site.state)
        assert [(await v.row()).ending for v in (ann, ben)] == endings


async def test_the_window_that_a_study_declares_is_kept_to_by_who_is_alone_with_a_robot(
    make_site: MakeSite,
) -> None:
    study = short_study(departures=Departures(window_s=120))
    async with make_site(study).running() as site:
        ann = await _playing(site)
        session_id = ann.path.removeprefix("/play/")
        with site.state.sessions.pages.socket(session_id):
            pass
        for passed_s, told in ((33, []), (86, []), (2, [(session_id, "abandoned")])):
            site.passed_s += passed_s
            await site.state.sessions.tidy()
            assert site.host.told_to_end == told


async def test_a_study_may_give_an_attempt_more_time_than_the_server_does(
    make_site: MakeSite,
) -> None:
    study = short_study(tasks=Tasks(limit_s=3600))
    async with make_site(study, time_limit_s=60, loading_timeout_s=60).running() as site:
        ann = await _playing(site)
        session_id = ann.path.removeprefix("/play/")
        with site.state.sessions.pages.socket(session_id):
            for passed_s, is_open in ((3000, True), (1200, False)):
                site.passed_s += passed_s
                await site.state.sessions.tidy()
                assert site.state.sessions.is_open(session_id) is is_open


async def test_questions_between_tasks_keep_the_session_however_long_they_take(
    make_site: MakeSite,
) -> None:
    each = Survey(name="each", questions=(scale("fluent"),))
    pages = (CONSENT, Lobby(), Play(episodes=2, after_each=each))
    async with make_site(short_study(pages=pages), abandoned_s=20).running() as site:
        ann = await _playing(site)
        session_id = ann.path.removeprefix("/play/")
        await play_to_the_end(site, ann)
        await ann.open("/visit")
        assert ann.path == "/visit/each"
        (keeps,) = re.findall(r'data-still-here="([^"]+)"', ann.page.text)
        assert keeps == f"/sessions/{session_id}/here"
        for _ in range(4):
            site.passed_s += 15
            assert (await ann.browser.get(keeps)).status_code == 204
            await site.state.sessions.tidy()
            assert site.state.sessions.is_open(session_id)
        # A page that is shown once the session is closed asks for it no more.
        site.passed_s += timedelta(hours=1).total_seconds()
        await site.state.sessions.tidy()
        await ann.open("/visit")
        assert "data-still-here" not in ann.page.text


async def test_who_is_between_two_tasks_is_told_that_another_has_begun_the_next(
    make_site: MakeSite,
) -> None:
    pages = (CONSENT, Lobby(), Play(episodes=2))
    async with make_site(short_study(cells=(PAIR,), pages=pages)).running() as site:
        ann, ben = await pair(site)
        session_id = ann.path.removeprefix("/play/")
        await play_to_the_end(site, ann)
        for visitor in (ann, ben):
            await visitor.open("/visit")
            assert visitor.path == "/visit/play"
        (asks,) = re.findall(r'data-still-here="([^"]+)"', ben.page.text)
        assert (await ben.browser.get(asks)).status_code == 204
        await ann.send({})
        assert ann.path == f"/play/{session_id}"
        assert (await ben.browser.get(asks)).status_code == 200
        (onward,) = re.findall(r'data-next-path="([^"]+)"', ben.page.text)
        await ben.open(onward)
        assert ben.path == f"/play/{session_id}"


async def _playing(site: RunningSite) -> Visitor:
    ann = Visitor(site)
    await ann.begin()
    await ann.send(AGREES)
    await ann.send({})
    return ann


async def test_C1_a_session_says_what_all_its_people_have_agreed_to(make_site: MakeSite) -> None:
    async with make_site(short_study(cells=(PAIR,))).running() as site:
        await pair(site)
        (spec, _, _) = site.host.opened[-1]
        # Sharing is all that those visitors say yes to, beside taking part.
        assert spec.permits == ("research", "sharing")


async def test_S3_a_session_that_the_next_process_closes_has_ended_as_its_task_did(
    make_site: MakeSite,
) -> None:
    async with make_site(short_study(cells=(PAIR,))).running() as site:
        ann, ben = await pair(site)
        session_id = ann.path.removeprefix("/play/")
        await _end(site, session_id, "left", **{await _seat(site, ben): 30})
        async with site.state.database.transaction() as db:
            await close_session(db, session_id, "server_stopped", site.state.now())
        await look_after(site.state)
        assert [(await v.row()).ending for v in (ann, ben)] == ["partner_left", "withdrew"]
