"""`cohabit recordings`: what is recorded."""

from __future__ import annotations

from server.cli.lazy_commands import Later, command_group

COMMANDS = {
    "list": Later(
        "server.cli.recorded_sessions:list_all",
        "List the recordings, and what each of them lacks; the server may run.",
    ),
}
"""Commands in the order of the help."""

app = command_group(COMMANDS, "Recordings of the data directory.")
