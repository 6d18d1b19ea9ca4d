"""A model server for tests: the OpenAI protocol on a real socket, and every way to get it wrong.

What it answers is decided by a function of the request, so that runs repeat exactly::

    with ModelDouble(lambda asked: Reply("Wait[]")) as double:
        ...  # COHABIT_MODEL_URL = double.url

As a process: ``python -m tests.model_double --port 8100 slow:10`` (see `named`).
"""

from __future__ import annotations

import argparse
import asyncio
import importlib
import json
import re
import sys
import threading
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import h11

End = Literal["stop", "hang-up", "cut-off", "never"]


@dataclass(frozen=True)
class Asked:
    """A completion request as it came."""

    number: int
    """From 0, in order of arrival."""
    body: dict[str, Any]

    @property
    def prompt(self) -> str:
        """All of it as one text."""
        if "messages" in self.body:
            return "\n".join(message["content"] for message in self.body["messages"])
        return str(self.body["prompt"])

    @property
    def last(self) -> str:
        """The last message, or the whole prompt."""
        return str(self.body["messages"][-1]["content"]) if "messages" in self.body else self.prompt

    @property
    def constraint(self) -> dict[str, Any]:
        return dict(self.body.get("structured_outputs") or {})


@dataclass(frozen=True)
class Reply:
    """An answer, and how it is given."""

    text: str = "ok"
    delay_s: float = 0.0
    """Before the first byte."""
    held: bool = False
    """Before the first byte, wait for `ModelDouble.release` too."""
    status: int = 200
    """Other than 200: an error with ``text`` as its message."""
    headers: dict[str, str] = field(default_factory=dict)
    raw: str | None = None
    """Sent as the body, as it stands, instead of an answer."""
    end: End = "stop"
    """``hang-up``: the connection is closed before a byte is sent; ``cut-off``: in the middle of
    the text; ``never``: the text comes again and again."""
    error_in_stream: bool = False
    usage: dict[str, int] | None = None
    """Instead of the true counts."""


Behaviour = Callable[[Asked], Reply]


class ModelDouble:
    """A server that runs in a thread of its own until the ``with`` block ends."""

    def __init__(
        self,
        behaviour: Behaviour | Reply | None = None,
        *,
        models: tuple[str, ...] = ("double",),
        port: int = 0,
        key: str = "",
        owned_by: str = "tests",
        version: str = "",
        root: str | None = None,
    ) -> None:
        """``port`` 0: any free one. ``key``: what requests must bear, if anything.

        ``version``: told as vLLM does, and its tokens, too. ``root``: where its models are from.
        """
        self.behave: Behaviour = (
            _always(behaviour) if isinstance(behaviour, Reply) else (behaviour or _always(Reply()))
        )
        self.models = models
        self.owned_by, self.version, self.root = owned_by, version, root
        self.asked: list[Asked] = []
        """All completion requests, in order of arrival."""
        self.dropped = 0
        """Answers that the other side did not wait for."""
        self.connections = 0
        """Number of connections that were opened."""
        self.running = 0
        self.most_running = 0
        self._key = key
        self._port = port
        self._changed = threading.Condition()
        self._loop = asyncio.new_event_loop()
        self._released = asyncio.Event()
        self._stopping = asyncio.Event()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}/v1"

    def __enter__(self) -> ModelDouble:
        self._thread.start()
        assert self._ready.wait(10)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._stopping.set)
        self._thread.join(10)

    def release(self) -> None:
        """Let held replies go, these and later ones."""
        self._loop.call_soon_threadsafe(self._released.set)

    def wait_until(self, is_so: Callable[[ModelDouble], bool], timeout_s: float = 20) -> None:
        """Wait until something about requests has come true; from any thread."""
        with self._changed:
            assert self._changed.wait_for(lambda: is_so(self), timeout_s)

    async def until(self, is_so: Callable[[ModelDouble], bool]) -> None:
        """`wait_until` for a running event loop."""
        await asyncio.to_thread(self.wait_until, is_so)

    # Serving

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._serve())
        self._loop.close()

    async def _serve(self) -> None:
        connections: set[asyncio.Task[None]] = set()

        async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            task = asyncio.current_task()
            assert task is not None
            connections.add(task)
            self.note(connections=1)
            try:
                await _Connection(self, reader, writer).serve()
            except (ConnectionError, h11.RemoteProtocolError, asyncio.CancelledError):
                pass
            finally:
                connections.discard(task)
                writer.close()

        server = await asyncio.start_server(connected, "127.0.0.1", self._port)
        self._port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await self._stopping.wait()
        server.close()
        for task in list(connections):
            task.cancel()
        await asyncio.gather(*connections, return_exceptions=True)

    def note(self, **changes: int) -> None:
        with self._changed:
            for name, by in changes.items():
                setattr(self, name, getattr(self, name) + by)
            self.most_running = max(self.most_running, self.running)
            self._changed.notify_all()

    def ask(self, body: dict[str, Any]) -> Reply:
        with self._changed:
            asked = Asked(len(self.asked), body)
            self.asked.append(asked)
            self._changed.notify_all()
        try:
            return self.behave(asked)
        except Exception as error:
            return Reply(f"the double cannot answer this: {error!r}", status=500)

    def accepts(self, authorization: str) -> bool:
        return not self._key or authorization == f"Bearer {self._key}"

    async def wait_for_release(self) -> None:
        await self._released.wait()


class _HungUpError(ConnectionError):
    """Error of this side: it closes the connection."""


class _Connection:
    """HTTP over one socket: one request after another."""

    def __init__(
        self, double: ModelDouble, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self.double, self.reader, self.writer = double, reader, writer
        self.http = h11.Connection(h11.SERVER)

    async def serve(self) -> None:
        while True:
            request = await self._event()
            if not isinstance(request, h11.Request):
                return
            body = b""
            while isinstance(event := await self._event(), h11.Data):
                body += event.data
            await self._answer(request, body)
            if self.http.our_state is not h11.DONE or self.http.their_state is not h11.DONE:
                return
            self.http.start_next_cycle()

    async def _event(self) -> Any:
        while (event := self.http.next_event()) is h11.NEED_DATA:
            self.http.receive_data(await self.reader.read(65536))
        return event

    async def _answer(self, request: h11.Request, body: bytes) -> None:
        path = request.target.decode().split("?")[0]
        headers = {name.decode(): value.decode() for name, value in request.headers}
        if path == "/health":
            await self._send(200, "", "text/plain")
        elif path == "/metrics":
            await self._send(200, self._metrics(), "text/plain")
        elif not self.double.accepts(headers.get("authorization", "")):
            await self._send(401, _error("Unauthorized", 401))
        elif path == "/v1/models":
            owner = self.double.owned_by
            card = {"object": "model", "owned_by": owner, "root": self.double.root}
            data = [{"id": model, **card} for model in self.double.models]
            await self._send(200, json.dumps({"object": "list", "data": data}))
        elif path == "/version" and self.double.version:
            await self._send(200, json.dumps({"version": self.double.version}))
        elif path == "/tokenize" and self.double.version:
            told = json.dumps(json.loads(body)["messages"]).encode()
            await self._send(200, json.dumps({"count": len(told), "tokens": list(told)}))
        elif path in {"/v1/chat/completions", "/v1/completions"}:
            await self._complete(json.loads(body), is_chat="chat" in path)
        else:
            await self._send(404, _error("Not Found", 404))

    async def _complete(self, body: dict[str, Any], *, is_chat: bool) -> None:
        reply = self.double.ask(body)
        self.double.note(running=1)
        gone = asyncio.create_task(self._gone())
        work = asyncio.create_task(self._reply(reply, body, is_chat=is_chat))
        try:
            await asyncio.wait({gone, work}, return_when=asyncio.FIRST_COMPLETED)
            if gone.done() and gone.result():
                # Not gone: it sends its next request already.
                self.http.receive_data(gone.result())
                await work
            if not work.done():
                raise ConnectionResetError
            work.result()
        except _HungUpError:
            raise
        except ConnectionError:
            self.double.note(dropped=1)
            raise
        finally:
            gone.cancel()
            work.cancel()
            await asyncio.gather(gone, work, return_exceptions=True)
            self.double.note(running=-1)

    async def _gone(self) -> bytes:
        """Return nothing once the other side has closed, or the beginning of what it sends."""
        return await self.reader.read(65536)

    async def _reply(self, reply: Reply, body: dict[str, Any], *, is_chat: bool) -> None:
        await asyncio.sleep(reply.delay_s)
        if reply.held:
            await self.double.wait_for_release()
        if reply.end == "hang-up":
            raise _HungUpError
        if reply.status != 200:
            await self._send(reply.status, _error(reply.text, reply.status), extra=reply.headers)
        elif reply.raw is not None:
            is_stream = bool(body.get("stream"))
            kind = "text/event-stream" if is_stream else "application/json"
            await self._send(200, reply.raw, kind)
        elif body.get("stream"):
            await self._stream(reply, body, is_chat=is_chat)
        else:
            await self._send(200, json.dumps(_whole(reply, body, is_chat=is_chat)))

    async def _stream(self, reply: Reply, body: dict[str, Any], *, is_chat: bool) -> None:
        self._begin(200, "text/event-stream", {"transfer-encoding": "chunked"})
        async for event in _events(reply, body, is_chat=is_chat):
            self._data(f"data: {event if isinstance(event, str) else json.dumps(event)}\n\n")
            await self.writer.drain()
        if reply.end == "cut-off":
            raise _HungUpError
        self.writer.write(self.http.send(h11.EndOfMessage()) or b"")
        await self.writer.drain()

    async def _send(
        self,
        status: int,
        text: str,
        kind: str = "application/json",
        extra: dict[str, str] | None = None,
    ) -> None:
        length = {"content-length": str(len(text.encode()))}
        self._begin(status, kind, {**length, **(extra or {})})
        self._data(text)
        self.writer.write(self.http.send(h11.EndOfMessage()) or b"")
        await self.writer.drain()

    def _begin(self, status: int, kind: str, headers: dict[str, str]) -> None:
        pairs = [*{"content-type": kind, **headers}.items()]
        self.writer.write(self.http.send(h11.Response(status_code=status, headers=pairs)) or b"")

    def _data(self, text: str) -> None:
        self.writer.write(self.http.send(h11.Data(data=text.encode())) or b"")

    def _metrics(self) -> str:
        label = f'{{model_name="{self.double.models[0]}"}}'
        return (
            f"vllm:num_requests_running{label} {self.double.running}\n"
            f"vllm:num_requests_waiting{label} 0\n"
            f"vllm:request_success_total{label} {len(self.double.asked)}\n"
        )


def tokens_of(text: str) -> list[str]:
    """Words with the space before them: what this server counts and streams."""
    return re.findall(r"\s*\S+|\s+$", text)


async def _events(
    reply: Reply, body: dict[str, Any], *, is_chat: bool
) -> AsyncIterator[dict[str, Any] | str]:
    pieces = tokens_of(reply.text)
    shown = pieces[: len(pieces) // 2] if reply.end == "cut-off" else pieces
    while True:
        for piece in shown:
            yield _chunk(body, _delta(piece, is_chat=is_chat))
        if reply.end != "never":
            break
        await asyncio.sleep(0.001)
    if reply.error_in_stream:
        yield _error(reply.text, 500)
        return
    if reply.end == "cut-off":
        return
    end = _delta("", is_chat=is_chat) | {"finish_reason": "stop"}
    yield _chunk(body, end)
    if (body.get("stream_options") or {}).get("include_usage"):
        yield _chunk(body, None) | {"usage": _usage(reply, body)}
    yield "[DONE]"


def _delta(text: str, *, is_chat: bool) -> dict[str, Any]:
    said = {"delta": {"role": "assistant", "content": text}} if is_chat else {"text": text}
    return {"index": 0, "finish_reason": None, **said}


def _chunk(body: dict[str, Any], choice: dict[str, Any] | None) -> dict[str, Any]:
    about = {"id": "cmpl-0", "created": 0, "model": body.get("model", "")}
    return {**about, "object": "chat.completion.chunk", "choices": [choice] if choice else []}


def _whole(reply: Reply, body: dict[str, Any], *, is_chat: bool) -> dict[str, Any]:
    said: dict[str, Any] = {"index": 0, "finish_reason": "stop"}
    if is_chat:
        said["message"] = {"role": "assistant", "content": reply.text}
    else:
        said["text"] = reply.text
    return {**_chunk(body, said), "object": "chat.completion", "usage": _usage(reply, body)}


def _usage(reply: Reply, body: dict[str, Any]) -> dict[str, int]:
    if reply.usage is not None:
        return reply.usage
    prompt, said = len(tokens_of(Asked(0, body).prompt)), len(tokens_of(reply.text))
    return {"prompt_tokens": prompt, "completion_tokens": said, "total_tokens": prompt + said}


def _error(message: str, status: int) -> str:
    return json.dumps({"error": {"message": message, "type": "error", "code": status}})


def _always(reply: Reply) -> Behaviour:
    return lambda _asked: reply


def named(text: str) -> Behaviour:
    """Look up a behaviour by its name.

    There are ``slow:SECONDS``, ``endless``, ``garbage``, ``429``, ``500``, ``hang-up``,
    ``cut-off``, ``lies``, ``says:TEXT``, ``script:FILE`` (a JSON list of answers, one after the
    other), and ``module:function`` of an `Asked`.
    """
    name, _, argument = text.partition(":")
    simple = {
        "endless": Reply("again ", end="never"),
        "garbage": Reply(raw="<html>502 Bad Gateway</html>"),
        "429": Reply("too many requests", status=429, headers={"retry-after": "1"}),
        "500": Reply("the engine is dead", status=500),
        "hang-up": Reply(end="hang-up"),
        "cut-off": Reply("this is only the first", end="cut-off"),
        "lies": Reply(usage={"prompt_tokens": -5, "completion_tokens": 10**9, "total_tokens": 0}),
        "says": Reply(argument),
    }
    if name in simple:
        return _always(simple[name])
    if name == "slow":
        return _always(Reply(delay_s=float(argument)))
    if name == "script":
        answers = json.loads(Path(argument).read_text())
        return lambda asked: Reply(answers[asked.number % len(answers)])
    if not argument:
        raise ValueError(f"no behaviour is named {text!r}; see tests.model_double.named")
    behaviour: Behaviour = getattr(importlib.import_module(name), argument)
    return behaviour


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("behaviour")
    options = parser.parse_args()
    behaviour = named(options.behaviour)
    module = sys.modules.get(options.behaviour.partition(":")[0])
    # What a trial takes for the model: other doubles, or other errors, are another one.
    owner = getattr(module, "owned_by", lambda: "tests")()
    with ModelDouble(behaviour, port=options.port, owned_by=owner) as double:
        print(f"COHABIT_MODEL_URL={double.url}", flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    main()
