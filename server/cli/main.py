"""The ``cohabit`` command."""

from __future__ import annotations

import sys

from server.cli.lazy_commands import Later, command_group
from server.cli.stop import StopError
from server.cli.terminal import echo

COMMANDS = {
    "serve": Later(
        "server.cli.serve:serve", "Serve the pages and run the sessions until told to stop."
    ),
    "doctor": Later(
        "server.cli.doctor:doctor", "Check what playing needs, and say how to get what is missing."
    ),
    "preflight": Later(
        "server.cli.preflight.command:preflight",
        "Check whether paid people may come to a study on this server now.",
    ),
    "backup": Later(
        "server.cli.backup:backup",
        "Write the database, recordings, houses and key into one file; the server may run.",
    ),
    "restore": Later(
        "server.cli.restore:restore",
        "Restore a backup into an empty data directory, and an empty database.",
    ),
    "houses": Later("server.cli.houses:app", "Generated houses and their tasks."),
    "tasks": Later("server.cli.tasks:app", "Sets of tasks."),
    "habitat": Later("server.cli.habitat:app", "Sessions on habitat-sim, in its own interpreter."),
    "robots": Later("server.cli.robots:app", "Robots driven by language models."),
    "recordings": Later("server.cli.recording_commands:app", "Recordings of the data directory."),
    "lobby": Later("server.cli.lobby_commands:app", "Lobbies of studies, before anybody comes."),
    "retention": Later(
        "server.cli.retention:retention",
        "Say what is kept longer than the settings allow, or remove it now.",
    ),
    "lost-keys": Later(
        "server.cli.lost_keys:lost_keys",
        "Say which keys of people's words are missing, or give them up for lost.",
    ),
    "score": Later(
        "server.cli.score:score", "Score recorded sessions again, from their logs alone."
    ),
    "metrics": Later(
        "server.cli.metrics:metrics",
        "Print PARTNR's, MAP-THOR's and TEACh's metrics of recorded sessions.",
    ),
    "operator": Later(
        "server.cli.operator:app", "Accounts of operators, and the log of what they did."
    ),
    "study": Later("server.cli.study:app", "Studies: their files, payments and links."),
    "codebook": Later(
        "server.cli.codebook:app", "Codebooks of researchers, and what coders note with them."
    ),
    "trial": Later(
        "server.cli.trial:trial",
        "Play every pair of policies, or every team, on every task, record it, "
        "and print the table.",
    ),
}
"""Commands in the order of the help."""

app = command_group(
    COMMANDS,
    "People and robots doing household tasks together, in the browser.",
    name="cohabit",
)


def main() -> None:
    """Run the command; print an error that an operator can mend without a traceback."""
    try:
        app()
    except StopError as stop:
        echo(str(stop), err=True)
        sys.exit(1)


if __name__ == "__main__":
    main()
