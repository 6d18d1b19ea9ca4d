"""The compose file that adds a model server: it fits the first one, and starts vLLM as we do."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import yaml

from server.robots.serving.vllm_process import Serving, flags
from server.settings import Settings

ROOT = Path(__file__).parents[1]
SCHEMA = ROOT / "tests" / "data" / "compose" / "compose-spec.json"
BASE: dict[str, Any] = yaml.safe_load((ROOT / "docker" / "compose.yaml").read_text())
GPU: dict[str, Any] = yaml.safe_load((ROOT / "docker" / "compose.gpu.yaml").read_text())
MODEL = GPU["services"]["model"]


def test_it_says_what_the_specification_allows() -> None:
    jsonschema.Draft7Validator(json.loads(SCHEMA.read_text())).validate(GPU)


def test_it_adds_to_what_there_is() -> None:
    added = GPU["services"]["cohabit"]["environment"]
    assert set(added) <= {f"COHABIT_{name.upper()}" for name in Settings.model_fields}
    assert not set(added) & set(BASE["services"]["cohabit"]["environment"])
    assert "model" not in BASE["services"]
    assert set(MODEL["networks"]) <= set(BASE["networks"])
    assert [mount.split(":")[0] for mount in MODEL["volumes"]] == list(GPU["volumes"])


def test_the_model_server_is_reached_from_inside_only() -> None:
    assert "ports" not in MODEL
    port = MODEL["command"][MODEL["command"].index("--port") + 1]
    assert (
        GPU["services"]["cohabit"]["environment"]["COHABIT_MODEL_URL"] == f"http://model:{port}/v1"
    )


def test_vllm_has_the_flags_that_the_command_line_gives_it() -> None:
    name = MODEL["command"][1]
    ours = flags(Serving(model=name, name=name, host="0.0.0.0", port=8000), "gpu")
    ours = ours[: ours.index("--served-model-name")] + ours[ours.index("--served-model-name") + 2 :]
    assert MODEL["command"] == ours


def test_it_is_the_version_that_is_locked() -> None:
    lock = (ROOT / "requirements" / "vllm-server.txt").read_text()
    version = MODEL["image"].rpartition(":v")[2]
    assert f"\nvllm=={version} " in lock


def test_what_is_not_set_outside_is_as_the_settings_have_it() -> None:
    """Compose hands empty texts on for what is not set: each setting has to say what it is then."""
    added: dict[str, str] = GPU["services"]["cohabit"]["environment"]
    handed_on = {
        name.removeprefix("COHABIT_").lower(): outside[1]
        for name, value in added.items()
        if (outside := re.fullmatch(r"\$\{\w+:-(.*)\}", value)) is not None
    }
    assert "robot_after_s" in handed_on
    for name, otherwise in handed_on.items():
        default = Settings.model_fields[name].default
        assert otherwise == (f"{default:g}" if isinstance(default, float) else default), name
