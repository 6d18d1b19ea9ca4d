"""Attacks of strangers on a server: one process that keeps one core busy with sending.

    python -m tests.load.stranger_attacks --port 8000 --attack pings --addresses 50 --seconds 5

It says hello only if it is given one. A socket that the server ends, or reads no more, is opened
again at once, as an attacker would. At the end it prints what it sent and what it was answered, as
JSON. `strangers` starts it.
"""

from __future__ import annotations

import argparse
import base64
import contextlib
import errno
import json
import os
import select
import socket
import struct
import time
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

FLOOD_BYTES = 64 * 1024
TAIL_BYTES = 256
"""Bytes kept of what a socket was told last: a close frame is among them."""
SOCKETS = 32
"""Sockets at once, unless there are more addresses."""
ROUND_S = 0.05
STUCK_S = 0.1
"""Seconds without anything sent after which a socket is given up for a new one."""
RESET = struct.pack("ii", 1, 0)
"""A linger of nothing: closing resets, so that no port is kept for a minute."""


class Attack(NamedTuple):
    """Behaviour of one socket: ``opening`` once, then (after the 101) ``unit`` for ever."""

    unit: bytes = b""
    """What is sent again and again, as much of it at once as `FLOOD_BYTES` hold."""
    first: bytes = b""
    """What is sent before the first unit."""
    opening: str = "upgrade"
    """``upgrade`` (a websocket's handshake), ``half`` (its beginning), ``body`` (of a form, all but
    its last byte), or nothing."""
    reads: bool = True
    at_once: int = FLOOD_BYTES
    sockets: int = SOCKETS
    closes: bool = False
    """Whether it closes a socket as soon as that is open (after the 101, if it asked for one)."""
    told: tuple[str, ...] = ()
    """What it is told by a server that holds: one of these at least."""
    least_s: float = 0.0
    """Seconds for which it has to go on until it is told that."""


def post(fields: str, body: bytes) -> bytes:
    """Return a form; ``fields`` say how long it is, or do not."""
    return f"POST /play/solo HTTP/1.1\r\nHost: {{host}}\r\n{fields}\r\n".encode() + body


def sized(kind: str, body: bytes) -> bytes:
    return post(f"Content-Type: {kind}\r\nContent-Length: {len(body)}\r\n", body)


CHUNKS = b"1\r\nx\r\n" * 60_000 + b"0\r\n\r\n"
FILES = b"".join(
    b'--x\r\nContent-Disposition: form-data; name="%d"; filename="x"\r\n\r\n\r\n' % number
    for number in range(900)
)


FORM = sized("application/x-www-form-urlencoded", b"&" * 65_536)


def frame(first: int, payload: bytes = b"") -> bytes:
    """Return a masked frame under 64 KiB; the mask is zero."""
    size = len(payload)
    length = bytes((0x80 | size,)) if size < 126 else b"\xfe" + size.to_bytes(2)
    return bytes((first,)) + length + bytes(4) + payload


ATTACKS = {
    "pings": Attack(frame(0x89), told=("close 4008",)),
    "unread": Attack(frame(0x89, b"x" * 125), reads=False, told=("close 4008",)),
    "pongs": Attack(frame(0x8A), told=("close 4008",)),
    "empty": Attack(frame(0x82), told=("close 4008",)),
    "messages": Attack(frame(0x82, b"\x96\xa1d" + bytes(5)), told=("close 4008",)),
    "fragments": Attack(frame(0x00), first=frame(0x02, b"x"), told=("close 4008",)),
    "half": Attack(b"a", opening="half", at_once=1, sockets=500, told=("HTTP 431", "HTTP 408")),
    "open-close": Attack(opening="", closes=True, told=("closed by us",)),
    "handshakes": Attack(closes=True, told=("HTTP 101",)),
    "pages": Attack(
        b"GET / HTTP/1.1\r\nHost: {host}\r\n\r\n", opening="", at_once=4096, told=("HTTP 200",)
    ),
    "chunks": Attack(
        post("Transfer-Encoding: chunked\r\n", CHUNKS), opening="", told=("HTTP 413",)
    ),
    # Refused at once where they are too much together; or when their time is up.
    "bodies": Attack(opening="body", sockets=500, told=("HTTP 429", "HTTP 408"), least_s=18.0),
    # A parser that forgives takes the second line for a field of its own.
    "hidden-chunks": Attack(
        post("X: x\nTransfer-Encoding: chunked\r\n", CHUNKS), opening="", told=("HTTP 400",)
    ),
    "files": Attack(
        sized("multipart/form-data; boundary=x", FILES + b"--x--\r\n"),
        opening="",
        told=("HTTP 415",),
    ),
    "fields": Attack(FORM, opening="", told=("HTTP 403",)),
    "burn": Attack(),
}
"""Attacks by name. ``burn`` sends nothing: it only keeps a core busy, for comparison."""


class Target(NamedTuple):
    """Server under attack. ``hello`` is a frame that each websocket begins with."""

    port: int
    path: str
    hello: bytes = b""

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    def opening(self, kind: str) -> bytes:
        if not kind:
            return b""
        if kind == "body":
            return FORM.replace(b"{host}", self.host.encode())[:-1]
        head = (
            f"GET {self.path} HTTP/1.1\r\nHost: {self.host}\r\nOrigin: http://{self.host}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Protocol: cohabit.1.msgpack\r\n"
        )
        if kind == "half":
            return f"{head}X-Padding: ".encode()
        key = base64.b64encode(os.urandom(16)).decode()
        return f"{head}Sec-WebSocket-Key: {key}\r\n\r\n".encode()


class Stranger:
    """Socket of an attack, from its connecting to its end."""

    def __init__(self, attack: Attack, target: Target, flood: memoryview, source: str) -> None:
        self._attack, self._flood = attack, flood
        self._first = target.hello + attack.first
        self._to_send: memoryview | None = memoryview(target.opening(attack.opening))
        self._at = 0
        self.waits = attack.opening == "upgrade"
        """Whether the server's 101 has not come yet."""
        self.tail = b""
        self.is_open = False
        self.sent = 0
        self.active_at = time.monotonic()
        self.socket = socket.socket()
        self.socket.setblocking(False)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.bind((source, 0))

    def connect(self, port: int) -> None:
        with contextlib.suppress(BlockingIOError):
            self.socket.connect(("127.0.0.1", port))

    def write(self) -> None:
        """Send once what is due. Raises OSError when the server has ended it."""
        if self._to_send is not None:
            if self._to_send:
                count = self.socket.send(self._to_send)
                self._to_send = self._to_send[count:]
            if not self._to_send:
                self._to_send = None
            return
        if self.waits or not self._flood:
            return
        count = self.socket.send(self._flood[self._at :])
        self.active_at = time.monotonic()
        self.sent += count
        self._at = (self._at + count) % len(self._flood)

    @property
    def may_write(self) -> bool:
        return self._to_send is not None or (bool(self._flood) and not self.waits)

    @property
    def is_flooding(self) -> bool:
        return bool(self._flood) and not self.waits

    def read(self, answers: Counter[str]) -> bool:
        """Read what there is; tell whether the socket is still open."""
        data = self.socket.recv(65536)
        if not data:
            return False
        if self.waits:
            data = self.tail + data
            head, end, rest = data.partition(b"\r\n\r\n")
            if not end:
                self.tail = data
                return True
            status = head[9:12].decode(errors="replace")
            answers[f"HTTP {status}"] += 1
            self.tail = rest[-TAIL_BYTES:]
            self.waits = False
            self._to_send = memoryview(self._first)
            return status == "101"
        if self._attack.opening != "upgrade":
            for part in data.split(b"HTTP/1.1 ")[1:]:
                answers[f"HTTP {part[:3].decode(errors='replace')}"] += 1
        self.tail = (self.tail + data)[-TAIL_BYTES:]
        return True

    def close_code(self) -> int | None:
        """Return the code of the close frame that came last; None if none came."""
        for at in range(len(self.tail) - 3):
            if self.tail[at] == 0x88 and self.tail[at + 1] == len(self.tail) - at - 2:
                return int.from_bytes(self.tail[at + 2 : at + 4])
        return None


class Assault:
    """An attack from several addresses, until its time is up."""

    def __init__(self, attack: Attack, target: Target, sources: list[str]) -> None:
        self._attack, self._target, self._sources = attack, target, sources
        unit = attack.unit.replace(b"{host}", target.host.encode())
        count = max(1, attack.at_once // len(unit)) if unit else 0
        self._flood, self._unit_bytes = memoryview(unit * count), max(len(unit), 1)
        self._poll = select.epoll()
        self._open: dict[int, Stranger] = {}
        self.answers: Counter[str] = Counter()
        self.connections = self.sent_bytes = 0

    def run(self, seconds: float) -> dict[str, object]:
        """Attack for so long; return what was sent and answered."""
        begun, cpu = time.monotonic(), time.process_time()
        looked_at = begun
        wanted = max(self._attack.sockets, len(self._sources))
        sources = self._in_turn()
        for _ in range(wanted):
            self._start(next(sources))
        while time.monotonic() - begun < seconds:
            for number, event in self._poll.poll(ROUND_S):
                stranger = self._open.get(number)
                if stranger is not None and not self._serve(stranger, event):
                    self._end(number, stranger)
            if time.monotonic() - looked_at > STUCK_S:
                looked_at = time.monotonic()
                self._give_up_stuck(looked_at)
            for _ in range(wanted - len(self._open)):
                self._start(next(sources))
        lasted = [s for s in self._open.values() if s.is_open]
        self.sent_bytes += sum(s.sent for s in lasted)
        self.answers["still open"] = len(lasted)
        elapsed = time.monotonic() - begun
        return {
            "core": round((time.process_time() - cpu) / elapsed, 2),
            "connections_s": round(self.connections / elapsed),
            "sent_s": round(self.sent_bytes / self._unit_bytes / elapsed),
            "answers": dict(sorted(self.answers.items())),
        }

    def _give_up_stuck(self, now: float) -> None:
        stuck = [
            (number, stranger)
            for number, stranger in self._open.items()
            if stranger.is_flooding and now - stranger.active_at > STUCK_S
        ]
        for number, stranger in stuck:
            with contextlib.suppress(OSError):
                while stranger.read(self.answers):
                    pass
            self._say_how_it_ended(stranger, True, "not read any more")
            self._end(number, stranger)

    def _in_turn(self) -> Iterator[str]:
        while True:
            yield from self._sources

    def _start(self, source: str) -> None:
        try:
            stranger = Stranger(self._attack, self._target, self._flood, source)
            stranger.connect(self._target.port)
        except OSError as error:
            # Ports or memory of this machine have run out for a moment.
            self.answers[errno.errorcode.get(error.errno or 0, "OSError")] += 1
            return
        self.connections += 1
        number = stranger.socket.fileno()
        self._open[number] = stranger
        self._poll.register(number, select.EPOLLIN | select.EPOLLOUT | select.EPOLLRDHUP)

    def _serve(self, stranger: Stranger, event: int) -> bool:
        """Do what a socket is ready for; tell whether it goes on."""
        try:
            if event & select.EPOLLOUT and not stranger.is_open:
                stranger.is_open = True
            ended = event & (select.EPOLLRDHUP | select.EPOLLHUP | select.EPOLLERR)
            awaits_head = stranger.waits
            if event & select.EPOLLIN and (self._attack.reads or awaits_head or ended):
                before = self.answers.total()
                # Told to go, it does not wait for the server's end of the connection.
                if not stranger.read(self.answers) or stranger.close_code() is not None:
                    return self._say_how_it_ended(stranger, self.answers.total() == before)
            elif ended:
                return self._say_how_it_ended(stranger, True)
            if self._attack.closes and not stranger.waits:
                self.answers["closed by us"] += 1
                return False
            if event & select.EPOLLOUT:
                stranger.write()
        except BlockingIOError:
            pass
        except OSError as error:
            with contextlib.suppress(OSError):
                while stranger.read(self.answers):
                    pass
            name = errno.errorcode.get(error.errno or 0, "OSError")
            self._say_how_it_ended(stranger, True, name)
            return False
        self._watch(stranger)
        return True

    def _watch(self, stranger: Stranger) -> None:
        wanted = select.EPOLLRDHUP
        if self._attack.reads or stranger.waits:
            wanted |= select.EPOLLIN
        if stranger.may_write or not stranger.is_open:
            wanted |= select.EPOLLOUT
        self._poll.modify(stranger.socket.fileno(), wanted)

    def _say_how_it_ended(self, stranger: Stranger, untold: bool, how: str = "cut") -> bool:
        code = stranger.close_code()
        if code is not None:
            self.answers[f"close {code}"] += 1
        elif untold:
            self.answers[how] += 1
        return False

    def _end(self, number: int, stranger: Stranger) -> None:
        self.sent_bytes += stranger.sent
        del self._open[number]
        self._poll.unregister(number)
        stranger.socket.close()


def burn(seconds: float) -> dict[str, object]:
    """Keep a core busy and send nothing."""
    begun = time.monotonic()
    while time.monotonic() - begun < seconds:
        sum(range(1000))
    return {"core": 1.0, "connections_s": 0, "sent_s": 0, "answers": {}}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--path", default="/ws/play")
    parser.add_argument("--attack", choices=sorted(ATTACKS), required=True)
    parser.add_argument("--hello", default="", help="payload of a binary message, in hex")
    parser.add_argument("--addresses", type=int, default=1)
    parser.add_argument("--first-address", type=int, default=2, help="127.0.0.<this> and so on")
    parser.add_argument("--seconds", type=float, default=5.0)
    arguments = parser.parse_args()
    if arguments.attack == "burn":
        print(json.dumps(burn(arguments.seconds)))
        return
    hello = bytes.fromhex(arguments.hello)
    target = Target(arguments.port, arguments.path, frame(0x82, hello) if hello else b"")
    sources = [f"127.0.0.{arguments.first_address + n}" for n in range(arguments.addresses)]
    assault = Assault(ATTACKS[arguments.attack], target, sources)
    print(json.dumps(assault.run(arguments.seconds)))


if __name__ == "__main__":
    main()
