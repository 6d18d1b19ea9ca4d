"""Device check: what the browser measured, judged on the server before anything else is asked."""

from __future__ import annotations

import re
from statistics import median
from typing import NamedTuple

from starlette.responses import Response

from matchmaking.study.pages import Device
from matchmaking.visits import Event
from server.store.visit_records import add_answers, attempts_at
from server.web.forms import Form
from server.web.participants.device_needs import need_at
from server.web.participants.view import UNPROCESSABLE, View, leave
from server.web.participants.visit_context import VisitContext

MOST_SAMPLES = 50
RTT_MEDIAN = "rtt_median_ms"
"""Name of the stored median of the round trips."""
INPUTS = frozenset({"keyboard", "mouse", "touch"})
_NUMBER = re.compile(r"[0-9]{1,7}(\.[0-9]{1,6})?")


class Measured(NamedTuple):
    """Values that a browser measured of itself."""

    width: float
    """Width of its window, in CSS pixels."""
    height: float
    fps: float
    """Frames in a second of a scene drawn for it; 0: it cannot draw one."""
    rtt_ms: list[float]
    """Round trips to the server, each."""
    inputs: list[str]

    @property
    def median_ms(self) -> float:
        return median(self.rtt_ms)


class DeviceView(View):
    async def show(self, at: VisitContext) -> Response:
        return at.render("device.html", reasons=[])

    async def submit(self, at: VisitContext, form: Form) -> Response:
        if form.get("decision") == "give_up":
            async with at.turn() as db:
                await leave(at, db, Event.FAILED)
            return at.go_on()
        page = at.page
        assert isinstance(page, Device)
        measured = read_measured(form)
        reasons = ["incomplete"] if measured is None else shortcomings(page, measured)
        async with at.turn() as db:
            if measured is not None:
                attempt = await attempts_at(db, at.visit.visit_id, page.name) + 1
                values = {**measured._asdict(), RTT_MEDIAN: round(measured.median_ms, 1)}
                await add_answers(db, at.visit.visit_id, page.name, attempt, values, at.state.now())
            if not reasons:
                await leave(at, db, Event.DONE)
        if reasons:
            needs = need_at(page)
            return at.render("device.html", status=UNPROCESSABLE, reasons=reasons, needs=needs)
        return at.go_on()


def shortcomings(page: Device, measured: Measured) -> list[str]:
    """Return what a device lacks, as the ends of the catalogue's messages ``device-lacks-…``."""
    found = []
    if measured.width < page.least_width or measured.height < page.least_height:
        found.append("size")
    if not measured.fps:
        found.append("webgl")
    elif measured.fps < page.least_fps:
        found.append("speed")
    if len(measured.rtt_ms) < page.samples:
        found.append("samples")
    elif page.most_rtt_ms is not None and measured.median_ms > page.most_rtt_ms:
        found.append("nearness")
    if not set(measured.inputs) & set(page.inputs):
        found.append("input")
    return found


def read_measured(form: Form) -> Measured | None:
    """Read what a browser measured; None where that is not whole."""
    width, height, fps = (_number(form.get(name, "")) for name in ("width", "height", "fps"))
    samples = [_number(text) for text in form.get("rtt_ms", "").split(",")[:MOST_SAMPLES]]
    inputs = sorted(INPUTS & set(form.get("inputs", "").split(",")))
    rtt_ms = [sample for sample in samples if sample is not None]
    if width is None or height is None or fps is None or not rtt_ms:
        return None
    return Measured(width, height, fps, rtt_ms, inputs)


def _number(text: str) -> float | None:
    return float(text) if _NUMBER.fullmatch(text) else None
