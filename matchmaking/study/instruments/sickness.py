"""Simulator sickness questionnaire by Kennedy, Lane, Berbaum and Lilienthal."""

from __future__ import annotations

from matchmaking.study.instruments.instrument import Instrument, Scale
from matchmaking.study.questions import Kind, Option, Question

_SYMPTOMS = {
    # Symptom: clusters that it counts in, nausea (n), oculomotor (o) and disorientation (d).
    "General discomfort": "no",
    "Fatigue": "o",
    "Headache": "o",
    "Eyestrain": "o",
    "Difficulty focusing": "od",
    "Increased salivation": "n",
    "Sweating": "n",
    "Nausea": "nd",
    "Difficulty concentrating": "no",
    "Fullness of head": "d",
    "Blurred vision": "od",
    "Dizzy (eyes open)": "d",
    "Dizzy (eyes closed)": "d",
    "Vertigo": "d",
    "Stomach awareness": "n",
    "Burping": "n",
}
_DEGREES = ("None", "Slight", "Moderate", "Severe")


def _cluster(letter: str) -> tuple[str, ...]:
    return tuple(f"ssq_{n}" for n, of in enumerate(_SYMPTOMS.values(), 1) if letter in of)


SICKNESS = Instrument(
    name="ssq",
    title="Simulator sickness",
    source=(
        "R. S. Kennedy, N. E. Lane, K. S. Berbaum and M. G. Lilienthal, Simulator Sickness "
        "Questionnaire: An Enhanced Method for Quantifying Simulator Sickness, Int. J. Aviation "
        "Psychology 3(3):203-220, 1993"
    ),
    licence="Published in the article for use in research; no licence is stated. Cite it.",
    checked=(
        "symptoms, degrees, factors and clusters, with a published scoring key (A. Oiknine's page "
        "of questionnaires). That key counts nausea for the cluster of nausea alone; here it "
        "counts for disorientation too, as the article's table is said to have it: unconfirmed"
    ),
    instruction="How much does each symptom affect you right now?",
    questions=tuple(
        Question(
            name=f"ssq_{number}",
            kind=Kind.SCALE,
            text={"en": symptom},
            options=tuple(Option(str(n), {"en": word}) for n, word in enumerate(_DEGREES)),
            least=0,
            most=3,
        )
        for number, symptom in enumerate(_SYMPTOMS, 1)
    ),
    scales=(
        Scale(name="nausea", items=_cluster("n"), how="sum", factor=9.54),
        Scale(name="oculomotor", items=_cluster("o"), how="sum", factor=7.58),
        Scale(name="disorientation", items=_cluster("d"), how="sum", factor=13.92),
        # The total sums the three clusters, so that some symptoms count twice.
        Scale(
            name="total",
            items=_cluster("n") + _cluster("o") + _cluster("d"),
            how="sum",
            factor=3.74,
        ),
    ),
)
