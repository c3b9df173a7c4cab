"""A club's weeks on a fake clock: the post under the room's boundary, once a week; reminders; what is made again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta

import pytest

from bot.core.audience import Sight, cannot_tell
from bot.core.ballots import Ballot
from bot.core.club import BookId, MemberId, Role, Room
from bot.core.clubhouse import Clubhouse
from bot.core.errors import Refused, SpoilerLeak, Unavailable
from bot.core.life import ClubFinished
from bot.core.next_book import nominate, vote, vote_until
from bot.core.notices import DueSoon
from bot.core.ports import Door
from bot.core.rounds import AGAIN, LEASE, SOON, Send, Sending, ToDo, note_due, tick, weekly_preview
from bot.core.schedule import Milestone
from bot.core.scheduling import remind, schedule_seen, send_reminders, set_schedule
from bot.core.timetable import SENT_AGAIN, PostState
from bot.core.weekly import IsoWeek
from bot.core.weekly_post import Bar, WeeklyPost, weekly_holds, weekly_post
from tests.fakes.clubhouse import FakeClock, house_of
from tests.fakes.doors import FakeDoors
from tests.fakes.library import LANTERN, Library, end_of, in_memory
from tests.fakes.roster import FakeRoster
from tests.fakes.shelf import FakeShelf
from tests.fakes.tell import FakeTell
from tests.fakes.timetable import FakeTimetable

SUNDAY = datetime(2026, 12, 6, 18, 0, tzinfo=UTC)
WEEK = IsoWeek(2026, 49)
MONDAY = SUNDAY - timedelta(days=6)


class Died(BaseException):
    """The process is gone."""


@dataclass
class Club:
    """A club of the small book, with one room, and what was posted in it."""

    library: Library[FakeShelf, FakeRoster, FakeDoors]
    house: Clubhouse
    clock: FakeClock
    book: BookId
    tell: FakeTell = field(default_factory=FakeTell)
    posts: list[WeeklyPost] = field(default_factory=list)
    news: list[ClubFinished | Ballot] = field(default_factory=list)
    rooms_told: list[str] = field(default_factory=list)
    before_send: Callable[[int], None] = lambda _n: None
    prepared: int = 0
    delivers: bool = True
    dies: bool = False
    tells_twice: bool = False

    async def at(self, name: str, chapters: int, shown: bool | None = True) -> MemberId:
        """A member who has finished so many chapters."""
        member = await self.house.roster.member_known(name)
        await self.house.roster.join(member.id, self.clock())
        offset = end_of(LANTERN, chapters) if chapters else 0
        await self.library.place(name, self.book, offset)
        if shown is not None:
            await self.house.roster.shown(member.id, shown)
        return member.id

    async def prepare(self, room: Room, post: WeeklyPost) -> Send:
        assert room.key == "room"
        self.prepared += 1
        self.before_send(self.prepared)

        async def send() -> bool:
            if self.delivers:
                self.posts.append(post)
            if self.dies:
                raise Died
            return self.delivers

        return send

    async def announce(self, room: Room, news: ClubFinished | Ballot) -> bool:
        self.rooms_told.append(room.key)
        self.news.append(news)
        return True

    async def tick(self, now: datetime | None = None) -> PostState | None:
        self.clock.now = now or self.clock.now
        sending = Sending(self.prepare, self.tells_twice)
        return await tick(self.house, cannot_tell, sending, self.tell, self.announce, self.clock.now)

    async def post(self) -> WeeklyPost:
        return await weekly_post(self.house, "room", cannot_tell, self.clock.now)


@pytest.fixture
async def club() -> Club:
    library, clock = in_memory(), FakeClock(MONDAY)
    book = await library.add(LANTERN)
    house = house_of(library, clock)
    await house.rooms.room_added("room", "Room")
    return Club(library, house, clock, book)


async def with_second(club: Club) -> BookId:
    """A second room, with a book of its own."""
    second = await club.library.add(replace(LANTERN, title="The Harbour"), file="second")
    room = await club.house.rooms.room_added("second", "Second")
    await club.house.rooms.room_reads(room.id, second)
    return second


def quotes(post: WeeklyPost) -> list[str]:
    return [citation.quote for citation in post.highlights]


async def test_a_post_shows_who_shows_their_place_and_nobody_else(club: Club) -> None:
    await club.at("ana", 2)
    await club.at("ben", 1, shown=False)
    await club.at("cleo", 3, shown=None)
    post = await club.post()
    assert post.bars == (Bar("ana", 2),)
    assert post.finished == 1
    assert post.waiting == 0


async def test_every_highlight_is_of_the_part_that_everyone_has_read(club: Club) -> None:
    await club.at("ana", 3)
    await club.at("ben", 1)
    post = await club.post()
    assert post.highlights
    assert all(c.span.end <= end_of(LANTERN, 1) for c in post.highlights)
    assert post.talk is not None and all(name in LANTERN.text[: end_of(LANTERN, 1)] for name in post.talk.names)


async def test_the_next_post_quotes_what_was_newly_read_alone(club: Club) -> None:
    await club.at("ana", 1)
    assert await club.tick(SUNDAY) is PostState.POSTED
    await club.at("ana", 2)
    assert await club.tick(SUNDAY + timedelta(days=7)) is PostState.POSTED
    first, second = club.posts
    assert (first.week, second.week) == (WEEK, IsoWeek(2026, 50))
    assert quotes(second) and all(c.span.start >= end_of(LANTERN, 1) for c in second.highlights)
    assert second.bars == (Bar("ana", 2, before=1),)
    assert [(p.week.week, p.club) for p in second.points] == [(49, 1), (50, 2)]


async def test_where_nobody_moved_nothing_is_quoted(club: Club) -> None:
    await club.at("ana", 1)
    await club.tick(SUNDAY)
    await club.tick(SUNDAY + timedelta(days=7))
    assert [post.moved for post in club.posts] == [True, False]
    assert club.posts[1].highlights == () and club.posts[1].talk is None


async def test_who_moves_unseen_is_not_told_of(club: Club) -> None:
    await club.at("ana", 1)
    await club.at("ben", 2, shown=False)
    await club.tick(SUNDAY)
    await club.at("ben", 3, shown=False)
    await club.tick(SUNDAY + timedelta(days=7))
    assert not club.posts[1].moved


async def test_a_joiner_without_a_place_leaves_nothing_to_quote(club: Club) -> None:
    await club.at("ana", 3)
    await club.tick(SUNDAY)
    await club.library.member("ben")
    await club.tick(SUNDAY + timedelta(days=7))
    post = club.posts[1]
    assert (post.boundary.offset, post.waiting, post.highlights, post.talk) == (0, 1, (), None)


async def test_a_week_is_posted_once_however_often_the_clock_ticks(club: Club) -> None:
    await club.at("ana", 1)
    assert await club.tick(SUNDAY - timedelta(seconds=1)) is None
    states = [await club.tick(SUNDAY + timedelta(minutes=m)) for m in range(0, 600, 50)]
    assert states == [PostState.POSTED, *[None] * 11]
    assert [post.week for post in club.posts] == [WEEK]


async def test_a_clock_that_jumps_ahead_and_back_again_posts_each_week_once_and_loses_none(club: Club) -> None:
    await club.at("ana", 1)
    week = timedelta(days=7)
    assert await club.tick(SUNDAY) is PostState.POSTED
    assert await club.tick(SUNDAY - timedelta(hours=2)) is None
    assert await club.tick(SUNDAY + timedelta(minutes=1)) is None
    assert await club.tick(SUNDAY + week) is PostState.POSTED  # too early, by a clock that was wrong
    for later in (timedelta(hours=1), week, week + timedelta(hours=1)):
        assert await club.tick(SUNDAY + later) is None
    assert await club.tick(SUNDAY + 2 * week) is PostState.POSTED
    assert [post.week.week for post in club.posts] == [49, 50, 51]


async def test_a_post_is_late_rather_than_never_and_skipped_when_older_than_a_day(club: Club) -> None:
    await club.at("ana", 1)
    assert await club.tick(SUNDAY + timedelta(hours=23)) is PostState.POSTED
    assert await club.tick(SUNDAY + timedelta(days=8, minutes=1)) is None
    assert len(club.posts) == 1
    await note_due(club.house, SUNDAY + timedelta(days=14))
    assert await club.tick(SUNDAY + timedelta(days=15, minutes=1)) is PostState.SKIPPED
    assert len(club.posts) == 1


async def test_who_all_joined_after_it_was_planned_get_no_late_post(club: Club) -> None:
    club.clock.now = SUNDAY + timedelta(hours=1)
    await club.at("ana", 1)
    assert await club.tick() is PostState.SKIPPED
    assert await club.tick(SUNDAY + timedelta(days=7)) is PostState.POSTED


async def test_a_club_without_members_or_without_a_book_posts_nothing(club: Club) -> None:
    assert await club.tick(SUNDAY) is PostState.SKIPPED
    await club.at("ana", 1)
    await club.library.shelf.remove_book(club.book)
    assert await club.tick(SUNDAY + timedelta(days=7)) is PostState.SKIPPED
    assert club.posts == []
    with pytest.raises(Refused):
        await club.post()


async def test_a_club_that_wants_none_has_none(club: Club) -> None:
    ana = await club.at("ana", 1)
    await club.house.rooms.setting_changed("weekly", "off", ana, SUNDAY)
    assert await club.tick(SUNDAY) is None


async def test_a_quiet_room_gets_its_post_later(club: Club) -> None:
    await club.at("ana", 1)
    room = await club.house.rooms.room("room")
    assert room is not None
    await club.house.rooms.room_paused(room.id, SUNDAY)
    assert await club.tick(SUNDAY) is PostState.DUE
    await club.house.rooms.room_paused(room.id, None)
    assert await club.tick(SUNDAY + AGAIN - timedelta(seconds=1)) is None
    assert await club.tick(SUNDAY + AGAIN) is PostState.POSTED


async def test_a_post_that_is_not_delivered_is_tried_again_until_it_is_too_late(club: Club) -> None:
    await club.at("ana", 1)
    club.delivers = False
    assert await club.tick(SUNDAY) is PostState.DUE
    assert await club.tick(SUNDAY + AGAIN) is PostState.DUE
    club.delivers = True
    assert await club.tick(SUNDAY + 2 * AGAIN) is PostState.POSTED
    assert len(club.posts) == 1


async def test_a_post_whose_boundary_fell_before_it_was_sent_is_made_again(club: Club) -> None:
    ana = await club.at("ana", 3)
    await club.at("ben", 2)

    def goes_back(attempt: int) -> None:
        if attempt == 1:
            club.library.roster.mark(ana, joined=False)  # another audience, whatever its boundary
        if attempt == 2:
            club.library.roster.mark(ana, joined=True)

    club.before_send = goes_back
    assert await club.tick(SUNDAY) is PostState.POSTED
    assert club.prepared == 3
    (post,) = club.posts
    assert ana in post.boundary.audience.members


@pytest.mark.parametrize("removed", [True, False])
async def test_a_post_is_not_sent_to_a_room_that_was_removed_or_paused_while_it_was_made(
    club: Club, removed: bool
) -> None:
    await club.at("ana", 2)
    room = await club.house.rooms.room("room")
    assert room is not None
    rooms = club.library.roster.rooms

    def gone(attempt: int) -> None:
        del attempt
        if removed:
            rooms.pop("room", None)  # it may be another club's from now on
        else:
            rooms["room"] = replace(room, paused=True)

    club.before_send = gone
    assert await club.tick(SUNDAY) is PostState.DUE
    assert club.posts == []
    rooms["room"] = room
    club.before_send = lambda _n: None
    assert await club.tick(SUNDAY + AGAIN) is PostState.POSTED


async def test_a_boundary_that_never_rests_leaves_the_post_for_later(club: Club) -> None:
    ana = await club.at("ana", 3)
    await club.at("ben", 2)
    club.before_send = lambda attempt: club.library.roster.mark(ana, joined=attempt % 2 == 0)
    assert await club.tick(SUNDAY) is PostState.DUE
    assert club.posts == []


async def test_who_hides_their_place_meanwhile_is_not_shown(club: Club) -> None:
    ana = await club.at("ana", 3)
    post = await club.post()
    assert await weekly_holds(club.house, "room", cannot_tell, post)
    await club.house.roster.shown(ana, False)
    assert not await weekly_holds(club.house, "room", cannot_tell, post)


async def test_a_bar_is_not_shown_of_who_went_back_meanwhile_though_the_boundary_stays(club: Club) -> None:
    ana = await club.at("ana", 3)
    await club.at("ben", 1)
    post = await club.post()
    await club.library.place("ana", club.book, end_of(LANTERN, 2))
    assert not await weekly_holds(club.house, "room", cannot_tell, post)
    assert (await club.post()).places[ana] == 2
    await club.at("ana", 3)
    assert await weekly_holds(club.house, "room", cannot_tell, post)


async def test_a_post_is_made_again_where_its_part_was_sealed_before_it_was_sent(club: Club) -> None:
    await club.at("ana", 3)
    kept = club.library.shelf.of(club.book)

    def sealed(attempt: int) -> None:
        if attempt == 1:
            kept.record = replace(kept.record, map_version=kept.record.map_version + 1)

    club.before_send = sealed
    assert await club.tick(SUNDAY) is PostState.POSTED
    assert (club.prepared, [post.book.map_version for post in club.posts]) == (2, [1])


async def test_a_post_does_not_hold_once_its_book_is_gone(club: Club) -> None:
    await club.at("ana", 3)
    post = await club.post()
    await club.library.shelf.remove_book(club.book)
    assert not await weekly_holds(club.house, "room", cannot_tell, post)


async def test_an_outage_after_a_post_was_made_and_before_it_was_sent_does_not_lose_it(club: Club) -> None:
    ana = await club.at("ana", 3)
    await club.at("ben", 2)

    def out(attempt: int) -> None:
        if attempt == 1:
            club.library.roster.mark(ana, joined=False)
        if attempt == 2:
            raise Unavailable("The platform cannot be reached.")

    club.before_send = out
    assert await club.tick(SUNDAY) is None
    assert await club.tick(SUNDAY + SOON) is PostState.POSTED
    assert len(club.posts) == 1


async def test_only_who_sees_the_room_counts_for_its_post(club: Club) -> None:
    await club.at("ana", 3)
    await club.at("ben", 0)

    async def see(_: Door) -> Sight:
        return Sight(frozenset({"ana"}))

    post = await weekly_post(club.house, "room", see, SUNDAY)
    assert post.finished == 3


async def test_a_limit_of_the_room_narrows_its_post(club: Club) -> None:
    await club.at("ana", 3)
    room = await club.house.rooms.room("room")
    assert room is not None
    await club.house.rooms.room_limited(room.id, end_of(LANTERN, 1))
    post = await club.post()
    assert post.finished == 1
    assert all(c.span.end <= end_of(LANTERN, 1) for c in post.highlights)


async def test_a_door_that_shows_too_much_posts_nothing() -> None:
    library, clock = in_memory(honours=False), FakeClock(SUNDAY)
    book = await library.add(LANTERN)
    house = house_of(library, clock)
    await house.rooms.room_added("room", "Room")
    await library.place("ana", book, end_of(LANTERN, 1))
    with pytest.raises(SpoilerLeak):
        await weekly_post(house, "room", cannot_tell, SUNDAY)


async def test_an_outage_while_it_is_made_leaves_the_post_to_whoever_comes_after_the_lease(
    club: Club, caplog: pytest.LogCaptureFixture
) -> None:
    await club.at("ana", 1)

    def out(attempt: int) -> None:
        if attempt == 1:
            raise Unavailable("The platform cannot be reached.")

    club.before_send = out
    assert await club.tick(SUNDAY) is None
    assert "has to wait (Unavailable)" in caplog.text
    assert await club.tick(SUNDAY + SOON / 2) is None
    assert await club.tick(SUNDAY + SOON) is PostState.POSTED


async def test_a_vote_whose_date_has_come_is_closed_and_told_to_the_room_once(club: Club) -> None:
    member = await club.house.roster.member_known("ana")
    await club.house.roster.role_given(member.id, Role.ADMIN)
    await club.at("ana", 1)
    ana = await club.house.roster.member_known("ana")
    await nominate(club.house, ana, "The Heron")
    await vote(club.house, ana, [1])
    await vote_until(club.house, ana, "2026-12-02", UTC)
    await club.tick(datetime(2026, 12, 2, 9, tzinfo=UTC))
    assert club.news == []
    room = await club.house.rooms.room("room")
    assert room is not None
    await club.house.rooms.room_paused(room.id, club.clock.now)
    await club.tick(datetime(2026, 12, 3, 9, tzinfo=UTC))
    assert club.news == []
    await club.house.rooms.room_paused(room.id, None)
    await club.tick(datetime(2026, 12, 4, 9, tzinfo=UTC))
    (told,) = club.news
    assert isinstance(told, Ballot) and told.chosen is not None and told.chosen.title == "The Heron"
    await club.tick(datetime(2026, 12, 5, 9, tzinfo=UTC))
    assert len(club.news) == 1


async def test_a_room_that_waited_for_one_silent_member_has_finished_when_they_go_away(club: Club) -> None:
    await club.at("ben", 1)
    await club.tick(MONDAY)
    later = MONDAY + timedelta(days=21, hours=9)
    club.clock.now = later - timedelta(days=1)
    await club.at("ana", 3)
    ana = await club.house.roster.member_known("ana")
    await club.house.roster.seen(ana.id, club.clock.now)
    await club.tick(later)
    (told,) = club.news
    assert isinstance(told, ClubFinished) and told.everyone and told.book.id == club.book
    await club.tick(later + timedelta(days=1))
    assert len(club.news) == 1


async def test_a_room_with_a_book_of_its_own_has_finished_it_when_the_silent_one_goes_away(club: Club) -> None:
    second = await with_second(club)
    await club.at("ana", 1)
    await club.at("ben", 1)
    await club.library.place("ben", second, end_of(LANTERN, 1))
    later = MONDAY + timedelta(days=21, hours=9)
    ana = await club.library.place("ana", second, LANTERN.body_end)
    await club.house.roster.seen(ana.id, later - timedelta(days=1))
    await club.tick(later)
    (told,) = club.news
    assert isinstance(told, ClubFinished) and told.everyone and told.book.id == second
    assert club.rooms_told == ["second"]


async def test_where_nothing_is_due_one_look_is_all_that_is_taken(club: Club) -> None:
    await club.at("ana", 1)
    await club.tick(SUNDAY)
    before = club.library.doors.opened_so_far
    assert await note_due(club.house, SUNDAY + timedelta(minutes=1)) == ToDo(posts=0, rounds=0)
    await club.tick(SUNDAY + timedelta(minutes=1))
    assert club.library.doors.opened_so_far - before == 2


async def test_a_slow_process_that_lost_its_claim_sends_nothing(club: Club) -> None:
    await club.at("ana", 1)
    timetable = club.house.timetable
    assert isinstance(timetable, FakeTimetable)

    def slow(attempt: int) -> None:
        if attempt == 1:
            timetable.claim_again(WEEK)

    club.before_send = slow
    assert await club.tick(SUNDAY) is None
    assert club.posts == []


async def test_a_preview_is_of_the_week_that_comes_next_and_changes_nothing(club: Club) -> None:
    await club.at("ana", 1)
    club.clock.now = SUNDAY - timedelta(days=2)
    assert (await club.post()).week == WEEK
    assert await club.house.timetable.weeks(club.book) == ()
    await club.tick(SUNDAY)
    assert (await club.post()).week == IsoWeek(2026, 50)
    assert quotes(club.posts[0])


async def test_a_preview_is_for_admins_who_have_joined_and_their_own_place_counts_for_it(club: Club) -> None:
    ana = await club.at("ana", 3)
    await club.at("ben", 2)
    member = await club.house.roster.member_known("ana")
    with pytest.raises(Refused):
        await weekly_preview(club.house, member, cannot_tell)
    await admin(club)
    await club.house.roster.away(ana, SUNDAY, SUNDAY)
    await club.library.place("ana", club.book, 0)
    member = await club.house.roster.member_known("ana")
    assert member.away
    assert (await club.post()).highlights
    seen = await weekly_preview(club.house, member, cannot_tell)
    assert seen is not None
    assert (seen.room.key, seen.post.highlights, seen.post.boundary.offset) == ("room", (), 0)
    assert await weekly_holds(club.house, "room", cannot_tell, seen.post, ana)
    await club.house.roster.leave(ana)
    with pytest.raises(Refused):
        await weekly_preview(club.house, await club.house.roster.member_known("ana"), cannot_tell)


async def test_a_preview_is_what_is_then_posted(club: Club) -> None:
    await club.at("ana", 2)
    club.clock.now = SUNDAY
    preview = await club.post()
    await club.tick()
    assert club.posts == [preview]


async def admin(club: Club, name: str = "ana") -> None:
    member = await club.house.roster.member_known(name)
    await club.house.roster.role_given(member.id, Role.ADMIN)


async def schedule(club: Club, said: str) -> list[Milestone]:
    member = await club.house.roster.member_known("ana")
    seen = await set_schedule(club.house, member, "room", cannot_tell, said)
    return list(seen.schedule.milestones)


async def test_an_admin_alone_sets_the_schedule_and_it_goes_on_from_the_clubs_place(club: Club) -> None:
    await club.at("ana", 1)
    with pytest.raises(Refused) as refused:
        await schedule(club, "1 chapter a week")
    assert refused.value.code == "admins_only"
    await admin(club)
    expected = [Milestone(2, date(2026, 12, 6)), Milestone(3, date(2026, 12, 13))]
    assert await schedule(club, "1 chapter a week") == expected
    seen = await schedule_seen(club.house, "room")
    assert list(seen.schedule.milestones) == expected
    assert seen.due.week == (expected[0],)
    assert (await club.post()).due.week == (expected[0],)
    assert await schedule(club, "off") == []
    assert not (await club.post()).scheduled


async def test_who_opted_in_is_reminded_once_of_what_they_have_not_finished(club: Club) -> None:
    await club.at("ana", 1)
    await club.at("ben", 0)
    await admin(club)
    await remind(club.house, await club.house.roster.member_known("ana"), True)
    await schedule(club, "1 by Sunday, 2 by 2026-12-13")
    for days in range(14):
        club.clock.now = MONDAY.replace(hour=9) + timedelta(days=days)
        if await send_reminders(club.house, club.tell, club.clock.now):
            assert club.clock.now.date() == date(2026, 12, 11)
    ((member, notice),) = club.tell.told
    assert isinstance(notice, DueSoon)
    assert (member, notice.milestone) == ("ana", Milestone(2, date(2026, 12, 13)))


async def test_who_left_is_away_or_opted_out_is_not_reminded(club: Club) -> None:
    ana = await club.at("ana", 0)
    await admin(club)
    await remind(club.house, await club.house.roster.member_known("ana"), True)
    await schedule(club, "1 by tomorrow")
    await club.house.roster.leave(ana)
    assert await send_reminders(club.house, club.tell, MONDAY) == 0
    await club.house.roster.join(ana, MONDAY)
    await club.house.roster.reminded(ana, False)
    assert await send_reminders(club.house, club.tell, MONDAY) == 0
    await club.house.roster.reminded(ana, True)
    assert await send_reminders(club.house, club.tell, MONDAY) == 1


async def test_a_round_is_made_once_a_day_and_looks_for_the_silent(club: Club) -> None:
    await club.at("ana", 1)
    for hours in range(0, 24 * 23, 6):
        await club.tick(MONDAY + timedelta(hours=hours))
    assert [type(notice).__name__ for _, notice in club.tell.told] == ["NowAway"]
    assert [post.week.week for post in club.posts] == [49, 50, 51]


async def test_once_everyone_is_away_the_club_is_where_it_was_and_nobody_is_shown_anything_new(club: Club) -> None:
    await club.at("ana", 1)
    states = [await club.tick(SUNDAY + timedelta(days=7 * week)) for week in range(6)]
    assert states == [PostState.POSTED] * 6
    before, *_, last = club.posts
    assert not last.boundary.audience.members
    assert (last.boundary.offset, last.reached) == (0, before.boundary.offset)
    assert (last.moved, last.bars, last.highlights, last.talk) == (False, (), (), None)
    back = SUNDAY + timedelta(days=7 * 6)
    assert await club.house.roster.seen((await club.house.roster.member_known("ana")).id, back)
    await club.at("ana", 2)
    await club.tick(back)
    assert club.posts[-1].moved
    assert all(quote.span.start >= before.boundary.offset for quote in club.posts[-1].highlights)


async def test_who_reads_a_rooms_own_book_is_reminded_of_its_schedule_too_and_nobody_else(club: Club) -> None:
    second = await with_second(club)
    await club.at("ana", 1)
    await club.at("ben", 1)
    await admin(club)
    for name in ("ana", "ben"):
        await remind(club.house, await club.house.roster.member_known(name), True)
    ana = await club.library.place("ana", second, 0)
    for book, chapter in ((club.book, 2), (second, 1)):
        await club.house.timetable.schedule_set(book, [Milestone(chapter, date(2026, 12, 1))], ana.id, MONDAY)
    for told in (3, 0):
        assert await send_reminders(club.house, club.tell, MONDAY) == told
    named = [(name, notice.title) for name, notice in club.tell.told if isinstance(notice, DueSoon)]
    assert named == [("ana", LANTERN.title), ("ben", LANTERN.title), ("ana", "The Harbour")]


@pytest.mark.parametrize("tells_twice", [True, False], ids=["a platform that can tell", "one that cannot"])
async def test_a_post_whose_process_dies_while_it_is_sent_is_sent_again_where_the_platform_can_tell(
    club: Club, tells_twice: bool
) -> None:
    await club.at("ana", 1)
    club.tells_twice, club.dies = tells_twice, True
    with pytest.raises(Died):
        await club.tick(SUNDAY)
    club.dies = False
    await club.tick(SUNDAY + timedelta(seconds=5))
    assert len(club.posts) == 1
    became = await club.tick(SUNDAY + LEASE + timedelta(seconds=10))
    assert became is (PostState.POSTED if tells_twice else None)
    assert len(club.posts) == (2 if tells_twice else 1)


async def test_a_post_that_was_being_sent_minutes_ago_is_not_sent_again_on_any_platform(club: Club) -> None:
    await club.at("ana", 1)
    club.tells_twice, club.dies = True, True
    with pytest.raises(Died):
        await club.tick(SUNDAY)
    club.dies = False
    assert await club.tick(SUNDAY + LEASE + SENT_AGAIN) is None
    assert len(club.posts) == 1


@pytest.mark.parametrize("hindered", ["quiet", "undelivered", "unmade"])
async def test_a_post_that_may_stand_is_never_sent_once_nobody_could_tell_that_it_came_twice(
    club: Club, hindered: str
) -> None:
    await club.at("ana", 1)
    club.tells_twice, club.dies = True, True
    with pytest.raises(Died):
        await club.tick(SUNDAY)
    (room,) = await club.house.rooms.rooms()

    def fails(_: int) -> None:
        raise Unavailable("The database does not answer.")

    match hindered:
        case "quiet":
            await club.house.rooms.room_paused(room.id, SUNDAY)
        case "undelivered":
            club.delivers = False
        case "unmade":
            club.before_send = fails
    club.dies = False
    late = LEASE + SENT_AGAIN
    for seconds in range(20, int(late.total_seconds()), 10):
        became = await club.tick(SUNDAY + timedelta(seconds=seconds))
        assert became is (None if hindered == "unmade" else PostState.MADE)
    await club.house.rooms.room_paused(room.id, None)
    club.delivers, club.before_send = True, lambda _: None
    for minutes in range(5):
        assert await club.tick(SUNDAY + late + minutes * AGAIN) is None
    assert len(club.posts) == 1
