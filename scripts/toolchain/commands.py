"""The commands of bootstrap.py."""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys

from toolchain import browser, dev, gate, lock, node, play
from toolchain.console import StepError, environment, fail, say
from toolchain.paths import CLIENT_OUTPUT, LOGS, ROOT, VENV, VENV_PYTHON, tool
from toolchain.python_env import ensure_environment


def main(arguments: list[str] | None = None) -> int:
    options, extra = parse(sys.argv[1:] if arguments is None else arguments)
    try:
        return int(_COMMANDS[options.command](options, extra) or 0)
    except StepError as error:
        return fail(error)
    except KeyboardInterrupt:
        say("\nStopped.")
        return 130


def parse(arguments: list[str]) -> tuple[argparse.Namespace, list[str]]:
    """Parse the options, and what follows ``--``, which is handed on."""
    own, extra = arguments, []
    if "--" in arguments:
        at = arguments.index("--")
        own, extra = arguments[:at], arguments[at + 1 :]
    return _parser().parse_args(own), extra


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="bootstrap.py", description=__doc__)
    parser.add_argument("command", choices=sorted(_COMMANDS))
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    return parser


def _play(options: argparse.Namespace, extra: list[str]) -> int:
    play.require_free(options.host, options.port)
    ensure_environment("app")
    node.build_client()
    play.build_houses()
    return play.serve(options.host, options.port, extra)


def _setup_and_say(options: argparse.Namespace, extra: list[str]) -> None:
    _setup(options, extra)
    say("Ready: `make dev` runs the app, `make unit` the quick tests, `make test` all of them.")


def _dev(options: argparse.Namespace, extra: list[str]) -> int:
    play.require_free(options.host, options.port)
    ensure_environment("dev")
    node.build_client()
    play.build_houses()
    return dev.develop(options.host, options.port, extra)


def _setup(options: argparse.Namespace, extra: list[str]) -> None:
    ensure_environment("dev")
    node.ensure_modules()
    node.build_client()
    play.build_houses()
    browser.ensure_chromium()


def _test(options: argparse.Namespace, extra: list[str]) -> int:
    _setup(options, extra)
    return gate.gate(gate.TEST, extra, lint=True)


def _unit(options: argparse.Namespace, extra: list[str]) -> int:
    ensure_environment("dev")
    return gate.unit(extra)


def _test_long(options: argparse.Namespace, extra: list[str]) -> int:
    _setup(options, extra)
    return gate.gate(gate.TEST_LONG, extra, lint=False)


def _check(options: argparse.Namespace, extra: list[str]) -> int:
    ensure_environment("dev")
    node.ensure_modules()
    failed = gate.run_checks()
    if failed:
        raise StepError(f"these checks failed: {', '.join(failed)}")
    return 0


def _client(options: argparse.Namespace, extra: list[str]) -> None:
    ensure_environment("app")
    node.build_client()


def _houses(options: argparse.Namespace, extra: list[str]) -> None:
    ensure_environment("app")
    play.build_houses(everything=True)


def _doctor(options: argparse.Namespace, extra: list[str]) -> int:
    ensure_environment("app")
    return play.doctor()


def _format(options: argparse.Namespace, extra: list[str]) -> None:
    ensure_environment("dev")
    for command in (["check", "--fix", "--quiet", "."], ["format", "."]):
        subprocess.run([tool("ruff"), *command], cwd=ROOT, check=False)


def _lock(options: argparse.Namespace, extra: list[str]) -> None:
    lock.lock()


def _screenshots(options: argparse.Namespace, extra: list[str]) -> int:
    _setup(options, extra)
    command = [str(VENV_PYTHON), "scripts/screenshots.py", *extra]
    return subprocess.run(command, cwd=ROOT, env=environment(), check=False).returncode


def _clean(options: argparse.Namespace, extra: list[str]) -> None:
    for path in (VENV, ROOT / "client" / "node_modules", CLIENT_OUTPUT, LOGS.parent):
        if path.exists():
            say(f"· removing {path.relative_to(ROOT)}")
            shutil.rmtree(path)


_COMMANDS = {
    "play": _play,
    "dev": _dev,
    "setup": _setup_and_say,
    "test": _test,
    "unit": _unit,
    "test-long": _test_long,
    "check": _check,
    "client": _client,
    "houses": _houses,
    "doctor": _doctor,
    "format": _format,
    "lock": _lock,
    "screenshots": _screenshots,
    "clean": _clean,
}
