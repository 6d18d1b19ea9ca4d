"""NASA task load index, raw: six ratings without weights."""

from __future__ import annotations

from matchmaking.study.instruments.instrument import Instrument, Scale
from matchmaking.study.questions import Kind, Option, Question

_ITEMS = {
    "mental": ("How mentally demanding was the task?", "Very low", "Very high"),
    "physical": ("How physically demanding was the task?", "Very low", "Very high"),
    "temporal": ("How hurried or rushed was the pace of the task?", "Very low", "Very high"),
    "performance": (
        "How successful were you in accomplishing what you were asked to do?",
        "Perfect",
        "Failure",
    ),
    "effort": (
        "How hard did you have to work to accomplish your level of performance?",
        "Very low",
        "Very high",
    ),
    "frustration": (
        "How insecure, discouraged, irritated, stressed, and annoyed were you?",
        "Very low",
        "Very high",
    ),
}

NASA_TLX = Instrument(
    name="nasa_tlx",
    title="NASA task load index (raw)",
    source=(
        "S. G. Hart and L. E. Staveland, Development of NASA-TLX, in: Human Mental Workload, 1988, "
        "139-183; without weights: S. G. Hart, NASA-Task Load Index (NASA-TLX); 20 years later, "
        "Proc. HFES 50:904, 2006"
    ),
    licence="Work of the United States government (NASA Ames): public domain there.",
    checked=(
        "the six questions and their ends, with table 2 of J. NeuroEng. Rehabil. 9:6, 2012, which "
        "quotes the form"
    ),
    questions=tuple(
        Question(
            name=f"nasa_tlx_{name}",
            kind=Kind.SCALE,
            text={"en": text},
            options=(Option("0", {"en": low}), Option("20", {"en": high})),
            # The 21 gradations of the form.
            least=0,
            most=20,
        )
        for name, (text, low, high) in _ITEMS.items()
    ),
    scales=(
        # Gradations are five points of 0 to 100.
        Scale(name="raw", items=tuple(f"nasa_tlx_{name}" for name in _ITEMS), factor=5.0),
        *(Scale(name=name, items=(f"nasa_tlx_{name}",), factor=5.0) for name in _ITEMS),
    ),
)
