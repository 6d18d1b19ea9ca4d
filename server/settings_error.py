"""Error for settings, apart from them: workers know it and read no settings."""

from __future__ import annotations


class SettingsError(Exception):
    """A setting is unknown or malformed; the text says which and what is known."""
