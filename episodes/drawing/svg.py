"""Elements of SVG as text, and the width that words take."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from episodes.visible_text import visible

FONT = "system-ui, -apple-system, Segoe UI, Roboto, Noto Sans, DejaVu Sans, Arial, sans-serif"
LETTER = 0.62
"""The width of a letter as a share of its height, about; drawings cannot measure text."""


def element(tag: str, *children: str, **attributes: object) -> str:
    """Return an element; an attribute whose value is None is left out.

    ``element("rect", x=1, stroke_width=2, class_="a")`` is ``<rect x="1" stroke-width="2"
    class="a"/>``.
    """
    given = "".join(
        f' {_attribute(name)}="{_value(value)}"'
        for name, value in attributes.items()
        if value is not None
    )
    return f"<{tag}{given}>{''.join(children)}</{tag}>" if children else f"<{tag}{given}/>"


def _attribute(name: str) -> str:
    # SVG spells these two attributes in camel case, all others used here with hyphens.
    return {"viewBox": "viewBox", "pathLength": "pathLength"}.get(
        name, name.rstrip("_").replace("_", "-")
    )


def _value(value: object) -> str:
    return number(value) if isinstance(value, float) else escape(visible(str(value)))


def number(value: float) -> str:
    """Write a number with at most three decimals, without trailing zeros."""
    text = f"{value:.3f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def points(corners: Iterable[tuple[float, float]]) -> str:
    """Return the ``points`` attribute of a polygon."""
    return " ".join(f"{number(x)},{number(y)}" for x, y in corners)


def title(text: str) -> str:
    """Return the text that shows when a pointer rests on the element."""
    return element("title", escape(visible(text)))


def text_width(text: str, size: float) -> float:
    """Estimate the width of a line of text."""
    return len(text) * size * LETTER


def wrap(text: str, width: float, size: float, most: int = 99) -> list[str]:
    """Break text into lines no wider than ``width`` where words allow.

    There are at most ``most`` lines; where they do not suffice, the last ends with ``…``.
    """
    lines: list[str] = []
    line = ""
    for word in text.split():
        longer = f"{line} {word}".strip()
        if line and text_width(longer, size) > width:
            lines.append(line)
            line = word
        else:
            line = longer
    lines.append(line)
    if len(lines) > most:
        lines = [*lines[: most - 1], f"{lines[most - 1]} …"]
    return lines


def lines_of_text(
    lines: Iterable[str], x: float, y: float, size: float, leading: float = 1.25, **more: object
) -> str:
    """Draw text in lines, the first with its base line at ``y``."""
    spans = [
        element("tspan", escape(visible(line)), x=x, y=y + n * size * leading)
        for n, line in enumerate(lines)
    ]
    # A space between lines: whoever has them read out does not hear one long word.
    return element("text", " ".join(spans), font_size=size, **more)


def drawing(
    width: float, height: float, label: str, *children: str, class_: str | None = None
) -> str:
    """Return a whole drawing; in a page it scales to the width that it is given."""
    return element(
        "svg",
        *children,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {number(width)} {number(height)}",
        width=number(width),
        height=number(height),
        role="img",
        aria_label=label,
        font_family=FONT,
        class_=class_,
    )
