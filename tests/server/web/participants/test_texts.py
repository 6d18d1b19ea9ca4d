"""Texts of ours come from the catalogue, those of studies as Markdown that can do nothing."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from matchmaking.assignment.group_plan import After
from matchmaking.limits import AtDeadline
from matchmaking.study.answers import Fault
from matchmaking.study.endings import Ending
from matchmaking.study.pages import Permission
from matchmaking.tickets import Wish
from server.lobby.ticket_outcomes import (
    CLOSED_BY_STATE,
    COULD_NOT_JOIN,
    COULD_NOT_OPEN,
    GOING_AWAY,
    PLAYS_ELSEWHERE,
    closed_by,
)
from server.recruiting.recruiter import Fault as LinkFault
from server.recruiting.recruiting_watch import Closure
from server.web.participants.prose import prose
from server.web.participants.texts import CATALOGUES, LOCALES, MissingTextError, Texts, texts_for

TEMPLATES = Path(__file__).parents[4] / "server/web/templates"
PAGES = [
    *sorted((TEMPLATES / "visit").glob("*.html")),
    *(TEMPLATES / name for name in ("lobby.html", "message.html")),
]
ENGLISH = Texts("en")


def messages() -> set[str]:
    text = "".join((LOCALES / "en" / name).read_text() for name in CATALOGUES)
    return set(re.findall(r"^([a-z][a-z0-9-]*) =", text, re.M))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_message_of_a_page_is_in_the_catalogue(page: Path) -> None:
    used = set(re.findall(r'\bt\("([a-z-]+)"[,)]', page.read_text()))
    assert used - messages() == set()


def test_the_lobby_has_no_words_but_those_of_the_catalogue() -> None:
    page = re.sub(r"{{.*?}}|{%.*?%}", "", (TEMPLATES / "lobby.html").read_text())
    shown = re.sub(r"<[^>]*>", " ", page)
    assert re.findall(r"[A-Za-z]+", shown) == []


def test_every_end_of_a_stay_and_outcome_at_the_deadline_has_words() -> None:
    ends = {end.message for end in (*CLOSED_BY_STATE.values(), GOING_AWAY, COULD_NOT_OPEN)}
    ends |= {closed_by(state, wish).message for state in CLOSED_BY_STATE for wish in Wish}
    assert ends | {COULD_NOT_JOIN.message, PLAYS_ELSEWHERE.message} <= messages()
    assert {f"lobby-deadline-{outcome}" for outcome in AtDeadline} <= messages()


@pytest.mark.parametrize("ending", Ending)
def test_every_ending_has_words(ending: Ending) -> None:
    name = ending.value.replace("_", "-")
    assert {f"end-heading-{name}", f"end-text-{name}"} <= messages()


def test_every_fault_and_permission_has_words() -> None:
    faults = {f"fault-{fault.value.replace('_', '-')}" for fault in Fault}
    asked = {f"consent-{ask}" for ask in Permission if ask is not Permission.RESEARCH}
    assert faults | asked | {f"{name}-more" for name in asked} <= messages()


def test_a_language_without_a_catalogue_is_read_in_english() -> None:
    assert Texts("tlh")("next") == Texts("en-GB")("next") == "Continue"
    with pytest.raises(MissingTextError):
        ENGLISH("nonsense")


@pytest.mark.parametrize("after", get_args(After))
def test_every_moment_between_attempts_has_words(after: str) -> None:
    name = after.replace("_", "-")
    wanted = {f"play-heading-{name}"} | ({f"play-lead-{name}"} if after != "task" else set())
    assert wanted <= messages()


@pytest.mark.parametrize(
    ("minutes", "words"),
    [
        (0.5, "half a minute"),
        (1, "1 minute"),
        (1.0, "1 minute"),
        (1.5, "1.5 minutes"),
        (2.0, "2 minutes"),
    ],
)
def test_minutes_are_words(minutes: float, words: str) -> None:
    assert ENGLISH("arrival-minutes", minutes=minutes) == f"It takes about {words}."
    told = ENGLISH("lobby-people", people=2, minutes=minutes)
    assert told.endswith(f"wait for them, {words} at most.")


def test_counts_are_words() -> None:
    assert ENGLISH("quiz-left", left=1) == "You have one try."
    assert ENGLISH("quiz-left", left=3) == "You have 3 tries."


@pytest.mark.parametrize(
    ("markdown", "without"),
    [
        ("<script>alert(1)</script>", "<script"),
        ("[x](javascript:alert(1))", "href"),
        ("<img src=x onerror=alert(1)>", "<img"),
        ("![x](https://example.org/x.png)", "<img"),
        ("# Big", "<h1"),
        ('<a href="https://x" style="color:red">x</a>', "<a"),
    ],
)
def test_markdown_of_a_study_can_do_nothing(markdown: str, without: str) -> None:
    assert without not in prose(markdown)


def test_markdown_of_a_study_is_shown() -> None:
    html = prose("**a** [b](https://example.org) <i>c</i>\n\n- d")
    assert "<strong>a</strong>" in html
    assert 'rel="noopener noreferrer"' in html
    assert "<li>d</li>" in html
    assert "&lt;i&gt;c" in html


def test_every_fault_of_a_link_and_every_closure_has_a_page_of_its_own() -> None:
    names = [f"link-{fault.value.replace('_', '-')}" for fault in LinkFault]
    names += [f"not-now-{closure}" for closure in Closure]
    names += [
        "no-study",
        "prefetched",
        "expired",
        "replayed",
        "no-visit",
        "closed-study",
        "study-over",
    ]
    headings = {f"{name}-heading" for name in names}
    assert headings | {f"{name}-text" for name in names} <= messages()
    shown = {ENGLISH(heading, recruiter="R", parameter="p") for heading in headings}
    assert len(shown) == len(names)


@pytest.mark.parametrize("accepted", ["", "de-DE,en;q=0.5", "../../etc", "x" * 200, "*", "en"])
def test_a_browser_that_asks_for_anything_reads_something(accepted: str) -> None:
    assert texts_for(accepted)("next") == "Continue"
