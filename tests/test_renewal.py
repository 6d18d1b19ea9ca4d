"""The bot that renews dependencies knows every file that names one, and no other."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[1]
CONFIG = ROOT / ".github" / "dependabot.yml"
MANIFESTS = {
    "pip": re.compile(r"(^|/)pyproject\.toml$|(^|/)requirements(/[^/]+)?\.(txt|in)$"),
    "npm": re.compile(r"(^|/)package\.json$"),
    "docker": re.compile(r"(^|/)[^/]*Dockerfile[^/]*$"),
    "docker-compose": re.compile(r"(^|/)(docker-)?compose[^/]*\.ya?ml$"),
    "github-actions": re.compile(r"^\.github/workflows/[^/]+\.ya?ml$"),
}
"""Files that name dependencies, by what the bot calls their kind."""
OTHERS = re.compile(
    r"(^|/)(setup\.(py|cfg)|Pipfile|poetry\.lock|uv\.lock|yarn\.lock|pnpm-lock\.yaml|go\.mod|Cargo\.toml"
    r"|Gemfile|environment\.ya?ml|\.gitmodules)$"
)
"""Files of kinds that are not renewed: the first of them needs another entry."""
INTERVALS = {"daily", "weekly", "monthly"}


def tracked() -> list[str]:
    """Return the files of the repository."""
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if listed.returncode:
        pytest.skip("this is no checkout of git, so its files are not known")
    return [name for name in listed.stdout.splitlines() if not name.startswith("tests/data/")]


def updates() -> list[dict[str, Any]]:
    """Return the entries of the configuration."""
    config = yaml.safe_load(CONFIG.read_text())
    assert config["version"] == 2
    assert set(config) == {"version", "updates"}
    found: list[dict[str, Any]] = config["updates"]
    return found


def directories(update: dict[str, Any]) -> list[str]:
    """Return the folders of an entry, as the bot names them."""
    assert ("directory" in update) != ("directories" in update)
    found: list[str] = update.get("directories") or [update["directory"]]
    assert all(name.startswith("/") for name in found)
    return found


def folder_of(kind: str, name: str) -> str:
    """Return the folder by which the bot finds a file."""
    # Workflows are found from the root.
    parent = "" if kind == "github-actions" else Path(name).parent.as_posix()
    return f"/{parent}" if parent not in ("", ".") else "/"


def test_every_file_with_dependencies_is_renewed_and_no_entry_is_empty() -> None:
    there = {
        (kind, folder_of(kind, name))
        for name in tracked()
        for kind, pattern in MANIFESTS.items()
        if pattern.search(name)
    }
    renewed = {(u["package-ecosystem"], folder) for u in updates() for folder in directories(u)}
    assert renewed == there


def test_no_file_names_dependencies_of_another_kind() -> None:
    assert [name for name in tracked() if OTHERS.search(name)] == []


def test_entries_are_what_the_bot_understands() -> None:
    known = {
        "package-ecosystem", "directory", "directories", "schedule", "groups", "ignore",
        "open-pull-requests-limit",
    }  # fmt: skip
    for update in updates():
        assert set(update) <= known
        assert update["schedule"]["interval"] in INTERVALS
        for group in update.get("groups", {}).values():
            assert set(group) <= {"patterns", "update-types"}
            assert set(group["update-types"]) <= {"major", "minor", "patch"}
        for ignored in update.get("ignore", []):
            assert set(ignored) <= {"dependency-name", "update-types", "versions"}
