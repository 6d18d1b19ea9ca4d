"""`cohabit tasks`: sets of tasks."""

from __future__ import annotations

from server.cli.lazy_commands import Later, command_group

COMMANDS = {
    "build": Later(
        "server.cli.tasks.build:build",
        "Generate tasks, try each in the simulator and keep the good ones.",
    ),
    "write": Later(
        "server.cli.tasks.write:write",
        "Make a task of one's own from ten lines of text, try it, and draw its plan.",
    ),
    "list": Later(
        "server.cli.tasks.list:list_sets", "List the sets of tasks below the data directory."
    ),
    "show": Later(
        "server.cli.tasks.show:show",
        "Print a task: its instruction, its goals and their order, and where everything starts.",
    ),
    "check": Later(
        "server.cli.tasks.check:check",
        "Check every task of a set against its house; exit with 1 if something is wrong.",
    ),
    "vet": Later(
        "server.cli.tasks.vet:vet",
        "Mark the tasks that people keep failing, so that nobody is given them any more.",
    ),
    "report": Later(
        "server.cli.tasks.report:report",
        "Compare the tasks of a set with PARTNR's, and tell how the expert fared with them.",
    ),
}
"""Commands in the order of the help."""

app = command_group(COMMANDS, "Sets of tasks.")
