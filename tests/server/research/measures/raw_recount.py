"""Recount of measures from the lines of a log: JSON, geometry and counting, and nothing of ours.

It shares no code with what is measured, so it is simple where that is careful: times in rooms are
counted tick by tick, and percent complete is the share of goals that hold, which is right where
each goal has to hold at the end.
"""

from __future__ import annotations

import json
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from statistics import fmean, median
from typing import Any

Recounted = dict[str, dict[str, float | None]]
"""Values by measure and seat; the team's have an empty seat."""
RATE = 30
NEAR = 15


class RawLog:
    """Lines of one episode that was played by bodies which all have a seat from the start."""

    def __init__(self, path: Path, opens: Callable[[bytes], bytes] = bytes) -> None:
        """Read a log; ``opens`` makes a line's sealed words readable."""
        self.lines: list[dict[str, Any]] = [
            json.loads(opens(line)) for line in path.read_bytes().splitlines()
        ]
        self.head = next(line for line in self.lines if line["type"] == "header")
        self.result = next(line["result"] for line in self.lines if line["type"] == "end")
        self.verdict = self.result["verdict"]
        spec = self.head["spec"]["seats"]
        self.seats = [s["seat"]["seat_id"] for s in spec if s["occupied"]]
        self.kinds = {s["seat"]["seat_id"]: s["seat"]["kind"] for s in spec}
        ticks = [line for line in self.lines if line["type"] == "tick"]
        phases = [(line["t"], event) for line in ticks for event in line.get("e", ())]
        self.start = next(t for t, e in phases if e[:2] == ["phase", "running"])
        self.end = next(t for t, e in phases if e[:2] == ["phase", "ended"])
        self.ticks = [line for line in ticks if self.start < line["t"] <= self.end]
        self.length = self.end - self.start

    def events(self, kind: str) -> list[tuple[int, list[Any]]]:
        """Return the events of a kind, with their ticks from the start."""
        return [
            (line["t"] - self.start, event)
            for line in self.ticks
            for event in line.get("e", ())
            if event[0] == kind
        ]

    def of_type(self, kind: str) -> list[dict[str, Any]]:
        return [line for line in self.lines if line["type"] == kind]


def recount(path: Path, opens: Callable[[bytes], bytes] = bytes) -> Recounted:
    """Return what can be recounted of the measures of an episode's log, as `RawLog` reads it."""
    log = RawLog(path, opens)
    found: Recounted = {}
    for part in (_course, _activity, _work, _talk, _motion, _pages, _calls, _credit):
        found |= part(log)
    return found


def _team(value: float | None) -> dict[str, float | None]:
    return {"": value}


def _course(log: RawLog) -> Recounted:
    """Recount what follows from which goals held when."""
    n_goals, holding, at = len(log.verdict["propositions"]), set[int](), 0
    held, area, success = set[str](), 0.0, None
    things = {
        handle
        for goal in log.head["episode"]["evaluation_propositions"]
        for value in goal["args"].values()
        if isinstance(value, list)
        for handle in value
    }
    for line in log.ticks:
        changes = line.get("p", ())
        # A line of the tick after tells what was evaluated at the one before.
        tick = changes[0]["tick"] if changes else line["t"] - log.start
        area += len(holding) / n_goals * (tick - at)
        at = tick
        for change in changes:
            (holding.add if change["holds"] else holding.discard)(change["index"])
        for change in line.get("c", ()):
            if change[0] == "holder":
                (held.discard if change[2] is None else held.add)(change[1])
        if success is None and len(holding) == n_goals and not held & things:
            success = tick
    area += len(holding) / n_goals * (log.length - at)
    limit_s = log.head["episode_spec"]["time_limit_s"]
    whole = max(log.length, round(limit_s * RATE)) if limit_s else log.length
    area += log.verdict["percent_complete"] * (whole - log.length)
    is_first = not log.head["episode_spec"]["try_index"]
    solved = success if success is not None and log.verdict["success"] else log.length
    return {
        "first_try_success": _team(float(log.verdict["success"]) if is_first else None),
        "time_to_success": _team(solved / RATE),
        "time_to_finish": _team(log.length / RATE),
        "area_under_percent": _team(area / whole),
    }


def _activity(log: RawLog) -> Recounted:
    """Recount activity as the set of ticks that each seat was active in."""
    active: dict[str, set[int]] = {}
    for seat in log.seats:
        signs = {
            line["t"] - log.start
            for line in log.ticks
            if any(c[:2] == ["agent", seat] for c in line.get("c", ()))
            or any(e[0] in ("did", "said") and e[1] == seat for e in line.get("e", ()))
        }
        active[seat], last = set(), None
        for tick in sorted(signs):
            first = last + 1 if last is not None and tick - last <= NEAR else tick
            active[seat] |= set(range(first, tick + 1))
            last = tick
    delays, before = dict.fromkeys(log.seats, 0), (0, set[str]())
    together = 0
    for tick in range(1, log.length + 1):
        now = {seat for seat in log.seats if tick in active[seat]}
        together += len(now) > 1
        if now:
            gap = tick - before[0] - 1
            if gap and before[1]:
                for seat in now - before[1]:
                    delays[seat] += gap
            before = (tick, now)
    return {
        "idle": {seat: (log.length - len(active[seat])) / RATE for seat in log.seats},
        "concurrent_activity": _team(together / log.length),
        "functional_delay": {seat: delay / RATE for seat, delay in delays.items()},
    }


def _work(log: RawLog) -> Recounted:
    """Recount conflicts, blocked ways, work of others and errands from events and intents."""
    wanted: dict[str, tuple[int, str]] = {}
    conflicts, hands, selected = 0, dict[str, str](), Counter[str]()
    for line in log.ticks:
        tick = line["t"] - log.start
        for seat, intent, _refusal in line.get("i", ()):
            if intent[0] == "select" and intent[1] is not None:
                selected[seat] += 1
            thing = intent[3] if intent[0] == "act" else None
            if intent[0] == "place":
                thing = hands.get(seat)
            if thing is not None:
                then, who = wanted.get(thing, (tick, seat))
                conflicts += who != seat and tick - then <= 3 * RATE
                wanted[thing] = (tick, seat)
        for change in line.get("c", ()):
            if change[0] == "holder":
                hands = {s: thing for s, thing in hands.items() if thing != change[1]}
                if change[2] is not None:
                    hands[change[2]] = change[1]
    placed, taken = dict[str, str](), dict.fromkeys(log.seats, 0.0)
    for _, (_, seat, verb, thing, *_rest) in log.events("did"):
        if verb == "place":
            placed[thing] = seat
        elif verb == "pick":
            taken[seat] += placed.pop(thing, seat) != seat
    through, undone, redone = dict[int, str | None](), 0, 0
    for change in (c for line in log.ticks for c in line.get("p", ())):
        index, by = change["index"], change["by_seat"]
        other = through.get(index)
        is_anothers = None not in (other, by) and other != by
        if change["holds"]:
            redone += is_anothers
            through[index] = by
        else:
            undone += is_anothers
    blocked, since = dict.fromkeys(log.seats, 0.0), dict[str, int]()
    for tick, (_, seat, _by, stage) in log.events("blocked"):
        blocked[seat] += (tick - since.pop(seat, tick)) / RATE
        if stage == "pushes":
            since[seat] = tick
    for seat, tick in since.items():
        blocked[seat] += (log.length - tick) / RATE
    return {
        "target_conflicts": _team(conflicts),
        "selections": {seat: float(selected[seat]) for seat in log.seats},
        "taken_from_others": dict(taken),
        "others_work_undone": _team(undone),
        "others_work_redone": _team(redone),
        "blocked": dict(blocked),
    }


def _talk(log: RawLog) -> Recounted:
    """Recount lines, words, and the lines that name one thing by its whole label."""
    labels = log.head["surroundings"]["labels"]
    things = {thing: labels[thing] for thing in log.head["episode"]["name_to_receptacle"]}
    lines, words = dict.fromkeys(log.seats, 0.0), dict.fromkeys(log.seats, 0.0)
    waits = defaultdict[str, list[float]](list)
    for tick, (_, seat, text) in log.events("said"):
        lines[seat] += 1
        words[seat] += len(text.split())
        named = [thing for thing, label in things.items() if label in text.lower()]
        if len(named) == 1:
            did = [(t, e[1]) for t, e in log.events("did") if t >= tick and e[3] == named[0]]
            if not did or did[0][1] != seat:
                waits[seat].append(((did[0][0] if did else log.length) - tick) / RATE)
    return {
        "talk_lines": dict(lines),
        "talk_words": dict(words),
        "requests": {seat: float(len(waits[seat])) for seat in log.seats},
        "request_to_compliance": {
            seat: sorted(waits[seat])[(len(waits[seat]) - 1) // 2] if waits[seat] else None
            for seat in log.seats
        },
    }


def _motion(log: RawLog) -> Recounted:
    """Recount turning, and who was in which room at each tick."""
    rooms = log.head["surroundings"]["rooms"]
    poses: dict[str, Any] = {}
    turned, where = dict.fromkeys(log.seats, 0.0), defaultdict[str, list[str]](list)
    by_tick = {line["t"]: line for line in log.ticks}
    for line in log.lines:
        changes = line["changes"] if line["type"] == "keyframe" else line.get("c", ())
        if line.get("t", line.get("tick", 0)) <= log.start:
            poses |= {change[1]: change[2] for change in changes if change[0] == "agent"}
    for tick in range(log.start, log.end + 1):
        for _, seat, pose in (c for c in by_tick.get(tick, {}).get("c", ()) if c[0] == "agent"):
            angle = abs(pose[1] - poses[seat][1]) % (2 * math.pi)
            turned[seat] += min(angle, 2 * math.pi - angle)
            poses[seat] = pose
        for seat in log.seats:
            (x, _, z) = poses[seat][0]
            inside = (name for name, outline, *_ in rooms if _is_inside(x, z, outline))
            last = where[seat][-1] if where[seat] else ""
            where[seat].append(next(inside, last))
    searched: dict[str, set[str]] = defaultdict(set)
    for seat in log.seats:
        stay = 0
        for before, room in zip(["", *where[seat]], where[seat], strict=False):
            stay = stay + 1 if room == before else 0
            if stay >= 3 * RATE:
                searched[room].add(seat)
    shared = {
        seat: sum(
            any(where[other][k] == room for other in log.seats if other != seat)
            for k, room in enumerate(where[seat])
            if k
        )
        / RATE
        for seat in log.seats
    }
    return {
        "turning": {seat: math.degrees(angle) for seat, angle in turned.items()},
        "shared_room": dict(shared),
        "rooms_searched_twice": _team(sum(len(seats) - 1 for seats in searched.values())),
    }


def _is_inside(x: float, z: float, outline: Sequence[Sequence[float]]) -> bool:
    """Tell by the number of crossed edges whether a point is within an outline."""
    crossed = 0
    for (x0, z0), (x1, z1) in zip(outline, [*outline[1:], outline[0]], strict=True):
        if (z0 > z) != (z1 > z):
            crossed += x < x0 + (z - z0) / (z1 - z0) * (x1 - x0)
    return crossed % 2 == 1


def _pages(log: RawLog) -> Recounted:
    """Recount what pages told, by the position of each figure in the line, and the pace."""
    found: Recounted = defaultdict(dict)
    for seat in log.seats:
        told = [line["stats"] for line in log.of_type("page") if line["seat"] == seat]
        spans = sum(page[1] for page in told)
        fps, trips, shown = ([n for page in told for n in page[k]] for k in (2, 3, 4))
        for name, value in {
            "frame_rate_p5": _at_share(fps, 0.05),
            "frame_rate_p50": median(fps) if fps else None,
            "ping": median(trips) if trips else None,
            "jitter": fmean(abs(b - a) for a, b in pairwise(trips)) if len(trips) > 1 else None,
            "input_to_visible": median(shown) if shown else None,
            "picture_quality": _weighted(told, 5),
            "viewport_width": _weighted(told, 6),
            "viewport_height": _weighted(told, 7),
            "touch_device": _weighted(told, 8),
            "partner_in_view": sum(page[9] for page in told) / spans if spans else None,
            "map_open": sum(page[10] for page in told) / 1000,
            "help_open": sum(page[11] for page in told) / 1000,
            "hovers": float(sum(page[12] for page in told)),
        }.items():
            found[name][seat] = value if told else None
    late = [line for line in log.of_type("pace") if log.start <= line["tick"] <= log.end]
    found["tick_lateness"] = _team(fmean(p["mean_late_ms"] for p in late) if late else None)
    found["tick_lateness_most"] = _team(max((p["most_late_ms"] for p in late), default=None))
    return dict(found)


def _at_share(samples: list[float], share: float) -> float | None:
    if not samples:
        return None
    ordered, place = sorted(samples), share * (len(samples) - 1)
    low = math.floor(place)
    high = min(low + 1, len(samples) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def _weighted(pages: list[list[Any]], at: int) -> float | None:
    spans = sum(page[1] for page in pages)
    return sum(page[at] * page[1] for page in pages) / spans if spans else None


def _calls(log: RawLog) -> Recounted:
    """Recount what models were asked."""
    found: Recounted = defaultdict(dict)
    for seat in log.seats:
        calls = [c["call"] for c in log.of_type("model_call") if c["call"]["seat"] == seat]
        n = len(calls) or None
        sums = {
            "model_calls": len(calls),
            "think_time": n and sum(c["latency_s"] + (c["queue_s"] or 0) for c in calls) / n,
            "information_age": n
            and sum(c["asked_tick"] - c["observed_tick"] for c in calls) / n / RATE,
            "stale_answers": n and sum(bool(c.get("stale")) for c in calls) / n,
            "model_tokens": sum(
                c["prompt_tokens"] + c["completion_tokens"]
                for c in calls
                if None not in (c["prompt_tokens"], c["completion_tokens"])
            ),
        }
        for name, value in sums.items():
            found[name][seat] = value if n else None
    return dict(found)


def _credit(log: RawLog) -> Recounted:
    """Recount the papers' measures, where what rises on the way holds once it is put down."""
    goals = [g for g in log.verdict["propositions"] if g["satisfied"] and g["valid"]]
    credit = Counter(g["by_seat"] for g in goals if g["by_seat"] is not None)
    total = sum(credit.values())
    robots = sum(n for seat, n in credit.items() if log.kinds[seat] == "robot")
    did = log.events("did")
    useful, best, holding = set(), 0, set[int]()
    for line in log.ticks:
        changes = line.get("p", ())
        for change in changes:
            (holding.add if change["holds"] else holding.discard)(change["index"])
        if len(holding) > best:
            best, at = len(holding), changes[-1]["tick"]
            by = {c["by_seat"] for c in changes if c["holds"]} - {None}
            mine = [k for k, (t, e) in enumerate(did) if t <= at + 1 and (not by or e[1] in by)]
            picked = [k for k in mine if did[k][1][2] in ("pick", "place")][-1:]
            if picked and did[picked[0]][1][2] == "pick" and did[mine[-1]][0] < at - 2:
                # It rose on the way, and counts for where what was carried is put down.
                seat = did[picked[0]][1][1]
                mine = [
                    next(
                        k
                        for k, (_, e) in enumerate(did)
                        if k > picked[0] and e[1:3] == [seat, "place"]
                    )
                ]
            useful |= set(mine[-1:])
    # Things of which several are asked for are as many; furniture is one, and rooms are none.
    wanted: dict[frozenset[str], int] = {}
    for goal in log.head["episode"]["evaluation_propositions"]:
        for name, value in goal["args"].items():
            if name in ("object_handles", "receptacle_handles") or name.startswith("entity"):
                number = goal["args"].get("number", 1) if name == "object_handles" else 1
                wanted[frozenset(value)] = max(number, wanted.get(frozenset(value), 0))
    touched = {e[3] for _, e in did} | {(e[5] or "").partition("|")[0] for _, e in did}
    met = sum(min(number, len(names & touched)) for names, number in wanted.items())
    picks = [t for t, e in did if e[2] == "pick"]
    done = [credit[seat] for seat in log.seats]
    return {
        "task_offloading": _team(robots / total if total else None),
        "work_share": {seat: credit[seat] / total if total else None for seat in log.seats},
        "transport_rate": _team(len(goals) / len(log.verdict["propositions"])),
        "balance": _team(min(done) / (max(done) + 1e-4)),
        "extraneous_effort": _team(1 - len(useful) / len(did) if did else None),
        "exploration": _team(picks[0] if picks else None),
        "coverage": _team(met / sum(wanted.values())),
    }
