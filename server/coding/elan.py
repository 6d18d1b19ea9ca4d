"""Notes of an episode as a file of ELAN (EAF 3.0), tiers for each coder and code.

The format is that of the Max Planck Institute for Psycholinguistics. Times are milliseconds from
the earliest note that lies before the task's time began, or else from that beginning; a property of
the header says where the task's time began.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple
from xml.etree import ElementTree

_SCHEMA = "http://www.mpi.nl/tools/elan/EAFv3.0.xsd"
_XSI = "http://www.w3.org/2001/XMLSchema-instance"
LEAST_MS = 1
"""Length of a moment: ELAN knows stretches alone."""
STARTS = "task_starts_ms"
"""Property of the header: the time at which the task's time began."""


class Timed(NamedTuple):
    """Note with its times in milliseconds of the task's time; below 0: before it began."""

    coder: str
    code: str
    begins_ms: int
    ends_ms: int
    words: str = ""


def eaf(notes: Sequence[Timed]) -> bytes:
    """Return the notes on one episode as an EAF document."""
    ElementTree.register_namespace("xsi", _XSI)
    root = ElementTree.Element(
        "ANNOTATION_DOCUMENT",
        {
            "AUTHOR": "",
            "DATE": "1970-01-01T00:00:00+00:00",
            "FORMAT": "3.0",
            "VERSION": "3.0",
            f"{{{_XSI}}}noNamespaceSchemaLocation": _SCHEMA,
        },
    )
    shift_ms = max(0, -min((note.begins_ms for note in notes), default=0))
    header = ElementTree.SubElement(
        root, "HEADER", {"MEDIA_FILE": "", "TIME_UNITS": "milliseconds"}
    )
    ElementTree.SubElement(header, "PROPERTY", {"NAME": STARTS}).text = str(shift_ms)
    order = ElementTree.SubElement(root, "TIME_ORDER")
    slots = annotations = 0
    for name, coder, found in _tiers(notes):
        tier = ElementTree.SubElement(
            root,
            "TIER",
            {
                "LINGUISTIC_TYPE_REF": "note",
                "PARTICIPANT": "",
                "ANNOTATOR": coder,
                "TIER_ID": name,
            },
        )
        for note in found:
            names = []
            for time_ms in (note.begins_ms, max(note.begins_ms + LEAST_MS, note.ends_ms)):
                slots += 1
                names.append(f"ts{slots}")
                ElementTree.SubElement(
                    order,
                    "TIME_SLOT",
                    {"TIME_SLOT_ID": names[-1], "TIME_VALUE": str(time_ms + shift_ms)},
                )
            annotations += 1
            aligned = ElementTree.SubElement(
                ElementTree.SubElement(tier, "ANNOTATION"),
                "ALIGNABLE_ANNOTATION",
                {
                    "ANNOTATION_ID": f"a{annotations}",
                    "TIME_SLOT_REF1": names[0],
                    "TIME_SLOT_REF2": names[1],
                },
            )
            ElementTree.SubElement(aligned, "ANNOTATION_VALUE").text = _xml(note.words or note.code)
    ElementTree.SubElement(
        root,
        "LINGUISTIC_TYPE",
        {"GRAPHIC_REFERENCES": "false", "LINGUISTIC_TYPE_ID": "note", "TIME_ALIGNABLE": "true"},
    )
    ElementTree.indent(root)
    document: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return document


def _tiers(notes: Sequence[Timed]) -> list[tuple[str, str, list[Timed]]]:
    """Return tiers with their names and coders; annotations of one may not overlap."""
    tiers: dict[tuple[str, str], list[list[Timed]]] = {}
    for note in sorted(notes, key=lambda note: (note.begins_ms, note.ends_ms)):
        rows = tiers.setdefault((note.code, note.coder), [])
        for row in rows:
            if max(row[-1].ends_ms, row[-1].begins_ms + LEAST_MS) <= note.begins_ms:
                row.append(note)
                break
        else:
            rows.append([note])
    return [
        (f"{code}@{coder}{f' {number}' if number > 1 else ''}", coder, row)
        for (code, coder), rows in sorted(tiers.items())
        for number, row in enumerate(rows, 1)
    ]


def _xml(text: str) -> str:
    """Return a text without the characters that XML 1.0 has no way to write."""
    return "".join(
        c
        for c in text
        if c in "\t\n" or "\x20" <= c <= "\ud7ff" or "\ue000" <= c <= "\ufffd" or c >= "\U00010000"
    )
