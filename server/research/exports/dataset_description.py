"""Description of an export: Psych-DS metadata, a README, and the manifest of the study."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath

import msgspec

from server.research.exports.codebook import MISSING, written
from server.research.exports.columns import Column, Table
from server.research.exports.context import ExportContext
from server.research.exports.release import LICENCES, Release, released_study
from server.research.studies.manifest import MODEL

IGNORED = (
    ".psychds-ignore\ncodebook.json\ncodebook.md\nmanifest.json\nstates.parquet\nCITATION.cff\n"
    "LICENSE\n"
)
"""Names of files that Psych-DS does not know, for its validator."""
_TYPES = {
    "text": "string",
    "integer": "integer",
    "number": "number",
    "boolean": "true or false",
    "time": "ISO 8601, UTC",
}


def dataset_description(
    context: ExportContext, tables: Sequence[Table], release: Release | None = None
) -> str:
    """Return the metadata as Psych-DS wants them: a Dataset of schema.org, in JSON-LD."""
    study, manifest = context.study, context.stored.manifest
    found = {
        "@context": "https://schema.org/",
        "@type": "Dataset",
        "name": study.title[study.languages[0]],
        "description": " ".join(_sentences(context)),
        "version": str(study.version),
        "identifier": f"{study.name}/{study.version}/{study.mode}/{manifest.digest}",
        "variableMeasured": _variables(tables),
    }
    if release is not None:
        found["license"] = LICENCES[release.licence][1]
    if release is not None and release.authors:
        found["author"] = list(release.authors)
    elif study.researchers:
        found["author"] = study.researchers
    return written(found)


def _variables(tables: Sequence[Table]) -> list[dict[str, str]]:
    """Return each name of a column once, with what it means in the tables that have it.

    Psych-DS takes variables of CSV files alone.
    """
    by_name: dict[str, list[Column]] = {}
    for table in tables:
        for column in table.columns if table.format == "csv" else ():
            by_name.setdefault(column.name, []).append(column)
    return [
        {
            "@type": "PropertyValue",
            "name": name,
            "description": " / ".join(dict.fromkeys(c.definition for c in columns)),
            "unitText": columns[0].unit or _TYPES[columns[0].kind],
        }
        for name, columns in by_name.items()
    ]


def manifest_json(context: ExportContext, release: Release | None = None) -> str:
    """Return the manifest that was frozen when the study was opened.

    One that is released says nothing of what is for the study's operator alone.
    """
    manifest = context.stored.manifest
    if release is None:
        return written(manifest)
    told = msgspec.to_builtins(manifest) | {"study": released_study(manifest.study)}
    # A model may be called by the folder that it was loaded from.
    told["digests"] = {
        f"{MODEL}{PurePath(part).name}" if part.startswith(MODEL) else part: digest
        for part, digest in manifest.digests.items()
    }
    return written(told)


def readme(
    context: ExportContext,
    tables: Sequence[Table],
    release: Release | None = None,
    *,
    with_outcomes: bool,
) -> str:
    """Return a page that says what is in the folder."""
    study = context.study
    lines = [f"# {study.title[study.languages[0]]}", "", *_sentences(context), ""]
    if not with_outcomes:
        lines += ["Outcomes are left out, because the study is open.", ""]
    if release is not None:
        lines += [
            "These data may be given away as `LICENSE` says, and are cited as `CITATION.cff` says. "
            "They are of those who agreed to that; times of day, answers in words and what people "
            "said are left out, and ids are others than those of the study's own exports.",
            "",
        ]
        if release.without:
            names = ", ".join(f"`{name}`" for name in sorted(release.without))
            lines += [f"Answers to these questions are left out: {names}.", ""]
    elif not context.with_texts:
        lines += ["Answers in words and what people said are left out.", ""]
    for look in context.stored.unblindings:
        lines += [
            f"Outcomes were seen before the end, on {look.at:%Y-%m-%d} by {look.who}: "
            f"{look.reason}",
            "",
        ]
    lines += [
        "`codebook.md` says what each column means (`codebook.json` for programs), "
        "`manifest.json` is the study as it was frozen when it opened, and "
        f"`data/description-leftout_data.csv` says what is missing, and why. {MISSING}",
        "",
        "| table | a row for each |",
        "|---|---|",
        *(f"| `{table.file}` | {table.row} |" for table in tables),
    ]
    return "\n".join(lines) + "\n"


def _sentences(context: ExportContext) -> list[str]:
    study, stored = context.study, context.stored
    state = "closed" if stored.is_closed else "open"
    purpose = (
        "confirmatory: its analysis was declared before there were data"
        if study.purpose == "confirmatory"
        else "exploratory: no analysis was declared before these data"
    )
    return [
        f"Data of the study {study.name}, version {study.version} ({study.mode}), which is "
        f"{state}. It is {purpose}.",
        f"Frozen on {stored.manifest.frozen_at[:10]}, manifest {stored.manifest.digest}.",
    ]
