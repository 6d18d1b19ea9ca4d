"""The program ``cohabit``, also as a module: ``python -m server.cli``."""

from __future__ import annotations

import sys

INTERRUPTED = 130
"""Status of a command that Ctrl-C has ended, as shells have it."""


def main() -> None:
    """Run the command. Ctrl-C ends it without a traceback, also while its modules are read."""
    try:
        from server.cli.main import main as run
        from server.standard_streams import open_missing_streams

        open_missing_streams()
        run()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    main()
