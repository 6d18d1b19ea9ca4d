"""Server of studies that a test makes: ``python -m tests.study_server tests.module:function``."""

from __future__ import annotations

import sys
from importlib import import_module

from server.owner_lock import own
from server.serve import serve, tell
from server.settings import load_settings


def main() -> int:
    """Serve until told to stop, with the settings of the environment."""
    module, _, name = sys.argv[1].partition(":")
    studies = getattr(import_module(module), name)()
    settings = load_settings()
    with own(settings, tell) as ownership:
        return 0 if serve(settings, ownership, studies=studies) else 1


if __name__ == "__main__":
    sys.exit(main())
