"""Requests of this machine: what proxies and tunnels send by default is none."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.requests import HTTPConnection

from server.web.local_requests import is_local

CHROME = {
    "host": "localhost:8000",
    "connection": "keep-alive",
    "cache-control": "max-age=0",
    "sec-ch-ua": '"Chromium";v="140"',
    "sec-ch-ua-mobile": "?0",
    "sec-gpc": "1",
    "dnt": "1",
    "upgrade-insecure-requests": "1",
    "user-agent": "Mozilla/5.0",
    "accept": "text/html",
    "sec-fetch-site": "none",
    "accept-encoding": "gzip, deflate, br, zstd",
    "accept-language": "de,en",
    "cookie": "cohabit_form=x",
}
FIREFOX = {
    "host": "127.0.0.1:8000",
    "user-agent": "Mozilla/5.0",
    "accept": "text/html",
    "connection": "keep-alive",
    "referer": "http://127.0.0.1:8000/operator",
    "priority": "u=0, i",
    "pragma": "no-cache",
}
CURL = {"host": "[::1]:8000", "user-agent": "curl/8.5.0", "accept": "*/*"}
PROMETHEUS = {
    "host": "localhost:8000",
    "user-agent": "Prometheus/3.5",
    "accept": "text/plain",
    "accept-encoding": "gzip",
    "x-prometheus-scrape-timeout-seconds": "10",
}


def asked(
    headers: dict[str, str], peer: str | None = "127.0.0.1", http_version: str = "1.1"
) -> HTTPConnection:
    scope: dict[str, Any] = {
        "type": "http",
        "http_version": http_version,
        "client": (peer, 4000) if peer else None,
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }
    return HTTPConnection(scope)


@pytest.mark.parametrize("headers", [CHROME, FIREFOX, CURL, PROMETHEUS])
@pytest.mark.parametrize("peer", ["127.0.0.1", "::1", "127.9.9.9"])
def test_who_sits_at_this_machine(headers: dict[str, str], peer: str) -> None:
    assert is_local(asked(headers, peer))


@pytest.mark.parametrize("peer", ["192.168.1.7", "172.17.0.1", "fd00::1", "testclient", None])
def test_another_machine_is_not_local(peer: str | None) -> None:
    assert not is_local(asked(CHROME, peer))


@pytest.mark.parametrize(
    "host",
    [
        "homes.example.org",
        "evil.localhost",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "192.168.1.7:8000",
        "0.0.0.0:8000",
        "user@localhost",
        "",
    ],
)
def test_another_host_is_not_local(host: str) -> None:
    assert not is_local(asked({**CHROME, "host": host}))


PROXIES = {
    "nginx, as it comes": ({"connection": "close"}, "1.0"),
    "nginx with HTTP/1.1": ({"connection": "close"}, "1.1"),
    "nginx with websockets": ({"connection": "upgrade", "upgrade": ""}, "1.1"),
    "nginx, as it is usually set": ({"x-real-ip": "192.0.2.7"}, "1.1"),
    "Apache": ({"x-forwarded-host": "lab.example", "x-forwarded-server": "lab"}, "1.1"),
    "Caddy": ({"x-forwarded-for": "192.0.2.7", "via": "1.1 Caddy"}, "1.1"),
    "Traefik": ({"x-forwarded-port": "80"}, "1.1"),
    "Envoy": ({"x-envoy-expected-rq-timeout-ms": "15000", "x-request-id": "1"}, "1.1"),
    "RFC 7239": ({"forwarded": "for=192.0.2.7"}, "1.1"),
    "Squid": ({"via": "1.1 squid"}, "1.1"),
    "cloudflared": ({"cf-ray": "1", "cdn-loop": "cloudflare"}, "1.1"),
    "Cloudflare Enterprise, Akamai": ({"true-client-ip": "192.0.2.7"}, "1.1"),
    "ngrok": ({"x-forwarded-proto": "https"}, "1.1"),
    "Tailscale serve": ({"tailscale-user-login": "ann@example.org"}, "1.1"),
    "Tailscale funnel": ({"tailscale-ingress-target": "x"}, "1.1"),
    "Fly": ({"fly-client-ip": "192.0.2.7"}, "1.1"),
    "Heroku": ({"x-request-start": "1"}, "1.1"),
    "AWS": ({"x-amzn-trace-id": "Root=1"}, "1.1"),
    "Azure": ({"x-arr-log-id": "1"}, "1.1"),
    "Google": ({"x-cloud-trace-context": "1"}, "1.1"),
    "Fastly": ({"fastly-client-ip": "192.0.2.7"}, "1.1"),
    "Kubernetes ingress": ({"x-scheme": "https"}, "1.1"),
    "Jupyter": ({"x-proxycontextpath": "/"}, "1.1"),
    "a load balancer": ({"x-cluster-client-ip": "192.0.2.7"}, "1.1"),
    "another": ({"x-client-ip": "192.0.2.7"}, "1.1"),
    "WebLogic": ({"wl-proxy-client-ip": "192.0.2.7"}, "1.1"),
    "an odd one": ({"x-forwarded-for-original": "192.0.2.7"}, "1.1"),
    "a password of the proxy's own": ({"authorization": "Basic eDp5"}, "1.1"),
    "one that is not known yet": ({"x-edge-visitor": "192.0.2.7"}, "1.1"),
    "one that hides, but for the page": ({"origin": "https://lab.example"}, "1.1"),
    "the same": ({"referer": "https://lab.example/operator"}, "1.1"),
    "a sandboxed page": ({"origin": "null"}, "1.1"),
    "a link on another site": ({"sec-fetch-site": "cross-site"}, "1.1"),
}


@pytest.mark.parametrize("proxy", PROXIES)
def test_what_a_proxy_hands_on_is_not_local(proxy: str) -> None:
    added, http_version = PROXIES[proxy]
    assert not is_local(asked({**CHROME, **added}, http_version=http_version))


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("connection", ["keep-alive", "close"]),
        ("connection", ["close", "keep-alive"]),
        ("connection", ["keep-alive", "x-forwarded-for"]),
        ("origin", ["http://localhost:8000", "https://lab.example"]),
        ("referer", ["http://localhost:8000/", "https://lab.example/"]),
        ("sec-fetch-site", ["none", "cross-site"]),
    ],
)
def test_each_of_several_headers_with_one_name_counts(name: str, values: list[str]) -> None:
    connection = asked({key: value for key, value in CHROME.items() if key != name})
    connection.scope["headers"] += [(name.encode(), value.encode()) for value in values]
    assert not is_local(connection)
