"""The shortest way from a link to a code, over HTTP and a real database."""

from __future__ import annotations

from server.store.visit_models import AnswerRow, ConsentRow, IdentityRow, VisitStepRow
from tests.server.web.conftest import MakeSite
from tests.server.web.participants.visitors import (
    AGREES,
    Visitor,
    play_to_the_end,
    rows_of,
    short_study,
)


async def test_a_direct_link_leads_to_play_and_to_a_code(make_site: MakeSite) -> None:
    async with make_site(short_study()).running() as site:
        ann = Visitor(site)
        await ann.open("/s/short")
        assert "Tidying together" in ann.page.text
        await ann.send({})
        assert ann.path == "/visit/consent"
        assert "<strong>record</strong>" in ann.page.text
        assert "<b>Nothing" not in ann.page.text
        await ann.send(AGREES)
        assert ann.path == "/visit/lobby"
        await ann.send({})
        assert ann.path.startswith("/play/ses_"), ann.page.text
        episode = await play_to_the_end(site, ann)
        await ann.open(f"/report/{episode}")
        assert 'href="/visit"' in ann.page.text
        await ann.open("/visit")
        assert ann.path == "/visit/survey"
        await ann.send({"q.fluent": "6"})
        assert ann.path == "/visit/debrief"
        await ann.send({})
        assert ann.path == "/visit/the-end"
        assert "CODE-completed" in ann.page.text
        row = await ann.row()
        assert (row.place, row.ending) == ("ended", "completed")
        (consent,) = await rows_of(site, ConsentRow)
        assert (consent.version, consent.research, consent.sharing) == ("7", True, True)
        assert (consent.training, consent.replay) == (False, False)
        (answer,) = [a for a in await rows_of(site, AnswerRow) if not a.page.startswith("seen.")]
        assert (answer.page, answer.question, answer.value) == ("survey", "fluent", 6)
        steps = await rows_of(site, VisitStepRow)
        assert [step.place for step in steps] == [
            "lobby", "play", "survey", "debrief", "ended",
        ]  # fmt: skip
        assert len(await rows_of(site, IdentityRow)) == 1


async def test_who_stops_at_the_debrief_keeps_ending_and_pay_and_their_data_are_left_out(
    make_site: MakeSite,
) -> None:
    async with make_site(short_study()).running() as site:
        ann = Visitor(site)
        await ann.begin()
        for fields in (AGREES, {}):
            await ann.send(fields)
        await play_to_the_end(site, ann)
        await ann.open("/visit")
        await ann.send({"q.fluent": "6"})
        assert ann.path == "/visit/debrief"
        assert "Withdraw my data" in ann.page.text
        await ann.open("/visit/stop-here")
        assert "Your pay stays as it is" in ann.page.text
        assert "stop-paid" not in ann.page.text
        await ann.send({})
        assert ann.path == "/visit/the-end"
        assert "CODE-completed" in ann.page.text
        row = await ann.row()
        assert (row.ending, row.withdrawn_at is not None) == ("completed", True)
