"""Every leak channel of the design has a closure here, and tests that exist."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.leak_channels import CHANNELS, Channel


def _tests() -> Iterator[str]:
    for path in sorted(Path(__file__).parent.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
                yield node.name


EXISTING = frozenset(_tests())


def test_every_channel_of_the_design_has_one_line() -> None:
    assert [channel.number for channel in CHANNELS] == list(range(1, 16))
    assert all(channel.name and channel.closed_by for channel in CHANNELS)


@pytest.mark.parametrize("channel", CHANNELS, ids=lambda channel: f"channel-{channel.number}")
def test_every_test_that_holds_a_channel_exists(channel: Channel) -> None:
    assert channel.tests
    assert len(set(channel.tests)) == len(channel.tests)
    assert not set(channel.tests) - EXISTING


def test_a_test_that_does_not_exist_is_noticed() -> None:
    assert "test_every_channel_of_the_design_has_one_line" in EXISTING
    assert "test_nobody_wrote_this" not in EXISTING
