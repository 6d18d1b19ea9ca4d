"""Drawings of houses, of tasks and of what became of them, as SVG text. Pure.

Every drawing carries its own colours and sizes as attributes, so that it looks the same in a page,
in a file and as a picture. Nothing in it depends on a style sheet.
"""

from episodes.drawing.plan import draw_house
from episodes.drawing.sheet import draw_task

__all__ = ["draw_house", "draw_task"]
