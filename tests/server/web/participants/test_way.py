"""The way through: pages in their order, whatever somebody presses."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from datetime import timedelta

import pytest
from sqlalchemy import delete

from matchmaking.study import Study
from matchmaking.study.pages import (
    Debrief,
    Device,
    Eligibility,
    Instructions,
    Lobby,
    Play,
    Quiz,
    Survey,
)
from matchmaking.study.questions import Kind, Question
from server.store.models import TicketRow
from server.store.visit_models import AnswerRow, ConsentRow, TroubleRow, VisitRow
from tests.matchmaking.study.made_studies import choice, scale
from tests.server.web.conftest import MakeSite, RunningSite
from tests.server.web.participants.visitors import (
    AGREES,
    CONSENT,
    Visitor,
    play_to_the_end,
    rows_of,
    short_study,
)

GOOD_DEVICE = {
    "width": "1280",
    "height": "720",
    "fps": "58.9",
    "rtt_ms": "31.0,28.5,40.2,900.0,30.1",
    "inputs": "keyboard,mouse",
}
WORDS = Question(name="words", kind=Kind.WORDS, text={"en": "Anything else?"}, is_required=False)


def long_study() -> Study:
    """Return a study with all pages but the tutorial."""
    return short_study(
        name="long",
        pages=(
            Device(least_width=900, least_height=500, least_fps=20, most_rtt_ms=250),
            CONSENT,
            Eligibility(least_age=18, most_age=70, questions=(choice("sees", ("yes",)),)),
            Instructions(text={"en": "Walk."}),
            Quiz(questions=(choice("clear", ("yes",)),), attempts=2),
            Lobby(),
            Play(episodes=2, after_each=Survey(name="each", questions=(scale("fluent"),))),
            Survey(questions=(scale("trust"), WORDS)),
            Debrief(text={"en": "It was about teams."}),
        ),
    )


@pytest.fixture
async def site(make_site: MakeSite) -> AsyncIterator[RunningSite]:
    studies = (short_study(), long_study())
    async with make_site(*studies).running() as running:
        yield running


async def to_the_quiz(site: RunningSite) -> Visitor:
    ann = Visitor(site)
    await ann.begin("/s/long")
    await ann.send(GOOD_DEVICE)
    await ann.send(AGREES)
    await ann.send({"q.age": "30", "q.sees": "yes"})
    await ann.send({})
    assert ann.path == "/visit/quiz"
    return ann


async def test_C2_an_address_out_of_order_leads_to_the_page_of_the_visit(
    site: RunningSite,
) -> None:
    ann = Visitor(site)
    await ann.begin("/s/long")
    for wrong in ("consent", "quiz", "play", "survey", "debrief", "the-end", "nonsense", "each"):
        await ann.open(f"/visit/{wrong}")
        assert ann.path == "/visit/device", wrong
    await ann.open("/")
    assert ann.path == "/visit/device"


async def test_C1_no_ticket_before_the_consent_is_stored(site: RunningSite) -> None:
    ann = Visitor(site)
    await ann.begin()
    token = ann.page.text.split('name="form_token" value="')[1].split('"')[0]
    for action in ("/visit/lobby", "/play/person", "/play/solo"):
        await ann.post(action, {"form_token": token, "step": "0"})
        assert ann.path == "/visit/consent", action
    assert await rows_of(site, TicketRow) == []
    await ann.send(AGREES)
    await ann.send({})
    (ticket,), (consent,) = await rows_of(site, TicketRow), await rows_of(site, ConsentRow)
    assert consent.given_at <= ticket.joined_at
    assert (consent.version, len(consent.text_digest)) == ("7", 64)


async def test_C1_a_visit_whose_consent_is_not_stored_gets_no_ticket(site: RunningSite) -> None:
    """The lobby looks for the row itself, whatever becomes of the order of pages."""
    ann = Visitor(site)
    await ann.begin()
    await ann.send(AGREES)
    async with site.state.database.transaction() as db:
        await db.execute(delete(ConsentRow))
    await ann.send({})
    assert ann.path == "/visit/lobby"
    assert await rows_of(site, TicketRow) == []


async def test_C1_refusing_leads_to_its_ending_and_stores_no_consent(site: RunningSite) -> None:
    ann = Visitor(site)
    await ann.begin()
    await ann.send({"decision": "refuse"})
    assert 'data-ending="no_consent"' in ann.page.text
    assert "CODE-no-consent" in ann.page.text
    assert await rows_of(site, ConsentRow) == []


async def test_C1_nothing_that_was_measured_is_kept_of_whoever_refuses(site: RunningSite) -> None:
    ann = Visitor(site)
    await ann.begin("/s/long")
    await ann.send(GOOD_DEVICE)
    assert await rows_of(site, AnswerRow) != []
    await ann.send({"decision": "refuse"})
    assert await rows_of(site, AnswerRow) == []
    assert "/visit/stop-here" not in ann.page.text


async def test_consent_asks_for_an_answer_each_and_keeps_those_given(site: RunningSite) -> None:
    ann = Visitor(site)
    await ann.begin()
    await ann.send({"decision": "agree", "permit.sharing": "no"})
    assert ann.page.status_code == 422
    assert "Please answer each question" in ann.page.text
    assert 'data-testid="permit-sharing-no" checked' in ann.page.text
    assert await rows_of(site, ConsentRow) == []


async def test_C3_a_reload_returns_to_the_page_with_what_was_filled_in(site: RunningSite) -> None:
    ann = await to_the_quiz(site)
    await ann.send({"q.clear": "yes"})
    await ann.send({})
    for _ in range(2):
        episode = await play_to_the_end(site, ann)
        await ann.open(f"/report/{episode}")
        await ann.open("/visit")
        await ann.send({"q.fluent": "4"})
        if ann.path == "/visit/play":
            await ann.send({})
    assert ann.path == "/visit/survey"
    kept = {"q.trust": "3", "q.words": "Fine & <good>", "draft": "1"}
    page = ann.page
    assert (await ann.send(kept)).status_code == 204
    ann.page = page
    await ann.open("/visit/survey")
    assert 'name="q.trust" value="3" checked' in ann.page.text
    assert "Fine &amp; &lt;good&gt;</textarea>" in ann.page.text
    # A form with one wrong answer keeps the others, too, also when the page is loaded again.
    await ann.send({"q.trust": "9", "q.words": "still here"})
    assert ann.page.status_code == 422
    assert "still here</textarea>" in ann.page.text
    await ann.open("/visit/survey")
    assert "still here</textarea>" in ann.page.text


async def test_C3_the_back_button_changes_nothing(site: RunningSite) -> None:
    ann = Visitor(site)
    await ann.begin()
    before = ann.page
    await ann.send(AGREES)
    ann.page = before
    await ann.send({"decision": "refuse"})
    assert ann.path == "/visit/lobby"
    assert len(await rows_of(site, ConsentRow)) == 1


async def test_C4_the_quiz_takes_as_many_attempts_as_it_says_and_stores_each(
    site: RunningSite,
) -> None:
    ann = await to_the_quiz(site)
    await ann.send({"q.clear": "no"})
    assert ann.page.status_code == 422
    assert "You have one more try" in ann.page.text
    await ann.send({"q.clear": "no"})
    assert 'data-ending="screened_out"' in ann.page.text
    answers = [a for a in await rows_of(site, AnswerRow) if a.page == "quiz"]
    assert [(a.attempt, a.value) for a in answers] == [(1, "no"), (2, "no")]


async def test_C4_a_form_of_the_quiz_that_is_sent_twice_is_one_attempt(site: RunningSite) -> None:
    """A double press, another tab, and a page that is loaded again send the same form."""
    ann = await to_the_quiz(site)
    asked = ann.page
    await ann.send({"q.clear": "no"})
    for _ in range(2):
        ann.page = asked
        await ann.send({"q.clear": "no"})
        assert ann.path == "/visit/quiz"
        assert "You have one more try" in ann.page.text
    await ann.send({"q.clear": "yes"})
    assert ann.path == "/visit/lobby"
    answers = [a for a in await rows_of(site, AnswerRow) if a.page == "quiz"]
    assert [(a.attempt, a.value) for a in answers] == [(1, "no"), (2, "yes")]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"q.trust": "0"}, "a number from 1 to 7"),
        ({"q.trust": "8"}, "a number from 1 to 7"),
        ({"q.trust": "four"}, "a number in digits"),
        ({}, "Please answer this one"),
        ({"q.trust": "4", "q.words": "x" * 4001}, "at most 4,000 characters"),
    ],
)
async def test_C6_the_server_refuses_answers_that_cannot_be(
    make_site: MakeSite, fields: dict[str, str], words: str
) -> None:
    pages = (CONSENT, Survey(questions=(scale("trust"), WORDS)), Lobby(), Play())
    async with make_site(short_study(pages=pages)).running() as site:
        ann = Visitor(site)
        await ann.begin()
        await ann.send(AGREES)
        await ann.send(fields)
        assert ann.page.status_code == 422
        assert ann.path == "/visit/survey"
        assert words in ann.page.text
        assert await rows_of(site, AnswerRow) == []


async def test_E6_a_device_that_does_not_do_is_told_why_before_consent(site: RunningSite) -> None:
    ann = Visitor(site)
    await ann.begin("/s/long")
    await ann.send({**GOOD_DEVICE, "width": "700"})
    assert ann.page.status_code == 422
    assert "900 by 500 pixels" in ann.page.text
    await ann.send({"decision": "give_up"})
    assert 'data-ending="screened_out"' in ann.page.text
    assert "CODE-screened-out" in ann.page.text
    assert await rows_of(site, ConsentRow) == []


async def test_E6_a_device_without_any_input_that_the_study_takes_is_told(
    site: RunningSite,
) -> None:
    ann = Visitor(site)
    await ann.begin("/s/long")
    await ann.send({**GOOD_DEVICE, "inputs": "gamepad"})
    assert 'data-reason="input"' in ann.page.text
    assert ann.page.status_code == 422


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        # The median of these is 30: one slow answer is no slow connection.
        ({}, None),
        ({"rtt_ms": "31,28,300,900,301"}, "nearness"),
        ({"rtt_ms": "31,28,30,29"}, "samples"),
        ({"rtt_ms": ""}, "incomplete"),
        ({"rtt_ms": "abc,-1"}, "incomplete"),
        ({"width": "wide"}, "incomplete"),
    ],
)
async def test_E7_the_median_of_the_round_trips_is_judged_and_all_are_stored(
    site: RunningSite, changes: dict[str, str], reason: str | None
) -> None:
    ann = Visitor(site)
    await ann.begin("/s/long")
    await ann.send({**GOOD_DEVICE, **changes})
    if reason is None:
        assert ann.path == "/visit/consent"
        stored = {a.question: a.value for a in await rows_of(site, AnswerRow)}
        assert stored["rtt_ms"] == [31.0, 28.5, 40.2, 900.0, 30.1]
        assert stored["rtt_median_ms"] == 31.0
    else:
        assert f'data-reason="{reason}"' in ann.page.text


@pytest.mark.parametrize(("fps", "reason"), [("12.0", "speed"), ("0.0", "webgl")])
async def test_E8_a_device_that_draws_too_slowly_is_told_before_the_lobby(
    site: RunningSite, fps: str, reason: str
) -> None:
    ann = Visitor(site)
    await ann.begin("/s/long")
    await ann.send({**GOOD_DEVICE, "fps": fps})
    assert f'data-reason="{reason}"' in ann.page.text


@pytest.mark.parametrize(
    "answers",
    [
        {"q.age": "17", "q.sees": "yes"},
        {"q.age": "71", "q.sees": "yes"},
        {"q.age": "30", "q.sees": "no"},
    ],
)
async def test_whoever_may_not_take_part_is_screened_out(
    site: RunningSite, answers: dict[str, str]
) -> None:
    ann = Visitor(site)
    await ann.begin("/s/long")
    await ann.send(GOOD_DEVICE)
    await ann.send(AGREES)
    await ann.send(answers)
    assert 'data-ending="screened_out"' in ann.page.text


async def test_C7_withdrawing_frees_the_seat_and_erases_answers_if_asked(
    site: RunningSite,
) -> None:
    ann = await to_the_quiz(site)
    await ann.send({"q.clear": "yes"})
    await ann.send({})
    session_id = ann.path.removeprefix("/play/")
    await ann.open("/visit/stop-here")
    assert "You are paid for the time that you have spent" in ann.page.text
    assert "is then left out of the research" in ann.page.text
    await ann.send({"erase": "yes"})
    assert 'data-ending="withdrew"' in ann.page.text
    assert 'data-testid="withdrawn"' in ann.page.text
    assert "CODE-withdrew" in ann.page.text
    assert not site.state.sessions.is_open(session_id)
    assert await rows_of(site, AnswerRow) == []
    row = await ann.row()
    assert row.withdrawn_at is not None


@pytest.mark.parametrize("page", ["device", "consent", "eligibility", "instructions", "quiz"])
async def test_C7_withdrawal_and_help_are_on_every_page(site: RunningSite, page: str) -> None:
    ann = Visitor(site)
    await ann.begin("/s/long")
    for fields in (GOOD_DEVICE, AGREES, {"q.age": "30", "q.sees": "yes"}, {}):
        if ann.path == f"/visit/{page}":
            break
        await ann.send(fields)
    assert ann.path == f"/visit/{page}"
    assert 'href="/visit/stop-here"' in ann.page.text
    assert 'href="/visit/i-have-a-problem"' in ann.page.text


async def test_C7_withdrawal_after_the_end_keeps_ending_and_pay(site: RunningSite) -> None:
    ann = Visitor(site)
    await ann.begin()
    await ann.send(AGREES)
    await ann.send({})
    await play_to_the_end(site, ann)
    await ann.open("/visit")
    await ann.send({"q.fluent": "6"})
    await ann.send({})
    assert re.search(r"6\.0\d GBP", ann.page.text)
    assert "and it is stored" in ann.page.text
    await ann.open("/visit/stop-here")
    await ann.send({})
    assert 'data-testid="withdrawn"' in ann.page.text
    assert "and it is stored" not in ann.page.text
    assert re.search(r"6\.0\d GBP", ann.page.text)
    row = await ann.row()
    assert (row.ending, row.withdrawn_at is not None) == ("completed", True)


async def test_a_problem_is_stored_with_its_place_and_costs_nothing(site: RunningSite) -> None:
    ann = Visitor(site)
    await ann.begin()
    await ann.send(AGREES)
    await ann.open("/visit/i-have-a-problem")
    await ann.send({"text": "  "})
    assert ann.page.status_code == 422
    await ann.send({"text": "The house\0 is upside down\0"})
    assert "it goes to whoever runs the study" in ann.page.text
    (trouble,) = await rows_of(site, TroubleRow)
    assert (trouble.place, trouble.text) == ("lobby", "The house is upside down")
    await ann.open("/visit")
    assert ann.path == "/visit/lobby"


async def test_what_was_written_in_the_chat_is_reported_with_visit_and_session(
    site: RunningSite,
) -> None:
    ann = Visitor(site)
    await ann.begin()
    await ann.send(AGREES)
    await ann.send({})
    session_id = ann.path.removeprefix("/play/")
    await ann.open("/visit/i-have-a-problem?about=chat")
    assert "Report what was written" in ann.page.text
    await ann.send({"text": ""})
    assert "Report what was written" in ann.page.text
    await ann.send({"text": "They insult me"})
    (trouble,) = await rows_of(site, TroubleRow)
    assert (trouble.place, trouble.session_id) == ("play", session_id)
    assert trouble.text == "About the chat: They insult me"
    assert trouble.visit_id == (await ann.row()).visit_id


async def test_R3_the_code_is_text_and_stays_after_a_reload(site: RunningSite) -> None:
    ann = Visitor(site)
    await ann.begin()
    await ann.send({"decision": "refuse"})
    for _ in range(2):
        assert 'value="CODE-no-consent"' in ann.page.text
        await ann.open("/visit/the-end")


async def test_a_visit_that_takes_too_long_ends_and_is_told(site: RunningSite) -> None:
    ann = Visitor(site)
    await ann.begin()
    row = await ann.row()
    async with site.state.database.transaction() as db:
        stored = await db.get_one(VisitRow, row.visit_id)
        stored.arrived_at -= timedelta(hours=5)
    await ann.send(AGREES)
    assert 'data-ending="timed_out"' in ann.page.text
    assert await rows_of(site, ConsentRow) == []
