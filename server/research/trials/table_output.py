"""Output of a trial's table for people (in parts that fit 80 columns) and for programs."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import msgspec
from rich import box
from rich.table import Table
from rich.text import Text

from episodes.metrics.clusters import FEW_HOUSES
from episodes.metrics.power import MOST_HOUSES
from episodes.visible_text import spreadsheet_cell, visible
from server.recording.answering import caption_of, short_caption
from server.research.trials.comparisons import MEASURES, Compared
from server.research.trials.plan import names_of_pair, title_of
from server.research.trials.run_figures import CALLS
from server.research.trials.table import IN_COMMON, UNTIL, Columns, Line, Value
from server.research.trials.tuning import seen_by, sentences

PARTS: Final[Mapping[Columns, tuple[tuple[str, tuple[str, ...]], ...]]] = {
    Columns.partnr: (
        (
            "What was reached, and how much of it by robots",
            ("success", "robot's share", "percent complete", "in hand"),
        ),
        (
            "Ticks as PARTNR counts them, and up to both endings (unsolved: the limit)",
            ("steps", *UNTIL, "idle s"),
        ),
        ("Together", ("planning cycles", "offloading", "extraneous", "exploration")),
    ),
    Columns.llamar: (
        ("What was reached, as in LLaMAR's table 6", ("success", "TR", "C", "B")),
        ("Within 30 calls, where policies call skills", ("SR", "L")),
        ("How long it took", ("acts", "steps")),
        ("SR and L at the tasks at which all teams have them", tuple(IN_COMMON)),
        ("Ticks up to both endings (unsolved: the limit)", tuple(UNTIL)),
    ),
}
"""Parts of the table by paper, none wider than 80 columns, however long names are."""
CALL_PARTS: Final = (
    ("Model calls", CALLS[:4]),
    ("Answers that came late, and what the server had kept", CALLS[4:]),
)
"""Parts about model calls, as narrow."""


def tables_of(lines: Sequence[Line], columns: Columns = Columns.partnr) -> Iterator[Table]:
    """Yield the parts of the table; one without figures (no model was asked) is left out."""
    for title, headings in (*PARTS[columns], *CALL_PARTS):
        shown = [h for h in headings if any(h in line.values for line in lines)]
        if not shown:
            continue
        table = Table(title=title, title_justify="left", box=box.SIMPLE, pad_edge=False, leading=1)
        # Names go on in the next line; figures are never broken.
        pairs = _are_pairs(lines)
        table.add_column("robot, and\npartner" if pairs else "team", overflow="fold")
        # SR and L leave episodes out, so their tasks are counted beside them.
        of_calls = next((h for h in shown if h in ("SR", *IN_COMMON)), "")
        for heading in ("n", *(["with calls"] if of_calls else []), *shown):
            table.add_column(heading.replace(" ", "\n"), justify="right", no_wrap=True)
        for line in lines:
            cells = [_cell(line.values.get(heading)) for heading in shown]
            if of_calls:
                known = line.values.get(of_calls)
                cells.insert(0, str(0 if known is None else known.tasks))
            table.add_row(_names(line, pairs), str(line.episodes), *cells)
        yield _captioned(table, lines)
    for measure in MEASURES:
        yield from _comparison(lines, measure)


def _comparison(lines: Sequence[Line], measure: str) -> Iterator[Table]:
    """Yield the part that compares teams with their base in one measure, if any are."""
    compared = [(line, line.comparisons[measure]) for line in lines
                if line.comparisons and measure in line.comparisons]  # fmt: skip
    if not compared:
        return
    title = f"More {measure} than the first on the same tasks and seeds (below 0: less)"
    table = Table(title=title, title_justify="left", box=box.SIMPLE, pad_edge=False, leading=1)
    pairs = _are_pairs(lines)
    table.add_column("robot, and\npartner" if pairs else "team", overflow="fold")
    for heading in (
        "tasks\nhouses",
        "more",
        "ratio",
        "effect",
        "p\nHolm",
        "houses\nneeded",
        "least\nfound",
    ):
        table.add_column(heading, justify="right", no_wrap=True)
    for line, one in compared:
        found = one.found
        table.add_row(
            _names(line, pairs),
            f"{found.tasks}\n{found.houses}",
            _cell(Value(found.mean, found.interval, found.tasks)),
            _optional(found.ratio),
            _optional(found.effect),
            f"{found.p:.3f}\n{one.corrected:.3f}",
            "-" if one.houses_needed is None else str(one.houses_needed),
            _optional(one.detectable),
        )
    yield _captioned(table, lines)


def _captioned(table: Table, lines: Sequence[Line]) -> Table:
    """Return a table with who answered below it: each part may be cited alone."""
    caption = short_caption(line.answered_by for line in lines)
    if caption:
        table.caption, table.caption_justify = Text(visible(caption)), "left"
    return table


def notes_of(lines: Sequence[Line], limit: int) -> list[str]:
    """Return what has to be known to read the tables: sentences, for below them."""
    ours = [one for line in lines for one in (line.comparisons or {}).values()]
    notes = [
        *filter(None, [caption_of(line.answered_by for line in lines)]),
        f"An attempt that ends unsolved counts as {limit} ticks in both *until* columns, whenever "
        "and however it ended. Both endings are of the same episodes: *until success* is where an "
        "ending on success would have come.",
    ]
    if any(line.values.get("in hand", Value(0, None, 0)).mean for line in lines):
        notes.append(
            "*in hand* is the share of successes that ended with a goal's thing in a hand; their "
            "*until success* is their end."
        )
    if ours:
        notes.append(_compared_how(ours))
    notes += [
        f"{title_of(line.team)}: in {line.out_of_context} of {line.episodes} episodes a prompt was "
        "longer than the model's context, and the policy got no answer any more."
        for line in lines
        if line.out_of_context and not line.task_type
    ]
    whole = [line for line in lines if not line.task_type]
    houses = [house for line in whole for house in line.house_ids]
    notes += sentences([line.team for line in whole], houses)
    notes += _intervals(lines, ours)
    return notes


def _compared_how(ours: Sequence[Compared]) -> str:
    """Return what comparisons rest on: how they are paired, tested, corrected, and their power."""
    sizes = sorted({one.family for one in ours})
    alone = sizes == [1]
    measures = f"({', '.join(MEASURES)}; the two *until* are nearly one)"
    holm = (
        f"Each measure {measures} has one comparison, so that Holm corrects nothing; four measures "
        "are four looks all the same."
        if alone
        else f"Holm corrects for {_numbers(sizes)} comparisons within each measure {measures}, and "
        "not for there being four."
    )
    level = "5 %" if alone else f"5 % over {_numbers(sizes)}, as Holm asks of the first"
    return (
        "Differences are paired by task and seed; the sign-flip test turns whole houses. "
        f"{holm} *effect* is the mean over the deviation of the tasks' differences. *houses "
        "needed* would find this difference by this test, were it the true one, *least found* is "
        f"what so many houses as here find (80 % power at {level}; -: the test cannot, it takes "
        f"more than {MOST_HOUSES} houses, or too few tell how houses vary)."
    )


def _intervals(lines: Sequence[Line], ours: Sequence[Compared]) -> Iterator[str]:
    """Yield what the unit of intervals is, and how rough they are."""
    whole = [line for line in lines if not line.task_type]
    houses = min((line.houses for line in whole), default=0)
    houses = min([houses, *(one.found.houses for one in ours)])
    tasks = {max((v.tasks for v in line.values.values()), default=0) for line in whole}
    yield (
        f"Tasks here: {_numbers(sorted(tasks))}, houses: "
        f"{_numbers(sorted({line.houses for line in whole}))}; means weigh tasks alike. "
        "Intervals (low..high, 95 %) have houses as units: how far a mean would move with other "
        "houses of the same rules. ± is the standard error over tasks, as PARTNR prints it. Where "
        "nothing varies there is no interval, but of rates."
    )
    if houses < FEW_HOUSES:
        tested = f"; no p is below {2 / 2**houses:.2g}" if ours else ""
        yield (
            f"Rough: of fewer than ten houses ({houses} here) intervals hold the true mean less "
            f"often than they say where figures are skewed{tested}; of fewer than five there is no "
            "interval."
        )


def _numbers(sizes: Sequence[int]) -> str:
    return " or ".join(map(str, sizes))


def to_csv(lines: Sequence[Line]) -> str:
    """Return the table as tidy CSV: a row for each value."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    are_pairs = _are_pairs(lines)
    columns = (
        "task_type",
        "episodes",
        "column",
        "mean",
        "low",
        "high",
        "tasks",
        "error",
        *TESTED,
        *TOLD,
    )
    writer.writerow((*(("robot", "partner") if are_pairs else ("team",)), *columns))
    for line in lines:
        names = _named(line, are_pairs).values()
        for heading, value in line.values.items():
            low, high = value.interval or ("", "")
            error = "" if value.error is None else value.error
            untested = [value.houses, *[""] * (len(TESTED) - 1)]
            figures = (heading, value.mean, low, high, value.tasks, error, *untested)
            cells = (*names, line.task_type, line.episodes, *figures, *_told(line).values())
            writer.writerow(map(spreadsheet_cell, cells))
        for measure, one in (line.comparisons or {}).items():
            low, high = one.found.interval or ("", "")
            tested = ("" if v is None else v for v in _tested(one).values())
            figures = (f"{measure}, more than the first", one.found.mean, low, high)
            compared = (*figures, one.found.tasks, "", *tested, *_told(line).values())
            cells = (*names, line.task_type, line.episodes, *compared)
            writer.writerow(map(spreadsheet_cell, cells))
    return text.getvalue()


TOLD: Final = ("model_calls", "tuned_beside", "unseen", "tuned_houses")
"""Columns about who answered model calls, and about what the team's policies were tuned on.

``tuned_beside`` and ``unseen`` are partners here, ``tuned_houses`` how many houses here are of the
split of its tuning: empty where nothing is known.
"""


def _told(line: Line) -> dict[str, str | int]:
    seen = list(seen_by([line.team], line.house_ids))
    values = (
        short_caption([line.answered_by]),
        "; ".join(name for one in seen for name in one.met),
        "; ".join(name for one in seen for name in one.unseen),
        len({house for one in seen for house in one.houses}) if seen else "",
    )
    return dict(zip(TOLD, values, strict=True))


def to_json(lines: Sequence[Line]) -> str:
    """Return the table as JSON: an object for each line."""
    plain = [
        {
            **_named(line, _are_pairs(lines)),
            "episodes": line.episodes,
            "values": _plain(line.values),
            "task_type": line.task_type,
            **({} if line.comparisons is None else {"differences": _compared(line.comparisons)}),
            **_told(line),
        }
        for line in lines
    ]
    return msgspec.json.format(msgspec.json.encode(plain)).decode()


def _plain(values: Mapping[str, Value]) -> dict[str, dict[str, object]]:
    return {
        heading: {
            "mean": value.mean,
            "interval": None if value.interval is None else list(value.interval),
            "tasks": value.tasks,
            "houses": value.houses,
            "error": value.error,
        }
        for heading, value in values.items()
    }


TESTED: Final = (
    "houses", "p", "p_holm", "family", "p_tasks", "ratio", "effect", "houses_needed", "detectable",
)  # fmt: skip
"""Columns about a comparison, for programs."""


def _tested(one: Compared) -> dict[str, float | None]:
    found = one.found
    values = (
        found.houses, found.p, one.corrected, one.family, found.p_tasks, found.ratio, found.effect,
        one.houses_needed, one.detectable,
    )  # fmt: skip
    return dict(zip(TESTED, values, strict=True))


def _compared(comparisons: Mapping[str, Compared]) -> dict[str, dict[str, object]]:
    return {
        measure: {
            "mean": one.found.mean,
            "interval": None if one.found.interval is None else list(one.found.interval),
            "tasks": one.found.tasks,
            **_tested(one),
        }
        for measure, one in comparisons.items()
    }


def _are_pairs(lines: Sequence[Line]) -> bool:
    return all(names_of_pair(line.team) for line in lines)


def _named(line: Line, are_pairs: bool) -> dict[str, str]:
    """Return what names a line: the columns that pairs always had, or the team written out."""
    names = names_of_pair(line.team) if are_pairs else None
    if names is None:
        return {"team": line.team.written_out}
    return {"robot": names[0], "partner": names[1]}


def _names(line: Line, pairs: bool) -> Text:
    names = names_of_pair(line.team) if pairs else None
    bodies = [f"{member.seat.kind}={member.occupant}" for member in line.team.members]
    named = f"  {line.task_type}" if line.task_type else "\n".join(names or bodies)
    # Markup is not read in it: names may have brackets.
    return Text(visible(named))


def _cell(value: Value | None) -> str:
    if value is None:
        return "-"
    text = figure(value.mean)
    if value.interval is not None:
        text += f"\n{figure(value.interval.low)}..{figure(value.interval.high)}"
    if value.error is not None:
        text += f"\n±{figure(value.error)}"
    return text


def _optional(value: float | None) -> str:
    return "-" if value is None else figure(value)


def figure(value: float) -> str:
    """Return a figure as tables show it."""
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.2f}"
