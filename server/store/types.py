"""Column types that mean the same on SQLite and PostgreSQL."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import DateTime, Dialect
from sqlalchemy.types import TypeDecorator


class StoredValueError(ValueError):
    """Error for a value in a row that is none of its column's type: somebody else wrote it."""


def read_json(text: str | bytes) -> Any:
    """Read a stored JSON value. Raises StoredValueError for what is none."""
    try:
        return json.loads(text)
    except ValueError as error:
        raise StoredValueError(f"a row holds what is no JSON: {error}") from error


class UtcDateTime(TypeDecorator[datetime]):
    """An instant. SQLite keeps no time zone, so everything is turned to UTC on the way in."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"expected a time with a zone, got {value}")
        value = value.astimezone(UTC)
        return value.replace(tzinfo=None) if dialect.name == "sqlite" else value

    def result_processor(
        self, dialect: Dialect, coltype: object
    ) -> Callable[[Any], datetime | None] | None:
        """Return the reader of stored instants, which raises StoredValueError for what is none."""
        read = super().result_processor(dialect, coltype)
        assert read is not None

        def read_instant(value: Any) -> datetime | None:
            try:
                return read(value)
            except (TypeError, ValueError) as error:
                raise StoredValueError(f"a row holds what is no time: {error}") from error

        return read_instant

    def process_result_value(self, value: Any | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        assert isinstance(value, datetime)
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
