"""Sheet of a task: its text, the plan with start and goal, and the steps in their order."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from episodes.dataset import Task
from episodes.drawing import colours as c
from episodes.drawing import marks
from episodes.drawing.plan import Plan
from episodes.drawing.steps import Bond, Step, TaskSteps, steps_of
from episodes.drawing.svg import drawing, element, lines_of_text, wrap
from episodes.drawing.task_plan import TaskPlan
from episodes.evaluation import Verdict
from episodes.evaluation.account_sentences import capital, listed
from episodes.scene import Catalogue, Scene

NARROW_PX = 720.0
"""Width below which the steps stand below the plan instead of beside it."""
GAP_PX = 20.0


class Sizes(NamedTuple):
    """Heights of letters (px)."""

    title: float
    text: float
    small: float
    plan: float


WIDE = Sizes(22.0, 16.0, 14.0, 14.0)
NARROW = Sizes(17.0, 14.0, 12.0, 10.0)


class _Column:
    """A column that text and marks fill from top to bottom."""

    def __init__(self, x: float, y: float, width: float, sizes: Sizes) -> None:
        self.x, self.y, self.width, self.sizes = x, y, width, sizes
        self.parts: list[str] = []

    def text(
        self,
        text: str,
        size: float,
        *,
        indent: float = 0.0,
        colour: str = c.INK,
        bold: bool = False,
    ) -> None:
        lines = wrap(text, self.width - indent, size)
        self.parts.append(
            lines_of_text(
                lines,
                self.x + indent,
                self.y + size,
                size,
                fill=colour,
                font_weight=700 if bold else None,
            )
        )
        self.y += len(lines) * size * 1.25

    def space(self, height: float) -> None:
        self.y += height

    def mark(self, drawn: str) -> None:
        """Add a drawing beside the line that follows."""
        self.parts.append(drawn)


def draw_task(
    scene: Scene,
    catalogue: Catalogue,
    task: Task,
    width: float = 1280.0,
    verdict: Verdict | None = None,
) -> str:
    """Draw the sheet, ``width`` px wide.

    Raises ValueError for a scene without rooms, EvaluationError for a task that cannot be
    evaluated, KeyError for a thing that scene and catalogue do not know.
    """
    steps = steps_of(task, scene, catalogue, verdict)
    wide = width >= NARROW_PX
    sizes = WIDE if wide else NARROW
    gap = GAP_PX if wide else GAP_PX / 2
    plan_width = (width - 3 * gap) * 0.66 if wide else width - 2 * gap
    plan = Plan(scene, catalogue, plan_width, sizes.plan)
    picture = TaskPlan(plan, task, steps, verdict).draw()
    if wide:
        column = _Column(plan_width + 2 * gap, gap, width - plan_width - 3 * gap, sizes)
        _fill_head(column, task)
        plan_y = gap
        _fill_steps(column, steps)
        height = max(column.y, plan_y + plan.height) + gap
    else:
        column = _Column(gap, gap, plan_width, sizes)
        _fill_head(column, task)
        plan_y = column.y + gap
        column.y = plan_y + plan.height + gap
        _fill_steps(column, steps)
        height = column.y + gap
    return drawing(
        width,
        height,
        f"Task {task.task_id} in {scene.scene_id}: {task.instruction}",
        element("rect", width=width, height=height, fill=c.SURFACE),
        element("g", picture, transform=f"translate({gap} {plan_y})"),
        *column.parts,
    )


def _fill_head(column: _Column, task: Task) -> None:
    column.text(f"Task {task.task_id} · {task.scene_id}", column.sizes.small, colour=c.INK_SOFT)
    column.space(4)
    column.text(task.instruction, column.sizes.title, bold=True)


def _fill_steps(column: _Column, steps: TaskSteps) -> None:
    sizes = column.sizes
    stages = steps.stages()
    for n, stage in enumerate(stages):
        column.space(sizes.text)
        if len(stages) > 1:
            column.text("First" if n == 0 else "Then", sizes.small, colour=c.INK_SOFT, bold=True)
            column.space(4)
        for step in stage:
            _fill_step(column, step)
    for bond in steps.bonds:
        column.space(sizes.text * 0.5)
        column.text(bond_text(bond), sizes.small, colour=c.BAD if bond.broken else c.INK_SOFT)
    column.space(sizes.text)
    for drawn, words in _legend(steps, sizes.small):
        column.mark(
            element(
                "g", drawn, transform=f"translate({column.x + 10} {column.y + sizes.small * 0.62})"
            )
        )
        column.text(words, sizes.small, indent=28, colour=c.INK_SOFT)
        column.space(3)


def _fill_step(column: _Column, step: Step) -> None:
    size = column.sizes.text
    r = marks.badge_radius(size)
    at = (column.x + r + 1, column.y + size * 0.68)
    column.mark(marks.badge(at, str(step.number), size * 0.9, step.status))
    column.text(f"{capital(step.expected.text)}.", size, indent=2 * r + 10)
    column.space(size * 0.45)


def bond_text(bond: Bond) -> str:
    """Put a tie into words: ``Steps 2 and 3: the same place.``."""
    numbers = listed([str(n) for n in bond.numbers], "and")
    kind = "the same" if bond.same else "a different"
    each = "" if bond.same else " each"
    return f"Steps {numbers}: {kind} {bond.about}{each}."


def _legend(steps: TaskSteps, size: float) -> Iterable[tuple[str, str]]:
    yield marks.spot((0.0, 0.0), size * 1.1), "where a thing begins"
    yield marks.body((0.0, 0.0), 0.0, "human-1", size * 0.7), "where the human begins"
    yield marks.body((0.0, 0.0), 0.0, "robot-1", size * 0.7), "where the robot begins"
    statuses = {step.status for step in steps.steps}
    if statuses == {"open"}:
        yield marks.badge((0.0, 0.0), "1", size * 0.8, "open"), "where it belongs, by step"
    if "done" in statuses:
        yield marks.badge((0.0, 0.0), "1", size * 0.8, "done"), "done"
    if "void" in statuses:
        yield marks.badge((0.0, 0.0), "1", size * 0.7, "void"), "done, but does not count"
    if "missing" in statuses:
        yield marks.badge((0.0, 0.0), "1", size * 0.8, "missing"), "missing"
        yield marks.left_at((0.0, 0.0), size), "left here instead"
