"""Text of a page as it is stored: its marked parts, block by block."""

from __future__ import annotations

from server.web.participants.recorded_text import recorded_text

PAGE = """<!doctype html><html lang="de"><body>
<h1 data-recorded>This try &amp; that</h1><br><p>Not this.</p>
<section data-recorded><p>60 <strong>per</strong>
cent<br>Two</p><svg><path d="M0"/></svg>
<ul><li>One<p data-recorded="no">A link <a href="/">here</a></p></li><li>Two</p></li></ul>
</section><svg><text data-recorded>60%</text><text>other</text></svg></body></html>"""


def test_marked_parts_are_read_and_nothing_else() -> None:
    assert recorded_text(PAGE) == (
        "de",
        "This try & that\n60 per\ncent\nTwo\nOne\nTwo\n60%",
    )


def test_a_page_that_marks_nothing_says_nothing() -> None:
    assert recorded_text("<p>Text") == ("", "")
