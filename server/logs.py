"""Logging of the server's processes: one line per event, as text or as JSON."""

from __future__ import annotations

import logging
import sys
from typing import Any

import structlog


def configure_logging(*, as_json: bool) -> None:
    """Log one line per event.

    Our own ids are all in these lines that points at a person.
    """
    # Tracebacks are plain. The console renderer's own, where rich is installed, hold the values of
    # variables (cookies, what people said), and take the event loop seconds to draw.
    rendering: list[Any] = (
        [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
        if as_json
        else [
            structlog.dev.ConsoleRenderer(
                colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
            )
        ]
    )
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.StackInfoRenderer(),
            *rendering,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr)
