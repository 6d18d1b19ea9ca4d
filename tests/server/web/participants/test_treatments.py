"""Treatments of conditions, as people meet them: what is explained, tried again, told and kept."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from matchmaking.study import Study
from matchmaking.study.design import Tasks
from matchmaking.study.pages import Debrief, Lobby, Play
from matchmaking.study.treatment import Treatment
from server.recording.recordings import read_recording
from server.research.studies.counted_attempts import best_of_tries, first_tries
from server.research.studies.outcomes import outcomes_of
from server.store.models import EpisodeRow, MatchRow
from server.store.shown_explanations import PAGE as SHOWN
from server.store.shown_explanations import ShownExplanation
from server.store.visit_models import AnswerRow
from tests.server.recording.short_recordings import record
from tests.server.web.conftest import MakeSite, RunningSite
from tests.server.web.participants.visitors import (
    AGREES,
    CONSENT,
    PAIR,
    WITH_ROBOT,
    Visitor,
    pair,
    play_to_the_end,
    rows_of,
    short_study,
    through,
)


def treated(tries: int = 1, episodes: int = 1, **treatment: Any) -> Study:
    """Return the shortest study with a treatment."""
    study = short_study(
        cells=(replace(WITH_ROBOT, treatment=Treatment(**treatment)),), tasks=Tasks(tries=tries)
    )
    pages = tuple(
        replace(page, episodes=episodes) if isinstance(page, Play) else page for page in study.pages
    )
    return replace(study, pages=pages)


async def playing(visitor: Visitor) -> Visitor:
    """Bring a visitor into their home."""
    await visitor.begin()
    await visitor.send(AGREES)
    await visitor.send({})
    assert visitor.path.startswith("/play/"), visitor.page.text
    return visitor


@pytest.mark.parametrize(
    ("explanation", "shown", "hidden"),
    [
        ("none", ["This task is over."], ["percent-complete", "proposition", "explanation"]),
        ("verdict", ["Task not complete.", "percent-complete"], ["proposition", "explanation"]),
        ("partnr", ["Task not complete.", "The cup is missing."], ["proposition", "points"]),
        ("ours", ["The cup is missing.", "proposition"], []),
    ],
)
async def test_K8_people_are_explained_what_their_condition_explains(
    make_site: MakeSite, explanation: str, shown: list[str], hidden: list[str]
) -> None:
    async with make_site(treated(explanation=explanation)).running() as site:
        ann = await playing(Visitor(site))
        episode = await play_to_the_end(site, ann, success=False, explanation="The cup is missing.")
        text = (await ann.open(f"/report/{episode}")).text
        for words in shown:
            assert words in text
        for name in hidden:
            assert f'data-testid="{name}"' not in text
        assert "Judged by evaluator" not in text, "rules and evaluator would tell the condition"


async def test_a_task_is_tried_again_until_it_is_done_with_the_explanation_between(
    make_site: MakeSite,
) -> None:
    study = treated(tries=3, explained="after_each_task")
    async with make_site(study).running() as site:
        ann = await playing(Visitor(site))
        first = await play_to_the_end(site, ann, success=False)
        text = (await ann.open(f"/report/{first}")).text
        assert "This try is over." in text
        assert "try 2 of 3 comes next" in text
        await ann.open("/visit")
        await ann.send({})
        assert ann.path.startswith("/play/"), "another try"
        second = await play_to_the_end(site, ann)
        text = (await ann.open(f"/report/{second}")).text
        assert "Task complete" in text
        assert "You did it at try 2 of 3." in text
        await ann.open("/visit")
        assert ann.path == "/visit/survey", "done at the second try of three"
        episodes = sorted(await rows_of(site, EpisodeRow), key=lambda row: row.order_index)
        assert [row.try_index for row in episodes] == [0, 1]
        assert len({row.task_id for row in episodes}) == 1
        (match,) = await rows_of(site, MatchRow)
        assert (match.place, match.cell) == (0, "robot")


def between(visitor: Visitor) -> tuple[str, str]:
    """Return what the page between two attempts says: after which one, and how many are over."""
    text = visitor.page.text
    after = text.partition('data-after="')[2].partition('"')[0]
    count = text.partition('data-testid="tasks-over">')[2].partition("</p>")[0]
    return after, " ".join(count.split())


async def test_people_are_told_that_a_try_failed_and_which_one_comes(make_site: MakeSite) -> None:
    study = treated(tries=2, episodes=2, explanation="partnr")
    async with make_site(study).running() as site:
        ann = await playing(Visitor(site))
        await play_to_the_end(site, ann, success=False, explanation="The cup is missing.")
        await ann.open("/visit")
        assert between(ann) == (
            "failed-try",
            "There are 2 tasks in all. It begins when you press the button.",
        )
        assert "This try did not succeed." in ann.page.text
        assert "try 2 of 2 comes next" in ann.page.text
        assert "The cup is missing." in ann.page.text, "what its condition explains"
        assert "Next task" not in ann.page.text
        await ann.send({})
        await play_to_the_end(site, ann, success=False)
        await ann.open("/visit")
        assert between(ann) == (
            "last-try-failed",
            "1 of 2 tasks is over. It begins when you press the button.",
        )
        await ann.send({})
        await play_to_the_end(site, ann)
        await ann.open("/visit")
        assert ann.path == "/visit/survey", "success ends the tries of the last task"
        ben = await playing(Visitor(site))
        await play_to_the_end(site, ben)
        async with site.state.database.transaction() as db:
            found = await outcomes_of(db, study.key)
        assert found.left_out == 1, "ben's group has not completed"
        assert [row.success for row in first_tries(found.attempts)] == [False, True]
        assert len(found.attempts) == 3
        assert len(best_of_tries(found.attempts)) == 2
        await ann.open("/visit/stop-here")
        await ann.send({})
        async with site.state.database.transaction() as db:
            found = await outcomes_of(db, study.key)
        assert (found.attempts, found.left_out) == ([], 2), "ann has withdrawn"


@pytest.mark.parametrize(
    ("explanation", "shown", "hidden"),
    [
        ("none", ["This try did not succeed."], ["between-explanation", "Task not complete."]),
        ("verdict", ["Task not complete.", "% of what"], ["The cup is missing."]),
        ("ours", ["The cup is missing.", "between-explanation"], []),
    ],
)
async def test_the_page_between_tries_explains_what_the_condition_does(
    make_site: MakeSite, explanation: str, shown: list[str], hidden: list[str]
) -> None:
    async with make_site(treated(tries=2, explanation=explanation)).running() as site:
        ann = await playing(Visitor(site))
        await play_to_the_end(site, ann, success=False, explanation="The cup is missing.")
        text = (await ann.open("/visit")).text
        assert all(words in text for words in shown)
        assert not any(words in text for words in hidden)
        await ann.open("/visit")
        (kept,) = await shown_of(site)
        assert (kept.kind, kept.place, kept.language) == (explanation, "between", "en")
        lines = kept.text.split("\n")
        assert lines[0] == "Try the same task again"
        assert lines[1].startswith("This try did not succeed."), "in each kind of explanation"
        assert ("The cup is missing." in lines) == (explanation == "ours")
        words_of_page = " ".join(re.sub("<[^>]+>", "", text).split())
        assert all(line in words_of_page for line in lines), "no word but the page's"
        assert "Read the whole report again" not in lines, "a link tells nothing of the try"


async def test_the_page_between_tries_tells_how_long_its_explanation_was_read(
    make_site: MakeSite,
) -> None:
    async with make_site(treated(tries=2, explanation="ours")).running() as site:
        ann = await playing(Visitor(site))
        episode = await play_to_the_end(site, ann, success=False, explanation="The cup is missing.")
        between = await ann.open("/visit")
        assert f'data-reading="{episode}"' in between.text
        site.passed_s += 10.0
        for told, of in (
            ("2500", episode),
            ("soon", episode),
            ("40", "epi_another"),
            ("900000", episode),
            ("0", episode),
        ):
            ann.page = between
            await ann.send({"seen.reading_ms": told, "seen.reading_of": of})
            assert ann.page.status_code == 204
        answers = [row for row in await rows_of(site, AnswerRow) if row.page == "seen.between"]
        first, second, third = (row.value for row in answers)
        assert (first, third) == (2500, 0), "that nothing was read is told, too"
        assert 10_000 <= second < 900_000, "no reading began before the attempt had ended"
        assert {(row.occasion, row.question) for row in answers} == {(episode, "seen.reading_ms")}
        assert (await ann.open("/visit")).text.count("between-explanation") == 1, "all goes on"

        # A page in another tab that goes away after somebody has withdrawn.
        await ann.open("/visit/stop-here")
        await ann.send({"erase": "yes"})
        ann.page = between
        await ann.send({"seen.reading_ms": "700", "seen.reading_of": episode})
        assert ann.page.status_code == 204
        assert await rows_of(site, AnswerRow) == []


async def test_the_page_between_tries_names_things_as_people_read_them(
    make_site: MakeSite, tmp_path: Path
) -> None:
    log = tmp_path / "ses_1.jsonl"
    record(log, 1, lambda _: [])
    (recording,) = read_recording(log)
    assert recording.result is not None
    missed = recording.result.verdict
    async with make_site(treated(tries=2, explanation="ours")).running() as site:
        ann = await playing(Visitor(site))
        session_id = ann.path.removeprefix("/play/")
        episode = await play_to_the_end(
            site, ann, **{name: getattr(missed, name) for name in missed.__struct_fields__}
        )
        site.settings.recordings_dir.mkdir(exist_ok=True)
        (site.settings.recordings_dir / f"{session_id}.jsonl").write_text(
            log.read_text().replace(recording.episode_id, episode)
        )
        text = (await ann.open("/visit")).text
        assert "The book in the bedroom should be on table 2 in the living room." in text
        assert "should have been placed" not in text, "the evaluator's words"


async def test_what_a_report_showed_is_stored_when_it_is_sent(make_site: MakeSite) -> None:
    study = treated(tries=2, explanation="ours", explained="at_the_end")
    async with make_site(study).running() as site:
        ann = await playing(Visitor(site))
        first = await play_to_the_end(site, ann, success=False, explanation="The cup is missing.")
        await ann.open(f"/report/{first}")
        await ann.open("/visit")
        assert [(s.kind, s.place) for s in await shown_of(site)] == [
            ("delayed", "report"),
            ("delayed", "between"),
        ]
        assert not any("cup" in shown.text for shown in await shown_of(site))
        await ann.send({})
        last = await play_to_the_end(site, ann)
        await ann.open(f"/report/{last}")
        await ann.open(f"/report/{first}")
        *_, of_last, late = await shown_of(site)
        assert (of_last.kind, late.kind) == ("ours", "ours")
        assert "The cup is missing." in late.text
        assert "What the task asked for" in late.text.split("\n")
        assert last not in late.text
        rows = [row for row in await rows_of(site, AnswerRow) if row.page == SHOWN]
        assert [row.occasion for row in rows] == [first, first, last, first]

        await ann.open("/visit/stop-here")
        await ann.send({"erase": "yes"})
        await ann.open(f"/report/{last}")
        assert await rows_of(site, AnswerRow) == [], "nothing is left, and nothing is added"


async def shown_of(site: RunningSite) -> list[ShownExplanation]:
    """Return what was stored of explanations, in the order in which they were shown."""
    rows = [row for row in await rows_of(site, AnswerRow) if row.page == SHOWN]
    rows.sort(key=lambda row: row.answer_id)
    return [msgspec.convert(row.value, ShownExplanation) for row in rows]


async def test_both_of_a_pair_are_told_of_the_second_try(make_site: MakeSite) -> None:
    study = replace(short_study(cells=(PAIR,)), tasks=Tasks(tries=3))
    async with make_site(study).running() as site:
        ann, ben = await pair(site)
        episode = await play_to_the_end(site, ann, success=False)
        for visitor in (ann, ben):
            await visitor.open("/visit")
            assert between(visitor)[0] == "failed-try"
            assert "whoever presses first begins it for all" in visitor.page.text
        await ann.send({})
        text = (await ben.open(f"/report/{episode}")).text
        assert "try 2 of 3 comes next" in text, "ann has begun it, and ben reads"
        second = await play_to_the_end(site, ann)
        assert "You did it at try 2 of 3." in (await ben.open(f"/report/{second}")).text


async def test_what_is_explained_at_the_end_is_not_before(make_site: MakeSite) -> None:
    async with make_site(treated(tries=2, explained="at_the_end")).running() as site:
        ann = await playing(Visitor(site))
        first = await play_to_the_end(site, ann, success=False)
        assert "This try is over." in (await ann.open(f"/report/{first}")).text
        await ann.open("/visit")
        await ann.send({})
        last = await play_to_the_end(site, ann)
        text = (await ann.open(f"/report/{last}")).text
        assert "Task complete" in text
        assert f"/report/{first}" in text, "the way to what was not explained before"
        assert "This task is over." not in (await ann.open(f"/report/{first}")).text


async def test_K7_the_session_is_as_the_condition_says(make_site: MakeSite) -> None:
    study = treated(
        profile="partnr", semantics="released", disclosure="told", chat=False, latency_ms=120
    )
    async with make_site(replace(study, tasks=Tasks(limit_s=77))).running() as site:
        await playing(Visitor(site))
        ((spec, episode, _),) = site.host.opened
        assert (spec.profile.split("@")[0], spec.semantics) == ("partnr", "released")
        assert episode.time_limit_s == 77
        assert episode.delay_ms == 120
        assert isinstance(episode.seed, int)


def hiding(disclosure: str, until: str = "2999-01-01") -> Study:
    """Return a study that does not tell people what their partner is."""
    sentence = "Your partner may be a person or a program."
    text = {"en": f"We record what you do. {sentence}"}
    consent = replace(CONSENT, text=text, on_partners={"en": sentence})
    treatment = Treatment(disclosure=disclosure, explanation="none")  # type: ignore[arg-type]
    pages = (consent, Lobby(), Play(episodes=1), Debrief(text={"en": "It was **a program**."}))
    return short_study(
        cells=(replace(WITH_ROBOT, treatment=treatment),), pages=pages, withdraw_until=until
    )


@pytest.mark.parametrize("disclosure", ["not_told", "told_falsely"])
async def test_K9_who_was_not_told_the_truth_gets_a_debrief_that_lasts(
    make_site: MakeSite, disclosure: str
) -> None:
    async with make_site(hiding(disclosure)).running() as site:
        ann = await playing(Visitor(site))
        ((spec, _, _),) = site.host.opened
        assert not spec.tells_doing
        assert not spec.tells_aims
        assert [s.stands_for_person for s in spec.seats if s.policy] == [True], "it ends as for two"
        await ann.open("/visit/stop-here")
        await ann.send({})
        assert ann.path == "/visit/the-end", "whatever the ending"
        link = ann.page.text.partition('<a href="/debrief/')[2].partition('"')[0]
        elsewhere = Visitor(site)
        await elsewhere.open(f"/debrief/{link}")
        assert "<strong>a program</strong>" in elsewhere.page.text
        assert "/my-data/" not in elsewhere.page.text, "no token for all that is kept"
        assert 'data-testid="own-data"' not in elsewhere.page.text
        await elsewhere.open("/my-data")
        assert 'data-testid="own-nobody"' in elsewhere.page.text
        await ann.open(f"/debrief/{link}")
        assert 'data-testid="own-data"' in ann.page.text
        assert (await elsewhere.open(f"/debrief/{link[:-3]}abc")).status_code == 404


async def test_data_are_withdrawn_by_the_link_until_the_date_of_the_study(
    make_site: MakeSite,
) -> None:
    for until, is_open in (("2999-01-01", True), ("2020-01-01", False)):
        async with make_site(hiding("not_told", until)).running() as site:
            ann = await playing(Visitor(site))
            await play_to_the_end(site, ann)
            await through(ann)
            link = ann.page.text.partition('<a href="/debrief/')[2].partition('"')[0]
            other = Visitor(site)
            await other.open(f"/debrief/{link}")
            assert ("debrief-withdraw" in other.page.text) is is_open
            if is_open:
                await other.send({})
                assert "You have withdrawn" in other.page.text
            else:
                assert "could be withdrawn until 2020-01-01" in other.page.text
                await ann.open("/visit/stop-here")
                await ann.send({})
                assert ann.page.status_code == 409
            assert ((await ann.row()).withdrawn_at is not None) is is_open


async def test_a_study_that_hides_nothing_has_no_such_link(make_site: MakeSite) -> None:
    async with make_site(treated()).running() as site:
        ann = await playing(Visitor(site))
        await play_to_the_end(site, ann)
        await through(ann)
        assert "/debrief/" not in ann.page.text
