"""Arrivals: links of recruiters, what begins a visit, and links that lead nowhere."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import quote

import pytest
from msgspec.structs import replace
from structlog.testing import capture_logs

from matchmaking.study.recruiter import Recruiter
from server.recruiting.lab_label import LabLabel
from server.recruiting.printed_links import link_lines
from server.recruiting.registry import recruiter_of
from server.store.models import ParticipantRow
from server.store.visit_models import IdentityRow, SignRow, VisitRow
from server.web.tokens import ArrivalClaim
from tests.server.web.conftest import MakeSite, RunningSite
from tests.server.web.participants.visitors import AGREES, ALL_CODES, Visitor, rows_of, short_study

PID = "5f1e0c2b9d8a7e6f5a4b3c2d"
PROLIFIC = f"/s/prolific?PROLIFIC_PID={PID}&STUDY_ID=64a1&SESSION_ID=99c0"
SANDBOX = "https://workersandbox.mturk.com"
MTURK = f"/s/mturk?workerId=A1B2C3&assignmentId=3XYZ&hitId=9HIT&turkSubmitTo={quote(SANDBOX)}"
UNFILLED = quote("{{%PROLIFIC_PID%}}")


def of(kind: str, **changes: Any) -> Any:
    return short_study(name=kind, recruiter=Recruiter(kind=kind, codes=ALL_CODES), **changes)


@pytest.fixture
async def site(make_site: MakeSite) -> AsyncIterator[RunningSite]:
    kinds = ("prolific", "mturk", "lab", "sona", "hitl")
    sona = Recruiter(kind="sona", codes=ALL_CODES, return_url="https://x.sona.com/done?id={id}")
    studies = [of(kind) for kind in kinds if kind != "sona"]
    studies += [short_study(name="sona", recruiter=sona), short_study()]
    studies.append(
        replace(studies[-1], name="pilot", mode="pilot", recruiter=Recruiter(kind="hitl"))
    )
    async with make_site(*studies).running() as running:
        yield running


def test_the_link_to_post_at_prolific_says_what_is_filled_in() -> None:
    lines = list(link_lines(of("prolific"), recruiter_of(of("prolific"), ""), "https://x.org"))
    template = "PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}"
    assert lines[:2] == [
        "Its link, to paste at Prolific:",
        f"  https://x.org/s/prolific?{template}",
    ]
    assert "Prolific fills in" in lines[2]
    assert "https://x.org/s/prolific?preview=true" in lines[3]
    assert "`mode: pilot`" in lines[4]


async def test_links_that_are_printed_to_try_lead_where_they_say(make_site: MakeSite) -> None:
    pilot = of("prolific", mode="pilot")
    async with make_site(pilot).running() as site:
        *_, look, whole = link_lines(pilot, recruiter_of(pilot, ""), "")
        ann = Visitor(site)
        page = await ann.open(look.partition(": ")[2])
        assert page.status_code == 200
        assert "nothing begins here" in page.text
        assert "begin-visit" not in page.text
        assert await rows_of(site, VisitRow) == []
        await ann.begin(whole.partition(": ")[2])
        assert ann.path == "/visit/consent"


@pytest.mark.parametrize(
    ("link", "parameters"),
    [
        (PROLIFIC, {"PROLIFIC_PID": PID, "STUDY_ID": "64a1", "SESSION_ID": "99c0"}),
        (MTURK, {
            "workerId": "A1B2C3", "assignmentId": "3XYZ", "hitId": "9HIT",
            "turkSubmitTo": SANDBOX,
        }),
    ],
)  # fmt: skip
async def test_E1_parameters_are_kept_as_they_came_and_ids_of_ours_have_none_of_them(
    site: RunningSite, link: str, parameters: dict[str, str]
) -> None:
    ann = Visitor(site)
    await ann.begin(link)
    assert ann.path == "/visit/consent"
    (identity,) = await rows_of(site, IdentityRow)
    assert identity.parameters == parameters
    row = await ann.row()
    for value in parameters.values():
        assert value.lower() not in f"{row.visit_id} {row.participant_id}"
        assert value not in ann.page.text
        assert value not in str(ann.page.request.url)


async def test_E2_the_same_id_resumes_the_first_visit_from_another_browser(
    site: RunningSite,
) -> None:
    ann, again = Visitor(site), Visitor(site)
    await ann.begin(PROLIFIC)
    await ann.send(AGREES)
    await again.open(PROLIFIC)
    assert "You began this study before" in again.page.text
    assert 'href="/"' not in again.page.text, "open play pays nobody"
    await again.send({})
    assert again.path == "/visit/lobby"
    assert len(await rows_of(site, VisitRow)) == 1
    assert [sign.kind for sign in await rows_of(site, SignRow)] == ["another_browser"]
    # The first browser is told where it went on.
    await ann.open("/visit")
    assert ann.page.status_code == 404
    assert "gone on in another browser" in ann.page.text


async def test_an_id_alone_takes_no_visit_over(site: RunningSite) -> None:
    """Ids are known to others; what the recruiter gives each person once is not."""
    ann, other = Visitor(site), Visitor(site)
    await ann.begin(PROLIFIC)
    await ann.send(AGREES)
    for link in (f"/s/prolific?PROLIFIC_PID={PID}", PROLIFIC.replace("99c0", "99c1")):
        await other.open(link)
        assert other.page.status_code == 409
        assert "This visit was begun with another link" in other.page.text
    await ann.open("/visit")
    assert ann.path == "/visit/lobby"
    # A first page that was opened before the visit began is no way round it.
    fay, late = Visitor(site), Visitor(site)
    hers = PROLIFIC.replace(PID, "7" * 24)
    await late.open(f"/s/prolific?PROLIFIC_PID={'7' * 24}")
    await fay.begin(hers)
    await late.send({})
    assert late.page.status_code == 409
    await fay.send(AGREES)
    assert fay.path == "/visit/lobby"


async def test_E2_an_id_in_capitals_is_the_same_person(site: RunningSite) -> None:
    ann, again = Visitor(site), Visitor(site)
    await ann.begin(PROLIFIC)
    await ann.send({"decision": "refuse"})
    await again.open(PROLIFIC.replace(PID, PID.upper()))
    assert "You have taken part already" in again.page.text
    assert len(await rows_of(site, VisitRow)) == 1


async def test_X7_no_log_has_what_a_link_has_for_a_name(site: RunningSite) -> None:
    with capture_logs() as logs:
        await Visitor(site).open(f"/s/prolific?ann@example.org={UNFILLED}")
        await Visitor(site).open(f"/s/prolific?PROLIFIC_PID={UNFILLED}")
    refused = [entry for entry in logs if entry["event"] == "visit.link_refused"]
    assert [entry["parameter"] for entry in refused] == ["", "PROLIFIC_PID"]


async def test_E2_after_the_end_the_same_id_has_already_taken_part(site: RunningSite) -> None:
    ann, again = Visitor(site), Visitor(site)
    await ann.begin(PROLIFIC)
    await ann.send({"decision": "refuse"})
    assert 'data-ending="no_consent"' in ann.page.text
    await again.open(PROLIFIC)
    assert "You have taken part already" in again.page.text
    assert 'href="/"' not in again.page.text, "open play pays nobody"
    assert "<form" not in again.page.text
    assert len(await rows_of(site, VisitRow)) == len(await rows_of(site, ParticipantRow)) == 1
    # In the browser of the visit, the link leads to its end and the code.
    await ann.open(PROLIFIC)
    assert ann.path == "/visit/the-end"


async def test_E2_two_browsers_with_one_id_at_once_begin_one_visit(site: RunningSite) -> None:
    people = [Visitor(site) for _ in range(5)]
    for visitor in people:
        await visitor.open(PROLIFIC)
    await asyncio.gather(*(visitor.send({}) for visitor in people))
    assert len(await rows_of(site, VisitRow)) == len(await rows_of(site, IdentityRow)) == 1
    # Several may have seen the page before the last one took the visit over; one holds it now.
    for visitor in people:
        await visitor.open("/visit")
    assert [v.path for v in people if v.page.status_code == 200] == ["/visit/consent"]


async def test_E4_looking_at_a_link_takes_nothing(site: RunningSite) -> None:
    robot = Visitor(site)
    for _ in range(3):
        await robot.open(PROLIFIC)
        assert robot.page.status_code == 200
    assert await rows_of(site, VisitRow) == []
    assert await rows_of(site, ParticipantRow) == []


async def test_E4_whoever_asks_for_the_head_of_a_link_is_answered_and_begins_nothing(
    site: RunningSite,
) -> None:
    answers = [
        await Visitor(site).browser.client.head(link) for link in (PROLIFIC, "/s/prolific", "/s/x")
    ]
    assert [answer.status_code for answer in answers] == [200, 400, 404]
    assert {answer.content for answer in answers} == {b""}
    assert await rows_of(site, VisitRow) == []


@pytest.mark.parametrize("header", ["Sec-Purpose", "Purpose", "X-Moz"])
async def test_E4_a_browser_that_fetches_ahead_is_told_to_come_again(
    site: RunningSite, header: str
) -> None:
    robot = Visitor(site)
    await robot.open(PROLIFIC, **{header: "prefetch"})
    assert robot.page.status_code == 503
    assert "This page waits for you" in robot.page.text
    assert await rows_of(site, VisitRow) == []


async def test_E5_a_preview_shows_the_study_and_begins_nothing(site: RunningSite) -> None:
    ann = Visitor(site)
    await ann.open("/s/mturk?assignmentId=ASSIGNMENT_ID_NOT_AVAILABLE&hitId=9")
    assert "This is a preview" in ann.page.text
    assert "<form" not in ann.page.text
    assert "https://www.mturk.com" in ann.page.headers["content-security-policy"]
    assert await rows_of(site, VisitRow) == []


async def test_E5_a_form_that_a_preview_does_not_have_begins_nothing_either(
    site: RunningSite,
) -> None:
    ann = Visitor(site)
    await ann.open("/s/short")
    previewed = json.dumps({"assignmentId": "ASSIGNMENT_ID_NOT_AVAILABLE", "hitId": "9"})
    arrival = site.state.tokens.sign_arrival(ArrivalClaim("mturk", "arrival", previewed))
    hidden = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', ann.page.text))
    await ann.post("/s/mturk", {**hidden, "arrival": arrival})
    assert ann.path == "/s/mturk"
    assert await rows_of(site, VisitRow) == []


async def test_a_frame_of_mechanical_turk_opens_the_study_in_a_window(site: RunningSite) -> None:
    ann = Visitor(site)
    await ann.open(MTURK, **{"Sec-Fetch-Dest": "iframe"})
    assert 'target="_blank"' in ann.page.text
    assert "<form" not in ann.page.text


async def test_labels_need_the_signature_of_this_server(site: RunningSite) -> None:
    lab = site.state.studies.get("lab")
    assert lab is not None
    assert isinstance(lab.recruiter, LabLabel)
    signature = lab.recruiter.sign(lab.study, "seat-7")
    other = signature[:-1] + ("1" if signature.endswith("0") else "0")
    ann = Visitor(site)
    for link in (
        f"/s/lab?participant_label=seat-8&hash={signature}",
        "/s/lab?participant_label=seat-7",
        f"/s/lab?participant_label=seat-7&hash={other}",
    ):
        await ann.open(link)
        assert "This link is not one of ours" in ann.page.text
    await ann.begin(f"/s/lab?participant_label=seat-7&hash={signature}")
    assert ann.path == "/visit/consent"


async def test_a_second_label_in_the_same_browser_is_somebody_else(site: RunningSite) -> None:
    lab = site.state.studies.get("lab")
    assert lab is not None
    assert isinstance(lab.recruiter, LabLabel)
    ann = Visitor(site)
    for label in ("a", "b"):
        signature = lab.recruiter.sign(lab.study, label)
        await ann.begin(f"/s/lab?participant_label={label}&hash={signature}")
        assert ann.path == "/visit/consent"
    assert len(await rows_of(site, ParticipantRow)) == 2


async def test_sona_takes_its_code_by_either_name(site: RunningSite) -> None:
    for name in ("survey_code", "id", "ID"):
        ann = Visitor(site)
        await ann.begin(f"/s/sona?{name}=4711")
    assert [identity.external_id for identity in await rows_of(site, IdentityRow)] == ["4711"]


async def test_parameters_of_habitat_are_for_pilots_only(site: RunningSite) -> None:
    ann = Visitor(site)
    await ann.open("/s/hitl?user_id=7&experiment=a&episodes=0-3")
    assert "for pilots only" in ann.page.text
    await ann.begin("/s/pilot?user_id=7&experiment=a&episodes=0-3")
    assert ann.path == "/visit/consent"


BAD_LINKS = {
    "a placeholder of Prolific": (f"/s/prolific?PROLIFIC_PID={UNFILLED}", "was not filled in"),
    "one beside the id": (f"{PROLIFIC}&X={UNFILLED}", "was not filled in"),
    "a placeholder of SONA": ("/s/sona?survey_code=%25SURVEY_CODE%25", "was not filled in"),
    "an e-mail address": ("/s/prolific?PROLIFIC_PID=ann%40example.org", "keep your address"),
    "no id": ("/s/prolific", "This link is not whole"),
    "what a program writes for nothing": ("/s/prolific?PROLIFIC_PID=null", "was not filled in"),
    "the name for the value": ("/s/prolific?PROLIFIC_PID=PROLIFIC_PID", "was not filled in"),
    "an id that Prolific gives nobody": ("/s/prolific?PROLIFIC_PID=5f3a", "This link is damaged"),
    "a formula": (f"/s/prolific?PROLIFIC_PID={quote('=1+1')}", "This link is damaged"),
    "a blank id": ("/s/prolific?PROLIFIC_PID=%20", "This link is not whole"),
    "an id with other letters": ("/s/prolific?PROLIFIC_PID=a%3Bb", "This link is damaged"),
    "a long id": (f"/s/prolific?PROLIFIC_PID={'a' * 200}", "This link is damaged"),
    "two ids": ("/s/prolific?PROLIFIC_PID=a&PROLIFIC_PID=b", "This link is damaged"),
    "an id twice": ("/s/prolific?PROLIFIC_PID=a&prolific_pid=a", "This link is damaged"),
    "a session twice": (f"{PROLIFIC}&SESSION_ID=99c0", "This link is damaged"),
    "no study": ("/s/nothing?PROLIFIC_PID=a", "There is no such study here"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD_LINKS)
async def test_a_link_that_leads_nowhere_has_a_page_of_its_own(
    site: RunningSite, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    link, words = BAD_LINKS[name]
    ann = Visitor(site)
    await ann.open(link)
    assert ann.page.status_code in (400, 404)
    assert words in ann.page.text
    # The start page is open play, which pays nobody.
    assert "Back to the start" not in ann.page.text
    assert "ann@example.org" not in ann.page.text
    assert "ann@example.org" not in capsys.readouterr().out
    assert await rows_of(site, VisitRow) == []


async def test_a_button_that_is_pressed_twice_begins_one_visit(site: RunningSite) -> None:
    ann = Visitor(site)
    await ann.open("/s/short")
    form = ann.page
    await ann.send({})
    ann.page = form
    await ann.send({})
    assert ann.path == "/visit/consent"
    assert len(await rows_of(site, VisitRow)) == 1


async def test_a_first_page_that_another_browser_has_used_begins_nothing(
    site: RunningSite,
) -> None:
    ann, eve = Visitor(site), Visitor(site)
    await ann.open("/s/short")
    (arrival,) = re.findall(r'name="arrival" value="([^"]+)"', ann.page.text)
    await ann.send({})
    await eve.open("/s/short")
    await eve.send({"arrival": arrival})
    assert eve.page.status_code == 409
    assert "used in another browser" in eve.page.text
    assert len(await rows_of(site, VisitRow)) == 1


@pytest.mark.parametrize("token", ["", "nonsense", "a.b.c"])
async def test_a_first_page_that_is_not_ours_begins_nothing(site: RunningSite, token: str) -> None:
    ann = Visitor(site)
    await ann.open("/s/short")
    await ann.send({"arrival": token})
    assert ann.page.status_code == 400
    assert "open for too long" in ann.page.text
    assert await rows_of(site, VisitRow) == []


async def test_no_personal_id_is_logged(
    site: RunningSite, capsys: pytest.CaptureFixture[str]
) -> None:
    ann = Visitor(site)
    await ann.begin(PROLIFIC)
    await ann.send(AGREES)
    await ann.send({})
    output = capsys.readouterr()
    assert "visit.began" in output.out
    assert PID not in output.out + output.err
