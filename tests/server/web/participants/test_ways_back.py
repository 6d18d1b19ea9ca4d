"""Ways back from the end of a visit: each recruiter gets its code as it takes codes, or none."""

from __future__ import annotations

from matchmaking.study.endings import Ending
from matchmaking.study.recruiter import Recruiter
from tests.server.web.conftest import MakeSite
from tests.server.web.participants.visitors import ALL_CODES, Visitor, short_study


async def test_R1_the_end_sends_its_form_to_mechanical_turk_and_nowhere_else(
    make_site: MakeSite,
) -> None:
    study = short_study(name="mturk", recruiter=Recruiter(kind="mturk", codes=ALL_CODES))
    async with make_site(study).running() as site:
        ann = Visitor(site)
        await ann.begin("/s/mturk?workerId=A1&assignmentId=3XYZ&hitId=9")
        await ann.send({"decision": "refuse"})
        assert 'action="https://www.mturk.com/mturk/externalSubmit"' in ann.page.text
        assert 'name="assignmentId" value="3XYZ"' in ann.page.text
        assert "close this page, so that Mechanical Turk hears of it" in ann.page.text
        assert "You can close this page" not in ann.page.text
        policy = ann.page.headers["content-security-policy"]
        assert "form-action 'self' https://www.mturk.com;" in policy
        await ann.open("/visit/i-have-a-problem")
        assert "mturk" not in ann.page.headers["content-security-policy"]


async def test_R1_prolific_is_one_link_away(make_site: MakeSite) -> None:
    study = short_study(name="prolific", recruiter=Recruiter(kind="prolific", codes=ALL_CODES))
    async with make_site(study).running() as site:
        ann = Visitor(site)
        await ann.begin("/s/prolific?PROLIFIC_PID=5f3a00000000000000000001")
        await ann.send({"decision": "refuse"})
        link = "https://app.prolific.com/submissions/complete?cc=CODE-no-consent"
        assert f'href="{link}"' in ann.page.text


async def test_a_code_that_the_recruiter_does_not_know_is_not_made_up(make_site: MakeSite) -> None:
    codes = {Ending.COMPLETED: "CODE-completed"}
    study = short_study(name="prolific", recruiter=Recruiter(kind="prolific", codes=codes))
    async with make_site(study).running() as site:
        ann = Visitor(site)
        await ann.begin("/s/prolific?PROLIFIC_PID=5f3a00000000000000000001")
        await ann.send({"decision": "refuse"})
        assert 'data-testid="no-code"' in ann.page.text
        assert "CODE" not in ann.page.text
