"""Health check of the server on this machine: `python -m server.cli.healthcheck`.

It ends with 0 if the server answers. For containers, whose images have no tool that could ask.
Imports next to nothing, because it is run every few seconds.
"""

from __future__ import annotations

import os
import sys
import urllib.error
import urllib.request

TIMEOUT_S = 4.0


def main() -> int:
    """Return 0 if the server answers, else 1 after saying why."""
    url = f"http://127.0.0.1:{os.environ.get('COHABIT_PORT') or 8000}/healthz"
    # A proxy setting of the machine must not send this request elsewhere.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(url, timeout=TIMEOUT_S) as answer:
            answer.read()
    except (OSError, urllib.error.URLError) as error:
        sys.stderr.write(f"{url}: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
