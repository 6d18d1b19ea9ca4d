"""Pages show what is hidden in the texts of other people: names of policies, words of models."""

from __future__ import annotations

from markupsafe import Markup

from server.web.page_templates import TEMPLATES


def rendered(template: str, **values: object) -> str:
    return TEMPLATES.from_string(template).render(**values)


def test_nothing_hidden_is_on_a_page() -> None:
    words = "\u202eof a model\u202c <b>\x1b\x00\u200b</b>"
    shown = rendered("<p>{{ words }}</p>", words=words)
    assert shown == ("<p>\\u202eof a model\\u202c &lt;b&gt;\\u001b\\u0000\\u200b&lt;/b&gt;</p>")


def test_data_of_a_page_means_the_same() -> None:
    shown = rendered("{{ boot|tojson }}", boot={"name": "a\u202eb\x1b"})
    assert "\u202e" not in shown
    assert shown == '{"name": "a\\u202eb\\u001b"}'


def test_markup_and_scripts_of_people_stay_as_they_are() -> None:
    shown = rendered(
        "{{ svg }}{{ number }}{{ words }}", svg=Markup("<g/>"), number=3, words="क\u200cष"
    )
    assert shown == "<g/>3क\u200cष"
