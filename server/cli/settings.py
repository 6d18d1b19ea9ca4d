"""Settings as commands read them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from server.cli.stop import StopError

if TYPE_CHECKING:
    from server.settings import Settings


def read_settings() -> Settings:
    """Return the settings of the environment. Raises StopError where one is wrong."""
    from server.settings import load_settings
    from server.settings_error import SettingsError

    try:
        return load_settings()
    except SettingsError as error:
        raise StopError(str(error)) from error
