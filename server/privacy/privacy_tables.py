"""Tables of `docs/privacy.md`, written from the classes of data."""

from __future__ import annotations

from collections.abc import Sequence

from server.privacy.browser_data import COOKIES, HEADERS, LOG_FIELDS, STORAGE
from server.privacy.data_classes import DataClass, Holding
from server.privacy.kept_keys import KEYS
from server.privacy.recorded_data import RECORDS
from server.privacy.stored_data import TABLES

BEGINNING = "<!-- written by scripts/write_privacy_tables.py: change server/privacy, not this -->"
END = "<!-- end of what is written -->"
_HEAD = "| {} | what | why | how long | who sees it |\n|---|---|---|---|---|"
_SECTIONS: tuple[tuple[str, str, tuple[Holding, ...]], ...] = (
    ("Database", "table", TABLES),
    ("Recordings", "record", RECORDS),
    ("Folder of keys", "file", KEYS),
    ("Cookies", "cookie", COOKIES),
    ("Storage of the browser", "key", STORAGE),
    ("Headers", "headers", HEADERS),
    ("The server's own log", "place", LOG_FIELDS),
)
_SINGLE = "value"
"""Name of the only field of what has no fields."""


def with_tables(page: str) -> str:
    """Return a page with the tables between its marks written anew. Raises ValueError without."""
    before, begins, rest = page.partition(BEGINNING)
    _, ends, after = rest.partition(END)
    if not (begins and ends):
        raise ValueError("the page has no marks for the tables")
    return f"{before}{BEGINNING}\n\n{tables()}\n{END}{after}"


def tables() -> str:
    """Return all tables, each below a heading."""
    return "\n".join(
        f"### {title}\n\n{_table(what, holdings)}\n" for title, what, holdings in _SECTIONS
    )


def _table(what: str, holdings: Sequence[Holding]) -> str:
    return "\n".join((_HEAD.format(what), *map(_row, holdings)))


def _row(held: Holding) -> str:
    cells = (_place(held.place), _fields(held), held.why, held.how_long, str(held.seen_by))
    return f"| {' | '.join(cells)} |"


def _place(name: str) -> str:
    return name if " " in name else f"`{name}`"


def _fields(held: Holding) -> str:
    if list(held.fields) == [_SINGLE]:
        return f"**{held.fields[_SINGLE]}**"
    parts = []
    for its_class in reversed(DataClass):
        names = [f"`{name}`" for name, other in held.fields.items() if other is its_class]
        if names:
            parts.append(f"**{its_class}** {', '.join(names)}")
    return "; ".join(parts) or "no fields"
