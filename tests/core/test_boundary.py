"""One rule makes a boundary, and nothing makes it wider."""

from __future__ import annotations

import ast
import copy
import pickle
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bot
from bot.core.boundary import Boundary, boundary_for, narrowed
from bot.core.club import Audience, BookId, MemberId, private_to
from bot.core.errors import SpoilerLeak

BOOK = BookId(7)
ROOT = Path(str(bot.__file__)).parent
RULES = ROOT / "core" / "boundary.py"

members = st.integers(1, 9).map(MemberId)
audiences = st.builds(Audience, st.frozensets(members, max_size=6), st.none() | st.just("room"))
positions = st.dictionaries(members, st.integers(0, 10_000), max_size=9)


@given(audiences, positions)
def test_the_boundary_is_the_lowest_position_of_the_audience(audience: Audience, known: dict[MemberId, int]) -> None:
    boundary = boundary_for(BOOK, audience, known)
    assert boundary.offset == min((known.get(m, 0) for m in audience.members), default=0)
    assert (boundary.book, boundary.audience) == (BOOK, audience)


@given(audiences, audiences, positions)
def test_a_larger_audience_never_raises_the_boundary(
    one: Audience, other: Audience, known: dict[MemberId, int]
) -> None:
    both = Audience(one.members | other.members, "room")
    if one.members:
        assert boundary_for(BOOK, both, known).offset <= boundary_for(BOOK, one, known).offset


@given(positions)
def test_a_member_without_a_position_counts_as_nothing_read(known: dict[MemberId, int]) -> None:
    audience = Audience(frozenset({*known, MemberId(77)}), "room")
    assert boundary_for(BOOK, audience, known).offset == 0


@given(positions)
def test_an_audience_of_nobody_has_read_nothing(known: dict[MemberId, int]) -> None:
    assert boundary_for(BOOK, Audience(frozenset(), "room"), known).offset == 0


@given(st.integers(-5, 10_000))
def test_a_position_below_the_start_counts_as_the_start(offset: int) -> None:
    assert boundary_for(BOOK, private_to(MemberId(1)), {MemberId(1): offset}).offset == max(0, offset)


@given(audiences, positions, st.lists(st.integers(-5, 12_000), max_size=4))
def test_limits_only_narrow(audience: Audience, known: dict[MemberId, int], limits: list[int]) -> None:
    boundary = boundary_for(BOOK, audience, known)
    for limit in limits:
        limited = narrowed(boundary, limit)
        assert limited.offset == max(0, min(boundary.offset, limit))
        assert (limited.book, limited.audience) == (boundary.book, boundary.audience)
        boundary = limited


@given(st.integers(0, 100), st.integers(0, 100))
def test_what_is_revealed_at_the_boundary_is_admitted_and_nothing_later(offset: int, revealed_at: int) -> None:
    boundary = boundary_for(BOOK, private_to(MemberId(1)), {MemberId(1): offset})
    assert boundary.admits(revealed_at) == (revealed_at <= offset)


def made(offset: int = 100) -> Boundary:
    return boundary_for(BOOK, private_to(MemberId(1)), {MemberId(1): offset})


def test_nobody_else_can_construct_a_boundary() -> None:
    with pytest.raises(SpoilerLeak):
        Boundary(BOOK, 100, private_to(MemberId(1)))
    with pytest.raises(SpoilerLeak):
        Boundary(BOOK, 100, private_to(MemberId(1)), object())


@pytest.mark.parametrize(
    "changes", [{"offset": 10**6}, {"offset": 1}, {"audience": private_to(MemberId(2))}, {"book": BookId(8)}, {}]
)
def test_a_changed_copy_of_a_boundary_cannot_be_made(changes: dict[str, object]) -> None:
    with pytest.raises(SpoilerLeak):
        replace(made(), **changes)  # type: ignore[arg-type]


def test_a_boundary_does_not_give_away_the_right_to_make_one() -> None:
    boundary = made()
    with pytest.raises(SpoilerLeak):
        Boundary(BOOK, 10**6, boundary.audience, getattr(boundary, "_made_by", None))


def test_a_boundary_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        made().offset = 10**6  # type: ignore[misc]


def test_a_boundary_cannot_be_stored_or_loaded() -> None:
    with pytest.raises(SpoilerLeak):
        pickle.dumps(made())
    with pytest.raises(SpoilerLeak):
        made().__setstate__([BOOK, 10**6, private_to(MemberId(1))])


def test_copies_of_a_boundary_are_the_boundary() -> None:
    boundary = made()
    assert copy.copy(boundary) is boundary
    assert copy.deepcopy([boundary])[0] is boundary


def _modules() -> Iterator[tuple[Path, ast.Module]]:
    for path in sorted(ROOT.rglob("*.py")):
        yield path, ast.parse(path.read_text("utf-8"))


def _called(node: ast.Call) -> str:
    match node.func:
        case ast.Name(name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


def test_only_one_module_constructs_boundaries() -> None:
    calls = [
        (path, node.lineno)
        for path, tree in _modules()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and _called(node) == "Boundary"
    ]
    assert {path for path, _ in calls} == {RULES}
    assert len(calls) == 2


def test_the_right_to_make_a_boundary_is_named_in_one_module_only() -> None:
    assert [path for path, _ in _modules() if "_THE_RULE" in path.read_text("utf-8")] == [RULES]


def _mentions(node: ast.AST, *words: str) -> bool:
    names = (
        n.id if isinstance(n, ast.Name) else n.attr for n in ast.walk(node) if isinstance(n, ast.Name | ast.Attribute)
    )
    return any(word in name for name in names for word in words)


def test_what_is_revealed_is_compared_with_a_boundary_in_one_place_only() -> None:
    """Measuring is left out: it checks from outside what came through, on offsets that the host gave."""
    found = [
        (path, node.lineno)
        for path, tree in _modules()
        if path.parent.name != "measure"
        for node in ast.walk(tree)
        if isinstance(node, ast.Compare)
        and _mentions(node, "revealed_at", "reach")
        and _mentions(node, "boundary", "offset")
    ]
    assert [path for path, _ in found] == [RULES]


def test_the_searches_for_misuse_see_what_they_look_for() -> None:
    tree = ast.parse("a = Boundary(1)\nif passage.revealed_at < boundary.offset: pass")
    nodes = list(ast.walk(tree))
    assert any(isinstance(n, ast.Call) and _called(n) == "Boundary" for n in nodes)
    assert any(isinstance(n, ast.Compare) and _mentions(n, "revealed_at") and _mentions(n, "boundary") for n in nodes)
