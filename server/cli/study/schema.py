"""`cohabit study schema`: the JSON Schema of study files."""

from __future__ import annotations

import json

from matchmaking.study_file.schema import study_schema
from server.cli.terminal import echo


def schema() -> None:
    """Print the JSON Schema of study files, with which editors complete and check them."""
    echo(json.dumps(study_schema(), indent=2))
