"""Registry of instruments, by the name that a study file says."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from matchmaking.study.instruments.explanation_satisfaction import EXPLANATION_SATISFACTION
from matchmaking.study.instruments.hoffman_fluency import HOFFMAN_FLUENCY
from matchmaking.study.instruments.instrument import Instrument
from matchmaking.study.instruments.nasa_tlx import NASA_TLX
from matchmaking.study.instruments.partner_perception import PARTNER_PERCEPTION
from matchmaking.study.instruments.sickness import SICKNESS
from matchmaking.study.instruments.trust import TRUST

INSTRUMENTS: Mapping[str, Instrument] = {
    instrument.name: instrument
    for instrument in (
        NASA_TLX,
        HOFFMAN_FLUENCY,
        TRUST,
        PARTNER_PERCEPTION,
        EXPLANATION_SATISFACTION,
        SICKNESS,
    )
}


def scores(answers: Mapping[str, float]) -> dict[str, float | None]:
    """Return the scores of all instruments of which an item was answered."""
    found: dict[str, float | None] = {}
    for instrument in INSTRUMENTS.values():
        if any(question.name in answers for question in instrument.questions):
            found.update(instrument.scores(answers))
    return found


def score_names(questions: Collection[str]) -> list[str]:
    """Return the scores of which all items are among these questions."""
    return [
        f"{instrument.name}_{scale.name}"
        for instrument in INSTRUMENTS.values()
        for scale in instrument.scales
        if set(scale.items) <= set(questions)
    ]
