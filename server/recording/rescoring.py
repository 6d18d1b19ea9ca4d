"""The rescoring of an episode from its log, and whether that is what was decided online."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from episodes.evaluation import EVALUATOR_VERSION, Verdict, explained_in, semantics_named
from server.recording.recorded_houses import RecordedHouses, known_surroundings
from server.recording.recordings import Recording
from server.recording.replay import fold_all
from server.recording.verdict_differences import Difference, differences


class Scored(NamedTuple):
    """A rescored episode.

    ``verdict`` is the new one, ``online`` what the log's end says (None: it has none).
    ``lost_ticks`` were played, and shown to people, and are not in the log.
    """

    recording: Recording
    verdict: Verdict
    online: Verdict | None
    lost_ticks: int = 0

    @property
    def comparable(self) -> bool:
        """Whether the two were made by the same evaluator with the same semantics."""
        return (
            self.online is not None
            and self.online.semantics == self.verdict.semantics
            and self.online.evaluator_version == self.verdict.evaluator_version
        )

    def differences(self) -> list[Difference]:
        """Return where the two differ, field by field.

        An explanation that only one of them has is no difference: it depends on the house being
        here.
        """
        if self.online is None:
            return []
        ours, theirs = self.verdict, self.online
        if ours.account is None or theirs.account is None:
            ours = msgspec.structs.replace(ours, account=None)
            theirs = msgspec.structs.replace(theirs, account=None)
        return differences(theirs, ours)


def score_recording(
    recording: Recording, semantics: str | None = None, houses: RecordedHouses | None = None
) -> Scored:
    """Score an episode with the semantics it was played with, or others.

    Raises ValueError for unknown semantics, RecordingError for lines that cannot be folded.
    """
    if semantics is not None:
        semantics_named(semantics)
    with recording.folding():
        fold = fold_all(recording.header, recording.lines, semantics)
        verdict = fold.scorer.verdict()
        surroundings = known_surroundings(recording.header, houses)
        if surroundings is not None:
            verdict = explained_in(verdict, fold.scorer.task, fold.state.world, surroundings)
    online = None if recording.result is None else recording.result.verdict
    return Scored(recording, verdict, online, fold.state.lost_ticks)


def version_note(recording: Recording) -> str:
    """Return a word on the evaluator of a recording where it is not this program's."""
    made_by = recording.header.evaluator_version
    return "" if made_by == EVALUATOR_VERSION else f"played with evaluator {made_by}"
