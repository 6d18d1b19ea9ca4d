"""Pages of a study, in the order in which people go through them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Literal

import msgspec

from matchmaking.study.problems import Path, Problem
from matchmaking.study.questions import NAME, Question
from matchmaking.study.texts import Text, incomplete


class Permission(StrEnum):
    """Permission that consent asks for, each with an answer of its own."""

    RESEARCH = "research"
    """Taking part, and analysing what was recorded; nobody takes part without it."""
    SHARING = "sharing"
    """Giving the recordings to other researchers."""
    TRAINING = "training"
    """Training models on the recordings."""
    REPLAY = "replay"
    """Being replayed as somebody's partner."""


Input = Literal["keyboard", "mouse", "touch"]


class _Page(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="page"
):
    name: str
    """Name in addresses and in the data."""

    def problems(self, where: Path, languages: Sequence[str]) -> Iterator[Problem]:
        """Yield what of it cannot be."""
        if NAME.fullmatch(self.name) is None:
            yield Problem(
                (*where, "name"),
                f"expected small letters, digits and _, a letter first, got {self.name!r}",
            )


class Device(_Page, frozen=True, kw_only=True, tag="device"):
    """Check of browser and connection. What fails is told, and screens out."""

    name: str = "device"
    least_width: int = 0
    """Width of the window, in CSS pixels."""
    least_height: int = 0
    least_fps: float = 0.0
    """Frames in a second of the probe scene."""
    most_rtt_ms: float | None = None
    """Median of the round trips."""
    samples: int = 5
    """Round trips that are measured."""
    inputs: tuple[Input, ...] = ("keyboard", "mouse", "touch")
    """Devices of which one is there."""

    def problems(self, where: Path, languages: Sequence[str]) -> Iterator[Problem]:
        yield from super().problems(where, languages)
        if self.samples < 5:
            yield Problem(
                (*where, "samples"),
                f"expected at least 5, because the median is judged, got {self.samples}",
            )
        limits = {
            "least_width": self.least_width,
            "least_height": self.least_height,
            "least_fps": self.least_fps,
        }
        for field, value in limits.items():
            if value < 0:
                yield Problem((*where, field), f"expected 0 or more, got {value:g}")
        if self.most_rtt_ms is not None and self.most_rtt_ms <= 0:
            yield Problem(
                (*where, "most_rtt_ms"), f"expected more than 0, got {self.most_rtt_ms:g}"
            )
        if not self.inputs:
            yield Problem((*where, "inputs"), "expected one at least: keyboard, mouse or touch")


class Consent(_Page, frozen=True, kw_only=True, tag="consent"):
    """Text that people agree to before anything is asked or kept of them."""

    name: str = "consent"
    version: str
    """Version of the text, which each answer is stored with."""
    text: Text
    asks: tuple[Permission, ...] = tuple(Permission)
    """Permissions that are asked for, in this order; research always is."""
    on_pay: Text = {}
    """Sentence of the text on who is paid less than the time they spent, word for word."""
    on_partners: Text = {}
    """Sentence of the text that says that a partner may be a person or a program, word for word."""

    def problems(self, where: Path, languages: Sequence[str]) -> Iterator[Problem]:
        yield from super().problems(where, languages)
        if not self.version.strip():
            yield Problem((*where, "version"), "expected a version such as '2026-11-25'")
        yield from incomplete(self.text, languages, (*where, "text"))
        if Permission.RESEARCH not in self.asks or len(set(self.asks)) < len(self.asks):
            yield Problem((*where, "asks"), "expected 'research' and others, each once")
        for field, quoted in {"on_pay": self.on_pay, "on_partners": self.on_partners}.items():
            for language, sentence in quoted.items():
                if sentence not in self.text.get(language, ""):
                    yield Problem(
                        (*where, field, language),
                        "expected a sentence of the consent text, word for word, and it is not in "
                        "it",
                    )


class Eligibility(_Page, frozen=True, kw_only=True, tag="eligibility"):
    """Age, and questions of whose answers only some let people take part."""

    name: str = "eligibility"
    least_age: int = 18
    most_age: int | None = None
    questions: tuple[Question, ...] = ()

    def problems(self, where: Path, languages: Sequence[str]) -> Iterator[Problem]:
        yield from super().problems(where, languages)
        yield from _question_problems(self.questions, where, languages)
        if not 0 <= self.least_age <= (self.most_age or 150) <= 150:
            yield Problem(
                (*where, "least_age"),
                f"expected an age from 0 to {self.most_age or 150}, got {self.least_age}",
            )


class _Reading(_Page, frozen=True, kw_only=True):
    """Page with a text, in each language of the study."""

    text: Text

    def problems(self, where: Path, languages: Sequence[str]) -> Iterator[Problem]:
        yield from super().problems(where, languages)
        yield from incomplete(self.text, languages, (*where, "text"))


class Instructions(_Reading, frozen=True, kw_only=True, tag="instructions"):
    """Text to read."""

    name: str = "instructions"


class Tutorial(_Page, frozen=True, kw_only=True, tag="tutorial"):
    """Practice alone in the session engine, until each step is done."""

    name: str = "tutorial"
    bodies: tuple[Literal["human", "robot"], ...] = ("human",)
    """Bodies to learn, one after another."""
    house: Literal["own", "tasks"] = "own"
    """House to learn in: that of the server's own first tasks, or that of the study's tasks; there
    somebody does a task of its set that is in no measure."""
    limit_s: float | None = None
    """Seconds from its beginning after which it was not passed; its page says so."""

    def problems(self, where: Path, languages: Sequence[str]) -> Iterator[Problem]:
        yield from super().problems(where, languages)
        if not self.bodies or len(set(self.bodies)) < len(self.bodies):
            yield Problem((*where, "bodies"), "expected human or robot, or both, each once")
        if self.limit_s is not None and self.limit_s <= 0:
            yield Problem((*where, "limit_s"), f"expected more than 0, got {self.limit_s:g}")


class Quiz(_Page, frozen=True, kw_only=True, tag="quiz"):
    """Questions of comprehension; all have to be right in one of the attempts."""

    name: str = "quiz"
    text: Text = {}
    questions: tuple[Question, ...]
    attempts: int = 3

    def problems(self, where: Path, languages: Sequence[str]) -> Iterator[Problem]:
        yield from super().problems(where, languages)
        yield from _question_problems(self.questions, where, languages)
        if self.attempts < 1:
            yield Problem((*where, "attempts"), f"expected 1 or more, got {self.attempts}")
        if not self.questions:
            yield Problem((*where, "questions"), "expected a question, and there is none")
        for number, question in enumerate(self.questions):
            if not question.accepted:
                yield Problem(
                    (*where, "questions", number, "accepted"),
                    "expected the right answer, because a quiz has one for each question",
                )


class Lobby(_Page, frozen=True, kw_only=True, tag="lobby"):
    """Waiting for the others of a group."""

    name: str = "lobby"


class Survey(_Page, frozen=True, kw_only=True, tag="survey"):
    """Questions, after each episode or once."""

    name: str = "survey"
    text: Text = {}
    questions: tuple[Question, ...]
    ends_inattentive: bool = False
    """Whether a wrong answer to a question with ``accepted`` ends the visit as `attention_failed`.
    The consent page says so. If not, it is noted for the researcher only."""

    def problems(self, where: Path, languages: Sequence[str]) -> Iterator[Problem]:
        yield from super().problems(where, languages)
        yield from _question_problems(self.questions, where, languages)
        if not self.questions:
            yield Problem((*where, "questions"), "expected a question, and there is none")
        if self.ends_inattentive and not any(question.accepted for question in self.questions):
            yield Problem(
                (*where, "ends_inattentive"),
                "expected a question with ``accepted``, because no answer is wrong without one",
            )


class Play(_Page, frozen=True, kw_only=True, tag="play"):
    """Episodes in a session with the group."""

    name: str = "play"
    episodes: int | None = 1
    """Tasks that a group does; nothing said: as many as it likes."""
    after_each: Survey | None = None
    """Questions after each episode."""

    def problems(self, where: Path, languages: Sequence[str]) -> Iterator[Problem]:
        yield from super().problems(where, languages)
        if self.episodes is not None and self.episodes < 1:
            yield Problem((*where, "episodes"), f"expected 1 or more, got {self.episodes}")
        if self.after_each is not None:
            yield from self.after_each.problems((*where, "after_each"), languages)
            if self.after_each.ends_inattentive:
                yield Problem(
                    (*where, "after_each", "ends_inattentive"),
                    "expected false, because the others of the group still play: ask it in a "
                    "survey before the lobby or after the last task",
                )


class Debrief(_Reading, frozen=True, kw_only=True, tag="debrief"):
    """Page of thanks that says what it was about; withdrawal is open here, too."""

    name: str = "debrief"


Page = (
    Device
    | Consent
    | Eligibility
    | Instructions
    | Tutorial
    | Quiz
    | Lobby
    | Play
    | Survey
    | Debrief
)


def _question_problems(
    questions: Sequence[Question], where: Path, languages: Sequence[str]
) -> Iterator[Problem]:
    for number, question in enumerate(questions):
        yield from question.problems((*where, "questions", number), languages)


def questions_of(page: Page) -> tuple[Question, ...]:
    """Return the questions that a page asks, those after each episode among them."""
    match page:
        case Eligibility() | Quiz() | Survey():
            return page.questions
        case Play(after_each=Survey() as survey):
            return survey.questions
        case _:
            return ()
