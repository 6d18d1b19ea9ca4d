"""Files of ELAN: tiers, times and words, read back by an XML parser."""

from __future__ import annotations

from datetime import UTC, datetime
from xml.etree import ElementTree

from server.coding.codebook import read_codebook
from server.coding.elan import eaf
from server.coding.notes import Note
from tests.server.coding.test_codebook import HELPING

AT = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
START = 90


def note(number: int, code: str, coder: str, first: int, last: int, text: str = "") -> Note:
    return Note(f"not_{number}", "epi_1", "helping", code, coder, first, last, text)


def test_notes_are_tiers_by_code_and_coder_with_milliseconds_of_the_task() -> None:
    notes = [
        note(1, "waits", "ann", 120, 240, "by the <door>\x00 & quiet"),
        note(2, "waits", "ann", 180, 300),
        note(3, "offers_help", "ben", 150, 150),
        note(4, "waits", "ben", 0, 100),
    ]
    root = ElementTree.fromstring(eaf(read_codebook(HELPING), notes, START, 30, AT))
    slots = {
        slot.attrib["TIME_SLOT_ID"]: int(slot.attrib["TIME_VALUE"])
        for slot in root.iter("TIME_SLOT")
    }
    assert len(slots) == 8
    found = {
        tier.attrib["TIER_ID"]: [
            (
                slots[a.attrib["TIME_SLOT_REF1"]],
                slots[a.attrib["TIME_SLOT_REF2"]],
                a.findtext("ANNOTATION_VALUE"),
            )
            for a in tier.iter("ALIGNABLE_ANNOTATION")
        ]
        for tier in root.iter("TIER")
    }
    assert found == {
        "offers_help@ben": [(2000, 2001, "Offers help")],
        # Those of a tier may not overlap.
        "waits@ann": [(1000, 5000, "by the <door> & quiet"), (5000, 7000, "Waits")],
        # What began before the task's time begins with it.
        "waits@ben": [(0, 333, "Waits")],
    }
    ids = [a.attrib["ANNOTATION_ID"] for a in root.iter("ALIGNABLE_ANNOTATION")]
    assert len(set(ids)) == 4
    # The order that the format's schema asks for.
    assert [child.tag for child in root] == [
        "HEADER",
        "TIME_ORDER",
        "TIER",
        "TIER",
        "TIER",
        "LINGUISTIC_TYPE",
    ]
