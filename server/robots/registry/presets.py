"""Named configurations of the policies: one per setting of a source paper, and ours.

A policy is named as ``react``, ``react:partnr-decentralised`` or, with single options changed,
``react:partnr-decentralised,observability=full,generation.temperature=0.3``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from episodes.bodies import SeatKind
from server.robots.baselines.ghost import GhostSettings
from server.robots.baselines.scripted_people import PersonManner
from server.robots.playing.seat_options import SeatOptions
from server.robots.policies.cohab.policy import Options as CohabOptions
from server.robots.policies.finetuned.policy import FinetunedSettings
from server.robots.policies.helper.settings import HelperSettings, Running
from server.robots.policies.llamar.settings import LlamarSettings
from server.robots.policies.react.policy import ReactSettings
from server.robots.policies.react.retrieval_policy import RagSettings
from server.robots.policies.shared.generation import Generation

OURS = "default"


class PresetError(ValueError):
    """A policy's name that means nothing: says which part, and what there is."""


class Preset(msgspec.Struct, frozen=True, kw_only=True):
    """How one policy is set up. ``settings`` are the policy's own."""

    settings: Any
    seating: SeatOptions = SeatOptions()
    asymmetric: bool = False
    """The human's graph has only what its own body sees, the robot's what both see (PARTNR)."""

    def seating_of(self, kind: SeatKind) -> SeatOptions:
        if self.asymmetric and kind == "human":
            return msgspec.structs.replace(self.seating, shares_views=False)
        return self.seating


class Named(msgspec.Struct, frozen=True):
    """A policy's name taken apart."""

    policy: str
    configuration: str
    setup: Preset


PARTNR_CALLS = 50 + 1
"""PARTNR compares before it counts, so that one call more than its threshold is made."""
PARTNR_CENTRAL_CALLS = 100 + 1
PARTNR_TOOLS = (
    "Navigate", "Explore", "Open", "Close", "Pick", "Place", "Wait",
    "Clean", "Fill", "Pour", "PowerOn", "PowerOff",
)  # fmt: skip
"""The list of the main text, without Rearrange; of the last five only the human body has any."""
_ONCE = Generation(retries=False)
_PARTNR_REACT = ReactSettings(
    generation=_ONCE,
    bad_answer="result",
    hears=False,
    confirms_done=False,
    repeats=None,
    context_chars=None,
)
_OURS = SeatOptions(prefetch=True, revalidate=True)
"""Everything that helps beside a person; what is named after a paper has none of it."""
_PARTNR_SEATING = SeatOptions(max_decisions=PARTNR_CALLS, tools=PARTNR_TOOLS)
_PARTNR_CENTRAL = msgspec.structs.replace(
    _PARTNR_REACT, arrangement="centralised", most_calls=PARTNR_CENTRAL_CALLS
)
_LLAMAR = LlamarSettings(
    # The paper gives neither a temperature nor a longest answer.
    generation=Generation(retries=False, max_tokens=1000),
    exploration="headings",
    calls="always",
    objects="near",
    bad_answer="result",
    hears=False,
    lets_go=False,
    confirms_done=False,
    reopens=False,
    blocks_repeats=None,
    most_decisions=30,
)
_ACTOR_ALONE: dict[str, Any] = {
    "planner": False,
    "corrector": "off",
    "memory": False,
    "trace": True,
}
"""The paper's Act: no lists and no memory, but all that was done."""


def _llamar(**changed: Any) -> Preset:
    """LLaMAR's main setting, or what its ablations leave of it. Beside a person it decides for
    one body, which the paper never does."""
    return Preset(
        settings=msgspec.structs.replace(_LLAMAR, **changed),
        seating=SeatOptions(tools=PARTNR_TOOLS),
    )


def _partnr(settings: Any, *, full: bool = False, **seating: Any) -> Preset:
    changed = {"observability": "full"} if full else {}
    return Preset(
        settings=settings,
        seating=msgspec.structs.replace(_PARTNR_SEATING, **changed, **seating),
        asymmetric=not full and getattr(settings, "arrangement", "") != "centralised",
    )


HELPERX_STEPS = 1000
_HELPERX = HelperSettings(
    generation=Generation(retries=False, max_tokens=1200),
    retrieval="embedding",
    extended=False,
    shows="kinds",
    tidies=False,
    bad_answer="drop",
    questions=0,
    listens=False,
    feedback_rounds=0,
    running=Running(
        tries_again=False,
        goes_on=False,
        lets_go=False,
        rechecks=0,
        views=1,
        most_failures=30,
        most_left=10,
        repairs_until=20,
    ),
)
"""HELPER-X's budgets; what has no part in its paper (a partner's talk, waiting) is off."""


def _helperx(variant: str, *, questions: bool = False) -> Preset:
    asks = {"questions": HELPERX_STEPS, "asks_which": True} if questions else {}
    return Preset(
        settings=msgspec.structs.replace(_HELPERX, variant=variant, **asks),
        seating=SeatOptions(max_decisions=HELPERX_STEPS, tools=PARTNR_TOOLS),
    )


CONFIGURATIONS: Mapping[str, Mapping[str, Preset]] = {
    "react": {
        OURS: Preset(settings=ReactSettings(), seating=_OURS),
        "partnr-decentralised": _partnr(_PARTNR_REACT),
        "partnr-decentralised-full": _partnr(_PARTNR_REACT, full=True),
        "partnr-centralised": _partnr(_PARTNR_CENTRAL, max_decisions=None),
        "partnr-centralised-full": _partnr(_PARTNR_CENTRAL, full=True, max_decisions=None),
        "partnr-tools": _partnr(msgspec.structs.replace(_PARTNR_REACT, information="tools")),
    },
    "react-rag": {
        OURS: Preset(settings=RagSettings(), seating=_OURS),
        "partnr": _partnr(RagSettings(react=_PARTNR_REACT, retrieval="embedding")),
    },
    "finetuned": {
        OURS: Preset(settings=FinetunedSettings(), seating=_OURS),
        "partnr": _partnr(FinetunedSettings(generation=_ONCE)),
    },
    "cohab": {OURS: Preset(settings=CohabOptions(), seating=_OURS)},
    "helper": {
        OURS: Preset(settings=HelperSettings(), seating=_OURS),
        "helperx-p": _helperx("prompts"),
        "helperx-s": _helperx("shared"),
        "helperx-p-questions": _helperx("prompts", questions=True),
        "helperx-s-questions": _helperx("shared", questions=True),
    },
    "llamar": {
        OURS: Preset(settings=LlamarSettings(), seating=_OURS),
        "suggests": Preset(settings=LlamarSettings(most_suggestions=20), seating=_OURS),
        "paper": _llamar(),
        "paper-centralised": _llamar(arrangement="centralised"),
        "paper-actor": _llamar(**_ACTOR_ALONE),
        "paper-actor-centralised": _llamar(**_ACTOR_ALONE, arrangement="centralised"),
    },
    "llamar-oracle": {
        OURS: Preset(settings=LlamarSettings(), seating=_OURS),
        "paper": _llamar(),
        "paper-centralised": _llamar(arrangement="centralised"),
    },
    "ghost": {OURS: Preset(settings=GhostSettings())},
    "scripted": {
        OURS: Preset(settings=PersonManner()),
        "slow": Preset(settings=PersonManner(pause_s=8.0, patience_s=20.0)),
        "erring": Preset(settings=PersonManner(errs=0.5, patience_s=20.0)),
        "passive": Preset(settings=PersonManner(does="what only people can", patience_s=120.0)),
        "contrary": Preset(settings=PersonManner(undoes=2, patience_s=60.0)),
    },
}


def configured(text: str) -> Named:
    """What a policy's name stands for. Raises PresetError."""
    policy, _, rest = text.partition(":")
    known = CONFIGURATIONS.get(policy)
    if known is None:
        raise PresetError(
            f"no policy {policy!r} with configurations; there are: {', '.join(CONFIGURATIONS)}"
        )
    parts = [part.strip() for part in rest.split(",") if part.strip()]
    name = parts.pop(0) if parts and "=" not in parts[0] else OURS
    if name not in known:
        raise PresetError(f"{policy} has no configuration {name!r}; there are: {', '.join(known)}")
    setup = known[name]
    for part in parts:
        key, equals, value = part.partition("=")
        if not equals:
            raise PresetError(f"expected option=value in {text!r}, got {part!r}")
        setup = _changed(setup, policy, key.strip(), value.strip())
    return Named(policy, name, setup)


def _changed(setup: Preset, policy: str, key: str, value: str) -> Preset:
    """With one option changed, of the policy or of how it sits in its seat."""
    for field in ("settings", "seating"):
        struct = getattr(setup, field)
        raw = msgspec.to_builtins(struct)
        *path, last = key.split(".")
        inner = raw
        for step in path:
            inner = inner.get(step) if isinstance(inner, dict) else None
        if not isinstance(inner, dict) or last not in inner:
            continue
        inner[last] = value.split("+") if isinstance(inner[last], list | tuple) else value
        try:
            changed = msgspec.convert(raw, type(struct), strict=False)
        except msgspec.ValidationError as error:
            raise PresetError(f"{policy}: {key}={value}: {error}") from error
        return msgspec.structs.replace(setup, **{field: changed})
    raise PresetError(f"{policy} has no option {key!r}; there are: {', '.join(_options(setup))}")


def _options(setup: Preset) -> list[str]:
    found = []
    for struct in (setup.settings, setup.seating):
        for name, value in msgspec.to_builtins(struct).items():
            found += [f"{name}.{inner}" for inner in value] if isinstance(value, dict) else [name]
    return found
