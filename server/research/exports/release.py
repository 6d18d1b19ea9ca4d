"""Release: an export that may be given away, of those who agreed to it, with licence and citation.

It differs from other exports in what could lead back to somebody who took part: it has no times of
day, no answers in words, no chat, and ids of its own.
"""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec
from ruamel.yaml import YAML

from matchmaking.study import Study
from matchmaking.study.questions import Kind
from server.research.exports.cells import Value
from server.research.exports.columns import Table
from server.research.exports.context import ExportContext
from server.research.exports.tables.responses import answer_value

LICENCES: Mapping[str, tuple[str, str]] = {
    "CC0-1.0": (
        "Creative Commons Zero 1.0 Universal",
        "https://creativecommons.org/publicdomain/zero/1.0/",
    ),
    "CC-BY-4.0": (
        "Creative Commons Attribution 4.0 International",
        "https://creativecommons.org/licenses/by/4.0/",
    ),
    "CC-BY-SA-4.0": (
        "Creative Commons Attribution-ShareAlike 4.0 International",
        "https://creativecommons.org/licenses/by-sa/4.0/",
    ),
    "CC-BY-NC-4.0": (
        "Creative Commons Attribution-NonCommercial 4.0 International",
        "https://creativecommons.org/licenses/by-nc/4.0/",
    ),
    "ODbL-1.0": (
        "Open Data Commons Open Database License 1.0",
        "https://opendatacommons.org/licenses/odbl/1-0/",
    ),
}
"""Name and address of each licence, by its identifier (SPDX)."""
IDS = ("session_id", "episode_id", "group_id")
"""Columns with ids of the database, which tell when something was, and with the order of draws."""
NOT_RELEASED = ("has_withdrawn", "model_loaded_from", "model_flags", "model_machine", "difference")
"""Columns about those who are not in a release, and with paths of a lab's machines."""
NOT_TOLD = ("contact",)
"""Fields of a study that are for its operator."""
FEW = 3
"""Number of people with the same answer below which the answer may tell who somebody is."""


class ReleaseError(Exception):
    """Error for data that cannot be given away; the text says what to do."""


class Release(NamedTuple):
    """Terms on which data are given away."""

    licence: str
    """Identifier of the licence, one of `LICENCES`."""
    authors: Sequence[str] = ()
    """Names as ``Family, Given`` or ``Family, Given, Jr.``; empty: the study's researchers."""
    without: frozenset[str] = frozenset()
    """Names of questions whose answers are left out."""


def check(context: ExportContext, release: Release) -> None:
    """Check that a study's data may be given away. Raises ReleaseError."""
    name = context.study.name
    if release.licence not in LICENCES:
        raise ReleaseError(
            f"expected one of {', '.join(LICENCES)} as licence, got {release.licence!r}"
        )
    if not context.stored.is_closed:
        raise ReleaseError(f"{name} is open: close it first (`cohabit study close {name}`)")
    unknown = sorted(release.without - context.questions.keys())
    if unknown:
        raise ReleaseError(
            f"{name} has no question {unknown[0]!r}; it has: {', '.join(context.questions)}"
        )
    if not (release.authors or context.study.researchers):
        raise ReleaseError(
            f"{name} names no researchers: name those who are to be cited (--author 'Family, "
            "Given')"
        )
    if not context.visits:
        raise ReleaseError(
            f"nobody of {name} agreed to sharing: a consent page asks for it by the permission "
            "`sharing`, and whoever was not asked has not agreed"
        )


def released_table(table: Table) -> Table:
    """Return a table without times of day, and with what its columns mean in a release."""
    kept = tuple(
        msgspec.structs.replace(column, definition=column.in_release or column.definition)
        for column in table.columns
        if column.kind != "time" and column.name not in NOT_RELEASED
    )
    return msgspec.structs.replace(table, columns=kept)


def released_row(context: ExportContext, row: Mapping[str, Value]) -> dict[str, Value]:
    """Return a row with ids of the release's own."""
    told = dict(row)
    for name in IDS:
        if isinstance(value := told.get(name), str) and value:
            told[name] = context.pseudonym(value)
    return told


def released_study(study: Study) -> dict[str, object]:
    """Return what a study declares, without what is for its operator alone."""
    told: dict[str, object] = msgspec.to_builtins(study)
    # Codes are worth money.
    told["recruiter"] = {"kind": study.recruiter.kind}
    return {name: value for name, value in told.items() if name not in NOT_TOLD}


def rare_answers(context: ExportContext, release: Release) -> dict[str, int]:
    """Return how many people gave an answer that fewer than `FEW` gave, by the question.

    Scales are not looked at: they ask what somebody thinks, not what others could know of them.
    """
    given: dict[str, dict[str, Value]] = {}
    told = {visit.visit_id: visit.participant_id for visit in context.visits}
    for answer in context.stored.answers:
        asked = context.questions.get(answer.question)
        if asked is None or asked.kind in (Kind.SCALE, Kind.WORDS) or asked.is_identifying:
            continue
        if answer.visit_id in told and answer.question not in release.without:
            mine = given.setdefault(answer.question, {})
            mine[told[answer.visit_id]] = answer_value(answer.value)
    found = {}
    for question, answers in given.items():
        times = Counter(answers.values())
        if rare := sum(n for n in times.values() if n < FEW):
            found[question] = rare
    return found


def licence_text(release: Release, title: str) -> str:
    """Return the text of the licence file."""
    name, address = LICENCES[release.licence]
    return f"{title}\n\nThese data are given away under {name}\n({release.licence}): {address}\n"


def citation(context: ExportContext, release: Release) -> str:
    """Return the text of ``CITATION.cff``, version 1.2.0 of the Citation File Format."""
    study = context.study
    cited: dict[str, object] = {
        "cff-version": "1.2.0",
        "message": "If you use these data, please cite them as below.",
        "type": "dataset",
        "title": study.title[study.languages[0]],
        "version": f"{study.version}",
        "license": release.licence,
        "identifiers": [
            {
                "type": "other",
                "value": context.stored.manifest.digest,
                "description": "digest of the manifest that was frozen when the study opened",
            }
        ],
        "authors": list(_authors(study, release)),
    }
    text = io.StringIO()
    yaml = YAML()
    yaml.default_flow_style = False
    yaml.dump(cited, text)
    return text.getvalue()


def _authors(study: Study, release: Release) -> Iterator[dict[str, str]]:
    if not release.authors:
        yield {"name": study.researchers}
    for author in release.authors:
        parts = [part.strip() for part in author.split(",", 2)]
        names = ("name",) if len(parts) == 1 else ("family-names", "given-names", "name-suffix")
        yield dict(zip(names, parts, strict=False))
