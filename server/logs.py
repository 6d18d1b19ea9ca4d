"""How the server's processes log: one line per event, as text or as JSON."""

from __future__ import annotations

import logging
import sys
from typing import Any

import structlog


def configure_logging(*, as_json: bool) -> None:
    """One line per event. Ids of ours are the only thing in them that points at a person."""
    renderer: Any = (
        structlog.processors.JSONRenderer()
        if as_json
        else structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    )
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.StackInfoRenderer(),
            structlog.processors.format_exc_info if as_json else _keep,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr)


def _keep(_logger: Any, _name: str, event: Any) -> Any:
    # The console renderer draws tracebacks itself.
    return event
