"""Tables of coding: the episodes that coders have finished, and what they noted on them."""

from __future__ import annotations

from collections.abc import Iterator

from server.coding.notes import Coding
from server.research.exports.cells import Value
from server.research.exports.columns import Column, Table
from server.research.exports.context import ExportContext
from server.research.exports.tables.moments import MOMENT, moment_cells
from server.sessions.spec import TICK_RATE

_CODER = Column(
    name="coder",
    definition="Coder, numbered in this export: names of accounts are not exported.",
    source="codings",
)
_CODEBOOK = Column(name="codebook", definition="Name of the codebook.", source="codings")
CODINGS = Table(
    name="codings",
    row="episode that a coder has looked through with a codebook",
    is_outcome=True,
    columns=(
        Column(name="episode_id", definition="Episode.", source="episodes"),
        _CODEBOOK,
        _CODER,
        Column(
            name="n_notes",
            definition="Number of notes; of a code without any, the coder saw nothing.",
            kind="integer",
            source="coder_notes",
        ),
    ),
)
_WORDS = Column(
    name="note_words",
    definition="Words of the coder, as they were written.",
    source="coder_notes",
)
_NOTE = (
    *MOMENT,
    Column(
        name="ends_s",
        definition="Time at which it ends; of a moment, t_s.",
        kind="number",
        unit="s",
        source="coder_notes",
    ),
    _CODEBOOK,
    Column(name="code", definition="Code of the codebook.", source="coder_notes"),
    _CODER,
)


def notes_table(context: ExportContext) -> Table:
    """Return the table of notes; with words in exports that are made with texts."""
    return Table(
        name="notes",
        row="note of a coder who has finished the episode",
        is_outcome=True,
        columns=(*_NOTE, _WORDS) if context.with_texts else _NOTE,
    )


def codings_rows(context: ExportContext) -> Iterator[dict[str, Value]]:
    """Yield a row for each coding of an episode that is exported."""
    for found, coder in _codings(context):
        yield {
            "episode_id": found.episode_id,
            "codebook": found.codebook,
            "coder": coder,
            "n_notes": len(found.notes),
        }


def notes_rows(context: ExportContext) -> Iterator[dict[str, Value]]:
    """Yield a row for each note, coding by coding."""
    for found, coder in _codings(context):
        for note in found.notes:
            yield {
                **moment_cells(note.episode_id, note.first - found.start),
                "ends_s": (note.last - found.start) / TICK_RATE,
                "codebook": note.codebook,
                "code": note.code,
                "coder": coder,
                "note_words": note.text,
            }


def _codings(context: ExportContext) -> Iterator[tuple[Coding, str]]:
    codings = context.stored.codings
    names = sorted({found.coder for found in codings})
    of_episode: dict[str, list[Coding]] = {}
    for found in codings:
        of_episode.setdefault(found.episode_id, []).append(found)
    # In the order of episodes, which in a release is none of time.
    for episode in context.episodes:
        for found in of_episode.get(episode.episode_id, ()):
            yield found, f"coder_{names.index(found.coder) + 1}"
