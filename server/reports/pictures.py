"""Pictures of a report: plan, order and timeline of one recorded episode."""

from __future__ import annotations

from pathlib import Path

import msgspec

from episodes.drawing.order_graph import draw_order
from episodes.drawing.plan import Plan
from episodes.drawing.steps import TaskSteps, steps_of
from episodes.drawing.svg import drawing
from episodes.drawing.task_plan import TaskPlan
from episodes.drawing.timeline import Lane, draw_timeline
from episodes.evaluation import EvaluationError, Verdict
from episodes.houses.files import HouseError
from episodes.names import name_things
from episodes.scene import Catalogue, Scene
from episodes.seat_names import labels_of
from server.recording.recorded_houses import OtherHouseError, played_house
from server.recording.recordings import Recording, RecordingError, read_recording
from server.reports.course import Played, played
from server.reports.decisions import Choice, choices_of
from server.reports.placements import Placement, placements
from server.reports.step_words import row_words
from server.reports.task_clock import pauses_of

PLAN_PX, PLAN_TEXT_PX = 720.0, 20.0


class Pictures(msgspec.Struct, frozen=True, omit_defaults=True):
    """SVG texts, and the data beside them.

    ``order`` is empty where the task has none. ``numbers`` are those of the steps, by the
    task's propositions; ``lanes`` what each seat did, without its drawing; ``choices`` what
    policies decided; ``words`` those of the verdict's rows, by its propositions, and
    ``placements`` those of rows whose things were in a hand, and ``pauses`` those of the
    episode (`task_clock.py`).
    """

    plan: str
    order: str
    timeline: str
    numbers: dict[int, int]
    lanes: tuple[Lane, ...]
    choices: tuple[Choice, ...]
    words: dict[int, str]
    placements: dict[int, Placement]
    pauses: tuple[tuple[int, int], ...] = ()


class PicturesError(Exception):
    """An episode cannot be drawn; the text says why."""


def make_pictures(log: Path, episode_id: str, data_dir: Path) -> Pictures:
    """Read a recording and its house, and draw its pictures. Raises PicturesError."""
    try:
        recording = _find(read_recording(log), episode_id)
        scene, catalogue = played_house(recording.header, data_dir)
        if recording.result is None:
            raise PicturesError(f"{episode_id} has no end in its recording")
        return draw_pictures(recording, recording.result.verdict, scene, catalogue)
    except (
        RecordingError,
        HouseError,
        OtherHouseError,
        EvaluationError,
        KeyError,
        ValueError,
    ) as error:
        raise PicturesError(f"{episode_id}: {error}") from error


def draw_pictures(
    recording: Recording, verdict: Verdict, scene: Scene, catalogue: Catalogue
) -> Pictures:
    """Draw the pictures of a recording.

    Raises EvaluationError for a task that cannot be evaluated, KeyError for a thing that the
    house does not have.
    """
    header = recording.header
    steps = steps_of(header.task, scene, catalogue, verdict, header.spec.labels)
    labels = {} if header.surroundings is None else header.surroundings.labels
    names = name_things(scene, catalogue, header.task.name_to_receptacle)
    keys = {name: key for key, name in names.graph.items()}

    def player_words(name: str) -> str:
        """Return a player's name for what a planner calls ``cup_3``."""
        return labels.get(keys.get(name, name), name)

    lines = tuple(recording.decoded())
    story = played(header, lines, steps, lambda key: labels.get(key, key))
    waited = 0 if recording.result is None else recording.result.clock_ticks
    return Pictures(
        plan=_plan(recording, verdict, steps, story, scene, catalogue),
        order=draw_order(steps),
        timeline=draw_timeline(msgspec.structs.replace(story.course, waited=waited)),
        numbers={s.expected.index: s.number for s in steps.steps},
        lanes=story.course.lanes,
        choices=tuple(choices_of(lines, story.start, player_words)),
        words=row_words(steps, verdict),
        placements=placements(steps, verdict, lines, story.start),
        pauses=pauses_of(lines, story.start),
    )


def _plan(
    recording: Recording,
    verdict: Verdict,
    steps: TaskSteps,
    story: Played,
    scene: Scene,
    catalogue: Catalogue,
) -> str:
    header = recording.header
    # What two recordings name alike is drawn alike: only labels of people tell objects apart.
    objects = header.task.name_to_receptacle if header.spec.labels == "people" else ()
    names = name_things(scene, catalogue, objects, header.spec.labels)
    plan = Plan(scene, catalogue, PLAN_PX, PLAN_TEXT_PX, names.labels)
    marked = labels_of([lane.seat for lane in story.course.lanes])
    picture = TaskPlan(plan, header.task, steps, verdict, story.finals, story.starts, marked)
    label = "Plan of the house: where things began, where they belong, and what was reached"
    return drawing(plan.width, plan.height, label, picture.draw(), class_="plan")


def _find(recordings: list[Recording], episode_id: str) -> Recording:
    for recording in recordings:
        if recording.episode_id == episode_id:
            return recording
    raise PicturesError(f"{episode_id} is not in its recording")
