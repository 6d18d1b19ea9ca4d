"""A Chromium for the browser tests: found, or installed. Tests and scripts share this file."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from toolchain.console import StepError, require, run_logged, say, step
from toolchain.paths import VENV_PYTHON

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
MAC_APPLICATIONS = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)

# Software GL renders the same picture on every machine, and needs no GPU. The rest keeps the
# browser from calling its maker: tests must pass on a machine that reaches nothing.
ARGUMENTS = (
    "--no-sandbox",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    # Pages that are not in front keep their frame rate: a test plays in several.
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
)


def find_chromium() -> str | None:
    """Find the browser to test with: ``CHROME_BIN``, the system's, else Playwright's own."""
    named = os.environ.get("CHROME_BIN")
    if named:
        return named if Path(named).is_file() else None
    for name in NAMES:
        path = shutil.which(name)
        if path and _answers(path):
            return path
    for application in MAC_APPLICATIONS:
        if Path(application).is_file():
            return application
    return _playwrights_own()


def ensure_chromium() -> str:
    """Find a Chromium or install one: with the package manager when root, else Playwright's."""
    found = find_chromium()
    if found:
        say(f"· Browser for the tests: {found}")
        return found
    if os.environ.get("CHROME_BIN"):
        raise StepError(
            f"CHROME_BIN names {os.environ['CHROME_BIN']}, which is not there",
            "correct or unset it.",
        )
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    if root and shutil.which("apt-get"):
        with step("Installing Chromium (apt-get)"):
            quiet = {"DEBIAN_FRONTEND": "noninteractive"}
            run_logged("apt-update", ["apt-get", "update"], env=quiet)
            install = ["apt-get", "install", "-y", "--no-install-recommends", "chromium"]
            run_logged("apt-chromium", install, env=quiet)
        found = find_chromium()
        if found:
            return found
    with step("Installing Chromium (Playwright)"):
        command = [str(VENV_PYTHON), "-m", "playwright", "install", "chromium"]
        if root and sys.platform.startswith("linux"):
            command.insert(-1, "--with-deps")
        require(
            "playwright-install",
            command,
            advice="install Chromium or Chrome yourself (Debian: `apt-get install chromium`), or "
            "name one: CHROME_BIN=/path/to/chrome make test",
        )
    found = find_chromium()
    if not found:
        raise StepError(
            "no Chromium was found after installing it",
            "name one: CHROME_BIN=/path/to/chrome make test",
        )
    return found


def _answers(path: str) -> bool:
    """Tell whether a browser runs: Ubuntu's `chromium-browser` may only advertise a snap."""
    try:
        done = subprocess.run([path, "--version"], capture_output=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def _playwrights_own() -> str | None:
    """Ask the environment's Python where Playwright keeps (or would keep) its Chromium."""
    code = (
        "from playwright.sync_api import sync_playwright as p\n"
        "with p() as one: print(one.chromium.executable_path)"
    )
    try:
        done = subprocess.run(
            [str(VENV_PYTHON), "-c", code], capture_output=True, text=True, timeout=60, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    path = done.stdout.strip()
    return path if path and Path(path).is_file() else None
