"""Questions of attention: what a wrong answer leads to, with and without a study's declaration."""

from __future__ import annotations

from msgspec.structs import replace

from matchmaking.study.pages import Debrief, Lobby, Play, Survey
from server.store.visit_models import SignRow
from tests.matchmaking.study.made_studies import scale
from tests.server.web.conftest import MakeSite
from tests.server.web.participants.visitors import (
    AGREES,
    CONSENT,
    Visitor,
    play_to_the_end,
    rows_of,
    short_study,
)


async def test_inattention_is_recorded_and_sends_nobody_away(make_site: MakeSite) -> None:
    attentive = replace(scale("check"), accepted=("4",))
    pages = (CONSENT, Lobby(), Play(), Survey(questions=(attentive,)))
    async with make_site(short_study(pages=pages)).running() as site:
        ann = Visitor(site)
        await ann.begin()
        await ann.send(AGREES)
        await ann.send({})
        await play_to_the_end(site, ann)
        await ann.open("/visit")
        await ann.send({"q.check": "1"})
        assert 'data-ending="completed"' in ann.page.text
        (sign,) = await rows_of(site, SignRow)
        assert (sign.kind, sign.detail) == ("inattention", {"questions": ["check"]})


async def test_R2_a_declared_question_of_attention_ends_the_visit_as_consent_has_said(
    make_site: MakeSite,
) -> None:
    attentive = replace(scale("check"), accepted=("4",))
    declared = Survey(questions=(attentive,), ends_inattentive=True)
    pages = (CONSENT, declared, Lobby(), Play(), Debrief(text={"en": "It was about teams."}))
    async with make_site(short_study(pages=pages)).running() as site:
        ann, ben = Visitor(site), Visitor(site)
        for visitor, answer in ((ann, "1"), (ben, "4")):
            await visitor.begin()
            assert "the study ends for you there, and you are paid" in visitor.page.text
            await visitor.send(AGREES)
            assert "no right or wrong answers" not in visitor.page.text
            await visitor.send({"q.check": answer})
        assert ben.path == "/visit/lobby"
        assert 'data-ending="attention_failed"' in ann.page.text
        assert "CODE-attention-failed" in ann.page.text
        assert "The consent page said" in ann.page.text
        assert "It was about teams." in ann.page.text
        (sign,) = await rows_of(site, SignRow)
        assert (sign.visit_id, sign.kind) == ((await ann.row()).visit_id, "inattention")
