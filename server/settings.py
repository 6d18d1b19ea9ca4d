"""Settings of the server: environment variables with the prefix ``COHABIT_`` (or ``.env``)."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from pydantic import Field, ValidationError, ValidationInfo, field_validator, model_validator
from pydantic_settings import SettingsConfigDict

from episodes.rules import COHABIT, profile_named
from server.env_file import problems_of
from server.host_names import Authority, read_authority, read_host_patterns, read_proxies
from server.operator_token import NOBODY_ENTERS
from server.settings_error import SettingsError
from server.sign_in_settings import SignInSettings

_MAIL_ADDRESS = re.compile(r"[^@\s,]+@[^@\s,]+")
FEWEST_CONNECTIONS = 8
"""Fewest connections that a server can do with."""

ENV_FILE = ".env"
"""File of settings in the folder from which a command is started."""


class Settings(SignInSettings):
    """Settings of an operator. Unknown ``COHABIT_`` keys are refused by `load_settings`."""

    model_config = SettingsConfigDict(
        env_prefix="COHABIT_",
        env_file=ENV_FILE,
        env_file_encoding="utf-8",
        extra="ignore",
        # What waits for ever, or no time at all, is no setting.
        allow_inf_nan=False,
    )

    host: str = "127.0.0.1"
    """Address to listen on."""
    port: int = Field(default=8000, ge=0, le=65535)
    """Port to listen on; 0: a free one."""
    data_dir: Path = Path("data")
    """Directory of houses, tasks, recordings and (by default) the database."""
    keys_dir: Path = Path()
    """Folder of the keys of people's words, in no backup; empty: ``…-keys`` beside the data."""
    database_url: str = ""
    """SQLAlchemy URL with an async driver; empty: SQLite in the data directory."""
    member: str = Field(default="main", pattern=r"^[a-z0-9][a-z0-9-]{0,31}$")
    """Name of this server among those that share one PostgreSQL database; each needs a name and a
    data directory of its own, and goes on with its own sessions only."""
    database_wait_s: float = Field(default=5.0, gt=0, le=20)
    """Seconds to wait for rows or a database that somebody else has locked."""
    owner_wait_s: float = Field(default=5.0, ge=0, le=60)
    """Seconds to wait for another server that has the same data, but may be about to end, before
    this one refuses to start."""
    allowed_hosts: str = ""
    """Further hosts under which browsers may ask for the server, with commas between them;
    ``*.example.org`` stands for all names below that one."""
    workers: int = Field(default=1, ge=1, le=64)
    """Number of session worker processes."""
    sessions_per_worker: int = Field(default=120, ge=1)
    """Most sessions at once for each worker."""
    late_limit_ms: float = Field(default=12.0, ge=0)
    """Lateness of a worker's ticks, in milliseconds (99th percentile of a second), beyond which it
    takes no new session, once it has lasted for three seconds; players feel 15. 0: it takes
    sessions however late it is."""
    worker_episodes: int = Field(default=1000, ge=1)
    """Episodes after which a worker is replaced by a fresh process."""
    disk_reserve_mb: float = Field(default=200.0, ge=0)
    """Free megabytes on the recordings' disk below which no new session opens."""
    drain_s: float = Field(default=0.0, ge=0)
    """Seconds that running episodes may take to end when the server is told to stop. Those that
    have not ended go on in the next process."""
    operator_mail: str = ""
    """Addresses, with commas between them, to which a study writes when it pauses its recruiting or
    somebody in it reports a problem; empty: it does not."""
    smtp_url: str = ""
    """Mail server for that: ``smtp://user:password@host:587``, or ``smtps://…`` where it encrypts
    at once."""
    mail_from: str = ""
    """Sender of that mail; empty: its first recipient."""
    operator_webhook: str = ""
    """Address to which the same is posted as JSON, its text in ``text``; empty: it is not."""
    exempt_loopback: bool = False
    """Whether visitors from this machine's loopback are free of the limits for each address: for
    load programs, which play many visitors from one machine."""
    clock_rate: float = Field(default=1.0, ge=1, le=100)
    """Seconds of visits, waits and limits of sessions in a real one: for tests of a long day, on
    this machine alone. What happens inside a task keeps its pace."""
    clock_since: float = Field(default=0.0, ge=0)
    """Time (s since 1970) up to which that clock was right: the same for all processes of a day."""
    address_share: float = Field(default=0.5, gt=0, le=1)
    """Share of all places that visitors of one address may hold at once, playing or waiting."""
    address_forms: str = "600/minute"
    """Most forms (buttons that begin, join, leave or go on) from one address."""
    address_newcomers: str = "180/minute;1200/hour"
    """Most new participants from one address."""
    participant_forms: str = "60/minute"
    """Most forms of one participant."""
    abandoned_s: float = Field(default=30.0, gt=0)
    """Seconds without any request of its pages after which a session is closed."""
    connections: int = Field(default=0, ge=0)
    """Most connections at once; 0: as many as the sessions need, and always fewer than the file
    descriptors that the system gives."""
    connections_per_address: int = Field(default=600, ge=6)
    """Most connections at once from one address; a browser takes six for a page, one to play."""
    requests_per_address: int = Field(default=6000, ge=60)
    """Most requests from one address within a minute; a page takes up to sixty."""
    watchers_per_session: int = Field(default=10, ge=0)
    """Most browsers of operators that may watch one session at once."""
    time_limit_s: float = Field(default=900.0, gt=0)
    """Seconds after which an episode ends; the lobby and the task text say so."""
    reconnect_window_s: float = Field(default=30.0, ge=0)
    """Seconds to wait for a participant whose connection is lost."""
    alone_window_s: float = Field(default=180.0, ge=0)
    """Seconds to wait, paused, for the only person of a session of open play; 0: as for others."""
    when_gone: Literal["go_on", "policy", "end"] = "go_on"
    """Outcome when that time is over: the partner goes on alone, a policy takes the seat until
    its participant is back, or the task ends."""
    stand_in: str = "expert"
    """Policy that then takes the seat."""
    pause_while_away: bool = False
    """Whether the session pauses while somebody is waited for: nothing moves, no time passes."""
    idle_s: float = Field(default=90.0, ge=0)
    """Seconds without a touch of the page after which a participant is away; 0: never."""
    away_limit_s: float = Field(default=90.0, ge=0)
    """Seconds after which a participant who is away counts as gone."""
    finish_wait_s: float = Field(default=120.0, ge=0)
    """Seconds that the others have to finish once a person has; 0: until the time is up."""
    clock_wait_s: float = Field(default=60.0, ge=0)
    """Seconds for which a task's time and its robots wait, once a person has moved, until all have.

    0: the time begins with the task, as it always does under ``partnr``."""
    robot_wait_s: float = Field(default=20.0, ge=0)
    """Seconds after the last person has finished in which a policy may still finish."""
    ends_on_success: bool = False
    """Whether a task ends once it is done and nothing that it names is held, without *Finish*."""
    loading_timeout_s: float = Field(default=120.0, gt=0)
    """Seconds to come for an episode, and as many to load; then it begins without who is late."""
    lobby_grace_s: float = Field(default=5.0, ge=0)
    """Seconds for which a person whose socket dropped keeps the place in the lobby."""
    lobby_wait_s: float = Field(default=3600.0, gt=0)
    """Longest wait in the lobby, in seconds."""
    robot: str = "expert:partner"
    """Policy that plays with a person who asks for a robot and names none."""
    robots: str = ""
    """Policies that open play offers, by their whole names and with spaces between them; empty:
    those that are for it."""
    tells_doing: bool = True
    """Whether players see what a policy says it is doing, and its decisions in the report. Without,
    nothing that they are sent tells a policy from a person."""
    tells_aims: bool = True
    """Whether players are shown what a robot is about to do, with what, where to and why: over its
    head, on the floor and on the map. Only where they are told what it is doing."""
    page_automation: bool = False
    """Whether scripts of the play page can ask it for the whole house and play by themselves
    (`window.cohabit`): for tests, never for a study."""
    robot_after_s: float = Field(default=0.0, ge=0)
    """Seconds to wait for a person before a policy is offered; 0 disables."""
    teams: str = ""
    """Further teams that open play offers, with spaces between them, each with the least people,
    the seconds after which so few begin, and the policy that plays for those who have not come:
    ``3human 2human+robot;least=1;after=60;fill=expert``."""
    rules: str = COHABIT.exact_name
    """Rules of new sessions, by their profile's name: ``cohabit@2``, or ``cohabit@1``, by which
    bodies pass through each other. Sessions that were begun go on by theirs."""
    simulator: Literal["household", "habitat"] = "household"
    """Simulator of new sessions; ``habitat`` needs an interpreter with habitat-sim."""
    dataset: str = "tasks/first.json.gz"
    """Data set that open play draws tasks from: a path below the data directory."""
    between_tasks_s: float = Field(default=300.0, gt=0)
    """Seconds that a session is kept after a task for the same people to begin the next one."""
    resume_age_s: float = Field(default=600.0, ge=0)
    """Longest absence of the server, in seconds, after which sessions go on at a restart."""
    client_dir: Path = Path(__file__).parent / "web" / "static" / "client"
    """Directory of the built browser client."""
    proxy_ips: str = ""
    """Addresses or networks of proxies whose forwarded headers are believed, with commas between
    them; empty: none. Proxies have no limits of their own, so only name what runs one."""
    log_json: bool = False
    """Whether the log is JSON, one object per line, instead of text."""
    model_url: str = ""
    """OpenAI-compatible server for policies, such as ``http://host:8100/v1``; empty: none."""
    model_key: str = Field(default="", repr=False)
    """Bearer token for that server; empty: none."""
    model_name: str = ""
    """Model to ask for; empty: the first that the server names."""
    model_machine: str = ""
    """Hardware and flags of a model server elsewhere, in words, for manifests of studies."""
    model_deadline_s: float = Field(default=60.0, gt=0)
    """Seconds after which a model call counts as failed."""
    model_slow_s: float = Field(default=20.0, gt=0)
    """Seconds for a single word beyond which the lobby offers no policy that asks the model."""
    policy_wait_s: float = Field(default=30.0, gt=0)
    """Seconds in which a remote policy has to decide; later answers do not count."""
    model_concurrency: int = Field(default=16, ge=1)
    """Most model calls at once of one worker process; further ones wait."""

    @property
    def database(self) -> str:
        """The database URL in force."""
        return self.database_url or f"sqlite+aiosqlite:///{self.data_dir / 'cohabit.db'}"

    @property
    def sqlite_file(self) -> Path | None:
        """The file of the database in force; None if that is no file."""
        scheme, _, path = self.database.partition(":///")
        return Path(path.partition("?")[0]) if scheme.startswith("sqlite") else None

    @property
    def database_kind(self) -> Literal["sqlite", "postgresql"]:
        return "sqlite" if self.database.startswith("sqlite") else "postgresql"

    @field_validator("database_url")
    @classmethod
    def _names_a_file(cls, value: str) -> str:
        """Refuse a database in memory, and SQLite's own URIs, whose file nobody could lock."""
        scheme, _, rest = value.partition("://")
        file = rest.removeprefix("/").partition("?")[0]
        if scheme.startswith("sqlite") and (file in {"", ":memory:"} or file.startswith("file:")):
            raise ValueError(
                "expected the path of a file, such as sqlite:////folder/cohabit.db (a database in "
                f"memory, or an address that begins with file:, is none), got {value!r}"
            )
        return value

    @field_validator("data_dir", mode="before")
    @classmethod
    def _is_a_folder(cls, value: object) -> object:
        if not str(value).strip():
            raise ValueError("expected a folder, got nothing")
        return value

    @field_validator("rules")
    @classmethod
    def _are_rules(cls, value: str) -> str:
        return profile_named(value).exact_name

    @field_validator("allowed_hosts", "proxy_ips")
    @classmethod
    def _are_hosts(cls, value: str, info: ValidationInfo) -> str:
        (read_proxies if info.field_name == "proxy_ips" else read_host_patterns)(value)
        return value

    @field_validator("address_forms", "address_newcomers", "participant_forms")
    @classmethod
    def _is_a_rate(cls, value: str) -> str:
        from limits import parse_many  # here: no other command needs it

        try:
            rates = parse_many(value)
        except ValueError:
            raise ValueError(f"expected a rate such as 60/minute;600/hour, got {value!r}") from None
        if any(rate.amount < 1 for rate in rates):
            raise ValueError(f"expected at least 1 (nobody could play otherwise), got {value!r}")
        return value

    @field_validator("connections")
    @classmethod
    def _are_enough(cls, value: int) -> int:
        if 0 < value < FEWEST_CONNECTIONS:
            raise ValueError(
                f"expected at least {FEWEST_CONNECTIONS}, or 0 for as many as the sessions need, "
                f"got {value}"
            )
        return value

    @field_validator("operator_mail", "mail_from")
    @classmethod
    def _are_mail_addresses(cls, value: str) -> str:
        for address in value.split(",") if value else ():
            if _MAIL_ADDRESS.fullmatch(address.strip()) is None:
                raise ValueError(f"expected an address such as lab@example.org, got {address!r}")
        return value

    @field_validator("smtp_url")
    @classmethod
    def _is_a_mail_server(cls, value: str) -> str:
        parts = urlsplit(value)
        if value and (parts.scheme not in {"smtp", "smtps"} or not parts.hostname):
            # Without the value, which may hold a password.
            raise ValueError("expected an address such as smtp://user:password@host:587")
        return value

    @model_validator(mode="after")
    def _can_write_mail(self) -> Settings:
        if self.operator_mail and not self.smtp_url:
            raise ValueError("COHABIT_OPERATOR_MAIL needs COHABIT_SMTP_URL, the server that sends")
        return self

    @model_validator(mode="after")
    def _keeps_time_where_strangers_come(self) -> Settings:
        if self.clock_rate != 1 and (self.is_reached or self.allowed_hosts):
            raise ValueError(
                "COHABIT_CLOCK_RATE is for tests on this machine alone: expected COHABIT_HOST to "
                "be a loopback address, and no COHABIT_PUBLIC_URL, COHABIT_ALLOWED_HOSTS or "
                "COHABIT_PROXY_IPS"
            )
        if self.clock_rate != 1 and not self.clock_since:
            raise ValueError(
                "COHABIT_CLOCK_RATE needs COHABIT_CLOCK_SINCE, the time (s since 1970) from which "
                "the clock goes so fast, such as $(date +%s)"
            )
        return self

    @field_validator("model_url", "operator_webhook")
    @classmethod
    def _is_a_web_address(cls, value: str) -> str:
        parts = urlsplit(value)
        if value and (parts.scheme not in {"http", "https"} or not parts.netloc):
            # Without the value: the address of a webhook is a secret.
            raise ValueError("expected an address such as http://host:8100/v1, with its scheme")
        return value

    @property
    def keys(self) -> Path:
        """The folder of keys in force."""
        data = self.data_dir.absolute()
        return data.with_name(f"{data.name}-keys") if self.keys_dir == Path() else self.keys_dir

    @property
    def recordings_dir(self) -> Path:
        return self.data_dir / "recordings"

    def log_path(self, session_id: str) -> Path:
        """Return the path of an open session's log."""
        return (self.recordings_dir / f"{session_id}.jsonl").absolute()

    @property
    def archive_dir(self) -> Path:
        """The directory of packed logs of sessions that are over."""
        return self.recordings_dir / "archive"

    @property
    def habitat_dir(self) -> Path:
        """The directory to which houses are exported for Habitat."""
        return self.data_dir / "habitat"

    @property
    def dataset_path(self) -> Path:
        return self.data_dir / self.dataset

    @property
    def capacity(self) -> int:
        """Number of sessions that may live at once."""
        return self.workers * self.sessions_per_worker

    @property
    def wanted_connections(self) -> int:
        """Number of connections that there may be at once if descriptors suffice."""
        return self.connections or 1000 + 8 * self.capacity

    @property
    def address(self) -> str:
        """The address that a person on this machine types into the browser."""
        return self.address_on(self.port)

    def address_on(self, port: int) -> str:
        """Return `address` for the port that is listened on, which a setting of 0 leaves open."""
        any_of_ours = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104
        return self.public_url or f"http://{Authority(any_of_ours.get(self.host, self.host), port)}"

    @property
    def is_loopback(self) -> bool:
        """Whether nobody but this machine can reach the server."""
        host = read_authority(f"[{self.host}]" if ":" in self.host else self.host)
        return host is not None and host.is_loopback

    @property
    def binds_all(self) -> bool:
        """Whether the server listens on all addresses of this machine."""
        return self.host in {"0.0.0.0", "::", ""}  # noqa: S104 — asks, does not bind

    @property
    def is_reached(self) -> bool:
        """Whether others than this machine can connect, straight or through a proxy."""
        return not self.is_loopback or bool(self.public_url or self.proxy_ips)

    def require_operators(self, *, has_accounts: bool) -> None:
        """Raise SettingsError where the public is invited and operators have no password."""
        if self.public_url and not (has_accounts or self.metrics_token.strip()):
            raise SettingsError(f"COHABIT_PUBLIC_URL is set, but {NOBODY_ENTERS}")


def load_settings() -> Settings:
    """Read the settings from the environment, and from the file ``.env``.

    Raises SettingsError for an unknown ``COHABIT_`` variable (a typo would otherwise be silent), a
    line of the file that cannot be read, and a value that does not fit.
    """
    known = {f"COHABIT_{name.upper()}" for name in Settings.model_fields}
    problems = problems_of(Path(ENV_FILE), known)
    if problems:
        raise SettingsError("\n".join(problems))
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
    name, text = "_".join(map(str, place)).upper(), message.removeprefix("Value error, ")
    # What concerns several settings names them itself.
    return f"COHABIT_{name}: {text}" if name else text
