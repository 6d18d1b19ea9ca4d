"""Asserts of the contract suite explain themselves like those of test files."""

import pytest

pytest.register_assert_rewrite("tests.server.simulators.contract")
