"""Logging of the server's processes: one line per event, as text or as JSON."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable, Mapping, MutableMapping
from io import StringIO
from typing import Any, TextIO

import structlog
from structlog.typing import ExcInfo

from episodes.visible_text import visible
from server.log_throttle import LogThrottle
from server.standard_streams import make_streams_lossy

STRANGERS_FAULTS = (
    "Invalid HTTP request received.",
    "Invalid UTF-8 sequence received from client.",
    "Unsupported upgrade request.",
)
"""Beginnings of what uvicorn logs about bytes that strangers send."""
_BROKEN_REQUEST = "can't handle event type Response when role=SERVER and state=MUST_CLOSE"
"""h11's words for an answer after the one that said that the request is broken."""


class StrangersFaults(logging.Filter):
    """Filter that lets each fault of strangers through once a minute, without a traceback.

    Anybody can commit a thousand a second: they must fill no disk and hide no other line.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._throttle = LogThrottle(clock)

    def filter(self, record: logging.LogRecord) -> bool:
        """Tell whether a line is logged."""
        text = str(record.msg)
        fault = next((f for f in STRANGERS_FAULTS if text.startswith(f)), None)
        if fault is None and record.exc_info and _BROKEN_REQUEST in str(record.exc_info[1]):
            # While a page was made, the rest of its request was found to be none.
            fault = text = "Invalid HTTP request received while its page was made."
            record.msg, record.args = text, ()
        if fault is None:
            return True
        count = self._throttle.count(fault)
        if not count:
            return False
        record.exc_info = record.exc_text = None
        if count > 1:
            record.msg = f"{text} ({count - 1} more since the last such line)"
        return True


def _visible_values(_: Any, __: str, event: MutableMapping[str, Any]) -> Mapping[str, Any]:
    """Show what is hidden in texts: models, files and visitors have a say in some."""
    return {k: visible(v) if isinstance(v, str) else v for k, v in event.items()}


def _visible_traceback(out: TextIO, error: ExcInfo) -> None:
    """Write a traceback in which nothing is hidden."""
    text = StringIO()
    structlog.dev.plain_traceback(text, error)
    out.write(visible(text.getvalue()))


def configure_logging(*, as_json: bool) -> None:
    """Log one line per event to standard error; a line that cannot be written is lost.

    Our own ids are all in these lines that points at a person.
    """
    # Lines are logged in the middle of what must be finished, and by the handlers of failures.
    make_streams_lossy()
    # Tracebacks are plain. The console renderer's own, where rich is installed, hold the values of
    # variables (cookies, what people said), and take the event loop seconds to draw.
    rendering: list[Any] = (
        [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
        if as_json
        else [
            structlog.dev.ConsoleRenderer(
                colors=sys.stderr.isatty(), exception_formatter=_visible_traceback
            )
        ]
    )
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.StackInfoRenderer(),
            _visible_values,
            *rendering,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr)
    server = logging.getLogger("uvicorn.error")
    if not any(isinstance(one, StrangersFaults) for one in server.filters):
        server.addFilter(StrangersFaults())
