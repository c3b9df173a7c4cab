"""The tree of exceptions."""

from __future__ import annotations

import ast
from pathlib import Path

import bot

CODE = sorted(Path(bot.__file__).parent.rglob("*.py"))


def _raised() -> set[str]:
    """The names of Dogear's own exceptions."""
    tree = ast.parse(Path(bot.__file__).with_name("core").joinpath("errors.py").read_text("utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.ClassDef)}


def test_no_exception_is_made_once_and_raised_often() -> None:
    """Each raise of one object adds the frames it passed to those before, with what they held: questions, and text."""
    own = _raised()
    assert "Refused" in own
    shared = [
        f"{file.name}:{node.lineno}"
        for file in CODE
        for node in ast.parse(file.read_text("utf-8")).body
        if isinstance(node, ast.Assign | ast.AnnAssign)
        and isinstance(node.value, ast.Call)
        and isinstance(node.value.func, ast.Name)
        and node.value.func.id in own
    ]
    assert shared == []
