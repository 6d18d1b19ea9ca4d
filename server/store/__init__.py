"""The database: what was matched, played and judged. Only the web process writes it."""

from server.store.database import Database
from server.store.database_faults import DatabaseError

__all__ = ["Database", "DatabaseError"]
