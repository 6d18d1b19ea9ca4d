"""Classifier of streams: whether a person or a policy was at the other seat, by all that came.

Every text and every field that came is a feature that is there or not, and every time and every
amount a number. Tested on the parts that were not learnt from; the bounds are those of a bootstrap
over parts.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec
import numpy as np
from scipy.stats import rankdata
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

from server.sessions.spec import TICK_RATE
from tests.load.telling_apart_visitors import Received, Stream

PLANTED = ("timing", "field", "page")
"""Leaks that are planted into the streams beside a policy, to see that they would be found."""
LATER_S = 0.02
"""Time (s) by which frames in which a body moves come later, in the planted leak."""
FOLDS = 5
DRAWS = 1000
MISSING = -1.0
"""Value of a feature that a stream does not have."""
_IDS = re.compile(r"\b[a-z]{2,4}_[0-9a-f]{8,}\b|\b[0-9a-f]{16,}\b|[A-Za-z0-9_-]{32,}(\.[\w-]+)*")
_NUMBER = re.compile(r"\d+(\.\d+)?")
_WORD = re.compile(r"[\w'#-]+")
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


class Score(NamedTuple):
    """Score of a classifier with a planted leak, or with the streams as they came."""

    name: str
    model: str
    auc: float
    low: float
    high: float
    best: str
    """Features that tell most by themselves."""


def scores(streams: Sequence[Stream], planted: str = "", seed: int = 1) -> list[Score]:
    """Learn from some parts and test on the others, each in its turn, with each classifier."""
    chosen = [with_leak(s, planted) if s.by == "policy" else s for s in streams]
    features = [features_of(stream) for stream in chosen]
    names = _known(features)
    table = np.array([[f.get(name, MISSING) for name in names] for f in features])
    truth = np.array([s.by == "policy" for s in streams])
    groups = np.array([s.recording for s in streams])
    folds = list(GroupKFold(min(FOLDS, len(set(groups)))).split(table, truth, groups))
    best = _tells_most(table, truth, names)
    found = []
    for name, model in _models(seed).items():
        guess = np.zeros(len(streams))
        for learn, test in folds:
            # One thread: on a machine that is busy, several wait for each other.
            with threadpool_limits(1):
                model.fit(table[learn], truth[learn])
                sure = model.predict_proba(table[test])[:, 1]
            # By rank within a fold: what is sure in one is not as sure in another.
            guess[test] = rankdata(sure) / len(test)
        low, high = _bounds(truth, guess, groups, seed)
        auc = _area(truth, guess)
        found.append(Score(planted or "as they came", name, auc, low, high, best))
    return found


def _models(seed: int) -> dict[str, Any]:
    return {
        "trees": HistGradientBoostingClassifier(
            max_iter=100, learning_rate=0.1, min_samples_leaf=10, random_state=seed
        ),
        "linear": make_pipeline(StandardScaler(), LogisticRegression(C=0.01, max_iter=500)),
    }


def _bounds(truth: Any, guess: Any, groups: Any, seed: int) -> tuple[float, float]:
    rng = np.random.default_rng(seed)
    by_group = [np.flatnonzero(groups == g) for g in np.unique(groups)]
    found = []
    for _ in range(DRAWS):
        picks = rng.integers(len(by_group), size=len(by_group))
        drawn = np.concatenate([by_group[pick] for pick in picks])
        if 0 < truth[drawn].sum() < len(drawn):
            found.append(_area(truth[drawn], guess[drawn]))
    low, high = np.quantile(found, (0.025, 0.975))
    return float(low), float(high)


def _area(truth: Any, guess: Any) -> float:
    """Return the area under the ROC curve of a guess, by ranks (Mann and Whitney)."""
    yes = truth.sum()
    above = rankdata(guess)[truth].sum() - yes * (yes + 1) / 2
    return float(above / (yes * (len(truth) - yes)))


def _tells_most(table: Any, truth: Any, names: Sequence[str]) -> str:
    """Return the features whose values differ most between the two, each by itself."""
    areas = np.array([_area(truth, column) for column in table.T])
    best = np.argsort(-np.abs(areas - 0.5))[:6]
    return ", ".join(f"{names[i]} {areas[i]:.2f}" for i in best)


def _known(features: Sequence[dict[str, float]]) -> list[str]:
    """Return the features that more than a few streams have and that are not always the same."""
    count = Counter(name for f in features for name in f)
    least = max(3, len(features) // 100)
    values: dict[str, set[float]] = {}
    for f in features:
        for name, value in f.items():
            values.setdefault(name, set()).add(value)
    return sorted(
        name for name, n in count.items()
        if n >= least and (n <= len(features) - least or len(values[name]) > 1)
    )  # fmt: skip


# Features


def features_of(stream: Stream) -> dict[str, float]:
    """Return the features of a stream by name."""
    found: dict[str, float] = {}
    for one in stream.received:
        if one.way == "asked":
            continue
        words = _page(one) if one.way == "page" else _message(one)
        for word in words:
            found[word] = 1.0
    found.update(_times(stream.received))
    found.update(_motion(stream.received))
    found.update(_lateness(stream.received))
    return found


def _page(one: Received) -> Iterator[str]:
    """Yield each word of a page, each header and where it lies."""
    path, status, headers, text = one.what
    where = _masked(path)
    yield f"{where} {status}"
    for name, value in headers:
        if name != "date":
            yield f"{where} {name}: {_NUMBER.sub('0', _masked(value))}"
    words = _WORD.findall(_masked(text))
    for first, second in itertools.pairwise((*words, "")):
        yield f"{where} {first} {second}"


def _message(one: Received) -> Iterator[str]:
    """Yield each field of a message of the lobby or of play, but of frames only what is rare."""
    what = one.what if one.way == "lobby" else one.what[1]
    if what[0] == "f":
        for part, changes in enumerate(what[2:]):
            if part == 0:
                continue
            for change in changes:
                kind = change[0] if part == 6 else ""
                words = change[2:] if kind in ("did", "said") else change[1:]
                texts = [w for w in words if isinstance(w, str | bool)]
                yield f"frame {part} {kind} {texts}"
    elif what[0] not in ("pong", "preview"):
        for path, value in _leaves(what, what[0]):
            yield f"{one.way} {path} = {_masked(str(value))}"


def _leaves(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, list | tuple):
        for number, inner in enumerate(value):
            yield from _leaves(inner, f"{path}.{number}")
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield from _leaves(inner, f"{path}.{name}")
    elif isinstance(value, bool | str | int | type(None)):
        yield path, value


def _times(received: Sequence[Received]) -> Iterator[tuple[str, float]]:
    """Yield the times between what came, and how much of it there was."""
    last: dict[str, float] = {}
    for one in received:
        name = _kind(one)
        if name not in last:
            yield f"first {name}", one.at
        last[name] = one.at
    for name, at in last.items():
        yield f"last {name}", at
    for name, count in Counter(map(_kind, received)).items():
        yield f"number of {name}", count
    for before, after in zip(list(last.items()), list(last.items())[1:], strict=False):
        yield f"from {before[0]} to {after[0]}", after[1] - before[1]
    frames = [one.at for one in received if _kind(one) == "play f"]
    yield from _quantiles("between frames", np.diff(frames))
    sizes = [one.what[0] for one in received if _kind(one) == "play f"]
    yield from _quantiles("bytes of frames", np.array(sizes))
    phases = [
        (one.at, event[2])
        for one in received
        if _kind(one) == "play f" and len(one.what[1]) > 8
        for event in one.what[1][8]
        if event[0] == "phase"
    ]
    for at, phase in phases:
        yield f"phase {phase} at", at
    opened = next((one.at for one in received if _kind(one) == "play welcome"), None)
    begun = next((at for at, phase in phases if phase == "running"), None)
    if opened is not None and begun is not None:
        yield "from welcome to running", begun - opened


def _motion(received: Sequence[Received]) -> Iterator[tuple[str, float]]:
    """Yield how the other body moved: steps, turns, and the times between them."""
    me = next((one.what[1][2] for one in received if _kind(one) == "play welcome"), 0)
    path = [
        (one.at, one.what[1][1], agent)
        for one in received
        if _kind(one) == "play f" and len(one.what[1]) > 2
        for agent in one.what[1][2]
        if agent[0] != me
    ]
    yield "moves", len(path)
    if len(path) < 3:
        return
    at = np.array([p[0] for p in path])
    ticks = np.array([p[1] for p in path], dtype=float)
    flat = [list(_numbers(p[2][1:])) for p in path]
    width = min(map(len, flat))
    values = np.array([row[:width] for row in flat])
    yield from _quantiles("between moves", np.diff(at))
    yield from _quantiles("ticks between moves", np.diff(ticks))
    yield "late moves", float(np.std(np.diff(at) - np.diff(ticks) / TICK_RATE))
    for column in range(width):
        change = np.abs(np.diff(values[:, column]))
        yield from _quantiles(f"change {column}", change)
        yield from _quantiles(f"change of change {column}", np.abs(np.diff(change)))


def _lateness(received: Sequence[Received]) -> Iterator[tuple[str, float]]:
    """Yield how much later frames come in which a body moves than those beside them."""
    frames = [one for one in received if _kind(one) == "play f"]
    at = np.array([one.at for one in frames])
    late = at - np.array([one.what[1][1] for one in frames]) / TICK_RATE
    moves = np.array([len(one.what[1]) > 2 and bool(one.what[1][2]) for one in frames])
    if not 0 < moves.sum() < len(moves):
        return
    yield "moving frames later", float(np.median(late[moves]) - np.median(late[~moves]))
    beside = np.flatnonzero(moves[1:] != moves[:-1])
    steps = np.diff(late)[beside] * np.where(moves[1:][beside], 1, -1)
    yield "moving frames later than the next", float(np.median(steps))


def _numbers(value: Any) -> Iterator[float]:
    if isinstance(value, list | tuple):
        for inner in value:
            yield from _numbers(inner)
    elif isinstance(value, int | float):
        yield float(value)


def _kind(one: Received) -> str:
    if one.way == "page":
        return f"page {_masked(one.what[0])}"
    if one.way == "asked":
        return f"asked {_masked(one.what)}"
    what = one.what if one.way == "lobby" else one.what[1]
    return f"{one.way} {what[0]}"


def _quantiles(name: str, values: Any) -> Iterator[tuple[str, float]]:
    if len(values):
        for q, value in zip(QUANTILES, np.quantile(values, QUANTILES), strict=True):
            yield f"{name} q{q:g}", float(value)
        yield f"{name} mean", float(np.mean(values))


def _masked(text: str) -> str:
    """Return a text without the ids and tokens that are drawn anew each time."""
    return _IDS.sub("ID", text)


# Planted leaks


def with_leak(stream: Stream, leak: str) -> Stream:
    """Return a stream with a leak planted into it; empty: as it came."""
    if not leak:
        return stream
    received = [_leaky(one, leak) for one in stream.received]
    return msgspec.structs.replace(stream, received=sorted(received, key=lambda one: one.at))


def _leaky(one: Received, leak: str) -> Received:
    kind = _kind(one)
    if leak == "timing" and kind == "play f" and len(one.what[1]) > 2 and one.what[1][2]:
        return msgspec.structs.replace(one, at=one.at + LATER_S)
    if leak == "field" and kind == "play snapshot":
        size, message = one.what
        return msgspec.structs.replace(one, what=[size, [*message, "policy"]])
    if leak == "page" and kind == "page /visit/survey":
        path, status, headers, text = one.what
        return msgspec.structs.replace(one, what=[path, status, headers, f"{text} beside it"])
    return one
