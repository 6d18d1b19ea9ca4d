"""Colours of drawings: those of the pages (``client/src/styles/tokens.css``), and materials."""

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
