"""Files made anew, by stored name: `make_fixtures` wrote them once, and the tests compare.

Each function returns the files of one group. They use the `cohabit` command, and what `adapter`
takes from the inside.
"""

from __future__ import annotations

import gzip
import json
import re
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tests.server.compatibility import adapter
from tests.server.compatibility.begun_trials import begin
from tests.server.compatibility.earlier_tables import (
    without_latency,
    without_later_columns,
    without_later_lines,
    without_later_metrics,
    without_later_values,
)
from tests.server.compatibility.material import (
    Place,
    as_json,
    digests,
    lines,
    sha256,
    stored,
    unpack_recordings,
    without_measured,
)

Files = dict[str, bytes]

ALONE = ("--processes", "1")
PASSIVE = "scripted:passive,helps_after_s=60,patience_s=900"
BY_MODEL = (
    "react", "react:partnr-decentralised", "react:partnr-tools", "react-rag:library=traces.json",
    "react-rag:partnr,retrieval=words,library=traces.json", "finetuned", "finetuned:partnr",
    "cohab", "helper", "llamar", "llamar:paper", "llamar-oracle", "llamar-oracle:paper",
)  # fmt: skip
MORE_BY_MODEL = (
    "react:partnr-decentralised-full", "llamar:suggests",
    "helper:helperx-p,retrieval=words", "helper:helperx-s,retrieval=words",
    "helper:helperx-p-questions,retrieval=words", "helper:helperx-s-questions,retrieval=words",
    "llamar:paper-actor",
)  # fmt: skip
"""Slower ones, and those that differ little from another."""
PEOPLE = ("react", "cohab", "helper", "finetuned")
BOTH = ("react:partnr-centralised", "llamar:paper-centralised")
"""One mind for both seats."""
MORE_BOTH = (
    "react:partnr-centralised-full", "llamar:paper-actor-centralised",
    "llamar-oracle:paper-centralised",
)  # fmt: skip
Trials = dict[str, tuple[str, ...]]


def _by_robots(names: Sequence[str]) -> tuple[str, ...]:
    robots = (word for name in names for word in ("--robot", name))
    return (*robots, "--partner", PASSIVE, "--count", "1")


def _by_both(names: Sequence[str]) -> Trials:
    return {name: ("--robot", name, "--partner", name, "--count", "1") for name in names}


MODEL_TRIALS: Trials = {
    "robots": _by_robots(BY_MODEL),
    "people": (
        "--robot", "nobody", *(word for name in PEOPLE for word in ("--partner", name)),
        "--count", "1",
    ),
    **_by_both(BOTH),
}  # fmt: skip
"""The options of the trials in which models are asked, by name."""
MORE_MODEL_TRIALS: Trials = {"more_robots": _by_robots(MORE_BY_MODEL), **_by_both(MORE_BOTH)}
PROBE = ("--count", "2", "--output", "json")
CONVERSATIONS = (*MODEL_TRIALS, *MORE_MODEL_TRIALS, "probe")

Behave = Callable[[int, dict[str, Any]], str]


# Trials


def plain_trials(place: Place) -> Files:
    """Play without models: tables, what is kept beside them, and logs to the byte."""
    options = (
        "--robot", "expert", "--robot", "nobody",
        "--partner", "scripted", "--partner", "scripted:erring", "--count", "2",
    )  # fmt: skip
    begin(place, "plain", options)
    made = place.cohabit("trial", "plain", *ALONE, "--by-type", "--output", "csv")
    again = place.cohabit("trial", "plain", "--by-type", "--output", "json")
    table = place.cohabit("trial", "plain")
    expert = _log_of(place, "plain", "expert", "scripted:erring")
    (place.folder / "played.jsonl").write_bytes(expert)
    others = {
        "fifth": "random scripted:slow --tasks fifth",
        "partnr": "expert scripted:contrary --count 1 --profile partnr --seed 3",
        "ghost": "ghost:recording=played.jsonl scripted:passive --count 1",
    }
    for trial, words in others.items():
        robot, partner, *more = words.split()
        begin(place, trial, ("--robot", robot, "--partner", partner, *more))
        place.cohabit("trial", trial, *ALONE)
    logs = {t: _logs(place, t) for t in ("plain", *others)}
    return {
        "trials/plain.csv": without_later_columns(made.out),
        "trials/plain.json": without_later_values(again.out),
        "trials/plain.txt": table.out.encode(),
        "trials/plain_spec.json": (place.folder / "plain" / "trial.json").read_bytes(),
        "trials/plain_logs.sha256": lines(
            f"{sha256(log)}  {' beside '.join(_played(log)[:2])} at {_played(log)[2]}  {t}/{name}"
            for t, found in logs.items()
            for name, log in found
        ),
        "recordings/expert.jsonl": expert,
        "recordings/failed.jsonl": _log_of(place, "fifth", "random", "scripted:slow"),
    }


def _logs(place: Place, trial: str) -> list[tuple[str, bytes]]:
    found = sorted((place.folder / trial / "recordings").iterdir())
    return [(file.name, file.read_bytes()) for file in found]


def _log_of(place: Place, trial: str, robot: str, partner: str) -> bytes:
    """Return the log of a trial in which these two play, of its first task."""
    found = [log for _, log in _logs(place, trial) if _played(log)[:2] == (robot, partner)]
    return min(found, key=lambda log: _played(log)[2])


def _played(log: bytes) -> tuple[str, str, str]:
    """Return who played in a log, and what."""
    header = json.loads(log.partition(b"\n")[0])
    policies = {s["seat"]["kind"]: s.get("policy", "") for s in header["spec"]["seats"]}
    return (
        policies["robot"] or "nobody",
        policies["human"] or "nobody",
        header["episode_spec"]["task_id"],
    )


def model_trials(
    place: Place, trials: Trials, kept_as: str, behaviour: Callable[[str], Behave]
) -> Files:
    """Play with models that answer as they are told.

    What comes of it: tables, calls by policy, logs, and every request as it was sent.
    """
    calls: dict[str, list[str]] = {}
    logs: dict[str, str] = {}
    requests: list[str] = []
    files: Files = {}
    (place.folder / "traces.json").write_bytes(stored("exports/traces.json"))
    for trial, options in trials.items():
        bodies: list[dict[str, Any]] = []
        with adapter.model_server(_noted(behaviour(trial), bodies)) as url:
            folder = re.sub(r"\W", "_", trial)
            begin(place, folder, options)
            table = place.cohabit("trial", folder, *ALONE, "--output", "csv", COHABIT_MODEL_URL=url)
        files[f"trials/{folder}.csv"] = without_latency(table.out)
        requests += [f"{trial} {n} {_body(b).decode()}" for n, b in enumerate(bodies)]
        for _, log in _logs(place, folder):
            robot, human, task = _played(log)
            key = f"{robot} beside {human} at {task}"
            calls[key] = _calls(log)
            logs[key] = sha256(without_measured(log))
            if (robot, human) == ("react", PASSIVE):
                files["recordings/react.jsonl"] = log
    return {
        **files,
        f"prompts/{kept_as}calls.json": as_json(dict(sorted(calls.items()))),
        f"prompts/{kept_as}logs.json": as_json(dict(sorted(logs.items()))),
        f"prompts/{kept_as}requests.txt": lines(requests),
    }


def _noted(behave: Behave, bodies: list[dict[str, Any]]) -> Behave:
    def answer(number: int, body: dict[str, Any]) -> str:
        bodies.append(body)
        return behave(number, body)

    return answer


def _body(body: dict[str, Any]) -> bytes:
    return json.dumps(body, ensure_ascii=False).encode()


def _calls(log: bytes) -> list[str]:
    """Return a line for each model call of a log: when, what for, digests of what was sent."""
    found = []
    for raw in log.splitlines():
        if raw.startswith(b'{"type":"model_call"'):
            call = json.loads(raw)["call"]
            found.append(
                f"{call['asked_tick']} {call['seat']} {call['purpose']} prompt "
                f"{call['prompt_sha256']} grammar {call['grammar_sha256'] or '-'} "
                f"{call['parsed']!r} {call['error']!r}"
            )
    return found


def stored_behaviour(conversation: str) -> Behave:
    """Return a model that answers as it did when the stored files were made.

    It does so whatever it is asked; beyond the end it says nothing that can be read.
    """
    answers = json.loads(stored("prompts/answers.json"))[conversation]

    def answer(number: int, _body: dict[str, Any]) -> str:
        return str(answers[number]) if number < len(answers) else "(no more answers)"

    return answer


def probes(place: Place, behave: Behave) -> Files:
    """Probe a model: the figures, and every question as it was sent."""
    bodies: list[dict[str, Any]] = []
    with adapter.model_server(_noted(behave, bodies)) as url:
        # One question after the other: only then is their order that of the stored answers.
        one = place._replace(env={"COHABIT_MODEL_URL": url, "COHABIT_MODEL_CONCURRENCY": "1"})
        told = one.cohabit("robots", "probe", "probe", *PROBE)
        table = one.cohabit("robots", "probe", "probe", "--count", "2")
    questions = (f"{n} {_body(body).decode()}" for n, body in enumerate(bodies))
    return {
        "probes/figures.json": told.out.encode(),
        "probes/figures.txt": table.out.encode(),
        "probes/spec.json": (place.folder / "probe" / "probe.json").read_bytes(),
        "probes/answers.jsonl": without_measured(
            (place.folder / "probe" / "answers.jsonl").read_bytes()
        ),
        "probes/requests.txt": lines(questions),
    }


# What is read of stored recordings


def scores(place: Place) -> Files:
    """Score and measure the stored recordings: verdicts, tables and printed text."""
    logs = unpack_recordings(place.folder / "stored_recordings")
    options = ("--explain", "--errors", "--data-dir", place.data)
    printed = place.cohabit("score", logs, *options, "--out", "verdicts.jsonl")
    other = place.cohabit(
        "score", logs, "--semantics", "released", "--diff", "online", "--data-dir", place.data
    )
    metrics = place.cohabit("metrics", logs, "--csv", "m.csv", "--data-dir", place.data)
    read = {file.name: _read(file) for file in sorted(logs.iterdir())}
    return {
        "scores/score.txt": printed.out.encode(),
        "scores/verdicts.jsonl": (place.folder / "verdicts.jsonl").read_bytes(),
        "scores/released.txt": other.out.encode(),
        "scores/metrics.txt": without_later_lines(metrics.out),
        "scores/metrics.csv": without_later_metrics((place.folder / "m.csv").read_text()),
        "scores/folded.json": as_json({name: adapter.folded(log) for name, log in read.items()}),
        "scores/resumed.json": as_json(
            {name: _resumed(place, name, log) for name, log in read.items()}
        ),
        **{
            f"scores/pictures_{file.name.partition('.')[0]}.json": adapter.pictures_of(
                file, _episode_id(read[file.name]), place.data
            )
            for file in sorted(logs.iterdir())
        },
    }


def _read(file: Path) -> bytes:
    return gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()


def _episode_id(log: bytes) -> str:
    return str(json.loads(log.partition(b"\n")[0])["episode_spec"]["episode_id"])


def _resumed(place: Place, name: str, log: bytes) -> dict[str, Any]:
    """Resume a session whose log breaks off in the middle of a line; return where it goes on."""
    torn = place.folder / f"torn_{name.partition('.')[0]}.jsonl"
    torn.write_bytes(log[: len(log) * 2 // 3])
    return adapter.resumed(torn, place.data)


def training(place: Place) -> Files:
    """Export what models learn from, out of the stored recordings."""
    logs = unpack_recordings(place.folder / "training_recordings")
    place.cohabit(
        "robots", "export-sft", logs, "--out", "sft.jsonl", "--percent", "0.2", "--to-the-end",
        "--data-dir", place.data,
    )  # fmt: skip
    place.cohabit("robots", "traces", logs, "--policy", "react", "--out", "new_traces.json")
    return {
        "exports/sft.jsonl": (place.folder / "sft.jsonl").read_bytes(),
        "exports/traces.json": (place.folder / "new_traces.json").read_bytes(),
    }


# Exports of houses and tasks


def houses(place: Place) -> Files:
    """Tell, draw and export the house and its first tasks."""
    (house,) = (f.parent.name for f in (place.data / "houses").glob("*/scene.json"))
    words = ("--data-dir", place.data)
    place.cohabit("houses", "show", house, "--out", "plan.svg", *words)
    place.cohabit(
        "houses", "show", house, "--task", "6", "--out", "task.svg", "--width", "500", *words
    )
    listed = place.cohabit("houses", "list", *words)
    compared = place.cohabit("houses", "compare", *words)
    exported = place.folder / "habitat"
    tasks = ("--tasks", "first", "--tasks", "near")
    told = place.cohabit("houses", "export", "--habitat", exported, *tasks, *words)
    built = [d for d in digests(place.houses).decode().splitlines() if _is_built(d)]
    return {
        "exports/house.sha256": lines(built),
        "exports/house_list.txt": listed.out.encode(),
        "exports/house_compare.txt": compared.out.encode(),
        "exports/plan.svg": (place.folder / "plan.svg").read_bytes(),
        "exports/task.svg": (place.folder / "task.svg").read_bytes(),
        "exports/habitat.sha256": digests(exported, {str(exported): "FOLDER"}),
        "exports/habitat.txt": told.out.replace(str(exported), "FOLDER").encode(),
        "exports/first_tasks.json": gzip.decompress(
            (place.houses / "tasks" / "first.json.gz").read_bytes()
        ),
    }


def _is_built(digest: str) -> bool:
    """Tell whether a line is about what a build writes: others may keep more in the folder."""
    return re.search(r"  (catalogue|houses|tasks)/", digest) is not None


def tasks(place: Place) -> Files:
    """Build a tiny set of tasks, and tell of it."""
    data = place.folder / "tasks_data"
    words = ("--data-dir", data)
    place.cohabit("tasks", "build", "validation", "--count", "1", "--processes", "1", *words)
    record = json.loads((data / "tasks" / "validation.record.json").read_bytes())
    assert record.pop("cpu_s") > 0
    report = place.cohabit("tasks", "report", "validation", *words).out
    timed = re.compile(r"; \d+ s of CPU in all")
    assert timed.search(report)
    shown = place.cohabit("tasks", "show", "validation", "1", *words).out
    return {
        "exports/tasks.json": gzip.decompress((data / "tasks" / "validation.json.gz").read_bytes()),
        "exports/tasks_record.json": as_json(record),
        "exports/tasks_houses.sha256": digests(data / "houses"),
        "exports/tasks_report.txt": timed.sub("", report).encode(),
        "exports/tasks_told.txt": shown.encode(),
    }


# The wire


def wire(place: Place) -> Files:
    """Run the stored scripts as live sessions.

    What comes of it: all that every connection is sent, with both codecs, and the log.
    """
    scripts = json.loads(stored("wire/scripts.json"))
    files: Files = {}
    for name, script in scripts.items():
        logs = set()
        for codec in adapter.CODEC_NAMES:
            sent, log = play(place.data, name, script, codec)
            logs.add(log)
            files[f"wire/{name}_{codec}.txt"] = lines(sent)
        (log,) = logs
        files[f"recordings/{name}.jsonl"] = log
    return files


def play(data: Path, name: str, script: dict[str, Any], codec: str) -> tuple[list[str], bytes]:
    """Play a script: a line for each message that a connection is sent, and the log.

    A line has the tick, the connection, whether it came compressed, and the message: its text, or
    its bytes in hex.
    """
    live = adapter.Live(data, name, script["tasks"], script["task"], script["robot"])
    sent: list[str] = []
    for tick in range(script["ticks"]):
        for event in script["events"].get(str(tick), ()):
            match event:
                case ["attach", int(connection), seat]:
                    live.attach(connection, seat, codec)
                case ["detach", int(connection)]:
                    live.detach(connection)
                case ["send", int(connection), list(message)]:
                    live.receive(connection, message, codec)
                case _:
                    raise AssertionError(f"not an event of a script: {event}")
        for connections, payload, is_binary in live.step():
            told = _message(payload, is_binary, codec)
            sent += [f"{live.tick} {connection} {told}" for connection in connections]
    return sent, live.close()


def _message(payload: bytes, is_binary: bool, codec: str) -> str:
    compressed = payload[:1] == b"\x78"
    assert is_binary == (compressed or codec == "msgpack")
    # How zlib packs depends on its version: what is compared is what was packed.
    plain = zlib.decompress(payload) if compressed else payload
    text = plain.hex() if codec == "msgpack" else plain.decode()
    return f"{'compressed' if compressed else 'plain'} {text}"


def messages(_place: Place) -> Files:
    """Read a message of every kind, and write it with both codecs."""
    given = json.loads(stored("wire/given_messages.json"))
    written = {
        sender: [{"given": text, **adapter.read_and_write(text, sender)} for text in given[sender]]
        for sender in ("server", "client")
    }
    return {
        "wire/written_messages.json": as_json(written),
        "wire/numbers.json": as_json(adapter.numbers_of_the_protocol()),
    }


GROUPS: dict[str, Callable[[Place], Files]] = {
    "wire": wire,
    "messages": messages,
    "plain_trials": plain_trials,
    "model_trials": lambda place: model_trials(place, MODEL_TRIALS, "", stored_behaviour),
    "more_model_trials": lambda place: model_trials(
        place, MORE_MODEL_TRIALS, "more_", stored_behaviour
    ),
    "probes": lambda place: probes(place, stored_behaviour("probe")),
    "training": training,
    "scores": scores,
    "houses": houses,
    "tasks": tasks,
}
"""In an order in which each has what it reads."""
