"""How a book comes into a club and leaves it, on a club in memory; and what a room is shown meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import pairwise

import pytest

from bot.core.club import BookId, Member, Role
from bot.core.clubhouse import Clubhouse
from bot.core.errors import Refused
from bot.core.jobs import JobId, JobState, Made, Stage, Taking
from bot.core.library import (
    EDIT_EVERY,
    UNDO_FOR,
    Arrived,
    Cancelled,
    Failed,
    RoomProgress,
    Underway,
    book_announced,
    book_removed,
    book_undone,
    last_added,
    upload,
    upload_cancelled,
    upload_followed,
    upload_retried,
    upload_state,
    uploads,
)
from bot.core.life import next_book_started
from bot.ingest.pipeline import index_book
from tests.fakes.clubhouse import FakeClock, house_of
from tests.fakes.jobs import FakeJobQueue, FakeJobs
from tests.fakes.library import LANTERN, in_memory
from tests.jobs_suite import chunks

INDEXED = index_book(LANTERN)


@dataclass
class Hall:
    """A club in memory with an admin, its queue and its clock."""

    house: Clubhouse
    admin: Member
    clock: FakeClock
    queue: FakeJobQueue

    async def upload(self, content: bytes = b"a book") -> JobId:
        return await upload(self.house, self.admin, "the butler.txt", chunks(content))

    async def made(self, content: bytes = b"a book", by: Member | None = None) -> tuple[JobId, BookId]:
        job = await upload(self.house, by or self.admin, "the butler.txt", chunks(content))
        claim = await self.queue.job_claimed(Taking("one", only=job), self.clock())
        assert claim is not None
        return job, await self.queue.book_stored(claim, INDEXED, "The Lantern", Made(), self.clock())

    async def failed(self) -> JobId:
        job = await self.upload(b"no book")
        claim = await self.queue.job_claimed(Taking("one", only=job), self.clock())
        assert claim is not None
        await self.queue.job_failed(claim, "not_epub", "This is no EPUB.", self.clock())
        return job

    async def member(self, name: str, role: Role = Role.ADMIN) -> Member:
        member = await self.house.roster.member_known(name)
        await self.house.roster.role_given(member.id, role)
        return await self.house.roster.member_known(name)


@pytest.fixture
async def hall() -> Hall:
    library = in_memory()
    library.club = await library.shelf.club_named("club")
    clock = FakeClock()
    house = house_of(library, clock)
    assert isinstance(house.jobs, FakeJobs)
    made = Hall(house, await house.roster.member_known("x"), clock, FakeJobQueue(house.jobs.store, clock()))
    made.admin = await made.member("ana")
    return made


async def test_the_same_file_twice_in_one_club_is_the_same_book(hall: Hall) -> None:
    job, book = await hall.made()
    assert await hall.upload() == job
    state = await upload_state(hall.house, job)
    assert isinstance(state, Arrived)
    assert state.book.id == book
    assert not state.announced


async def test_only_an_admin_uploads_announces_cancels_retries_undoes_and_removes(hall: Hall) -> None:
    job, book = await hall.made()
    other = await hall.member("ben", Role.MEMBER)
    for act in (
        upload(hall.house, other, "a.txt", chunks(b"a")),
        uploads(hall.house, other),
        upload_cancelled(hall.house, other, job),
        upload_retried(hall.house, other, job),
        book_announced(hall.house, other, book),
        book_undone(hall.house, other, book),
        book_removed(hall.house, other, book),
    ):
        with pytest.raises(Refused, match="Only an admin"):
            await act


async def test_a_file_that_failed_says_why_and_is_tried_again(hall: Hall) -> None:
    job = await hall.failed()
    assert await upload_state(hall.house, job) == Failed(job, "This is no EPUB.", can_retry=True)
    assert await uploads(hall.house, hall.admin) == (Failed(job, "This is no EPUB.", can_retry=True),)
    assert await upload_retried(hall.house, hall.admin, job) == Underway(job, Stage.WAIT, 0, cancelling=False)


async def test_who_brought_a_book_alone_announces_it_or_makes_it_the_one_that_is_read(hall: Hall) -> None:
    _, book = await hall.made()
    other = await hall.member("ben")
    for act in (book_announced(hall.house, other, book), next_book_started(hall.house, other, book)):
        with pytest.raises(Refused) as refused:
            await act
        assert refused.value.code == "unknown_book"
    await next_book_started(hall.house, hall.admin, book)
    (there,) = await hall.house.roster.books()
    assert there.announced
    await book_announced(hall.house, other, book)


async def test_a_book_that_is_not_announced_is_cancelled_with_its_job(hall: Hall) -> None:
    job, _ = await hall.made()
    assert await upload_cancelled(hall.house, hall.admin, job) == Cancelled(job)
    assert await hall.house.roster.books() == ()
    assert await upload_state(hall.house, job) == Cancelled(job)


async def test_a_book_that_is_announced_is_not_cancelled(hall: Hall) -> None:
    job, book = await hall.made()
    await book_announced(hall.house, hall.admin, book)
    assert isinstance(await upload_cancelled(hall.house, hall.admin, job), Arrived)
    assert await uploads(hall.house, hall.admin) == ()


@pytest.mark.parametrize(("minutes", "announced", "undone"), [(60, True, True), (61, True, False), (999, False, True)])
async def test_a_book_is_taken_back_within_the_hour_or_before_it_is_announced(
    hall: Hall, minutes: int, announced: bool, undone: bool
) -> None:
    _, book = await hall.made()
    if announced:
        await book_announced(hall.house, hall.admin, book)
    hall.clock.passes(minutes=minutes)
    if undone:
        assert (await book_undone(hall.house, hall.admin, book)).title == "The Lantern"
        assert await hall.house.roster.books() == ()
    else:
        with pytest.raises(Refused, match=f"/book remove {book} removes"):
            await book_undone(hall.house, hall.admin, book)
    assert timedelta(hours=1) == UNDO_FOR


async def test_the_last_book_of_a_member_is_their_own(hall: Hall) -> None:
    await hall.made(b"1")
    _, second = await hall.made(b"2")
    ben = await hall.member("ben")
    assert await last_added(hall.house, ben) is None
    _, third = await hall.made(b"3", by=ben)
    mine, his = await last_added(hall.house, hall.admin), await last_added(hall.house, ben)
    assert mine is not None
    assert his is not None
    assert (mine.id, his.id) == (second, third)


async def test_a_book_of_another_club_cannot_be_named(hall: Hall) -> None:
    for use in (book_announced, book_undone, book_removed):
        with pytest.raises(Refused, match="no such book"):
            await use(hall.house, hall.admin, BookId(99))


@dataclass
class Post:
    """A message in a room: what it said, and when."""

    clock: FakeClock
    said: list[tuple[datetime, RoomProgress]] = field(default_factory=list)

    async def progress_posted(self, progress: RoomProgress) -> None:
        assert not self.said
        self.said.append((self.clock(), progress))

    async def progress_edited(self, progress: RoomProgress) -> None:
        assert self.said
        self.said.append((self.clock(), progress))


async def followed(hall: Hall, job: JobId, at: Callable[[float], None]) -> Post:
    """Follow a job; ``at`` is called with the seconds that have passed whenever any do."""
    post, began = Post(hall.clock), hall.clock()

    async def pause(seconds: float) -> None:
        assert seconds > 0
        hall.clock.passes(seconds=seconds)
        at((hall.clock() - began).total_seconds())

    await upload_followed(hall.house, job, post, pause)
    return post


async def test_a_room_is_shown_the_last_of_it_and_no_more_often_than_every_second_and_a_half(hall: Hall) -> None:
    job = await hall.upload()
    claim = await hall.queue.job_claimed(Taking("one"), hall.clock())
    assert claim is not None
    kept = hall.queue.store.kept[job]

    def at(seconds: float) -> None:
        kept.stage, kept.percent = Stage.READ, 10 * min(10, int(seconds * 2))
        if seconds >= 5:
            hall.queue.store.shelf.kept.clear()
            kept.ended(JobState.DONE, hall.clock())

    post = await followed(hall, job, at)
    times = [time for time, _ in post.said]
    assert all(later - time >= EDIT_EVERY for time, later in pairwise(times))
    assert [progress.percent for _, progress in post.said] == [0, 30, 60, 90, 100]
    assert post.said[-1][1].state is JobState.DONE


async def test_a_room_is_shown_nothing_that_has_not_changed(hall: Hall) -> None:
    job = await hall.upload()
    kept = hall.queue.store.kept[job]
    post = await followed(hall, job, lambda s: kept.ended(JobState.CANCELLED, hall.clock()) if s >= 60 else None)
    assert [progress.state for _, progress in post.said] == [JobState.QUEUED, JobState.CANCELLED]


async def test_no_title_is_in_progress_before_the_announcement(hall: Hall) -> None:
    job, _ = await hall.made()
    post = await followed(hall, job, lambda _seconds: None)
    assert post.said[0][1] == RoomProgress(JobState.DONE, Stage.WAIT, 100)
    assert set(RoomProgress.__slots__) == {"state", "stage", "percent"}


async def test_a_book_that_is_removed_while_it_is_followed_ends_it(hall: Hall) -> None:
    job = await hall.upload()
    post = await followed(hall, job, lambda s: hall.queue.store.kept.clear() if s >= 2 else None)
    assert post.said[-1][1].state is JobState.CANCELLED


async def test_the_name_of_a_file_is_nowhere_a_room_can_look(hall: Hall) -> None:
    job = await hall.failed()
    seen = (await hall.house.jobs.jobs(), await uploads(hall.house, hall.admin), await upload_state(hall.house, job))
    assert "butler" not in repr(seen)
