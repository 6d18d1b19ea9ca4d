"""Files of ELAN: tiers, times and words, read back by an XML parser."""

from __future__ import annotations

from itertools import pairwise
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from server.coding.elan import STARTS, Timed, eaf

Found = dict[str, list[tuple[int, int, str | None]]]


def read(document: bytes) -> tuple[int, Found]:
    """Return where the task's time begins (ms), and the annotations of each tier."""
    root = ElementTree.fromstring(document)
    slots = {
        slot.attrib["TIME_SLOT_ID"]: int(slot.attrib["TIME_VALUE"])
        for slot in root.iter("TIME_SLOT")
    }
    ids = [a.attrib["ANNOTATION_ID"] for a in root.iter("ALIGNABLE_ANNOTATION")]
    assert len(set(ids)) == len(ids)
    # The order that the format's schema asks for.
    tags = [child.tag for child in root]
    tiers = tags.count("TIER")
    assert tags == ["HEADER", "TIME_ORDER", *["TIER"] * tiers, "LINGUISTIC_TYPE"]
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
    assert len(found) == tiers
    (starts,) = (p.text for p in root.iter("PROPERTY") if p.attrib["NAME"] == STARTS)
    return int(starts or ""), found


def test_notes_are_tiers_by_code_and_coder_and_overlaps_have_a_tier_of_their_own() -> None:
    notes = [
        Timed("coder_1", "waits", 0, 10_000, "by the <door>\x00 & quiet"),
        Timed("coder_1", "waits", 2_000, 4_000),
        Timed("coder_1", "waits", 10_000, 11_000),
        Timed("coder_2", "offers", 2_000, 2_000),
    ]
    assert read(eaf(notes)) == (
        0,
        {
            "offers@coder_2": [(2_000, 2_001, "offers")],
            "waits@coder_1": [
                (0, 10_000, "by the <door> & quiet"),
                (10_000, 11_000, "waits"),
            ],
            "waits@coder_1 2": [(2_000, 4_000, "waits")],
        },
    )


def test_what_lies_before_the_task_moves_the_beginning() -> None:
    notes = [Timed("c", "waits", -5_000, -2_000), Timed("c", "waits", 1_000, 2_000)]
    assert read(eaf(notes)) == (
        5_000,
        {"waits@c": [(0, 3_000, "waits"), (6_000, 7_000, "waits")]},
    )


spans = st.tuples(st.integers(-9_000, 90_000), st.integers(0, 30_000), st.text(max_size=9))


@given(st.lists(spans, max_size=20))
def test_every_note_is_there_with_its_times_and_no_tier_overlaps(
    drawn: list[tuple[int, int, str]],
) -> None:
    notes = [Timed("c", "waits", begins, begins + s, words) for begins, s, words in drawn]
    starts, found = read(eaf(notes))
    times = sorted(
        (begins - starts, ends - starts) for tier in found.values() for begins, ends, _ in tier
    )
    assert times == sorted((n.begins_ms, max(n.begins_ms + 1, n.ends_ms)) for n in notes)
    for tier in found.values():
        for before, after in pairwise(tier):
            assert before[1] <= after[0]
