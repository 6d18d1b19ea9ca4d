"""Locked packages among known vulnerabilities, where the services that know them answer."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import venv
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
REQUIREMENTS = ROOT / "requirements"
AUDITED = ("app", "dev", "node", "audit")
"""Locks of what we install. Those of vLLM are for machines with models, which are no servers."""
GRAVE = ("moderate", "high", "critical")


@pytest.fixture(scope="module")
def pip_audit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return pip-audit, installed from its lock in an environment of its own."""
    folder = tmp_path_factory.mktemp("audit") / "venv"
    venv.create(folder, with_pip=True)
    lock = str(REQUIREMENTS / "audit.txt")
    python = str(folder / "bin" / "python")
    command = [python, "-m", "pip", "install", "-q", "--require-hashes", "-r", lock]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"pip-audit cannot be installed here: {done.stderr[-300:]}")
    return folder / "bin" / "pip-audit"


class NoAnswerError(Exception):
    """Error of a service that does not say whether packages are vulnerable."""


def weak_python(found: dict[str, Any], complaint: str) -> dict[str, list[str]]:
    """Return the vulnerabilities that pip-audit found, by package. Raises NoAnswerError."""
    packages = found.get("dependencies", [])
    unknown = [p for p in packages if "skip_reason" in p]
    if len(unknown) == len(packages):
        raise NoAnswerError(unknown[0]["skip_reason"] if unknown else complaint)
    weak = {p["name"]: [v["id"] for v in p["vulns"]] for p in packages if p.get("vulns")}
    return weak | {p["name"]: [p["skip_reason"]] for p in unknown}


def weak_client(found: dict[str, Any], complaint: str) -> dict[str, str]:
    """Return the packages that npm found vulnerable, and how gravely. Raises NoAnswerError."""
    if "vulnerabilities" not in found.get("metadata", {}):
        summary = found.get("error", {}).get("summary")
        raise NoAnswerError(summary or found.get("message") or complaint)
    about = found.get("vulnerabilities", {})
    return {name: a["severity"] for name, a in about.items() if a["severity"] in GRAVE}


@pytest.mark.long
@pytest.mark.parametrize("lock", AUDITED)
def test_no_python_package_has_a_known_vulnerability(pip_audit: Path, lock: str) -> None:
    command = [
        *(str(pip_audit), "-r", str(REQUIREMENTS / f"{lock}.txt"), "--require-hashes"),
        *("--disable-pip", "-f", "json", "--progress-spinner", "off"),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    try:
        weak = weak_python(_json(done.stdout), done.stderr.strip()[-300:])
    except NoAnswerError as error:
        pytest.skip(f"the service that knows vulnerabilities does not answer: {error}")
    assert weak == {}, "renew these with `make lock`"


@pytest.mark.long
def test_no_package_of_the_client_has_a_known_vulnerability() -> None:
    npm = shutil.which("npm") or str(Path(sys.prefix) / "bin" / "npm")
    if not Path(npm).exists():
        pytest.skip("there is no npm here: `make setup` installs one")
    done = subprocess.run(
        [npm, "audit", "--json", "--package-lock-only"],
        cwd=ROOT / "client", capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    try:
        weak = weak_client(_json(done.stdout), done.stderr.strip()[-300:])
    except NoAnswerError as error:
        pytest.skip(f"the service that knows vulnerabilities does not answer: {error}")
    assert weak == {}, "renew these with `npm audit fix` in client/"


def test_an_audit_that_found_something_is_no_audit_without_an_answer() -> None:
    good = {"name": "good", "version": "1", "vulns": []}
    bad = {"name": "bad", "version": "1", "vulns": [{"id": "CVE-1"}]}
    unknown = {"name": "unknown", "skip_reason": "not found"}
    assert weak_python({"dependencies": [good]}, "") == {}
    found = weak_python({"dependencies": [good, bad, unknown]}, "")
    assert found == {"bad": ["CVE-1"], "unknown": ["not found"]}
    for silent in ({}, {"dependencies": [unknown]}):
        with pytest.raises(NoAnswerError):
            weak_python(silent, "no network")
    counts = {"metadata": {"vulnerabilities": {"total": 2}}}
    graded = {"vulnerabilities": {"bad": {"severity": "high"}, "so-so": {"severity": "low"}}}
    assert weak_client({**counts, **graded}, "") == {"bad": "high"}
    assert weak_client(counts, "") == {}
    with pytest.raises(NoAnswerError, match="405"):
        weak_client({"message": "405"}, "")


def _json(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
