"""`cohabit tasks report`: figures of a set beside PARTNR's."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table

from episodes.bounded_files import UnreadableError, read_json
from episodes.metrics.intervals import clopper_pearson
from episodes.tasks.characteristics import (
    NOT_KNOWN,
    Line,
    language_table,
    task_table,
)
from episodes.tasks.versions import rebuild
from server.cli.options import DATA_DIR, DataDir
from server.cli.tasks.set_files import Name, read_set
from server.cli.terminal import PlainTable, echo, failed, output_console
from server.research.task_sets.builder import (
    record_file,
)
from server.research.task_sets.parts import Record


def report(name: Name = "validation", data_dir: DataDir = DATA_DIR) -> None:
    """Compare the tasks of a set with PARTNR's, and tell how the expert fared with them."""
    tasks = read_set(name, data_dir)
    if not tasks:
        raise failed(f"{name} has no tasks")
    console = output_console()
    console.print(_table("language (PARTNR's table 4)", language_table(tasks)))
    console.print(_table("tasks (PARTNR's table 5)", task_table(tasks)))
    echo(f"{NOT_KNOWN}: a figure of PARTNR's paper that is not at hand; none is guessed")
    file = record_file(data_dir, name)
    if not file.is_file():
        echo("no record of how it was built")
        return
    try:
        record = read_json(file, Record)
    except (OSError, UnreadableError) as error:
        raise failed(f"{error}; `{rebuild()}` makes it anew") from error
    console.print(_expert_table(record))
    for reasons, what in ((record.faults, "dropped"), (record.wrong_ways, "done wrongly by")):
        shown = ", ".join(f"{reason} {n}" for reason, n in sorted(reasons.items()))
        echo(f"{what}: {shown or 'none'}")
    mean_s = record.ticks / 30 / record.count
    echo(f"two experts take {mean_s:.0f} s; {record.cpu_s:.0f} s of CPU in all")


def _table(title: str, lines: Sequence[Line]) -> Table:
    table = PlainTable("", "ours", "PARTNR", title=title, title_justify="left")
    for line in lines:
        table.add_row(*line)
    return table


def _expert_table(record: Record) -> Table:
    table = PlainTable("type", "tried", "solved by two experts", "95 % interval",
                  title="expert", title_justify="left")  # fmt: skip
    rows = [(t, record.tried[t], record.solved.get(t, 0)) for t in sorted(record.tried)]
    rows.append(("all", sum(r[1] for r in rows), sum(r[2] for r in rows)))
    for task_type, tried, solved in rows:
        if tried:
            low, high = clopper_pearson(solved, tried)
            table.add_row(
                task_type.replace("_", "-"),
                str(tried),
                f"{100 * solved / tried:.1f} %",
                f"{100 * low:.1f} to {100 * high:.1f} %",
            )
    return table
