"""Order of a study's pages: what has to come before what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from matchmaking.study.pages import (
    Consent,
    Debrief,
    Device,
    Instructions,
    Lobby,
    Page,
    Play,
    questions_of,
)
from matchmaking.study.problems import Problem

BEFORE_CONSENT = (Device, Instructions, Consent)
"""Pages that may stand before consent: they keep nothing that people say."""
_WHERE = ("pages",)


def order_problems(pages: Sequence[Page], *, needs_consent: bool) -> Iterator[Problem]:
    """Yield what of the order cannot be."""
    yield from _names_twice(pages)
    kinds: list[type[Page]] = [type(page) for page in pages]
    needed: dict[type[Page], bool] = {Lobby: True, Play: True, Consent: needs_consent}
    for kind, is_needed in needed.items():
        times = kinds.count(kind)
        if times > 1 or (is_needed and not times):
            yield Problem(
                _WHERE,
                f"expected one page {_word(kind)!r}, got {times}",
            )
    if kinds.count(Lobby) == kinds.count(Play) == 1:
        lobby = kinds.index(Lobby)
        if kinds[lobby + 1 : lobby + 2] != [Play]:
            yield Problem((*_WHERE, lobby), "expected 'play' to follow 'lobby'")
    if Consent in kinds:
        for number, kind in enumerate(kinds[: kinds.index(Consent)]):
            if kind not in BEFORE_CONSENT:
                yield Problem(
                    (*_WHERE, number),
                    f"expected 'consent' before {_word(kind)!r}, which keeps what people do or say",
                )
    for number, page in enumerate(pages[:-1]):
        if isinstance(page, Debrief):
            yield Problem((*_WHERE, number), "expected the debrief at the end")


def _names_twice(pages: Sequence[Page]) -> Iterator[Problem]:
    names = Counter(page.name for page in pages)
    names.update(
        page.after_each.name for page in pages if isinstance(page, Play) and page.after_each
    )
    for name, times in names.items():
        if times > 1:
            yield Problem(
                _WHERE,
                f"{times} pages have the name {name!r}, which stands in addresses: give each its "
                "own",
            )
    for page_number, page in enumerate(pages):
        asked = Counter(question.name for question in questions_of(page))
        for name, times in asked.items():
            if times > 1:
                yield Problem(
                    (*_WHERE, page_number), f"{times} of its questions have the name {name!r}"
                )


def _word(kind: type[Page]) -> str:
    return kind.__name__.lower()
