"""Rows of an export that an analysis takes: tables, without what is excluded, tries that count.

`analyse_study.py` and the notebook read an export with it. It needs `study_plan.py` beside it and
pandas, and nothing of Cohabit's: copy it with them.
"""

from __future__ import annotations

import json
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from study_plan import Balance, plan_of

RETRY = "retry_success"
"""Column of episodes that tries have which follow a failed one."""
RETRIES = "episodes.retry_"
"""Start of outcomes that are of such tries."""
KEYS = {"seats": "", "visits": "", "scores": "score_id", "responses": "question_id"}
"""Tables of outcomes beside episodes, with the column that names one in long form."""
SELECTED = (
    "Tries after a failed one exist only where a first try failed. Who fails is not drawn, and may "
    "depend on the condition (where only what is explained differs, from the second task on): "
    "those who failed are compared, and whoever never failed is left out."
)
"""Sentence on whom outcomes of such tries are of."""
RELATIONS: Mapping[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}


def table(folder: Path, name: str) -> pd.DataFrame:
    """Read a table of an export."""
    file = folder / "data" / f"description-{name}_data.csv"
    if not file.exists():
        raise SystemExit(
            f"{file} is not there: outcomes are exported once a study is closed, or unblinded"
        )
    state = file.stat()
    return _read(file, state.st_mtime_ns, state.st_size, _texts(folder, name)).copy()


@cache
def _read(file: Path, changed_ns: int, size: int, texts: tuple[str, ...]) -> pd.DataFrame:
    """Read a file once, until it is another: ``changed_ns`` and ``size`` tell."""
    types = dict.fromkeys(texts, str)
    return pd.read_csv(file, dtype=types, keep_default_na=False, na_values=[""])


def _texts(folder: Path, name: str) -> tuple[str, ...]:
    """Return the columns that are read as text: a level may be called true, 1 or None.

    The codebook says which they are, not what values look like.
    """
    book = json.loads((folder / "codebook.json").read_text(encoding="utf-8"))
    columns: list[dict[str, Any]] = next(
        (of["columns"] for of in book["tables"] if of["name"] == name), []
    )
    return tuple(column["name"] for column in columns if column["type"] == "text")


class GroupMeans(NamedTuple):
    """Means of groups at both levels, and how many groups are not compared as planned."""

    rows: pd.DataFrame
    one_level: int
    """Groups that have one of the levels alone, where only those with both are compared."""
    apart: int
    """Groups that have both, but never with the same levels of the other factors within groups."""
    fewer: int
    """Groups that are compared on fewer conditions than planned."""


def group_means(rows: pd.DataFrame, balance: Balance, *, is_paired: bool) -> GroupMeans:
    """Return the mean of each group at each ``x``, in which each condition weighs the same.

    A paired test is of those conditions that a group has at both levels, with the same levels of
    the other factors within groups. Between groups it is of all that a group has of those which the
    design has at both.
    """

    def labels(names: Sequence[str]) -> pd.Series:
        found = pd.Series("", index=rows.index, dtype=object)
        for name in names:
            found = found + "\n" + rows[f"f_{name}"].fillna("")
        return found

    planned = labels(balance.entry).map(dict(balance.planned)).fillna(1)
    cells = rows.assign(cell=labels(balance.factors), planned=planned)
    cells = cells[~cells["cell"].isin(balance.alone)]
    # Those who played together are one unit.
    keys = ["group_id", "x", "cell", "planned"]
    cells = cells.groupby(keys, as_index=False)["y"].mean()
    one_level = apart = 0
    if is_paired:
        # A group with one of the levels alone says nothing of their difference.
        has_both = cells.groupby("group_id")["x"].transform("nunique") == 2
        one_level, cells = cells.loc[~has_both, "group_id"].nunique(), cells[has_both]
        before = cells["group_id"].nunique()
        cells = cells[cells.groupby(["group_id", "cell"])["x"].transform("nunique") == 2]
        apart = before - cells["group_id"].nunique()
    is_fewer = cells.groupby("group_id")["cell"].transform("nunique") < cells["planned"]
    fewer = cells.loc[is_fewer, "group_id"].nunique()
    means = cells.groupby(["group_id", "x"], as_index=False)["y"].mean()
    return GroupMeans(means, one_level, apart, fewer)


class Kept(NamedTuple):
    """Episodes and participants without what the plan excludes, and a sentence for each rule."""

    episodes: pd.DataFrame
    participants: pd.DataFrame
    told: list[str]


def kept(folder: Path) -> Kept:
    """Return what the exclusions of the plan leave, as the study report does.

    A rule on attempts or seats takes away the attempt, and with it the group's later tries at the
    task; one on people takes away the person, and their group where the plan says so.
    """
    plan = plan_of(folder)
    whole = plan.get("when_one_is_excluded", "group_is_excluded") == "group_is_excluded"
    episodes, people = table(folder, "episodes"), table(folder, "participants")
    told = []
    for rule in plan.get("exclusions", ()):
        name = str(rule["column"]).partition(".")[0]
        before, hit = (counted(episodes), counted(people)), hit_by(folder, rule)
        if hit is None:
            told.append(f"{rule_text(rule)}: the export does not have the column")
            continue
        if name in ("episodes", "seats"):
            is_hit = episodes["episode_id"].isin(hit["episode_id"])
            task = [episodes["group_id"], episodes["task_id"]]
            first_hit = episodes["try_index"].where(is_hit).groupby(task).transform("min")
            episodes = episodes[~(is_hit | (episodes["try_index"] >= first_hit))]
        else:
            is_out = people["participant_id"].isin(hit["participant_id"])
            if whole:
                groups = set(people.loc[is_out, "group_id"].dropna())
                is_out |= people["group_id"].isin(groups)
                episodes = episodes[~episodes["group_id"].isin(groups)]
            people = people[~is_out]
        attempts_lost, people_lost = before[0] - counted(episodes), before[1] - counted(people)
        told.append(f"{rule_text(rule)}: {attempts_lost} attempts, {people_lost} people")
    return Kept(episodes, people, told)


def rule_text(rule: dict[str, Any]) -> str:
    """Return a rule as the plan has it."""
    value = rule["value"]
    if isinstance(value, bool):
        value = str(value).lower()
    elif isinstance(value, int | float):
        value = f"{value:g}"
    return f"{rule['column']} {rule['relation']} {value}"


def counted(rows: pd.DataFrame) -> int:
    """Count the rows of the analysis by assigned condition."""
    return int(rows["is_assigned"].eq(True).sum())


def hit_by(folder: Path, rule: dict[str, Any]) -> pd.DataFrame | None:
    """Return the rows that a rule excludes; None: the export does not have its column."""
    name, _, column = str(rule["column"]).partition(".")
    if not (folder / "data" / f"description-{name}_data.csv").exists():
        return None
    rows, key = table(folder, name), KEYS.get(name, "")
    if key:
        rows, column = rows[rows[key] == column], "value"
    if column not in rows:
        return None
    if name == "seats":
        rows = rows.dropna(subset=["participant_id"])
    compare, wanted = RELATIONS[rule["relation"]], rule["value"]

    def is_hit(value: Any) -> bool:
        if pd.isna(value):
            return False
        if isinstance(wanted, bool):
            return bool(compare(str(value).lower(), str(wanted).lower()))
        if isinstance(wanted, str):
            return bool(compare(str(value), wanted))
        try:
            return bool(compare(float(value), float(wanted)))
        except ValueError:
            return False

    return rows[rows[column].map(is_hit).astype(bool)]


def attempts(folder: Path) -> pd.DataFrame:
    """Return first tries of the analysis by assigned condition, with the time to success."""
    episodes = kept(folder).episodes
    episodes = episodes[episodes["is_assigned"].eq(True) & episodes["try_index"].eq(0)]
    measures = table(folder, "measures")
    times = measures[measures["measure_id"] == "time_to_success"]
    times = times.set_index("episode_id")[["value", "is_censored"]]
    times.columns = ["time_to_success", "time_is_censored"]
    return episodes.join(times, on="episode_id")


def retries(folder: Path) -> pd.DataFrame:
    """Return second tries that follow a failed one, by assigned condition."""
    episodes = kept(folder).episodes
    if RETRY not in episodes:
        raise SystemExit(f"{folder} has no columns of later tries: export it again")
    has_one = episodes["is_assigned"].eq(True) & episodes[RETRY].notna()
    # A later one takes the place of none: it follows two explanations, or an attempt unjudged.
    return episodes[has_one & episodes["try_index"].eq(1)]


def failed_first_tries(folder: Path) -> pd.DataFrame:
    """Count by condition first tries, those that failed and were tried again, and those analysed.

    All but the last are counted before the plan's exclusions.
    """
    everything = table(folder, "episodes")
    first = everything[everything["is_assigned"].eq(True) & everything["try_index"].eq(0)]
    failed = first[first["verdict_shown"].eq("failure")]
    second = everything.loc[everything["try_index"].eq(1), ["group_id", "task_id"]]
    again = failed.merge(second, on=["group_id", "task_id"])
    chosen = {
        "first tries": first,
        "failed": failed,
        "tried again": again,
        "analysed": retries(folder),
    }
    counts = {name: rows["condition"].value_counts() for name, rows in chosen.items()}
    return pd.DataFrame(counts).fillna(0).astype(int).sort_index()


def with_outcome(folder: Path, episodes: pd.DataFrame, outcome: str) -> pd.DataFrame:
    """Return rows with the column ``y``; ``outcome`` is as a study file names it.

    Answers after an episode are of that attempt. What is of people, such as answers at the end, has
    an empty task (`are_of_people`). Raises KeyError where there are no values.
    """
    name, _, column = outcome.partition(".")
    if name == "episodes":
        if column.startswith("retry_"):
            episodes = retries(folder)
        return episodes.assign(y=episodes[column].astype(float)).dropna(subset=["y"])
    if name not in KEYS:
        raise KeyError(outcome)
    rows = table(folder, name)
    if key := KEYS[name]:
        rows, column = rows[rows[key] == column], "value"
    rows = rows.assign(y=pd.to_numeric(rows[column], errors="coerce")).dropna(subset=["y"])
    if "episode_id" not in rows:
        rows = rows.assign(episode_id=np.nan)
    people = kept(folder).participants
    people = people[people["is_assigned"].eq(True)].assign(task_id="")
    if name == "seats":
        # Seats of policies are none of people.
        rows = rows.dropna(subset=["participant_id"])
    else:
        rows = rows[rows["participant_id"].isin(people["participant_id"])]
    # What two people have of one attempt is one value, their mean.
    values = rows.dropna(subset=["episode_id"]).groupby("episode_id", as_index=False)["y"].mean()
    of_attempts = episodes.merge(values, on="episode_id")
    alone = rows.loc[rows["episode_id"].isna(), ["participant_id", "y"]]
    of_people = people.merge(alone, on="participant_id")
    parts = [part for part in (of_attempts, of_people) if len(part)]
    if not parts:
        raise KeyError(outcome)
    return pd.concat(parts, ignore_index=True)


def contrast(rows: pd.DataFrame, hypothesis: dict[str, Any]) -> pd.DataFrame:
    """Return the rows of two levels, with ``x`` 1 at the first and 0 at the second."""
    first, second = hypothesis["levels"]
    level = rows[f"f_{hypothesis['factor']}"]
    kept = rows[level.isin([first, second])]
    return kept.assign(x=(level[kept.index] == first).astype(float))


def are_of_people(rows: pd.DataFrame) -> bool:
    """Tell whether values are of people and of no attempt."""
    return bool(rows["task_id"].eq("").all())


def notes(folder: Path) -> Iterator[str]:
    """Yield what the plan excludes, and of whom outcomes of tries after a failed one are."""
    told = kept(folder).told
    yield "excluded, as the plan declares" if told else "the plan excludes nothing"
    yield from (f"  {line}" for line in told)
    if any(each["outcome"].startswith(RETRIES) for each in plan_of(folder).get("hypotheses", ())):
        yield SELECTED
        for condition, counts in failed_first_tries(folder).iterrows():
            yield f"  {condition}: " + ", ".join(f"{name} {n}" for name, n in counts.items())
