"""`cohabit robots`: models for robot partners, their servers and their training data."""

from __future__ import annotations

from server.cli.lazy_commands import Later, command_group

COMMANDS = {
    "list": Later(
        "server.cli.robots.list:list_policies",
        "List the policies that can play a seat, with their named configurations.",
    ),
    "serve": Later(
        "server.cli.robots.serve:serve",
        "Serve MODEL with vLLM, in an environment of its own, until told to stop.",
    ),
    "check": Later(
        "server.cli.robots.check:check",
        "Try a model server: its models, whether constraints hold, how fast it answers.",
    ),
    "clean": Later(
        "server.cli.robots.clean:clean",
        "Remove the vLLM environments of earlier versions of this application.",
    ),
    "probe": Later(
        "server.cli.robots.probe:probe",
        "Ask the model what it understands of tasks, and score its answers as EAI does.",
    ),
    "token": Later(
        "server.cli.robots.token:token",
        "Print a token with which a program elsewhere plays as remote:NAME.",
    ),
    "export-sft": Later(
        "server.cli.robots.export_sft:export_sft",
        "Write the training set of a finetuned planner: a JSON line per action that succeeded.",
    ),
    "traces": Later(
        "server.cli.robots.traces:traces",
        "Write the library of solved tasks that `react-rag` takes its examples from.",
    ),
}
"""Commands in the order of the help."""

app = command_group(COMMANDS, "Robots driven by language models.")
