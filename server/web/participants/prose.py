"""Prose of studies: Markdown without HTML, made into HTML that can do nothing."""

from __future__ import annotations

from functools import lru_cache

import nh3
from markdown_it import MarkdownIt
from markupsafe import Markup

_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")
_TAGS = {
    "a", "blockquote", "br", "code", "em", "h2", "h3", "h4", "hr", "li", "ol", "p", "pre",
    "strong", "table", "tbody", "td", "th", "thead", "tr", "ul",
}  # fmt: skip


@lru_cache(maxsize=512)
def prose(markdown: str) -> Markup:
    """Return a study's text as HTML. Pictures and headings of the first rank are left out."""
    html = nh3.clean(
        _MARKDOWN.render(markdown),
        tags=_TAGS,
        attributes={"a": {"href"}, "ol": {"start"}},
        url_schemes={"https", "http", "mailto"},
        link_rel="noopener noreferrer",
        set_tag_attribute_values={"a": {"target": "_blank"}},
    )
    return Markup(html)  # noqa: S704 — nh3 has cleaned it
