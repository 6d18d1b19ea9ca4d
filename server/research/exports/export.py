"""Export of a study: its tables, codebook and manifest in one folder, the same bytes each time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from server.research.exports.cells import Value
from server.research.exports.codebook import codebook_json, codebook_markdown
from server.research.exports.columns import Column, Table
from server.research.exports.context import ExportContext
from server.research.exports.dataset_description import (
    IGNORED,
    dataset_description,
    manifest_json,
    readme,
)
from server.research.exports.export_folder import ExportFolder, TableFile, unchanged
from server.research.exports.played_episodes import Logs, PlayedEpisode, played_episodes
from server.research.exports.release import (
    Release,
    citation,
    licence_text,
    released_row,
    released_table,
)
from server.research.exports.tables import (
    chat,
    closings,
    constraints,
    episodes,
    events,
    explanations,
    groups,
    leftout,
    measures,
    models,
    notes,
    participants,
    progress,
    propositions,
    readings,
    responses,
    retries,
    scores,
    seats,
    signs,
    stays,
    visits,
)
from server.research.exports.tables.leftout import LeftOut
from server.research.summaries.episode_summary import EpisodeSummary
from server.store.models import EpisodeRow

if TYPE_CHECKING:
    from server.research.exports.states_file import StatesFile

Tell = Callable[[int, int], None]

UNBLINDINGS = Table(
    name="unblindings",
    row="look at outcomes by condition before the study was closed",
    columns=(
        Column(name="seen_by", definition="Name that was given.", source="unblindings"),
        Column(name="seen_because", definition="Reason that was given.", source="unblindings"),
        Column(name="seen_at", definition="Time.", kind="time", source="unblindings"),
    ),
)
BLINDED = "the study is open: outcomes can be exported once it is closed"
TEXTS = "what people said is exported only where that is asked for (--with-texts)"
WITHDRAWN = "somebody of its group has withdrawn"
NOT_SHARED = "somebody of its group did not agree to sharing, or has withdrawn"
UNREADABLE = "the recording cannot be read, or lacks what this needs"
NOT_RELEASED = "what people said is never given away"


class Exported(NamedTuple):
    """An export that was written."""

    rows: Mapping[str, int]
    """Number of rows by table."""
    left_out: list[LeftOut]


def write_export(
    context: ExportContext,
    logs: Logs,
    target: Path,
    *,
    with_outcomes: bool,
    with_states: bool = False,
    release: Release | None = None,
    tell: Tell = lambda _done, _total: None,
) -> Exported:
    """Write an export to ``target``, which must not be there yet. Raises ExportFolderError.

    ``with_states``: with where bodies were at each tick, which takes pyarrow.
    ``release``: terms on which it may be given away, of a study that `release.check` lets through.
    ``tell`` is called with the number of episodes that are done, and of all.
    """
    with ExportFolder(target, partial(released_row, context) if release else unchanged) as folder:
        writer = _Writer(context, folder, with_outcomes=with_outcomes, release=release)
        if with_states:
            writer.begin_states()
        return writer.write(logs, tell)


class _Writer:
    def __init__(
        self,
        context: ExportContext,
        folder: ExportFolder,
        *,
        with_outcomes: bool,
        release: Release | None,
    ) -> None:
        self._context, self._folder = context, folder
        self._with_outcomes, self._release = with_outcomes, release
        analysis = context.study.analysis
        self._outcomes = (
            frozenset() if analysis is None else {h.outcome for h in analysis.hypotheses}
        )
        self._files: dict[str, TableFile] = {}
        self._left_out: list[LeftOut] = []
        self._states: StatesFile | None = None

    def begin_states(self) -> None:
        """Begin the file of states, where outcomes are exported."""
        if not self._with_outcomes:
            self._left_out.append(LeftOut("table states", "outcomes", BLINDED))
            return
        from server.research.exports.states_file import StatesFile

        self._states = StatesFile(self._folder.stream(StatesFile.table.file))

    def write(self, logs: Logs, tell: Tell) -> Exported:
        context = self._context
        for table, rows in (
            (participants.participants_table(context), participants.participants_rows),
            (visits.TABLE, visits.visits_rows),
            (signs.signs_table(context), signs.signs_rows),
            (stays.TABLE, stays.stays_rows),
            (groups.groups_table(context), groups.groups_rows),
            (models.TABLE, models.models_rows),
            (responses.TABLE, responses.responses_rows),
            (scores.TABLE, scores.scores_rows),
            (readings.TABLE, readings.readings_rows),
            (closings.TABLE, closings.closings_rows),
        ):
            file = self._begin(table)
            if file is not None:
                file.add(rows(context))
        self._write_episodes(logs, tell)
        seen = self._begin(UNBLINDINGS)
        assert seen is not None, "it tells no outcomes"
        seen.add(
            {"seen_by": look.who, "seen_because": look.reason, "seen_at": look.at}
            for look in context.stored.unblindings
        )
        missing = self._begin(leftout.TABLE)
        assert missing is not None, "it tells no outcomes"
        missing.add(found.cells() for found in self._left_out)
        counts = {name: file.n_rows for name, file in self._files.items()}
        if self._states is not None:
            self._states.close()
            counts[self._states.table.name] = self._states.n_rows
        self._write_documents()
        return Exported(counts, self._left_out)

    def _begin(self, table: Table) -> TableFile | None:
        """Begin a table; None: outcomes are left out, and it has nothing else."""
        if self._release is not None:
            table = released_table(table)
        if not self._with_outcomes:
            blinded = table.blinded(self._outcomes)
            if blinded is None or blinded.names != table.names:
                self._left_out.append(LeftOut(f"table {table.name}", "outcomes", BLINDED))
            if blinded is None:
                return None
            table = blinded
        file = self._folder.table(table)
        self._files[table.name] = file
        return file

    def _write_episodes(self, logs: Logs, tell: Tell) -> None:
        context = self._context
        tables = [
            episodes.episodes_table(context),
            propositions.TABLE,
            explanations.TABLE,
            constraints.TABLE,
            seats.TABLE,
            measures.TABLE,
            progress.TABLE,
            events.TABLE,
            notes.CODINGS,
            notes.notes_table(context),
        ]
        if context.with_texts:
            tables.append(chat.TABLE)
        else:
            self._left_out.append(
                LeftOut("table chat", "all", NOT_RELEASED if self._release else TEXTS)
            )
        begun = [self._begin(table) for table in tables]
        if None in begun:
            return
        for episode in context.withheld_episodes:
            self._lacks(episode, "all", NOT_SHARED if self._release else WITHDRAWN)
        of_session: dict[str, list[EpisodeRow]] = {
            session_id: list(rows)
            for session_id, rows in groupby(context.episodes, key=lambda row: row.session_id)
        }
        tried = progress.TriedTasks(context)
        total = len(context.episodes)
        of_sessions = groupby(
            played_episodes(context.episodes, logs, context.measures),
            key=lambda played: played.row.session_id,
        )
        done = 0
        for session_id, found in of_sessions:
            session = list(found)
            for played in session:
                row = episodes.episode_row(context, played, of_session[session_id])
                row |= self._retry_cells(played, session, of_session[session_id])
                self._files["episodes"].add([row])
                told = episodes.explanation_shown(context, played.row, of_session[session_id])
                self._files["propositions"].add(
                    propositions.proposition_rows(played, told, session)
                )
                self._files["explanations"].add(
                    explanations.explanation_rows(context, played, session)
                )
                self._files["constraints"].add(constraints.constraint_rows(played))
                if played.summary is None:
                    self._lacks(played.row, "log", played.problem)
                else:
                    self._write_log(played.row, played.summary)
                    tried.take(played)
                done += 1
                tell(done, total)
            self._write_recordings(session, logs)
        self._files["progress"].add(tried.rows())
        self._files["codings"].add(notes.codings_rows(context))
        self._files["notes"].add(notes.notes_rows(context))

    def _retry_cells(
        self, played: PlayedEpisode, session: Sequence[PlayedEpisode], rows: Sequence[EpisodeRow]
    ) -> dict[str, Value]:
        before = retries.attempt_before(played, session)
        if before is None or self._context.is_practice(played.row):
            return retries.retry_cells(played, None, None)
        told = episodes.explanation_shown(self._context, before.row, rows)
        return retries.retry_cells(played, before, told)

    def _lacks(self, episode: EpisodeRow, part: str, reason: str) -> None:
        """Take note that a part of an episode is missing."""
        name = episode.episode_id
        if self._release is not None:
            name = self._context.pseudonym(name)
            # Reasons of a log may name its session.
            reason = reason if part == "all" else UNREADABLE
        self._left_out.append(LeftOut(name, part, reason))

    def _write_log(self, row: EpisodeRow, summary: EpisodeSummary) -> None:
        """Write what only the log of an episode says."""
        context, files = self._context, self._files
        for result in summary.measures:
            if result.problem:
                self._lacks(row, f"measure {result.name}", result.problem)
        occupancies = context.occupancies.get(row.session_id, [])
        files["seats"].add(seats.seat_rows(context, row, summary, occupancies))
        files["measures"].add(measures.measure_rows(summary))
        files["events"].add(events.event_rows(summary))

    def _write_recordings(self, session: Sequence[PlayedEpisode], logs: Logs) -> None:
        """Write what is asked for and summaries do not have: what was said, and states."""
        summaries = [played.summary for played in session if played.summary is not None]
        if not summaries or not (self._context.with_texts or self._states):
            return
        recordings = logs.recordings(session[0].row.session_id)
        for summary in summaries:
            recording = recordings[summary.episode_id]
            if self._context.with_texts:
                self._files["chat"].add(chat.chat_rows(recording, summary.started_tick))
            if self._states is not None:
                self._states.add(recording)

    def _write_documents(self) -> None:
        context, tables = self._context, [file.table for file in self._files.values()]
        if self._states is not None:
            tables.append(self._states.table)
        release = self._release
        self._folder.text(
            "codebook.json", codebook_json(context, tables, release.licence if release else "")
        )
        self._folder.text("codebook.md", codebook_markdown(context, tables))
        release = self._release
        self._folder.text("dataset_description.json", dataset_description(context, tables, release))
        self._folder.text("manifest.json", manifest_json(context, release))
        self._folder.text(
            "README.md", readme(context, tables, release, with_outcomes=self._with_outcomes)
        )
        self._folder.text(".psychds-ignore", IGNORED)
        if release is not None:
            study = context.study
            self._folder.text("LICENSE", licence_text(release, study.title[study.languages[0]]))
            self._folder.text("CITATION.cff", citation(context, release))
