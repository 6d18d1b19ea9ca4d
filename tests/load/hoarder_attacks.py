"""Attacks of hoarders: one process that sends forms as fast as it can, and opens no socket.

    python -m tests.load.hoarder_attacks --port 8000 --attack forms --addresses 50 --seconds 5

At the end it prints what it was answered, as JSON. `hoarder` starts it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import time
from collections import Counter
from collections.abc import Awaitable, Callable

import httpx

from tests.server.web.doubles import Browser

AT_ONCE = 24
"""Visitors at once."""

Visit = Callable[[Browser], Awaitable[httpx.Response]]


async def _play(browser: Browser) -> httpx.Response:
    return await browser.press("/", "/play/solo")


async def _invite(browser: Browser) -> httpx.Response:
    return await browser.press("/", "/play/invite")


async def _wait(browser: Browser) -> httpx.Response:
    return await browser.press("/", "/play/person")


async def _churn(browser: Browser) -> httpx.Response:
    """Join and leave again, with one cookie, until that is refused."""
    while True:
        answer = await browser.press("/", "/play/person")
        if answer.status_code != 303:
            return answer
        lobby = answer.headers["location"]
        left = await browser.press(lobby, f"{lobby}/cancel")
        if left.status_code != 303:
            return left


ATTACKS: dict[str, Visit] = {
    "forms": _play,
    "invitations": _invite,
    "waiting": _wait,
    "churn": _churn,
}


class Hoarders:
    """Visitors of some addresses, each with a cookie of their own, who never open a socket."""

    def __init__(self, port: int, attack: str, addresses: int) -> None:
        self._origin = f"http://127.0.0.1:{port}"
        self._visit = ATTACKS[attack]
        self._addresses = [f"127.0.0.{n + 2}" for n in range(addresses)]
        self._answers: Counter[str] = Counter()

    async def run(self, seconds: float) -> dict[str, int]:
        """Attack for so long; return how often each answer came."""
        until = time.monotonic() + seconds
        await asyncio.gather(*(self._attack(n, until) for n in range(AT_ONCE)))
        return dict(self._answers)

    async def _attack(self, number: int, until: float) -> None:
        while time.monotonic() < until:
            address = self._addresses[number % len(self._addresses)]
            number += AT_ONCE
            transport = httpx.AsyncHTTPTransport(local_address=address)
            async with httpx.AsyncClient(
                transport=transport, base_url=self._origin, trust_env=False
            ) as client:
                try:
                    answer = await self._visit(Browser(client, self._origin))
                except (httpx.HTTPError, AssertionError) as error:
                    # A page instead of the form, or a connection that was not accepted.
                    self._answers[type(error).__name__] += 1
                    continue
            self._answers[_told(answer)] += 1


def _told(answer: httpx.Response) -> str:
    location: str = answer.headers.get("location", "")
    return f"{answer.status_code} {location.split('/')[1]}" if location else str(answer.status_code)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--attack", choices=ATTACKS, required=True)
    parser.add_argument("--addresses", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=5.0)
    arguments = parser.parse_args()
    hoarders = Hoarders(arguments.port, arguments.attack, arguments.addresses)
    print(json.dumps(asyncio.run(hoarders.run(arguments.seconds))))


if __name__ == "__main__":
    main()
