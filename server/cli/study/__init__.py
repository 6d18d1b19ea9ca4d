"""`cohabit study`: studies, their files, payments and links."""

from __future__ import annotations

from server.cli.lazy_commands import Later, command_group

COMMANDS = {
    "new": Later(
        "server.cli.study.new:new", "Write a commented study file that begins as a ready study."
    ),
    "check": Later(
        "server.cli.study.check:check",
        "Check a study file: what is wrong, with its line, and whether the sample is large enough.",
    ),
    "preregister": Later(
        "server.cli.study.preregister:preregister",
        "Print design and analysis of a study as a text to file before there are data.",
    ),
    "power": Later(
        "server.cli.study.power:power",
        "Print the sample that an effect needs: independent, clustered, and paired by task.",
    ),
    "schema": Later(
        "server.cli.study.schema:schema", "Print the JSON Schema of study files, for editors."
    ),
    "simulate": Later(
        "server.cli.study.simulate:simulate",
        "Rehearse a study with scripted participants: conditions, waits, cost, outcomes.",
    ),
    "open": Later(
        "server.cli.study.open:open_study",
        "Open a study: check and freeze it, and have the server invite people to it.",
    ),
    "status": Later(
        "server.cli.study.status:status",
        "Print conditions, attrition, waits and spending of a study, and nothing of its outcomes.",
    ),
    "close": Later(
        "server.cli.study.close:close",
        "Close a study: nobody is invited any more, and its outcomes can be read.",
    ),
    "outcomes": Later(
        "server.cli.study.outcomes:outcomes",
        "Print the outcomes of each condition of a study that is closed.",
    ),
    "export": Later(
        "server.cli.study.export:export",
        "Write the data of a study as tables with a codebook; until it is closed without outcomes.",
    ),
    "export-hitl": Later(
        "server.cli.study.export_hitl:export_hitl",
        "Write the attempts of a study as habitat-hitl records them, for PARTNR's scripts.",
    ),
    "release": Later(
        "server.cli.study.release:release",
        "Write the data of those who agreed to sharing, with licence and citation, to give away.",
    ),
    "report": Later(
        "server.cli.study.report:report",
        "Write a report of a study from its export: outcomes, flow, exclusions, methods.",
    ),
    "coordination": Later(
        "server.cli.study.coordination:coordination",
        "Compare people and policies, together and alone, on the same tasks, live and in trials.",
    ),
    "withdraw": Later(
        "server.cli.study.withdraw:withdraw",
        "Leave the data of somebody who withdraws out of all exports from now on.",
    ),
    "purge": Later(
        "server.cli.study.purge:purge",
        "Remove the answers of somebody who withdraws, and the recordings that they are in.",
    ),
    "forget": Later(
        "server.cli.study.forget:forget",
        "Destroy the key of somebody's identity and words, here and in every backup.",
    ),
    "payments": Later(
        "server.cli.study.payments:payments",
        "Count up what a study owes to whom, with what an hour of it paid.",
    ),
    "problems": Later(
        "server.cli.study.problems:problems",
        "List what people of a study have reported, and when and why its recruiting paused.",
    ),
    "signs": Later(
        "server.cli.study.signs:signs",
        "List the signs of scripts, shared accounts and inattention of a study's visits.",
    ),
    "resume": Later(
        "server.cli.study.problems:resume",
        "Let a study that has paused its recruiting take people again.",
    ),
    "links": Later(
        "server.cli.study.links:links",
        "Print a signed link for each label of a laboratory.",
    ),
}
"""Commands in the order of the help."""

app = command_group(COMMANDS, "Studies: their files, payments and links.")
