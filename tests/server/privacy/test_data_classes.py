"""Every table, column, record, cookie, header, key and log field of ours has its class."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import msgspec
from sqlalchemy.orm import DeclarativeBase

from server.personal.key_folder import HIDING, LIST, SUFFIX, ForgottenPerson, KeyFolder
from server.privacy.browser_data import COOKIES, HEADERS, LOG_FIELDS, STORAGE
from server.privacy.data_classes import DataClass, Holding, classes_of, holding
from server.privacy.kept_keys import KEYS
from server.privacy.privacy_tables import with_tables
from server.privacy.recorded_data import RECORDS
from server.privacy.stored_data import TABLES
from server.recording.log_records import Line
from server.sessions.intents import Intent
from server.sessions.state import Heard
from server.store.models import Base

ROOT = Path(__file__).parents[3]
SERVER, CLIENT = ROOT / "server", ROOT / "client" / "src"
_NAMES = """
    accept-encoding accept-language authorization cache-control connection content-encoding
    content-length content-security-policy content-type cookie cross-origin-opener-policy
    device-memory etag expect forwarded from host idempotency-key last-modified origin
    permissions-policy pragma purpose referer referrer-policy retry-after sec-fetch-dest
    sec-fetch-mode sec-fetch-site sec-purpose strict-transport-security te transfer-encoding
    upgrade user-agent vary via www-authenticate
"""
KNOWN_HEADERS = frozenset(_NAMES.split())
"""Names of headers that our code could mean with a text."""
AMBIGUOUS = frozenset({"connection", "cookie", "from", "host", "origin", "purpose", "te"})
"""Headers whose names are words that our code has for other things, too."""


def _held(holdings: tuple[Holding, ...]) -> set[tuple[str, str]]:
    return set(classes_of(holdings))


def test_every_column_is_classed() -> None:
    import server.store.operator_models
    import server.store.study_models
    import server.store.visit_models  # noqa: F401

    columns = _columns(Base)
    # Alembic's own, which is no model of ours.
    assert _held(TABLES) == columns | {("alembic_version", "version_num")}


def _columns(base: type[DeclarativeBase]) -> set[tuple[str, str]]:
    return {
        (table.name, column.name)
        for table in base.metadata.tables.values()
        for column in table.columns
    }


def test_every_field_of_a_recording_is_classed() -> None:
    records = _records(Line)
    assert {"Header", "Said", "Say", "PageStats", "CallRecord"} <= {kind for kind, _ in records}
    fields = {field for field in records if field[1]}
    assert _held(RECORDS) == fields


def test_every_file_of_the_folder_of_keys_is_classed(tmp_path: Path) -> None:
    keys = KeyFolder(tmp_path)
    keys.make()
    keys.made_key("par_ann")
    keys.made_key("par_bob")
    keys.forget("par_bob", 1.0)
    fields = {(LIST, field) for field in ForgottenPerson.__struct_fields__}
    assert _held(KEYS) == fields | {(HIDING, "value"), (f"par_…{SUFFIX}", "value")}
    found = {re.sub("^par_.+[.]", "par_….", file.name) for file in tmp_path.iterdir()}
    assert found == {held.place for held in KEYS}


def _records(line: Any) -> set[tuple[str, str]]:
    """Return the fields of all types of ours within the lines of a recording."""
    found: dict[str, set[str]] = {"Heard": set(Heard._fields)}
    pending: list[Any] = [
        msgspec.inspect.multi_type_info([*get_args(line), *get_args(Intent)]),
    ]
    while pending:
        node = pending.pop()
        if isinstance(node, list | tuple):
            pending += node
        elif isinstance(node, msgspec.inspect.StructType):
            if node.cls.__module__.startswith("server.") and node.cls.__name__ not in found:
                found[node.cls.__name__] = {field.name for field in node.fields}
                pending += [field.type for field in node.fields]
        elif isinstance(node, msgspec.Struct | msgspec.inspect.Type):
            pending += [
                getattr(node, name)
                for name in ("types", "item_type", "item_types", "key_type", "value_type", "fields")
                if hasattr(node, name)
            ]
            if isinstance(node, msgspec.inspect.Field):
                pending.append(node.type)
    return {(kind, name) for kind, names in found.items() for name in names}


def test_every_cookie_is_classed() -> None:
    named = {
        value
        for path in SERVER.rglob("*.py")
        for name, value in _constants(path)
        if name.endswith("COOKIE")
    }
    assert {held.place for held in COOKIES} == named
    givers = {
        path
        for path in SERVER.rglob("*.py")
        if re.search(r"response\.set_cookie\(", path.read_text())
    }
    assert all(any(n.endswith("COOKIE") for n, _ in _constants(path)) for path in givers)


def _constants(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the names of a module that stand for texts, with these."""
    for node in ast.parse(path.read_text()).body:
        match node:
            case ast.Assign([ast.Name(name)], ast.Constant(str(value))):
                yield name, value


def test_every_key_in_a_browsers_storage_is_classed() -> None:
    sources = [p for p in CLIENT.rglob("*.ts") if not p.name.endswith(".test.ts")]
    texts = {path: path.read_text() for path in sources}
    keeping = [t for t in texts.values() if re.search(r"(local|session)Storage\b", t)]
    keys = {key for text in keeping for key in re.findall(r"[\"`](cohabit\.[\w.$]+)", text)}
    keys = {re.sub(r"\$$", "SESSION", key) for key in keys}
    assert {held.place for held in STORAGE} == keys
    assert all("cohabit." in text for text in keeping)
    elsewhere = re.compile(r"indexedDB|document\.cookie|caches\.open|serviceWorker")
    assert [path.name for path, text in texts.items() if elsewhere.search(text)] == []


def test_every_header_is_classed() -> None:
    named = {name for path in (SERVER / "web").rglob("*.py") for name in _headers(path)}
    classed = {name for held in HEADERS for name in held.fields}
    assert named - classed == set()
    assert classed - named - AMBIGUOUS == set()


def _headers(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        match node:
            case ast.Constant(str(text)):
                name = text
            case ast.Constant(bytes(raw)):
                name = raw.decode("latin1")
            case _:
                continue
        if name in KNOWN_HEADERS or re.fullmatch(r"(x|sec)-[a-z]+(-[a-z]+)*", name):
            yield name


def test_every_field_of_the_servers_log_is_classed() -> None:
    named = {name for path in SERVER.rglob("*.py") for name in _logged(path)}
    assert {name for held in LOG_FIELDS for name in held.fields} == named


def _logged(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        match node:
            case ast.Call(ast.Attribute(ast.Name("log"), level), _, keywords) if level in {
                "debug",
                "info",
                "warning",
                "error",
                "exception",
            }:
                yield from (keyword.arg for keyword in keywords if keyword.arg)


def test_no_field_is_classed_twice() -> None:
    for one in (
        lambda: holding("a", "", "", "", none="x", personal="x"),
        lambda: classes_of((holding("a", "", "", "", none="x"),) * 2),
    ):
        try:
            one()
        except ValueError:
            continue
        raise AssertionError("expected a ValueError")


def test_no_column_is_named_like_an_address() -> None:
    """The page says that addresses are not stored at all."""
    classes = classes_of(TABLES + RECORDS)
    assert [name for name in classes if re.search(r"(^|_)(ip|address|host)(_|$)", name[1])] == []
    assert DataClass.PERSONAL in classes.values()


def test_the_page_has_the_tables_as_they_are() -> None:
    page = (ROOT / "docs" / "privacy.md").read_text()
    assert page == with_tables(page), "run python -m scripts.write_privacy_tables"
