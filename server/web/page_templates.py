"""Templates of pages, and pages that need nothing beside them."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from episodes.visible_text import visible


def _shown(value: Any) -> Any:
    """Return a value as a page shows it: nothing in a text is hidden from its reader."""
    if isinstance(value, Markup):
        return Markup(visible(value))  # noqa: S704 — it was safe before
    return visible(value) if isinstance(value, str) else value


TEMPLATES = Environment(
    loader=FileSystemLoader(Path(__file__).parent / "templates"),
    autoescape=True,
    finalize=_shown,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


class Page(NamedTuple):
    """Page that carries its own style, with the content security policy that lets it."""

    html: bytes
    policy: str


def self_contained(template: str, **values: Any) -> Page:
    """Render a template that extends ``card.html``.

    It is for whoever is refused: what it linked to would be refused as well.
    """
    style = TEMPLATES.get_template("card.css").render()
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; frame-ancestors 'none'"
    return Page(TEMPLATES.get_template(template).render(**values).encode(), policy)
