"""Settings: environment variables with the prefix ``COHABIT_`` (or a ``.env`` file)."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict


class Settings(BaseSettings):
    """Everything an operator may set. Unknown ``COHABIT_`` keys are refused by `load_settings`."""

    model_config = SettingsConfigDict(env_prefix="COHABIT_", env_file=".env", extra="ignore")

    host: str = "127.0.0.1"
    port: int = Field(8000, ge=0, le=65535)
    data_dir: Path = Path("data")
    """Houses, tasks, recordings and (by default) the database."""
    database_url: str = ""
    """SQLAlchemy URL with an async driver; empty: SQLite in the data directory."""
    public_url: str = ""
    """The address that browsers use, if it is not ``http://<host>:<port>`` (behind a proxy)."""
    workers: int = Field(1, ge=1, le=64)
    """Session worker processes."""
    sessions_per_worker: int = Field(120, ge=1)
    time_limit_s: float = Field(900.0, gt=0)
    """An episode ends after this time; the lobby and the task text say so."""
    reconnect_window_s: float = Field(30.0, ge=0)
    loading_timeout_s: float = Field(120.0, gt=0)
    lobby_grace_s: float = Field(5.0, ge=0)
    """How long a waiting person whose socket dropped keeps the place in the queue."""
    model_url: str = ""
    """OpenAI-compatible server for robot policies; empty: none."""

    @property
    def database(self) -> str:
        """The database URL in force."""
        return self.database_url or f"sqlite+aiosqlite:///{self.data_dir / 'cohabit.db'}"

    @property
    def recordings_dir(self) -> Path:
        return self.data_dir / "recordings"

    def allowed_origins(self) -> frozenset[str]:
        """Origins from which a browser may open a websocket or post a form."""
        hosts = {self.host, "127.0.0.1", "localhost"} if self._is_loopback() else {self.host}
        origins = {f"http://{host}:{self.port}" for host in hosts}
        if self.public_url:
            origins.add(self.public_url.rstrip("/"))
        return frozenset(origins)

    def _is_loopback(self) -> bool:
        return self.host in {"127.0.0.1", "localhost", "::1"}

    def secret_key(self) -> str:
        """The key that signs tokens: made at first use, readable by the owner only."""
        path = self.data_dir / "secret_key"
        if not path.exists():
            self.data_dir.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "w") as file:
                file.write(secrets.token_urlsafe(48))
        return path.read_text()


class SettingsError(Exception):
    """A setting is unknown or malformed; the text says which and what is known."""


def load_settings() -> Settings:
    """Read the settings from the environment.

    Raises SettingsError for an unknown ``COHABIT_`` variable (a typo would otherwise be silent).
    """
    known = {f"COHABIT_{name.upper()}" for name in Settings.model_fields}
    known.add("COHABIT_HABITAT_PYTHON")
    unknown = sorted(k for k in os.environ if k.startswith("COHABIT_") and k not in known)
    if unknown:
        raise SettingsError(
            f"unknown setting {', '.join(unknown)}; known are {', '.join(sorted(known))}"
        )
    return Settings()
