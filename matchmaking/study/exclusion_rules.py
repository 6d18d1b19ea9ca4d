"""Values of exclusion rules: a rule over a value that its column never has excludes nobody."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches

from matchmaking.study.analysis import COLUMNS, RESPONSES, Exclusion
from matchmaking.study.endings import Ending
from matchmaking.study.pages import questions_of
from matchmaking.study.problems import Path, Problem
from matchmaking.study.questions import Kind
from matchmaking.study.study import Study

END_REASONS: Mapping[str, str] = {
    "finished": "everybody said that it is done",
    "time_limit": "the time ran out",
    "success": "it ended on success",
    "left": "all who came had gone",
    "abandoned": "no page followed the session any more",
    "operator": "the operator ended it",
    "failed": "something broke on the side of the server",
}
"""Values of `episodes.end_reason`, and what they say."""
VALUES: Mapping[str, frozenset[str]] = {
    "episodes.end_reason": frozenset(END_REASONS),
    "visits.ending": frozenset(map(str, Ending)),
}
"""Columns of words, with the words that they can have."""


def exclusion_problems(study: Study) -> Iterator[Problem]:
    """Yield what of the exclusion rules of a study no datum can meet."""
    if study.analysis is None:
        return
    options = {
        RESPONSES + question.name: frozenset(option.value for option in question.options)
        for page in study.pages
        for question in questions_of(page)
        if question.kind is Kind.CHOICE
    }
    for number, exclusion in enumerate(study.analysis.exclusions):
        where = ("analysis", "exclusions", number)
        yield from _value_problems(exclusion, {**VALUES, **options}, where)


def _value_problems(
    exclusion: Exclusion, words: Mapping[str, frozenset[str]], where: Path
) -> Iterator[Problem]:
    """Yield what of a rule no value of its column can meet."""
    column, value = exclusion.column, exclusion.value
    if column in words:
        known = words[column]
        if exclusion.relation not in ("==", "!="):
            yield Problem(
                (*where, "relation"), f"expected == or !=, because {column} has words as values"
            )
        if str(value) not in known:
            near = get_close_matches(str(value), known, n=1, cutoff=0.5)
            hint = f"; the nearest is {near[0]!r}" if near else ""
            if column == "episodes.end_reason" and value in VALUES["visits.ending"]:
                hint = f"; {value!r} is an ending of visits (`visits.ending`)"
            yield Problem(
                (*where, "value"),
                f"{column} is never {value!r}, only {', '.join(sorted(known))}{hint}",
            )
    elif column in ("episodes.success", "episodes.retry_success"):
        if not isinstance(value, bool):
            yield Problem((*where, "value"), f"expected true or false for {column}, got {value!r}")
    elif column in COLUMNS and (isinstance(value, bool) or not isinstance(value, (int, float))):
        yield Problem((*where, "value"), f"expected a number for {column}, got {value!r}")
