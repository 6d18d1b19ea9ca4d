"""Names of hosts: what browsers send is read, and nothing that could mean two things."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.host_names import Authority, HostPattern, read_authority, read_host_patterns


@pytest.mark.parametrize(
    ("text", "authority"),
    [
        ("localhost", Authority("localhost")),
        ("LocalHost:8000", Authority("localhost", 8000)),
        ("localhost.", Authority("localhost")),
        ("localhost:", Authority("localhost")),
        ("127.0.0.1:80", Authority("127.0.0.1", 80)),
        ("[::1]", Authority("::1")),
        ("[0:0:0:0:0:0:0:1]:8000", Authority("::1", 8000)),
        ("[2001:DB8::7]", Authority("2001:db8::7")),
        # Names of services in a compose file have them.
        ("my_lab-pc.local", Authority("my_lab-pc.local")),
        ("xn--bcher-kva.example", Authority("xn--bcher-kva.example")),
        ("homes.example.org.:443", Authority("homes.example.org", 443)),
    ],
)
def test_what_browsers_send_is_read(text: str, authority: Authority) -> None:
    assert read_authority(text) == authority


@pytest.mark.parametrize(
    "text",
    [
        "",
        " localhost",
        "localhost ",
        "localhost\t",
        "localhost,evil.example",
        "localhost evil.example",
        "user@localhost",
        "user:password@localhost",
        "localhost/path",
        "localhost?",
        "localhost#",
        "http://localhost",
        "localhost\\evil",
        "localhost:port",
        "localhost:-1",
        "localhost:65536",
        "localhost:80:80",
        "localhost..",
        ".localhost",
        "a..b",
        "-a.example",
        "a-.example",
        "a" * 64,
        ".".join(["abcdefgh"] * 32),
        # Browsers write these as plain addresses; nobody else may mean something by them.
        "127.1",
        "0x7f.0.0.1",
        "0x7f000001",
        "2130706433",
        "127.0.0.01",
        "127.0.0.256",
        "::1",
        "[::1",
        "[127.0.0.1]",
        "[fe80::1%eth0]",
        "[::1]x",
        "bücher.example",
        "localhost\x00",
        "<script>",
    ],
)
def test_anything_else_is_not(text: str) -> None:
    assert read_authority(text) is None


@pytest.mark.parametrize(
    "name", ["localhost", "LOCALHOST:1", "localhost.", "127.0.0.1", "127.255.0.9", "[::1]:8000"]
)
def test_the_loopback(name: str) -> None:
    found = read_authority(name)
    assert found is not None
    assert found.is_loopback


@pytest.mark.parametrize(
    "name",
    [
        "evil.localhost",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "localhost.localdomain",
        "[::ffff:127.0.0.1]",
        "[::]",
        "0.0.0.0",
        "128.0.0.1",
    ],
)
def test_what_only_looks_like_the_loopback(name: str) -> None:
    found = read_authority(name)
    assert found is not None
    assert not found.is_loopback


@pytest.mark.parametrize(
    ("name", "is_private"),
    [
        ("127.0.0.1", True),
        ("[::1]:8100", True),
        ("192.168.7.2", True),
        ("[fd00::7]", True),
        ("vllm", True),
        ("gpu.lab.internal:8100", True),
        ("gpu.local", True),
        ("8.8.8.8", False),
        ("[2606:4700::1]", False),
        ("0.0.0.0", False),
        ("api.models.example", False),
        ("internal.example", False),
    ],
)
def test_a_host_that_the_public_cannot_reach(name: str, is_private: bool) -> None:
    found = read_authority(name)
    assert found is not None
    assert found.is_private == is_private


@given(st.text(max_size=40))
def test_a_name_that_is_read_is_read_again(text: str) -> None:
    found = read_authority(text)
    if found is not None:
        assert read_authority(str(found)) == found
        assert not set(found.name) - set("abcdefghijklmnopqrstuvwxyz0123456789.-_:")


def test_a_list_of_hosts() -> None:
    assert read_host_patterns("") == ()
    assert read_host_patterns(
        " lab.example.org:8000, *.Example.net ,192.168.1.5,fd00::1,[::2]"
    ) == (
        HostPattern("lab.example.org"),
        HostPattern("example.net", is_of_all_below=True),
        HostPattern("192.168.1.5"),
        HostPattern("fd00::1"),
        HostPattern("::2"),
    )


def test_a_pattern_is_of_all_names_below_and_not_of_its_own() -> None:
    (pattern,) = read_host_patterns("*.example.org")
    assert pattern.fits("a.example.org")
    assert pattern.fits("a.b.example.org")
    assert not pattern.fits("example.org")
    assert not pattern.fits("evilexample.org")
    assert not pattern.fits("example.org.evil.example")


@pytest.mark.parametrize(
    "entry",
    [
        "*",
        "*.",
        "http://lab.example.org",
        "lab/path",
        "a b",
        "x.*.org",
        "user@lab",
        "*.10.0.0.1",
        "ü",
    ],
)
def test_a_malformed_host_is_named(entry: str) -> None:
    with pytest.raises(ValueError, match="is no host: expected names such as") as refused:
        read_host_patterns(f"good.example,{entry}")
    assert repr(entry) in str(refused.value)
