"""Build of the browser client: the scripts and styles that an entry needs (Vite's manifest)."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

URL = "/static/client/"
ENTRIES = ("src/site/main.ts", "src/lobby/main.ts", "src/presence/main.ts", "src/play/main.ts")


class ClientMissingError(Exception):
    """The browser client is not built, or not whole; the text says what to do."""


class Entry(NamedTuple):
    """URLs of an entry, in the order in which they stand in a page."""

    script: str
    styles: tuple[str, ...]
    preloads: tuple[str, ...]


class ClientBuild:
    """Manifest of the built client, read again when it changes: a build needs no restart."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._manifest = folder / ".vite" / "manifest.json"
        self._read_at: int | None = None
        self._chunks: dict[str, dict[str, Any]] = {}

    def entry(self, name: str) -> Entry:
        """Return the URLs of an entry.

        Raises ClientMissingError, with what to do, if it is not built.
        """
        self._refresh()
        chunk = self._chunks.get(name)
        if chunk is None:
            raise ClientMissingError(f"the browser client has no {name}: run `make client` again")
        styles: list[str] = []
        preloads: list[str] = []
        for imported in self._imports(name, set()):
            preloads.append(URL + self._chunks[imported]["file"])
            styles += self._chunks[imported].get("css", [])
        styles += chunk.get("css", [])
        return Entry(
            URL + chunk["file"], tuple(URL + s for s in dict.fromkeys(styles)), tuple(preloads)
        )

    def version(self) -> str:
        """Return a version that changes with every build; empty when there is none."""
        try:
            self._refresh()
        except ClientMissingError:
            return ""
        names = sorted(chunk["file"] for chunk in self._chunks.values() if "file" in chunk)
        return hashlib.sha256("\n".join(names).encode()).hexdigest()[:12]

    def _imports(self, name: str, seen: set[str]) -> list[str]:
        """Return the chunks that ``name`` needs, each after what it needs itself."""
        ordered: list[str] = []
        for imported in self._chunks[name].get("imports", []):
            if imported not in seen and imported in self._chunks:
                seen.add(imported)
                ordered += [*self._imports(imported, seen), imported]
        return ordered

    def _refresh(self) -> None:
        try:
            changed_at = self._manifest.stat().st_mtime_ns
            if changed_at != self._read_at:
                self._chunks = msgspec.json.decode(
                    self._manifest.read_bytes(), type=dict[str, dict[str, Any]]
                )
                self._read_at = changed_at
        except OSError as error:
            raise ClientMissingError("the browser client is not built: `make client`") from error
        except msgspec.MsgspecError as error:
            raise ClientMissingError(
                "the browser client's manifest is damaged: run `make client` again"
            ) from error
