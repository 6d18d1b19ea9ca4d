"""Notes of an episode as a file of ELAN (EAF 3.0), a tier for each coder and code.

The format is that of the Max Planck Institute for Psycholinguistics; times are milliseconds
from the beginning of the task's time, as the clock of a replay and of its clips has them.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from xml.etree import ElementTree

from server.coding.codebook import Codebook
from server.coding.notes import Note

_SCHEMA = "http://www.mpi.nl/tools/elan/EAFv3.0.xsd"
_XSI = "http://www.w3.org/2001/XMLSchema-instance"
LEAST_MS = 1
"""Length of a moment: ELAN knows stretches alone."""


def eaf(codebook: Codebook, notes: Sequence[Note], start: int, rate: float, at: datetime) -> bytes:
    """Return the notes on one episode as an EAF document.

    ``start`` is the tick at which the task's time began and ``rate`` the number of ticks a second.
    """
    ElementTree.register_namespace("xsi", _XSI)
    root = ElementTree.Element(
        "ANNOTATION_DOCUMENT",
        {
            "AUTHOR": "",
            "DATE": at.isoformat(timespec="seconds"),
            "FORMAT": "3.0",
            "VERSION": "3.0",
            f"{{{_XSI}}}noNamespaceSchemaLocation": _SCHEMA,
        },
    )
    ElementTree.SubElement(root, "HEADER", {"MEDIA_FILE": "", "TIME_UNITS": "milliseconds"})
    order = ElementTree.SubElement(root, "TIME_ORDER")
    tiers: dict[tuple[str, str], list[Note]] = {}
    for note in notes:
        tiers.setdefault((note.coder, note.code), []).append(note)
    slots = 0
    for number, ((coder, code), found) in enumerate(sorted(tiers.items())):
        known = codebook.code(code)
        tier = ElementTree.SubElement(
            root,
            "TIER",
            {
                "LINGUISTIC_TYPE_REF": "note",
                "PARTICIPANT": "",
                "ANNOTATOR": _xml(coder),
                "TIER_ID": f"{code}@{_xml(coder)}",
            },
        )
        ended_ms = -1
        for n, note in enumerate(sorted(found, key=lambda note: (note.first, note.last))):
            # Annotations of a tier may not overlap: what does begins where the one before ends.
            begin_ms = max(ended_ms, round(1000 * (note.first - start) / rate), 0)
            ended_ms = max(begin_ms + LEAST_MS, round(1000 * (note.last - start) / rate))
            names = []
            for time_ms in (begin_ms, ended_ms):
                slots += 1
                names.append(f"ts{slots}")
                ElementTree.SubElement(
                    order, "TIME_SLOT", {"TIME_SLOT_ID": names[-1], "TIME_VALUE": str(time_ms)}
                )
            annotation = ElementTree.SubElement(tier, "ANNOTATION")
            aligned = ElementTree.SubElement(
                annotation,
                "ALIGNABLE_ANNOTATION",
                {
                    "ANNOTATION_ID": f"a{number}_{n}",
                    "TIME_SLOT_REF1": names[0],
                    "TIME_SLOT_REF2": names[1],
                },
            )
            value = ElementTree.SubElement(aligned, "ANNOTATION_VALUE")
            value.text = _xml(note.text or (known.name if known else code))
    ElementTree.SubElement(
        root,
        "LINGUISTIC_TYPE",
        {"GRAPHIC_REFERENCES": "false", "LINGUISTIC_TYPE_ID": "note", "TIME_ALIGNABLE": "true"},
    )
    ElementTree.indent(root)
    document: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return document


def _xml(text: str) -> str:
    """Return a text without the characters that XML 1.0 has no way to write."""
    return "".join(
        c
        for c in text
        if c in "\t\n" or "\x20" <= c <= "\ud7ff" or "\ue000" <= c <= "\ufffd" or c >= "\U00010000"
    )
