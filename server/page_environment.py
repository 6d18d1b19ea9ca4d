"""Environment of the templates of pages, whose texts hide nothing from their readers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from episodes.visible_text import visible


def page_environment(templates: Path) -> Environment:
    """Return the environment of the templates in a folder: escaped, and strict with names."""
    environment = Environment(
        loader=FileSystemLoader(templates),
        autoescape=True,
        finalize=_shown,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["age"] = age
    return environment


def age(seconds: float) -> str:
    """Return how long ago something was, as tables have it: "8 s", "3 min", "2 h 5 min"."""
    minutes, left = divmod(int(seconds), 60)
    if minutes == 0:
        return f"{left} s"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min"


def _shown(value: Any) -> Any:
    """Return a value as a page shows it: nothing in a text is hidden from its reader."""
    if isinstance(value, Markup):
        return Markup(visible(value))  # noqa: S704 — it was safe before
    return visible(value) if isinstance(value, str) else value
