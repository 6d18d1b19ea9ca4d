"""Templates of pages, and pages that need nothing beside them."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path
from typing import Any, NamedTuple

from server.page_environment import page_environment

TEMPLATES = page_environment(Path(__file__).parent / "templates")


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
