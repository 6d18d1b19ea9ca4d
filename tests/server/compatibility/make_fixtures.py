"""Make the stored files of the compatibility tests.

Run ``python -m tests.server.compatibility.make_fixtures``.

They were made once, from the commit that their README names, and are not to be made anew: a
difference is what the tests are there to find. ``--only GROUP`` writes one group again, after a
change of the formats that is meant; what is recorded (scripts, answers of models) then stays.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import tempfile
import time
import zlib
from pathlib import Path
from typing import Any

from tests.server.compatibility import adapter, productions
from tests.server.compatibility.begun_trials import begin
from tests.server.compatibility.material import (
    Place,
    as_json,
    cohabit,
    place_in,
    store,
    stored,
)
from tests.server.compatibility.productions import Behave, Files

Event = list[Any]
HUMAN, ROBOT = "human_0", "robot_0"


def main() -> None:
    """Write all groups, or one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--houses", type=Path, help="A data directory with the first house.")
    parser.add_argument("--only", choices=productions.GROUPS)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        houses = options.houses or _built(root / "built")
        if not options.only:
            _record_wire(root, houses)
            _record_models(root, houses)
            store("policies.json", as_json(sorted(adapter.policy_names())))
        index = json.loads(stored("index.json")) if options.only else {}
        for name in [options.only] if options.only else productions.GROUPS:
            begun = time.monotonic()
            files = productions.GROUPS[name](place_in(root / name, houses))
            _write(files)
            index[name] = sorted(files)
            print(f"{name}: {time.monotonic() - begun:.1f} s", flush=True)
        store("index.json", as_json(index))


def _built(folder: Path) -> Path:
    folder.mkdir()
    cohabit("houses", "build", "--first", "--data-dir", folder, cwd=folder)
    return folder


def _write(files: Files) -> None:
    for name, content in files.items():
        store(name, content)


# Models: what the doubles answer is kept, so that the tests need no doubles


def _record_models(root: Path, houses: Path) -> None:
    """Play with the doubles that plan well, and keep what they answer."""
    place = place_in(root / "doubles", houses)
    os.environ["COHABIT_DATA_DIR"] = str(place.data)
    answers: dict[str, list[str]] = {}
    _write(_first_example(place))
    _write(productions.training(place_in(root / "example", houses)))
    trials = {**productions.MODEL_TRIALS, **productions.MORE_MODEL_TRIALS}
    productions.model_trials(place, trials, "", lambda t: _recorded(answers, t, _double()))
    productions.probes(place, _recorded(answers, "probe", _prober(place)))
    assert list(answers) == list(productions.CONVERSATIONS)
    store("prompts/answers.json", as_json(answers))


def _first_example(place: Place) -> Files:
    """Return the recording of which the library for `react-rag` is made."""
    with adapter.model_server(_double()) as url:
        options = ("--robot", "react", "--partner", productions.PASSIVE, "--count", "1")
        begin(place, "example", options)
        place.cohabit("trial", "example", *productions.ALONE, COHABIT_MODEL_URL=url)
    (log,) = (place.folder / "example" / "recordings").iterdir()
    return {"recordings/react.jsonl": log.read_bytes()}


def _recorded(answers: dict[str, list[str]], conversation: str, behave: Behave) -> Behave:
    kept = answers.setdefault(conversation, [])

    def answer(number: int, body: dict[str, Any]) -> str:
        assert number == len(kept)
        kept.append(behave(number, body))
        return kept[-1]

    return answer


def _double() -> Behave:
    from tests.model_double import Asked
    from tests.robot_doubles.served import answers

    return lambda number, body: answers(Asked(number, body)).text


def _prober(place: Place) -> Behave:
    """Make a model that knows all but forgets an action of the second task and a goal of it."""
    import msgspec

    from episodes.dataset import read_dataset
    from server.research.probes.answers import PROBES
    from server.research.probes.problem import problem_of
    from server.simulators.household import HouseholdSimulator, HouseLibrary
    from tests.server.research.probes.knowing_model import right_answers
    from tests.server.sessions.first_house_sessions import core_of

    library = HouseLibrary(place.data)
    episodes = read_dataset(place.data / "tasks" / "first.json.gz")[:2]
    known = [
        right_answers(problem_of(e, HouseholdSimulator(library)), core_of(e)) for e in episodes
    ]

    def answer(number: int, body: dict[str, Any]) -> str:
        probe = PROBES[number // len(episodes)]
        said = json.loads(msgspec.json.encode(known[number % len(episodes)][probe]))
        if number % len(episodes) == 1 and probe in ("goals", "actions"):
            said[probe].pop()
        return json.dumps(said)

    return answer


# The wire: scripts with the numbers that a page would send


def _record_wire(root: Path, houses: Path) -> None:
    from episodes.dataset import write_dataset
    from tests.load.near_task import NEAR, near_task

    episode, reach = near_task()
    file = root / "near.json"
    write_dataset(file, [episode])
    store("wire/near_task.json", file.read_bytes())
    place = place_in(root / "script", houses)
    snapshot = _snapshot(adapter.Live(place.data, "numbers", "near", NEAR, ""))
    numbers = _numbers(snapshot)
    scripts = {
        "live": {
            "tasks": "near",
            "task": NEAR,
            "robot": "",
            "ticks": 600,
            "events": _by_tick(
                _live(numbers[reach.handle], numbers[reach.support.partition("|")[0]],
                      numbers[reach.furniture], list(reach.place_at), _beside(snapshot, HUMAN))
            ),
        },
        "beside_expert": {
            "tasks": "first",
            "task": "1",
            "robot": "expert",
            "ticks": 1500,
            "events": _by_tick(_beside_expert()),
        },
    }  # fmt: skip
    store("wire/scripts.json", json.dumps(scripts, ensure_ascii=False).encode())
    store("wire/given_messages.json", as_json(_given_messages()))


def _snapshot(live: adapter.Live) -> list[Any]:
    live.attach(1, None, "json")
    payloads = [payload for _ in range(2) for _, payload, _ in live.step()]
    live.close()
    snapshot: list[Any] = json.loads(zlib.decompress(next(p for p in payloads if p[0] == 0x78)))
    assert snapshot[0] == "snapshot"
    return snapshot


def _numbers(snapshot: list[Any]) -> dict[str, int]:
    """Return the number on the wire of everything in view, by handle."""
    templates, entities = snapshot[14], snapshot[15]
    return {
        f"{templates[template][0]}_:{instance:04d}": number
        for number, (template, instance, *_) in enumerate(entities)
        if template >= 0
    }


def _beside(snapshot: list[Any], seat: str) -> list[int]:
    """Return a point of the floor to the right of a body."""
    number = next(n for n, info in enumerate(snapshot[12]) if info[0] == seat)
    x, y, z, yaw = next(a[1:5] for a in snapshot[17] if a[0] == number)
    right = (math.cos(yaw / 1000), -math.sin(yaw / 1000))
    return [x + round(700 * right[0]), y, z + round(700 * right[1])]


def _by_tick(events: list[tuple[int, Event]]) -> dict[str, list[Event]]:
    found: dict[str, list[Event]] = {}
    for tick, event in sorted(events, key=lambda e: e[0]):
        found.setdefault(str(tick), []).append(event)
    return found


def _live(
    thing: int, support: int, door: int, at: list[int], floor: list[int]
) -> list[tuple[int, Event]]:
    """Two people and a watcher, who do something of everything."""
    human, robot, watcher, again = 1, 2, 3, 4
    aside = [at[0], at[1], at[2] + 9000]
    events: list[tuple[int, Event]] = [
        (0, ["attach", human, HUMAN]),
        (0, ["attach", robot, ROBOT]),
        (1, ["attach", watcher, None]),
        (2, ["send", human, ["ping", 1000, -1, 0, False]]),
        (2, ["send", robot, ["ping", 77, 12, -1]]),
        (3, ["send", watcher, ["ping", 5]]),
        (4, ["send", human, ["ready"]]),
        (5, ["send", robot, ["ready"]]),
        (10, ["send", human, ["s", thing, -1]]),
        (12, ["send", human, ["a", 1100, 1, "pick", thing]]),
        (14, ["send", human, ["d", 1150, 0, 0, 300, -250]]),
        (16, ["send", human, ["d", 1160, 0, 0, -200, 150]]),
        (18, ["send", human, ["d", 1170, 0, 0, 0, -300]]),
        (20, ["send", human, ["v", 7, at, 0, support]]),
        (22, ["send", human, ["v", 8, aside, 0]]),
        (25, ["send", human, ["p", 1200, 2, at, 0, support]]),
        (30, ["send", human, ["a", 1250, 3, "pick", thing, -1]]),
        (31, ["send", human, ["p", 1260, 4, aside, 0, -1]]),
        (32, ["send", human, ["p", 1265, 8, floor, 700, -1]]),
        (33, ["send", human, ["p", 1270, 5, at, -900, support]]),
        (35, ["send", human, ["say", "Ich räume auf, “ok”? 🙂 <b>&"]]),
        (38, ["send", robot, ["say", "I open it."]]),
        (39, ["send", watcher, ["say", "nobody hears this"]]),
        (40, ["send", robot, ["s", door, 0]]),
        (42, ["send", robot, ["a", 900, 1, "open", door]]),
        (46, ["send", robot, ["a", 910, 2, "open", door, 0]]),
        (50, ["send", robot, ["a", 920, 3, "pick", thing]]),
        (52, ["send", human, ["a", 1400, 6, "pick", 999999]]),
        (54, ["send", human, ["a", 1410, 7, "power_on", thing]]),
        (56, ["send", human, ["s", -1, -1]]),
        (58, ["send", robot, ["a", 930, 4, "close", door]]),
        (62, ["send", robot, ["a", 940, 5, "open", door]]),
        (64, ["send", robot, ["s", -1]]),
        (130, ["detach", robot]),
        (300, ["attach", again, ROBOT]),
        (305, ["send", again, ["ping", 2, 40, 0, False]]),
        (310, ["send", human, ["ping", 3000, 35, 0, True]]),
        (480, ["send", human, ["ping", 3100, 35, 0, False]]),
        (500, ["send", again, ["finish"]]),
        (520, ["send", again, ["finish", False]]),
        (540, ["send", human, ["finish", True]]),
        (560, ["send", again, ["finish", True]]),
    ]
    for n, tick in enumerate(range(70, 100, 3)):
        events.append((tick, ["send", human, ["d", 2000 + n, 900, -150, 600 + 120 * n, -100]]))
        events.append((tick, ["send", robot, ["d", 1000 + n, -400, 300, -40 * n, 50]]))
    events.append((100, ["send", human, ["d", 2100, 0, 0, 1800, 0]]))
    # The robot says no more: its body stops by itself.
    return events


def _beside_expert() -> list[tuple[int, Event]]:
    """Script a person who walks a little and talks, beside a robot that does the task."""
    human, watcher = 1, 2
    events: list[tuple[int, Event]] = [
        (0, ["attach", human, HUMAN]),
        (3, ["send", human, ["ready"]]),
        (40, ["attach", watcher, None]),
        (60, ["send", human, ["say", "You take the books."]]),
        (1300, ["send", human, ["finish"]]),
    ]
    for n, tick in enumerate(range(20, 80, 3)):
        events.append((tick, ["send", human, ["d", 100 * n, 700, 0, 90 * n, 0]]))
    events.append((80, ["send", human, ["d", 9000, 0, 0, 0, 0]]))
    return events


def _given_messages() -> dict[str, list[str]]:
    """Return a message of every kind, as JSON, with and without what may be left out at its end."""
    point = [1200, -3, 2**20]
    server: list[list[Any]] = [
        ["welcome", "ses_1", 0, 30, "1.0", 500, 30],
        ["welcome", "ses_1", -1, 30, "1.0", 500],
        ["preview", 3, True, "", point, [0, 1571, 0]],
        ["preview", 4, False, "There is no room.", point, [-1, 0, 3141]],
        ["pong", 2**53, 12],
        ["over", "epi_1", "success"],
        *(["notice", code, "Übrigens “ok” 🙂"] for code in (
            "reconnecting", "reconnected", "rate", "text_too_long", "server", "unrecorded",
            "recorded",
        )),
        ["f", 7],
        ["f", 8, [[0, 1, 2, 3, -4, 5]], [[3, point, [1, 2, 3]]], [[4, 0, 1571]], [[3, 1]],
         [[3, "is_clean", True]], [[1, "ready", False, 12, "walks"]],
         [["did", 8, 0, "pick", 3, -1, "", 9], ["no", "pick", 3, "reach", "Too far.", 10],
          ["said", 8, 1, "é"], ["phase", 8, "ended", "success"], ["limit", 8, 900, True],
          ["sel", 3, 0, [["pick", True, ""], ["open", False, "It has no door."]]]],
         [[5, [1, 2, 1, 0, point, [0, 0, 0], "cup"]]], [6],
         [["cup_1", "cup", "object", [0, 0, 0], point,
           [["door", "hinge", [0, 0, 0], [0, 1000, 0], 1571]], ["is_clean"], "x.glb"]]],
        ["f", 9, [], [], [], [], [], [], [["said", 9, 0, ""]]],
        ["snapshot", 1, "epi_1", "Do it.", "running", 0, 27000, "/assets", "houses/h/stage.glb",
         "cohabit", ["preview"], 1500,
         [["human_0", "human", True, "ready", False, 1500, 250, 1700, [0, 1600, 0], [0, 1000, -500],
           -1, ""]],
         [["kitchen_0", "kitchen", [0, 0, 4000, 0, 0, 4000]]],
         [["cup_1", "cup", "object", [0, 0, 0], point, [], [], ""]],
         [[0, 0, 1, -1, point, [0, 0, 0], ""], [-1, 0, 0, -1, [0, 0, 0], [0, 0, 0], ""]],
         [[[0, 0, 1, 1]]], [[0, 1, 0, 2, 3, 4]], [[0, 0, 5]], [[0, 0]], [[0, "is_clean", True]],
         [[1, 0, "hello"]], True],
    ]  # fmt: skip
    client: list[list[Any]] = [
        ["hello", "token", "tab", "1.0", True],
        ["hello", "token", "tab", "1.0"],
        ["d", 0, 1300, -200, 3141, -700],
        *(["a", 1, 2, verb, 3, -1] for verb in (
            "pick", "open", "close", "clean", "fill", "pour", "power_on", "power_off",
        )),
        ["a", 1, 2, "pick", 3],
        ["p", 1, 2, point, 0, -1],
        ["p", 1, 2, point, 0],
        ["v", 1, point, 0, 4],
        ["s", -1, -1],
        ["s", 3],
        ["say", "Hej då 🙂"],
        ["ready"],
        ["finish", False],
        ["finish"],
        ["ping", 1, -1, -1, False],
        ["ping", 1],
        ["stats", 10000, [60], [24, 31], [], 3, 1280, 720, True, 5200, 1, 2, 12],
        ["stats", 0],
    ]  # fmt: skip
    return {"server": [_compact(m) for m in server], "client": [_compact(m) for m in client]}


def _compact(message: list[Any]) -> str:
    return json.dumps(message, separators=(",", ":"), ensure_ascii=False)


if __name__ == "__main__":
    main()
