"""Graph of a task's steps, from top to bottom: their order, and what ties them.

A broken edge is red, dashed and says so.
"""

from __future__ import annotations

from collections.abc import Iterable

from episodes.drawing import colours as c
from episodes.drawing import marks
from episodes.drawing.sheet import bond_text
from episodes.drawing.steps import Edge, Step, TaskSteps
from episodes.drawing.svg import drawing, element, lines_of_text, number, points, wrap
from episodes.evaluation.account_sentences import capital

WIDTH = 360.0
TEXT = 13.0
LINES = 3
NODE_HEIGHT = LINES * TEXT * 1.25 + 14
BESIDE = 2
"""Nodes in a row; a stage with more steps takes several rows."""
GAP_X, GAP_Y = 14.0, 48.0
ROW_GAP_Y = 10.0
EDGE = 30.0
"""Margin left and right of the nodes, for brackets (px)."""


def draw_order(steps: TaskSteps) -> str:
    """Draw the graph; empty where steps may be done in any order and with anything."""
    if not steps.edges and not steps.bonds:
        return ""
    boxes, height = _boxes(steps)
    words: list[str] = []
    for bond in steps.bonds:
        lines = wrap(("✕ broken: " if bond.broken else "") + bond_text(bond), WIDTH - 8, TEXT)
        colour = c.BAD if bond.broken else c.INK_SOFT
        words.append(lines_of_text(lines, 4.0, height + TEXT * 1.4, TEXT, fill=colour))
        height += len(lines) * TEXT * 1.25 + 6
    parts = [
        *(_edge(edge, boxes) for edge in steps.edges),
        *_brackets(steps, boxes),
        *(_node(step, boxes[step.number]) for step in steps.steps),
        *(_broken_word(edge, boxes) for edge in steps.edges if edge.broken),
        *words,
    ]
    return drawing(WIDTH, height + 8, "Order of the steps: " + _told(steps), *parts, class_="order")


def _told(steps: TaskSteps) -> str:
    """Tell the graph in words."""
    edges = [
        f"step {e.after} after step {e.before}{' (broken)' if e.broken else ''}"
        for e in steps.edges
    ]
    return "; ".join([*edges, *(bond_text(b) for b in steps.bonds)])


Box = tuple[float, float, float]
"""Left, top and width of a node (px)."""


def _boxes(steps: TaskSteps) -> tuple[dict[int, Box], float]:
    boxes: dict[int, Box] = {}
    y = 4.0
    inner = WIDTH - 2 * EDGE
    for stage in steps.stages():
        for start in range(0, len(stage), BESIDE):
            row = stage[start : start + BESIDE]
            width = (inner - GAP_X * (len(row) - 1)) / len(row)
            for n, step in enumerate(row):
                boxes[step.number] = (EDGE + n * (width + GAP_X), y, width)
            y += NODE_HEIGHT + ROW_GAP_Y
        y += GAP_Y - ROW_GAP_Y
    return boxes, y - GAP_Y


def _node(step: Step, box: Box) -> str:
    x, y, width = box
    ink = marks.INKS[step.status]
    r = marks.badge_radius(TEXT)
    lines = wrap(capital(step.expected.text), width - 2 * r - 22, TEXT * 0.95, most=LINES)
    return element(
        "g",
        element(
            "rect",
            x=x,
            y=y,
            width=width,
            height=NODE_HEIGHT,
            rx=8.0,
            fill=c.SURFACE,
            stroke=ink.colour,
            stroke_width=1.6,
        ),
        marks.badge((x + r + 6, y + NODE_HEIGHT / 2), str(step.number), TEXT, step.status),
        lines_of_text(
            lines,
            x + 2 * r + 14,
            y + NODE_HEIGHT / 2 - (len(lines) - 1) * TEXT * 0.6 + TEXT * 0.32,
            TEXT * 0.95,
            fill=c.INK,
        ),
        class_="node",
    )


def _ends(edge: Edge, boxes: dict[int, Box]) -> tuple[float, float, float, float]:
    ax, ay, aw = boxes[edge.before]
    bx, by, bw = boxes[edge.after]
    return ax + aw / 2, ay + NODE_HEIGHT, bx + bw / 2, by


def _edge(edge: Edge, boxes: dict[int, Box]) -> str:
    x0, y0, x1, y1 = _ends(edge, boxes)
    colour = c.BAD if edge.broken else c.INK_SOFT
    tip = y1 - 2
    middle = (y0 + y1) / 2
    path = (
        f"M{number(x0)} {number(y0)}C{number(x0)} {number(middle)} {number(x1)} {number(middle)} "
        f"{number(x1)} {number(tip - 6)}"
    )
    head = [(x1 - 5, tip - 8), (x1 + 5, tip - 8), (x1, tip)]
    return element(
        "g",
        element(
            "path",
            d=path,
            fill="none",
            stroke=colour,
            stroke_width=2.0,
            stroke_dasharray="6 4" if edge.broken else None,
        ),
        element("polygon", points=points(head), fill=colour),
        class_="edge edge-broken" if edge.broken else "edge",
    )


def _broken_word(edge: Edge, boxes: dict[int, Box]) -> str:
    x0, y0, x1, y1 = _ends(edge, boxes)
    return lines_of_text(
        ["too early"],
        (x0 + x1) / 2,
        (y0 + y1) / 2 + TEXT * 0.3,
        TEXT,
        text_anchor="middle",
        font_weight=700,
        fill=c.BAD,
        stroke=c.SURFACE,
        stroke_width=5.0,
        stroke_linejoin="round",
        paint_order="stroke",
    )


def _brackets(steps: TaskSteps, boxes: dict[int, Box]) -> Iterable[str]:
    """Draw a bracket beside the nodes that are tied, with = or ≠ on it."""
    for n, bond in enumerate(steps.bonds):
        right = n % 2 == 0
        x = WIDTH - 14.0 if right else 14.0
        colour = c.BAD if bond.broken else c.INK_SOFT
        ys = []
        path = ""
        for m in bond.numbers:
            left, top, width = boxes[m]
            y = top + NODE_HEIGHT * (0.3 if n < BESIDE else 0.7)
            ys.append(y)
            path += f"M{number(left + width if right else left)} {number(y)}H{number(x)}"
        path += f"M{number(x)} {number(min(ys))}V{number(max(ys))}"
        middle = (min(ys) + max(ys)) / 2
        yield element(
            "g",
            element(
                "path",
                d=path,
                fill="none",
                stroke=colour,
                stroke_width=1.8,
                stroke_dasharray="6 4" if bond.broken else None,
            ),
            element("circle", cx=x, cy=middle, r=9.0, fill=c.SURFACE, stroke=colour),
            lines_of_text(
                ["=" if bond.same else "≠"],
                x,
                middle + 5,
                15.0,
                text_anchor="middle",
                font_weight=700,
                fill=colour,
            ),
            class_="bond bond-broken" if bond.broken else "bond",
        )
