"""Perception of the partner: the robotic social attributes scale (RoSAS)."""

from __future__ import annotations

from matchmaking.study.instruments.instrument import Instrument, Scale, likert, numbered

_WARMTH = ("happy", "feeling", "social", "organic", "compassionate", "emotional")
_COMPETENCE = ("capable", "responsive", "interactive", "reliable", "competent", "knowledgeable")
_DISCOMFORT = ("scary", "strange", "awkward", "dangerous", "awful", "aggressive")
_NAME = "rosas"

PARTNER_PERCEPTION = Instrument(
    name=_NAME,
    title="Perception of the partner (RoSAS)",
    source=(
        "C. M. Carpinella, A. B. Wyman, M. A. Perez and S. J. Stroessner, The Robotic Social "
        "Attributes Scale (RoSAS): Development and Validation, Proc. HRI 2017, 254-262"
    ),
    licence="Published in the article for use in research; no licence is stated. Cite it.",
    checked=(
        "the eighteen words, their three scales and the nine points, with a list in a public "
        "repository (2026); six of the words also with the abstract of the short form by "
        "Neuenswander et al., 2025. The article names no number of points, say others"
    ),
    adapted="asked about 'your partner', who may be a person or a robot",
    instruction="How closely is each word associated with your partner?",
    questions=likert(
        _NAME,
        [word.capitalize() for word in (*_WARMTH, *_COMPETENCE, *_DISCOMFORT)],
        ("Definitely not associated", "Definitely associated"),
        (1, 9),
    ),
    scales=(
        Scale(name="warmth", items=numbered(_NAME, *range(1, 7))),
        Scale(name="competence", items=numbered(_NAME, *range(7, 13))),
        Scale(name="discomfort", items=numbered(_NAME, *range(13, 19))),
    ),
)
