"""Hostile messages to a server, from one process: what came of each, counted.

    python -m tests.load.fuzz_sender --url http://127.0.0.1:8000 --seed 1 --count 10000

It prints the counts as JSON. `fuzz` starts it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
from collections.abc import Awaitable, Callable, Mapping

import httpx

from tests.load.fuzz_requests import RequestFuzz
from tests.load.fuzz_sockets import SocketFuzz
from tests.load.fuzz_tally import Tally

VISITORS = 4
"""Visitors at once: each has a session of its own."""
SHARES: Mapping[str, int] = {
    "play": 6, "watch": 2, "lobby": 3, "frames": 4, "form": 8, "query": 10,
}  # fmt: skip
"""Connections of each kind, in proportion; those of the first three send several messages."""


async def send(url: str, seed: int, count: int) -> Tally:
    """Send about so many messages; what is sent depends on the seed alone."""
    tally = Tally()

    async def visit(number: int) -> None:
        rng = random.Random(f"{seed} {number}")
        sockets, requests = SocketFuzz(url, tally, rng), RequestFuzz(url, tally, rng)
        kinds: dict[str, Callable[[], Awaitable[None]]] = {
            "play": lambda: sockets.session(watches=False),
            "watch": lambda: sockets.session(watches=True),
            "lobby": sockets.lobby,
            "frames": sockets.frames,
            "form": requests.form,
            "query": requests.query,
        }
        try:
            while tally.messages < count:
                kind = rng.choices(list(SHARES), list(SHARES.values()))[0]
                try:
                    await kinds[kind]()
                except (OSError, httpx.HTTPError, AssertionError, KeyError, RuntimeError) as error:
                    # Neither an answer nor a close: what no honest visitor may meet, either.
                    tally.surprise(kind, type(error).__name__, error)
        finally:
            await sockets.close()
            await requests.close()

    await asyncio.gather(*(visit(number) for number in range(VISITORS)))
    return tally


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--url", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=1000)
    arguments = parser.parse_args()
    tally = asyncio.run(send(arguments.url, arguments.seed, arguments.count))
    print(json.dumps(tally.told()))


if __name__ == "__main__":
    main()
