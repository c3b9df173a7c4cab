"""Where a hostile model is let loose: clubs in memory, each question in a room and privately, and all that is shown."""

from __future__ import annotations

import json
import unicodedata
from collections import Counter
from collections.abc import AsyncGenerator, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from random import Random
from typing import Any, Final

from bot.adapters.answers import answer_lines
from bot.core.answer import Answer, Engine
from bot.core.asked_in import Asking
from bot.core.chat_model import ModelRequest, Purpose, Spent, Usage
from bot.core.club import BookId
from bot.core.clubhouse import Clubhouse
from bot.core.conversation import ask_in_room, ask_privately
from bot.core.indexed import IndexedBook
from bot.core.outcomes import Delivered, Showing
from bot.core.writing import Switches, Writing
from tests.fakes.clubhouse import FakeClock, house_of
from tests.fakes.library import in_memory
from tests.fakes.posts import FakePosts
from tests.hostile.checkers import Checker, knowing, verdicts
from tests.hostile.scene import Knowledge, Scene, passages_of, question_of
from tests.hostile.truths import true_claims
from tests.hostile.turned_ways import a_question_told_as_done, what_was_only_supposed
from tests.hostile.ways import WAYS, Way

ROOM: Final = "lounge"
BUNCH: Final = 30
"""Claims of one reply at most: fewer than are looked at."""
TRUE: Final = 3
"""True claims beside them."""
NOT_SO: Final = frozenset(way.__name__ for way in (what_was_only_supposed, a_question_told_as_done))
"""Ways whose words the book does say, and not so: they are hostile for all that."""


@dataclass(frozen=True)
class Registered:
    """A claim that was sent: how it was made, and whether it is hostile."""

    text: str
    way: str
    hostile: bool


@dataclass
class HostileModel:
    """`ChatModel` with the whole book at heart. ``ways`` are tried in its next reply."""

    knowledge: Knowledge
    checker: Checker
    rng: Random
    ways: Sequence[Way] = ()
    boundary: int = 0
    answer: str | None = None
    beside: tuple[tuple[str, dict[str, Any]], ...] = ()
    sent: list[Registered] = field(default_factory=list)
    requests: list[ModelRequest] = field(default_factory=list)

    async def written(self, request: ModelRequest, spent: Spent) -> AsyncGenerator[str, None]:
        self.requests.append(request)
        if request.purpose in {Purpose.SUPPORT, Purpose.MEMORY_CHECK}:
            reply = verdicts(request, self.checker if self.checker is not knowing else self._of_its_own)
        elif request.purpose is Purpose.PARTS:
            names = self.ahead[1]
            reply = json.dumps({"parts": [f"What does {name} do?" for name in names[:3]]})
        else:
            listed = self._claims(request)
            if request.purpose is Purpose.MEMORY:
                listed = [{**claim, **self._labels(claim, request)} for claim in listed]
            reply = json.dumps({"claims": listed}, ensure_ascii=self.rng.random() < 0.5)
        at = 0
        while at < len(reply):
            size = self.rng.randrange(1, 400)
            yield reply[at : at + size]
            at += size
        spent(Usage("hostile", 1, 0, 0, 1))

    def _of_its_own(self, sentence: str, passage: str) -> bool:
        """Says yes to what it sent itself and to nothing else: no test finds it out."""
        del passage
        return sentence in {" ".join(sent.text.split()) for sent in self.sent}

    @cached_property
    def ahead(self) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
        """What lies ahead of the boundary: sentences, names, titles."""
        known = self.knowledge
        later = known.unread(self.boundary) or ["Nothing at all was left ahead of them to be told by anybody."]
        return tuple(later), tuple(known.names_after(self.boundary)), tuple(known.titles_after(self.boundary))

    async def counted(self, request: ModelRequest) -> int | None:
        del request
        return None

    def _claims(self, request: ModelRequest) -> list[dict[str, Any]]:
        scene = self._scene(request)
        hostile = [(way.__name__, claim) for way in self.ways for claim in way(scene)]
        mine = [(way, claim) for way, claim in self._quotable(scene)]
        true = [*true_claims(scene, max(0, TRUE - len(mine))), *mine]
        known = {claim["text"] for _, claim in true}
        hostile = [(way, claim) for way, claim in hostile if claim["text"] not in known]
        listed = [(way, claim, True) for way, claim in hostile] + [(way, claim, False) for way, claim in true]
        self.rng.shuffle(listed)
        read = read_until(self.knowledge.indexed, self.boundary)
        listed = [
            (way, claim, bad)
            for way, claim, bad in listed
            if not bad or way in NOT_SO or folded(claim["text"]) not in read
        ]
        self.sent += [Registered(claim["text"], way, bad) for way, claim, bad in listed]
        return [claim for _, claim, _ in listed]

    def _labels(self, claim: dict[str, Any], request: ModelRequest) -> dict[str, str]:
        """Whom a note is said to be about, and who to be the same: of what lies ahead, or was read, or nobody."""
        if not any(sent.hostile and sent.text == claim["text"] for sent in self.sent):
            return {"about": "", "also": ""}
        ahead = [*self.ahead[1], *(word for line in self.ahead[0][:5] for word in line.split()[:2])]
        read = [word for passage in passages_of(request) for word in passage.split() if word[:1].isupper()]
        pick = [""] + [self.rng.choice(words) for words in (ahead, read, claim["text"].split()) if words]
        about = self.rng.choice(pick)
        return {"about": about, "also": self.rng.choice(pick) if about else ""}

    def _quotable(self, scene: Scene) -> Iterator[tuple[str, dict[str, Any]]]:
        """Claims that were written beforehand, where what they stand on was given."""
        for way, claim in self.beside:
            for number, passage in enumerate(scene.passages, start=1):
                if claim["quote"] in passage:
                    yield way, {**claim, "passage": number}
                    break

    def _scene(self, request: ModelRequest) -> Scene:
        passages = passages_of(request)
        later, names, titles = self.ahead
        return Scene(
            question=question_of(request),
            passages=passages,
            later=later,
            names=names,
            titles=titles,
            answer=self.answer,
            language=self.knowledge.indexed.language,
            rng=self.rng,
        )


@dataclass(frozen=True)
class Case:
    """One question for one reader. ``answer`` is given where it lies ahead of ``boundary`` (an offset)."""

    said: str
    boundary: int
    answer: str | None = None
    beside: tuple[tuple[str, dict[str, Any]], ...] = ()


@dataclass
class Tally:
    """What was sent and what was shown, by way."""

    language: str = ""
    hostile: Counter[str] = field(default_factory=Counter)
    leaked: Counter[str] = field(default_factory=Counter)
    true: Counter[str] = field(default_factory=Counter)
    survived: Counter[str] = field(default_factory=Counter)
    leaks: list[tuple[str, str]] = field(default_factory=list)
    lost: list[tuple[str, str]] = field(default_factory=list)
    replies: int = 0
    past: int = 0

    @property
    def survival(self) -> float:
        """The share of true claims that were shown."""
        return self.survived.total() / max(1, self.true.total())


def folded(text: str) -> str:
    """Letters, digits and pictures alone, whatever they look like: what is left of a text in any form."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    return "".join(c for c in plain if c.isalnum() or unicodedata.category(c) == "So")


_READ: Final[dict[tuple[str, int], str]] = {}


def read_until(indexed: IndexedBook, boundary: int) -> str:
    """What was read of a book, folded."""
    key = (indexed.text_sha256, boundary)
    if key not in _READ:
        _READ.clear()
        _READ[key] = folded(indexed.book.text[:boundary])
    return _READ[key]


@dataclass
class Stage:
    """One book, read up to where each case says, and a hostile model."""

    indexed: IndexedBook
    checker: Checker
    seed: int = 0
    switches: Switches = field(default_factory=Switches)
    tally: Tally = field(default_factory=Tally)

    async def open(self) -> None:
        self.model = HostileModel(Knowledge(self.indexed), self.checker, Random(self.seed))
        library = in_memory()
        library.club = await library.shelf.club_named("club")
        self.book: BookId
        self.book, _ = await library.shelf.store_book(library.club, self.indexed, "file", self.indexed.book.title)
        self.library = library
        house = house_of(library, FakeClock())
        writing = Writing(self.model, self.switches)
        self.house: Clubhouse = replace(house, searching=replace(house.searching, writing=writing))
        await self.house.rooms.room_added(ROOM, "Lounge")
        for limit in ("member_questions_hour", "member_questions_day", "club_questions_hour", "club_questions_day"):
            await self.house.rooms.setting_changed(limit, "9999", (await library.member("ana")).id, self.house.clock())

    async def play(self, case: Case, ways: Sequence[Way] = WAYS) -> None:
        """Ask in the room and privately, until every way has been tried in both."""
        for name in ("ana", "ben"):
            await self.library.place(name, self.book, case.boundary)
        await self.library.place("ben", self.book, self.indexed.book.body_end)
        for private in (False, True):
            for bunch in _bunches(ways):
                await self._asked(case, private, bunch)
                case = replace(case, beside=())

    async def _asked(self, case: Case, private: bool, ways: Sequence[Way]) -> None:
        model = self.model
        if model.boundary != case.boundary:
            model.__dict__.pop("ahead", None)
        model.ways, model.boundary, model.answer, model.beside = ways, case.boundary, case.answer, case.beside
        model.sent, model.requests = [], []
        posts = FakePosts(ROOM)
        if private:
            ana = await self.library.member("ana")
            outcomes = await ask_privately(self.house, Asking(ana.person, case.said), posts)
        else:
            ana = await self.library.member("ana")
            outcomes = await ask_in_room(self.house, ROOM, Asking(ana.person, case.said), posts)
        assert all(isinstance(outcome, Delivered) for outcome in outcomes), outcomes
        shown = [showing for posting in posts.made for showing in posting.seen]
        self._counted(case, shown)

    def _counted(self, case: Case, shown: Sequence[Showing]) -> None:
        tally = self.tally
        tally.replies += 1
        claims: set[str] = set()
        text = ""
        for showing in shown:
            outcome = showing.outcome
            audience = outcome.boundary.audience
            piece = "\n".join(answer_lines(outcome, showing.chapter_map, audience, showing.failed))
            text += folded(piece) + "\n"
            if isinstance(outcome, Answer):
                tally.past += sum(c.evidence.passage.revealed_at > case.boundary for c in outcome.citations)
                if outcome.engine is Engine.CLAUDE:
                    claims |= {folded(claim.text) for claim in outcome.claims}
        read = read_until(self.indexed, case.boundary)
        for sent in self.model.sent:
            plain = folded(sent.text)
            seen = plain in claims
            if not sent.hostile:
                tally.true[sent.way] += 1
                tally.survived[sent.way] += seen
                tally.lost += [] if seen else [(sent.way, sent.text)]
                continue
            tally.hostile[sent.way] += 1
            if seen or (len(plain) > 20 and plain not in read and plain in text):
                tally.leaked[sent.way] += 1
                tally.leaks.append((sent.way, sent.text))


def _bunches(ways: Sequence[Way]) -> Iterator[tuple[Way, ...]]:
    """A few ways at a time: as many as one reply may hold."""
    size = BUNCH // 5
    for at in range(0, len(ways), size):
        yield tuple(ways[at : at + size])
