"""Settings: environment variables with the prefix ``COHABIT_`` (or a ``.env`` file)."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from pydantic import Field, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

_LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


class Settings(BaseSettings):
    """Everything an operator may set. Unknown ``COHABIT_`` keys are refused by `load_settings`."""

    model_config = SettingsConfigDict(env_prefix="COHABIT_", env_file=".env", extra="ignore")

    host: str = "127.0.0.1"
    port: int = Field(default=8000, ge=0, le=65535)
    data_dir: Path = Path("data")
    """Houses, tasks, recordings and (by default) the database."""
    database_url: str = ""
    """SQLAlchemy URL with an async driver; empty: SQLite in the data directory."""
    public_url: str = ""
    """The address that browsers use, if it is not ``http://<host>:<port>`` (behind a proxy)."""
    workers: int = Field(default=1, ge=1, le=64)
    """Session worker processes."""
    sessions_per_worker: int = Field(default=120, ge=1)
    worker_episodes: int = Field(default=1000, ge=1)
    """A worker that has begun so many episodes is replaced by a fresh process."""
    disk_reserve_mb: float = Field(default=200.0, ge=0)
    """No new homes open while the recordings' disk has less room than this."""
    drain_s: float = Field(default=0.0, ge=0)
    """When the server is told to stop, how long running episodes may take to end. Those that have
    not ended go on in the next process."""
    metrics_token: str = ""
    """What `/metrics` and the details of `/readyz` want as a bearer token; empty: they are for
    requests that come from this machine, past no proxy."""
    watchers_per_session: int = Field(default=10, ge=0)
    """So many browsers of operators may watch one session at once."""
    time_limit_s: float = Field(default=900.0, gt=0)
    """An episode ends after this time; the lobby and the task text say so."""
    reconnect_window_s: float = Field(default=30.0, ge=0)
    when_gone: Literal["go_on", "policy", "end"] = "go_on"
    """When that time is over: the partner goes on alone, a policy takes the seat until its person
    is back, or the task ends."""
    stand_in: str = "expert"
    """The policy that then takes the seat."""
    pause_while_away: bool = False
    """Nothing moves, and no time passes, while somebody is waited for."""
    idle_s: float = Field(default=90.0, ge=0)
    """Who touches nothing for so long is away; 0: nobody ever is."""
    away_limit_s: float = Field(default=90.0, ge=0)
    """Who is away for longer counts as gone."""
    finish_wait_s: float = Field(default=120.0, ge=0)
    """So long the others have to finish once somebody has; 0: until the time is up."""
    loading_timeout_s: float = Field(default=120.0, gt=0)
    lobby_grace_s: float = Field(default=5.0, ge=0)
    """How long a waiting person whose socket dropped keeps the place in the queue."""
    lobby_wait_s: float = Field(default=3600.0, gt=0)
    """Nobody waits in the lobby longer than this."""
    robot: str = "expert"
    """The policy that plays with whoever asks for a robot and names none."""
    robots: str = ""
    """The policies that open play offers, by their whole names and with spaces between them; empty:
    those that are for it."""
    tells_doing: bool = True
    """Players see what a robot says it is doing, and its decisions in the report. Without, nothing
    that they are sent tells a robot from a person."""
    robot_after_s: float = Field(default=0.0, ge=0)
    """Who has waited so long in open play for a person gets a robot; 0: never."""
    simulator: Literal["household", "habitat"] = "household"
    """What new sessions run on; ``habitat`` needs an interpreter with habitat-sim."""
    dataset: str = "tasks/first.json.gz"
    """The tasks that open play draws from: a path below the data directory."""
    between_tasks_s: float = Field(default=300.0, gt=0)
    """A home is kept so long after a task for the same people to begin the next one."""
    resume_age_s: float = Field(default=600.0, ge=0)
    """After a restart, sessions go on if the server was away for no longer than this."""
    client_dir: Path = Path(__file__).parent / "web" / "static" / "client"
    """The built browser client."""
    proxy_ips: str = ""
    """Addresses of proxies whose forwarded headers are believed; empty: none."""
    log_json: bool = False
    model_url: str = ""
    """OpenAI-compatible server for robot policies, with its version (``http://host:8100/v1``);
    empty: none."""
    model_key: str = Field(default="", repr=False)
    """What that server wants as a bearer token; empty: nothing."""
    model_name: str = ""
    """The model to ask for; empty: the first that the server names."""
    model_deadline_s: float = Field(default=60.0, gt=0)
    """A model call that takes longer counts as failed."""
    model_slow_s: float = Field(default=20.0, gt=0)
    """While a single word takes it longer than this, the lobby offers no robot that asks it."""
    model_concurrency: int = Field(default=16, ge=1)
    """Model calls at once of one worker process; further ones wait."""

    @property
    def database(self) -> str:
        """The database URL in force."""
        return self.database_url or f"sqlite+aiosqlite:///{self.data_dir / 'cohabit.db'}"

    @field_validator("public_url")
    @classmethod
    def _is_an_origin(cls, value: str) -> str:
        parts = urlsplit(value)
        if value and (parts.scheme not in {"http", "https"} or not parts.netloc):
            raise ValueError("expected an address such as https://homes.example.org")
        if parts.path not in {"", "/"} or parts.query or parts.fragment:
            raise ValueError("expected an address without a path: Cohabit serves a whole host")
        return value.rstrip("/").lower()

    @property
    def recordings_dir(self) -> Path:
        return self.data_dir / "recordings"

    @property
    def archive_dir(self) -> Path:
        """Logs of sessions that are over, packed."""
        return self.recordings_dir / "archive"

    @property
    def habitat_dir(self) -> Path:
        """Where the houses are exported to for Habitat."""
        return self.data_dir / "habitat"

    @property
    def dataset_path(self) -> Path:
        return self.data_dir / self.dataset

    @property
    def capacity(self) -> int:
        """How many sessions may live at once."""
        return self.workers * self.sessions_per_worker

    @property
    def address(self) -> str:
        """What a person on this machine types into the browser: where it listens."""
        any_of_ours = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104
        host = any_of_ours.get(self.host, self.host)
        return self.public_url or f"http://{f'[{host}]' if ':' in host else host}:{self.port}"

    @property
    def is_https(self) -> bool:
        return self.public_url.startswith("https://")

    def allowed_origins(self) -> frozenset[str]:
        """Origins from which a browser may open a websocket or post a form."""
        hosts = {self.host, "127.0.0.1", "localhost"} if self.is_loopback else {self.host}
        origins = {f"http://{host}:{self.port}" for host in hosts}
        if self.public_url:
            origins.add(self.public_url)
        return frozenset(origins)

    def accepts_origin(self, origin: str | None, host: str | None) -> bool:
        """Whether a request with these ``Origin`` and ``Host`` headers comes from our own page.

        A server that listens on all interfaces cannot know its names, so there the two headers
        must agree. On the loopback they must agree and be local, against names that an attacker
        lets point here. A request without an origin does not come from a browser's script.
        """
        if not origin or not host:
            return False
        if origin in self.allowed_origins():
            return True
        if self.public_url or origin != f"http://{host}":
            return False
        name = urlsplit(origin).hostname
        return self._binds_all() or (self.is_loopback and name in _LOOPBACK)

    @property
    def is_loopback(self) -> bool:
        return self.host in _LOOPBACK

    def _binds_all(self) -> bool:
        return self.host in {"0.0.0.0", "::", ""}  # noqa: S104 — asks, does not bind

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

    Raises SettingsError for an unknown ``COHABIT_`` variable (a typo would otherwise be silent)
    and for a value that does not fit.
    """
    known = {f"COHABIT_{name.upper()}" for name in Settings.model_fields}
    known.add("COHABIT_HABITAT_PYTHON")
    unknown = sorted(k for k in os.environ if k.startswith("COHABIT_") and k not in known)
    if unknown:
        raise SettingsError(
            f"unknown setting {', '.join(unknown)}; known are {', '.join(sorted(known))}"
        )
    try:
        return Settings()
    except ValidationError as error:
        raise SettingsError(
            "\n".join(_sentence(e["loc"], e["msg"]) for e in error.errors())
        ) from None


def _sentence(place: tuple[int | str, ...], message: str) -> str:
    name = "_".join(str(part) for part in place).upper()
    return f"COHABIT_{name}: {message.removeprefix('Value error, ')}"
