"""A real server asked in strange ways: by foreign names, by proxies, and by who guesses."""

from __future__ import annotations

import http.client
import os
import re
import socket
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import httpx
import pytest
import websockets.sync.client
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin

from server.web.guess_limits import GROUP_GUESSES
from tests.server.faults.conftest import StartNearServer
from tests.server.web.doubles import write_client

pytestmark = pytest.mark.processes

PASSWORD = "open sesame, please, and let nobody else in"


def status_of(port: int, request: str, address: str = "127.0.0.1") -> tuple[int, str]:
    """Send the bytes of a request as they are; return the status and the answer."""
    with socket.create_connection((address, port), timeout=30) as connection:
        connection.sendall(request.replace("\n", "\r\n").encode("latin-1"))
        answer = http.client.HTTPResponse(connection)
        answer.begin()
        return answer.status, answer.read().decode()


def test_requests_as_they_come_over_the_wire(near_server: StartNearServer) -> None:
    server = near_server()
    end = "\nConnection: close\n\n"
    own, foreign = f"Host: 127.0.0.1:{server.port}", "Host: evil.example"
    for request, expected in {
        f"GET / HTTP/1.1\n{own}{end}": 200,
        f"GET / HTTP/1.1\nHost: LOCALHOST.{end}": 200,
        f"GET / HTTP/1.1\n{foreign}{end}": 421,
        f"GET / HTTP/1.1\nHost: evil.localhost{end}": 421,
        f"GET / HTTP/1.1\nHost: user@127.0.0.1{end}": 400,
        f"GET / HTTP/1.1\nHost: <script>alert(1)</script>{end}": 400,
        f"GET / HTTP/1.1{end}": 400,
        f"GET / HTTP/1.1\n{own}\n{foreign}{end}": 400,
        f"GET / HTTP/1.1\n{own}\n{own}{end}": 400,
        "GET / HTTP/1.0\n\n": 400,
        f"GET http://evil.example/ HTTP/1.1\n{own}{end}": 400,
        f"GET http://evil.example/healthz HTTP/1.1\n{own}{end}": 400,
        f"OPTIONS * HTTP/1.1\n{own}{end}": 400,
        # Load balancers, the old ones among them.
        f"GET /healthz HTTP/1.1\n{foreign}{end}": 200,
        "GET /healthz HTTP/1.0\n\n": 200,
        f"GET /readyz HTTP/1.1\n{foreign}{end}": 200,
        f"GET /metrics HTTP/1.1\n{foreign}{end}": 421,
        # Operators of this machine, and what comes past a proxy on it.
        f"GET /operator HTTP/1.1\n{own}\nConnection: keep-alive\n\n": 200,
        f"GET /operator HTTP/1.1\n{own}\n\n": 200,
        f"GET /operator HTTP/1.1\n{own}{end}": 403,
        f"GET /operator HTTP/1.0\n{own}\n\n": 403,
        f"GET /operator HTTP/1.1\n{own}\nCf-Ray: 1\n\n": 403,
        f"GET /metrics HTTP/1.1\n{own}\nX-Forwarded-For: 192.0.2.7\n\n": 403,
    }.items():
        status, answer = status_of(server.port, request)
        assert status == expected, request
        assert "<script>alert" not in answer


def test_websockets_of_foreign_hosts_are_told_421(near_server: StartNearServer) -> None:
    server = near_server()
    for path in ("/ws/play", "/ws/watch", "/ws/lobby"):
        for host, origin, expected in (
            ("evil.example", "http://evil.example", 421),
            ("user@localhost", "http://localhost", 400),
            (f"127.0.0.1:{server.port}", "http://evil.example", 403),
        ):
            uri = f"ws://{host.rpartition('@')[2]}{path}"
            with (
                socket.create_connection(("127.0.0.1", server.port)) as connection,
                pytest.raises(InvalidStatus) as refused,
                websockets.sync.client.connect(
                    uri, sock=connection, origin=Origin(origin), additional_headers=extra(host, uri)
                ),
            ):
                pass
            # A second Host, which the client cannot leave away, is as bad as a malformed one.
            assert refused.value.response.status_code == expected, (path, host)
    assert "ERROR" not in server.output(), "a stranger writes no errors into the log"


def extra(host: str, uri: str) -> Mapping[str, str]:
    return {} if f"//{host}/" in uri else {"Host": host}


def test_all_interfaces_are_those_of_this_machine(near_server: StartNearServer) -> None:
    server = near_server(host="0.0.0.0")
    end = "\nConnection: close\n\n"
    for host, expected in {
        "127.0.0.1": 200,
        "localhost": 200,
        "10.99.99.99": 421,
        "lab-pc.local": 421,
        "0.0.0.0": 421,
    }.items():
        assert status_of(server.port, f"GET / HTTP/1.1\nHost: {host}{end}")[0] == expected
    shared = re.search(r"to share: +http://([\d.]+):", server.output())
    assert shared, server.output()
    request = f"GET / HTTP/1.1\nHost: {shared[1]}:{server.port}{end}"
    assert status_of(server.port, request, shared[1])[0] == 200


def test_the_link_for_operators(near_server: StartNearServer) -> None:
    server = near_server(host="0.0.0.0", arguments=["--operator-link"])
    printed = re.findall(r"http://[\d.]+:\d+(/operator)#once=([\w-]+)", server.output())
    ((path, secret),) = printed
    # Past a proxy, so that the address proves nothing.
    away = {"x-forwarded-for": "192.0.2.7"}
    with httpx.Client(base_url=server.url, headers=away, trust_env=False) as client:
        page = client.get(path)
        assert page.status_code == 403
        found = re.search(r'name="form_token" value="(\w+)"', page.text)
        assert found
        form = {"form_token": found[1], "password": secret}
        assert client.post("/operator/enter", data=form).status_code == 303
        assert client.get("/operator").status_code == 200
        client.cookies.delete("cohabit_operator")
        assert client.post("/operator/enter", data=form).status_code == 403
    assert server.output().count(secret) == 1, "where it was printed, and in no line of the log"


def test_guesses_at_a_real_server(near_server: StartNearServer) -> None:
    server = near_server(metrics_token=PASSWORD)
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    statuses = []
    for n in range(GROUP_GUESSES + 5):
        connection.request("GET", "/metrics", headers={"Authorization": f"Bearer {n}"})
        answer = connection.getresponse()
        statuses.append(answer.status)
        answer.read()
    connection.close()
    assert statuses == [403] * GROUP_GUESSES + [429] * 5
    assert PASSWORD not in server.output()


@pytest.mark.parametrize(
    ("prepare", "problem"),
    [
        ({"COHABIT_PUBLIC_URL": "https://h.org"}, "COHABIT_METRICS_TOKEN=$(openssl rand -hex 24)"),
        ({"COHABIT_ALLOWED_HOSTS": "http://lab"}, "'http://lab' is no host"),
        ({"key": "short"}, "has 5 characters, fewer than 32"),
        ({"key": ""}, "is empty"),
    ],
)
@pytest.mark.parametrize("command", ["serve", pytest.param("doctor", marks=pytest.mark.long)])
def test_neither_a_start_nor_a_clean_bill(
    tmp_path: Path, houses_dir: Path, prepare: dict[str, str], problem: str, command: str
) -> None:
    write_client(tmp_path / "client")
    data = tmp_path / "data"
    data.mkdir()
    for folder in ("catalogue", "houses", "tasks"):
        (data / folder).symlink_to(houses_dir / folder)
    if "key" in prepare:
        (data / "secret_key").write_text(prepare["key"])
        (data / "secret_key").chmod(0o600)
    env = {k: v for k, v in os.environ.items() if not k.startswith("COHABIT_")}
    env |= {k: v for k, v in prepare.items() if k != "key"}
    env |= {
        "COHABIT_DATA_DIR": str(data),
        "COHABIT_CLIENT_DIR": str(tmp_path / "client"),
        "COHABIT_PORT": "0",
    }
    done = subprocess.run(
        [sys.executable, "-m", "server.cli", command],
        env=env,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 1
    said = re.sub(r"\s+", " ", done.stdout + done.stderr)
    assert problem in said
    assert "Traceback" not in said
