"""Colours of drawings: those of the pages (``tokens.css``, ``looks.css``), and materials."""

from __future__ import annotations

PAPER = "#f6f4ef"
SURFACE = "#ffffff"
SUNKEN = "#edeae2"
INK = "#1d2a2e"
INK_SOFT = "#53616a"
RULE = "#dcd7cb"
RULE_STRONG = "#8a8f8c"
HUMAN = "#0b7068"
HUMAN_SOFT = "#d8efeb"
ROBOT = "#b04a0c"
ROBOT_SOFT = "#fbe6d6"
LOOKS: dict[str, str] = {
    "human-1": HUMAN,
    "human-2": "#1c5d9f",
    "human-3": "#41690f",
    "human-4": "#6243ad",
    "human-5": "#4b5a63",
    "robot-1": ROBOT,
    "robot-2": "#745800",
    "robot-3": "#a2286c",
    "robot-4": "#ae2b22",
    "robot-5": "#6d4c27",
}
"""Colours of seats by their look."""
GOOD = "#23723b"
GOOD_SOFT = "#dff0e2"
BAD = "#a52f2b"
BAD_SOFT = "#f8e1df"
WARN = "#7d5700"
WARN_SOFT = "#f8ecc9"
FOCUS = "#1552c8"

FLOORS: dict[str, str] = {
    "bathroom": "#e3ecee",
    "laundry_room": "#e3ecee",
    "kitchen": "#eeece4",
    "garage": "#e4e4e2",
    "closet": "#efe8da",
    "hallway": "#f1e8d6",
    "entryway": "#e9e6de",
    "outdoor": "#e3edda",
    "porch": "#e3edda",
}
FLOOR = "#f4eadb"
WALL = "#46535a"
GLASS = "#8fc3d8"

WOOD, WOOD_LINE = "#dcc7a3", "#9b7f55"
SOFT, SOFT_LINE = "#c9d6d4", "#7f9593"
WHITE, WHITE_LINE = "#fdfcfa", "#93a0a3"
DARK, DARK_LINE = "#5b666b", "#39444a"
LIGHT, LIGHT_LINE = "#fbe7ae", "#b99a45"


def soft(colour: str) -> str:
    """Return a light tint of a colour (``#rrggbb``), to lie under what is drawn in it."""
    known = {HUMAN: HUMAN_SOFT, ROBOT: ROBOT_SOFT}
    parts = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return known.get(colour) or "#" + "".join(f"{255 - (255 - p) * 15 // 100:02x}" for p in parts)
