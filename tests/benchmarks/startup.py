"""The starting time of commands: time of their help, and the imports that cost most.

    python -m tests.benchmarks.startup [TIMES]

Runs every help TIMES times (7) and prints the fastest, because other work on the machine can only
make it slower; the processor time is what a busy machine disturbs least.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time

COMMANDS: tuple[tuple[str, ...], ...] = (
    (),
    ("serve",),
    ("doctor",),
    ("houses",),
    ("houses", "show"),
    ("tasks",),
    ("tasks", "show"),
    ("robots",),
    ("robots", "check"),
    ("habitat",),
    ("score",),
    ("metrics",),
    ("trial",),
)
HEAVY = ("pydantic", "numpy", "shapely", "sqlalchemy", "httpx", "fastapi", "networkx")
SHOWN_IMPORTS = 12


def main() -> None:
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    print(f"{'':28}  wall s  cpu s")
    print(f"{'python alone':28}  {_cost(times, '-c', 'pass')}")
    for command in COMMANDS:
        cost = _cost(times, "-m", "server.cli", *command, "--help")
        names = {name.partition(".")[0] for name, _ in _imports(command)}
        heavy = ", ".join(name for name in HEAVY if name in names) or "nothing heavy"
        print(f"{' '.join(('cohabit', *command, '--help')):28}  {cost}  {heavy}")
    print("\nimports of `cohabit --help` that cost most, each with what it imports itself:")
    for name, cost_us in sorted(_imports(()), key=lambda i: -i[1])[:SHOWN_IMPORTS]:
        print(f"{name:36} {cost_us / 1000:6.1f} ms")


def _cost(times: int, *arguments: str) -> str:
    """Return the least wall and processor time (s) of a Python process, as a row of the table."""
    wall_s, cpu_s = [], []
    for _ in range(times):
        before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        subprocess.run([sys.executable, *arguments], capture_output=True, check=True)
        wall_s.append(time.perf_counter() - began)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu_s.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return f"{min(wall_s):6.2f} {min(cpu_s):6.2f}"


def _imports(command: tuple[str, ...]) -> list[tuple[str, int]]:
    """Return the modules that a help imports, each with its cumulative time in microseconds."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "server.cli", *command, "--help"],
        capture_output=True,
        text=True,
        check=True,
    )
    found = []
    for line in done.stderr.splitlines():
        cells = line.removeprefix("import time:").split("|")
        if len(cells) == 3 and cells[1].strip().isdigit():
            found.append((cells[2].strip(), int(cells[1])))
    return found


if __name__ == "__main__":
    main()
