"""Asserts of the contract suite explain themselves like those of test files."""

import pytest

for part in ("bodies", "sight", "start", "things"):
    pytest.register_assert_rewrite(f"tests.server.simulators.contract_{part}")
