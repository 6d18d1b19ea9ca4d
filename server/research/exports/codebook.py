"""Codebook of an export: each column, question and score with what it means."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from matchmaking.study.instruments.registry import INSTRUMENTS
from matchmaking.study.pages import questions_of
from server.research.exports.columns import Table
from server.research.exports.context import ExportContext
from server.research.measures.measure import MeasureEntry
from server.research.measures.registry import PERSON_MEASURES

MISSING = "An empty cell is a value that is missing, or does not apply."


def codebook_json(context: ExportContext, tables: Sequence[Table], licence: str = "") -> str:
    """Return the codebook for programs; ``licence``: the terms of one that is given away."""
    book = {
        "study": context.study.name,
        "version": context.study.version,
        "manifest": context.stored.manifest.digest,
        "missing": MISSING,
        "licence": licence,
        "tables": [
            {
                "name": table.name,
                "file": table.file,
                "row": table.row,
                "columns": [
                    {
                        "name": column.name,
                        "type": column.kind,
                        "unit": column.unit,
                        "definition": column.definition,
                        "source": column.source,
                    }
                    for column in table.columns
                ],
            }
            for table in tables
        ],
        "measures": [
            {
                "name": measure.name,
                "version": measure.version,
                "unit": measure.unit,
                "definition": measure.definition,
                "source": measure.source,
            }
            for measure in _measures(context)
        ],
        "questions": list(_questions(context)),
        "scores": list(_scores(context)),
    }
    return written(book)


def codebook_markdown(context: ExportContext, tables: Sequence[Table]) -> str:
    """Return the codebook for people."""
    return "\n".join(_lines(context, tables)) + "\n"


def written(value: object) -> str:
    """Return a value as JSON that is read by people too, the same text each time."""
    encoded = msgspec.json.encode(value, order="deterministic")
    return msgspec.json.format(encoded, indent=2).decode() + "\n"


def _lines(context: ExportContext, tables: Sequence[Table]) -> Iterator[str]:
    study = context.study
    yield f"# Codebook of {study.name}, version {study.version}"
    yield ""
    yield f"Manifest {context.stored.manifest.digest}. {MISSING}"
    for table in tables:
        yield ""
        yield f"## {table.name}"
        yield ""
        yield f"`{table.file}`: a row for each {table.row}."
        yield ""
        yield "| column | type | unit | definition | source |"
        yield "|---|---|---|---|---|"
        for c in table.columns:
            yield f"| `{c.name}` | {c.kind} | {c.unit} | {_told(c.definition)} | {c.source} |"
    yield ""
    yield "## Measures"
    yield ""
    yield "| measure | version | unit | definition | source |"
    yield "|---|---|---|---|---|"
    for m in _measures(context):
        yield f"| `{m.name}` | {m.version} | {m.unit} | {_told(m.definition)} | {m.source} |"
    questions = list(_questions(context))
    if questions:
        yield ""
        yield "## Questions"
        yield ""
        yield "| question | page | kind | text | answers |"
        yield "|---|---|---|---|---|"
        for q in questions:
            yield (
                f"| `{q['name']}` | {q['page']} | {q['kind']} | {_told(q['text'])} | "
                f"{_told(q['answers'])} |"
            )
    scores = list(_scores(context))
    if scores:
        yield ""
        yield "## Scores"
        yield ""
        yield "| score | questionnaire | items | reversed | key |"
        yield "|---|---|---|---|---|"
        for s in scores:
            yield (
                f"| `{s['name']}` | {_told(s['title'])}: {_told(s['source'])} | "
                f"{', '.join(s['items'])} | {', '.join(s['reversed'])} | {s['key']} |"
            )


def _measures(context: ExportContext) -> list[MeasureEntry]:
    return [*context.measures, *PERSON_MEASURES]


def _questions(context: ExportContext) -> Iterator[dict[str, Any]]:
    language = context.study.languages[0]
    for page in context.study.pages:
        for question in questions_of(page):
            options = [f"{o.value} = {o.text.get(language, '')}" for o in question.options]
            bounds = [
                f"{bound:g}" for bound in (question.least, question.most) if bound is not None
            ]
            yield {
                "name": question.name,
                "page": page.name,
                "kind": str(question.kind),
                "text": question.text.get(language, ""),
                "answers": "; ".join([" to ".join(bounds), *options] if bounds else options),
                "is_identifying": question.is_identifying,
            }


def _scores(context: ExportContext) -> Iterator[dict[str, Any]]:
    asked = context.questions.keys()
    for instrument in INSTRUMENTS.values():
        for scale in instrument.scales:
            if asked.isdisjoint(scale.items):
                continue
            factor = "" if scale.factor == 1 else f", times {scale.factor:g}"
            yield {
                "name": f"{instrument.name}_{scale.name}",
                "title": instrument.title,
                "source": instrument.source,
                "licence": instrument.licence,
                "items": list(scale.items),
                "reversed": list(scale.reversed),
                "key": f"{scale.how}{factor}",
            }


def _told(text: str) -> str:
    """Return a text for a cell of a table of Markdown."""
    return " ".join(text.split()).replace("|", "\\|")
