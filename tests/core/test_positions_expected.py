"""The statements of the shared cases, on chapter maps made from the numbers these cases expect.

Collected only where the shared folder is at hand.
"""

from __future__ import annotations

import json
import os
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from bot.core.reading import Chapter, ChapterMap, Found, NotLocated, Unclear, host_standing, locate, parse, standing
from bot.core.statements import PlainNumber, TitleSaid, folded_title

_NEAR = Path(__file__).parents[3] / "shared"
_EXPECTED = Path(os.environ.get("DOGEAR_SHARED", _NEAR)) / "cases" / "expected.json"


def _asked() -> list[Any]:
    if not _EXPECTED.exists():
        return []
    cases = json.loads(_EXPECTED.read_text("utf-8"))["cases"]
    return [
        pytest.param(case["chapters"], asked, id=f"{name}: {asked['input']}")
        for name, case in cases.items()
        for asked in case.get("progress", [])
    ]


def _map(chapters: list[dict[str, Any]]) -> ChapterMap:
    parts = {part: n for n, (part, _) in enumerate(groupby(c["part"] for c in chapters), 1)}
    return ChapterMap(
        100 * len(chapters),
        0,
        100 * len(chapters),
        tuple(
            Chapter(i, c["number"], (parts[c["part"]],) if c["part"] else (), 100 * i - 100, 100 * i)
            for i, c in enumerate(chapters, 1)
        ),
    )


if asked_cases := _asked():

    @pytest.mark.parametrize("form", ["{}", "in {}"])
    @pytest.mark.parametrize(("chapters", "asked"), asked_cases)
    def test_a_statement_of_the_cases_gives_the_expected_chapters(
        chapters: list[dict[str, Any]], asked: dict[str, Any], form: str
    ) -> None:
        chapter_map = _map(chapters)
        host = host_standing(chapter_map)
        who = standing(PlainNumber.IN, chapter_map.characters, chapter_map) if form == "{}" else host
        statement = parse(form.format(asked["input"]))
        titles = statement.titles if isinstance(statement, TitleSaid) else ()
        named = tuple(i for i, c in enumerate(chapters, 1) if folded_title(c["title"]) in titles)
        result = locate(statement, chapter_map, Found(chapters=named), who)
        if "error" in asked:
            assert isinstance(result, NotLocated)
            assert result.code == asked["error"]
            return
        assert not isinstance(result, NotLocated)
        assert [c.chapter for c in result.candidates] == asked["candidates"]
        assert isinstance(result, Unclear) is asked["ambiguous"]
        assert result.offset == chapter_map.chapters[asked["safe_ordinal"] - 1].start
