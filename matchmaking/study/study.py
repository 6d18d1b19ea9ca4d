"""Study: everything that an experiment declares, as one value. It has no other configuration."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator
from math import inf
from typing import Literal, TypeVar

import msgspec

from matchmaking.limits import AtDeadline, Limits
from matchmaking.offers import Offers
from matchmaking.pair_rules import LatencyBound
from matchmaking.study.analysis import RESPONSES, SCORES, Analysis
from matchmaking.study.conditions import Cell, Factor
from matchmaking.study.conduct import Chat, Departures, Pauses
from matchmaking.study.design import Design, Tasks
from matchmaking.study.design_rules import design_problems
from matchmaking.study.disclosure import disclosure_problems
from matchmaking.study.endings import Ending
from matchmaking.study.group_conditions import Conditions, group_conditions
from matchmaking.study.instruments.registry import score_names
from matchmaking.study.page_order import order_problems
from matchmaking.study.pages import Consent, Lobby, Page, Play, questions_of
from matchmaking.study.pay import Ceiling, Length, Owed, Pay
from matchmaking.study.problems import Path, Problem, StudyError
from matchmaking.study.promises import Promises
from matchmaking.study.recruiter import OPEN, Recruiter
from matchmaking.study.texts import LANGUAGE, Text, incomplete
from matchmaking.study_key import Mode, StudyKey

NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
"""Form of a study's name, which stands in addresses."""
P = TypeVar("P", bound=Page)


def answer_columns(questions: Collection[str]) -> frozenset[str]:
    """Return the columns of the export that questions give, and the scores of instruments."""
    scores = score_names(questions)
    return frozenset({RESPONSES + name for name in questions} | {SCORES + name for name in scores})


class Study(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A study. Raises StudyError for one that contradicts itself, with all that is wrong.

    `matchmaking.study.opening.obstacles` names what a sound one still lacks before people can come.
    """

    name: str
    """Name in addresses and commands: small letters, digits and hyphens."""
    title: Text
    version: int = 1
    mode: Mode = "live"
    languages: tuple[str, ...] = ("en",)
    """Languages in which it can be taken, the first where somebody's own is none of them."""
    researchers: str = ""
    """Names of those who do it, for the people who take part."""
    contact: str = ""
    """Address for questions and complaints."""
    models_run_by: str = ""
    """Name of whoever runs the model server, where the researchers do not; the consent text and the
    privacy page have it."""
    recruiter: Recruiter = Recruiter()
    minutes: float | None = None
    """Time that a visit is said to take, without the wait for others; the base is for it."""
    visit_limit_s: float | None = 4 * 3600.0
    """Longest visit; a longer one ends as `timed_out`. None: no limit."""
    pages: tuple[Page, ...] = (Lobby(), Play())
    """Pages in their order."""
    menu: Offers | None = None
    """Teams that people choose from; without it they are given conditions."""
    factors: tuple[Factor, ...] = ()
    cells: tuple[Cell, ...] = ()
    """Conditions."""
    matchmaker: str = "balanced"
    """Name of the matchmaker that forms the groups of conditions."""
    seed: int = 0
    """Number that goes into the draws beside the server's own secret."""
    limits: Limits = Limits()
    at_deadline: AtDeadline = AtDeadline.END
    latency: LatencyBound | None = None
    """Bound on the round trips between people of a group; none: they may be anywhere."""
    partners_again: bool = False
    """Whether people may be put together who have played together."""
    substitute: str = ""
    """Policy that may replace a person; empty: none ever does, and nothing may say otherwise."""
    departures: Departures = Departures()
    chat: Chat = Chat()
    pay: Pay = Pay()
    pauses: Pauses = Pauses()
    design: Design = Design()
    tasks: Tasks = Tasks()
    purpose: Literal["confirmatory", "exploratory"] = "exploratory"
    """Purpose of the data; a confirmatory study declares its analysis before it opens."""
    analysis: Analysis | None = None
    withdraw_until: str = ""
    """Date until which people may withdraw their data, as 2026-12-31; empty: while they visit."""
    privileged: tuple[str, ...] = ()
    """Policies that may know more than their seat sees, such as the expert."""

    def __post_init__(self) -> None:
        problems = list(self._problems())
        if problems:
            raise StudyError(problems)

    @property
    def is_open_play(self) -> bool:
        """Whether people come by themselves and choose with whom they play."""
        return self.recruiter.kind == OPEN

    @property
    def key(self) -> StudyKey:
        return StudyKey(self.name, self.version, self.mode)

    @property
    def time_ceiling(self) -> Ceiling:
        """Most that the time of a visit earns."""
        return self.pay.ceiling(self._length)

    @property
    def _length(self) -> Length:
        return Length(self.minutes, self.limits.wait_s, self.visit_limit_s)

    @property
    def tasks_of_a_visit(self) -> int | None:
        """Most tasks that a group does, practice left out; None: as many as it likes."""
        play = self.page_of(Play)
        if play is None:
            return 0
        conditions = max(map(len, self.group_conditions), default=1)
        return play.episodes if play.episodes is None else play.episodes * conditions

    @property
    def group_conditions(self) -> tuple[Conditions, ...]:
        """Sets of conditions of which a group plays one: a condition, or within subjects several.

        Within a set all targets are the same.
        """
        return group_conditions(self.design, self.cells, self.factors)

    @property
    def most_of_a_visit(self) -> int | None:
        """Most that a visit can earn, in minor units; None: there is no bound."""
        return self.pay.most(self.time_ceiling, self.tasks_of_a_visit)

    def owed(
        self, ending: Ending, *, spent_s: float, waited_s: float = 0.0, successes: int = 0
    ) -> Owed:
        """Return what a visit earned, as `Pay.owed` does."""
        return self.pay.owed(
            ending,
            spent_s=spent_s,
            waited_s=waited_s,
            successes=successes,
            ceiling=self.time_ceiling,
            is_flat=self.minutes is not None,
        )

    def pays_less(self) -> list[str]:
        """Return what of its pay is less than the time spent, in words; empty: nothing."""
        return self.pay.less(self._length)

    @property
    def is_yoked(self) -> bool:
        """Whether some people wait as others do, though they wait for nobody."""
        return any(cell.waits_like for cell in self.cells)

    @property
    def owes_debrief(self) -> bool:
        """Whether people meet a partner, or a wait, of which they are not told the truth."""
        return self.is_yoked or any(cell.treatment.disclosure != "told" for cell in self.cells)

    @property
    def most_people(self) -> int:
        """The most people that any of its groups has."""
        return max((cell.people for cell in self.cells), default=1)

    @property
    def promises(self) -> Promises:
        """Promises of pay that people can be told before anybody knows how their visit ends."""
        return Promises.of(self.pay, self._length, self.pages)

    @property
    def consent(self) -> Consent | None:
        return self.page_of(Consent)

    @property
    def answer_columns(self) -> frozenset[str]:
        """Columns of the export that the study's questions give, and the scores of instruments."""
        names = {question.name for page in self.pages for question in questions_of(page)}
        return answer_columns(names)

    @property
    def asked_once(self) -> frozenset[str]:
        """Columns of answers and scores that pages ask for once, and after no episode."""
        play = self.page_of(Play)
        after_each = () if play is None or play.after_each is None else play.after_each.questions
        return self.answer_columns - answer_columns({question.name for question in after_each})

    def page_of(self, kind: type[P]) -> P | None:
        """Return the first page of a kind; None: it has none."""
        return next((page for page in self.pages if isinstance(page, kind)), None)

    # What cannot be

    def _problems(self) -> Iterator[Problem]:
        if NAME.fullmatch(self.name) is None:
            yield Problem(
                ("name",), f"expected small letters, digits and hyphens, got {self.name!r}"
            )
        if self.version < 1:
            yield Problem(("version",), f"expected 1 or more, got {self.version}")
        if not self.languages or len(set(self.languages)) < len(self.languages):
            yield Problem(("languages",), "expected one language at least, each once")
        for language in self.languages:
            if LANGUAGE.fullmatch(language) is None:
                yield Problem(("languages",), f"expected a language as 'en', got {language!r}")
        yield from incomplete(self.title, self.languages, ("title",))
        for number, page in enumerate(self.pages):
            yield from page.problems(("pages", number), self.languages)
        yield from order_problems(self.pages, needs_consent=not self.is_open_play)
        yield from self.recruiter.problems(("recruiter",))
        yield from self.pay.problems(("pay",))
        yield from self.departures.problems(("departures",))
        yield from self.chat.problems(("chat",))
        yield from self.pauses.problems(("pauses",))
        yield from self.design.problems(("design",))
        yield from self.tasks.problems(("tasks",))
        yield from self._group_problems()
        yield from disclosure_problems(self.cells, self.pages, self.languages, self.withdraw_until)
        if self.analysis is not None:
            play = self.page_of(Play)
            yield from self.analysis.problems(
                ("analysis",),
                self.cells,
                self.factors,
                self.answer_columns,
                play.episodes if play is not None else None,
            )
        yield from self._time_problems()
        yield from self._substitution_problems()

    def _group_problems(self) -> Iterator[Problem]:
        if self.is_open_play != (self.menu is not None) or self.is_open_play == bool(self.cells):
            yield Problem(
                ("cells",),
                "expected conditions in a study and a menu of teams in open play, never both: "
                "people choose, or they are given",
            )
        names = Counter(cell.name for cell in self.cells)
        for number, cell in enumerate(self.cells):
            yield from cell.problems(("cells", number), self.factors)
            if names[cell.name] > 1:
                yield Problem(("cells", number, "name"), f"{cell.name!r} is there twice")
            if cell.waits_like and (cell.waits_like == cell.name or not names[cell.waits_like]):
                yield Problem(
                    ("cells", number, "waits_like"),
                    f"expected the name of another condition, got {cell.waits_like!r}",
                )
        for number, factor in enumerate(self.factors):
            yield from factor.problems(("factors", number))
        yield from design_problems(self.design, self.cells, self.factors)

    def _time_problems(self) -> Iterator[Problem]:
        limits = self.limits
        for field in ("grace_s", "arrival_s", "ready_s"):
            value = getattr(limits, field)
            if not 0 <= value < inf:
                yield Problem(("limits", field), f"expected 0 or more, got {value:g}")
        times: dict[Path, float] = {("limits", "wait_s"): limits.wait_s}
        if self.visit_limit_s is not None:
            times["visit_limit_s",] = self.visit_limit_s
        if self.minutes is not None:
            times["minutes",] = self.minutes
        if self.latency is not None:
            times["latency", "most_ms"] = self.latency.most_ms
        for where, value in times.items():
            if not 0 < value < inf:
                yield Problem(where, f"expected more than 0, got {value:g}")
        if (bound := self.latency) is not None:
            if bound.widest_ms is not None and not bound.widest_ms >= bound.most_ms:
                yield Problem(
                    ("latency", "widest_ms"),
                    f"expected {bound.most_ms:g} or more, where it begins, got {bound.widest_ms:g}",
                )
            if not 0 <= bound.widens_ms_per_s < inf:
                yield Problem(
                    ("latency", "widens_ms_per_s"),
                    f"expected 0 or more, got {bound.widens_ms_per_s:g}",
                )
        if self.visit_limit_s is not None and limits.wait_s >= self.visit_limit_s:
            yield Problem(
                ("limits", "wait_s"),
                f"expected less than the longest visit ({self.visit_limit_s:g} s), got "
                f"{limits.wait_s:g}",
            )

    def _substitution_problems(self) -> Iterator[Problem]:
        robots: dict[Path, bool] = {
            ("at_deadline",): self.at_deadline is AtDeadline.ROBOT,
            ("departures", "outcome"): self.departures.outcome == "robot",
        }
        for where, is_robot in robots.items():
            if is_robot and not self.substitute:
                yield Problem(
                    where,
                    "expected `substitute` to name the policy, because no robot replaces a person "
                    "unless the study says which",
                )
        if self.at_deadline is AtDeadline.SMALLER and not any(
            cell.least_people < cell.people for cell in self.cells
        ):
            yield Problem(
                ("at_deadline",),
                "expected a condition with `least` below the people of its team, because groups "
                "cannot get smaller otherwise",
            )
