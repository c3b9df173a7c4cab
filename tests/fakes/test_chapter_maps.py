"""The fake chapter maps pass the suite of the real ones."""

from __future__ import annotations

import pytest

from tests.chapter_maps_suite import ChapterMapsSuite, Kept
from tests.fakes.chapter_maps import FakeChapterMaps
from tests.fakes.library import in_memory


class TestFakeChapterMaps(ChapterMapsSuite):
    @pytest.fixture
    def kept(self) -> Kept:
        library = in_memory()
        maps = FakeChapterMaps(library.shelf, library.roster)
        return Kept(library, maps, maps.minutes_pass)
