"""The words in which people say how far they have read; read by `bot.core.statements` alone.

Every pattern is for text that is NFKC, case-folded, with straight apostrophes and single spaces.
"""

from __future__ import annotations

import re
from typing import Final

from bot.core.numerals import CJK_NUMERALS


def _phrases(listed: str) -> frozenset[str]:
    return frozenset(" ".join(phrase.split()) for phrase in listed.split(";"))


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


SPACELESS: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
"""A character of a script that sets no spaces between words: kana and ideographs."""
QUOTES: Final = '"“”„‟«»「」『』'
QUOTED: Final = re.compile(rf"[\w\s.:,'’]{{0,40}}[{QUOTES}].*", re.DOTALL)
NAMES: Final = _words("Vi Xi Li Di Mi Liv Dix Mix Lix")
"""Names that would read as Roman numerals."""

WHOLE: Final = _phrases("""
    finished; finished it; finished the book; finished reading; done; all done; done with it; done with the book;
    the end; end; complete; completed; read it; read it all; read all of it; all of it; everything; whole book;
    the whole book; end of the book; the end of the book; end of book; fertig; fini; terminé; terminado; finito;
    完; 読了; 读完; 读完了; 讀完; 看完了
""")
NONE: Final = _phrases("""
    none; nothing; nothing yet; not started; not started yet; not begun; not yet; haven't started; havent started;
    haven't started yet; haven't begun; have not started; not started it; not started the book; unstarted; start over;
    starting over; restart; start again; starting again; begin again; from the start; from the beginning; the start;
    the beginning; start; the start of the book; the very beginning
""")
SAME: Final = _phrases("same; the same; same place; same as before; same as last time; no change; unchanged")
NEXT: Final = re.compile(r"(?:the )?next(?: chapter| one)?|(?:one more|another)(?: chapter| one)?")

BACK: Final = re.compile(
    r"(?:(?:go|going|gone|went|move|moved|am|skip|skipped) )?back (?:to|at|in) (?P<place>.+)"
    r"|re-?(?:read|reading|start|started|starting) (?:(?:at|from|in) )?(?P<again>.+)"
)
FILLER: Final = re.compile(
    r"(?:i'm|im|i am|i've|ive|i have|i|we're|we are|we've|we have|just(?! about)|currently|now|only|still|already|the) "
    r"|(?:about|around|roughly|approximately|approx\.?|circa|ca\.) (?=[#\d]|(?:ch|chapter|p|page)\b)|~ ?"
)
SHORT_OF: Final = re.compile(
    r"(?:not|haven't|havent|have not)(?: yet| quite)? (?=finish|done|complete|read|through|start|begun|at|past)"
    r"|(?:almost|nearly|not quite|about to|(?:just )?about(?= finish| done| through)) "
    r"|(?:going to|before|short of|finishing) "
    r"|(?:half ?way|midway|part ?way|some way|most of the way|half|\d+ ?%) (?:of|through|into|in) (?!(?:the )?book)"
    r"|(?:the (?:first|last) )?(?:a |some )?(?:parts?|bits?|some|most|pages) of (?=ch|\d|the ch)"
)
"""Not there yet, whatever follows."""
FINISHED: Final = re.compile(
    r"(?:finish(?:ed)?(?: with| reading)?|done(?: with| reading)?|completed?|read all of|read through|through|after|"
    r"end of|past|read(?! (?:up )?(?:to|till|until) )|up to and including) |读完|讀完|看完"
)
IN: Final = re.compile(
    r"(?:in|on|at|into|inside|within|start(?:ed|ing)?(?: of| on| reading| with)?|beg(?:in|inning|an|un)(?: of)?|"
    r"middle of|reading|read (?:up )?(?:to|till|until)|up to(?! and incl)|until|till|to) |读到|讀到|看到|在"
)
LAST_FINISHED: Final = re.compile(r" (?:is |are )?(?:finished|done|completed?|over|read)$|(?:读完|讀完|看完)了?$")
LAST_IN: Final = re.compile(
    r" (?:(?:is )?(?:not|almost|nearly) (?:yet )?(?:finished|done)(?: yet)?|unfinished|started|begun|"
    r"in progress|so far|half ?way)$"
)

PERCENT: Final = re.compile(
    r"([+-]?\d+(?:[.,]\d+)?) ?(?:%|percent|per cent|pct|prozent|pour cent|por ciento|per cento)"
    r"(?: (?:of the (?:whole )?book|through(?: the book)?|into (?:it|the book)|in|done|read|complete|finished))?"
)
LOCATION: Final = re.compile(r"(?:loc|location|pos|position)\.? ?(\d+) ?(?:/|of|out of) ?(\d+)")
PAGE: Final = re.compile(
    r"(?:(?:p|pp|pg|pgs|page|pages|seite|página|pagina|pág|pag|sida|sivu|стр|страница)(?:\. ?| |(?=\d))|s\. ?)"
    r"(?P<label>\d+|[ivxlcdm]+|[a-z]-?\d+)(?: ?(?:/|of|out of) ?\d+)?|第? ?(?P<cjk>\d+) ?(?:页|頁|ページ|쪽)"
)
CHAPTER_WORDS: Final = _words("""
    ch chap chpt chapter kapitel kap chapitre capítulo capitulo capítol cap capitolo hoofdstuk kapittel kapitola
    rozdział luku bölüm fejezet глава гл розділ letter story section stave canto number no
""")
PART_WORDS: Final = _words("""
    part pt book bk volume vol teil buch band partie livre tome parte libro tomo deel boek del
    часть частина книга том część
""")
CJK_VOLUME: Final = re.compile(rf"卷([{CJK_NUMERALS}\d]+)")
CJK_UNIT: Final = re.compile(
    rf"[第제]? ?([{CJK_NUMERALS}\d]+) ?(?:(?P<chapter>[章回节節話话讲講장])|(?P<part>[部卷册冊集篇巻編编권부]))"
)
PLACE: Final = re.compile(
    r"(?P<outer>(?:pt \d+ )*)(?:ch )?(?P<a>\d+)(?: ch)?"
    r"|(?:ch (?P<b>\d+)|(?P<c>\d+) ch) (?P<after>pt \d+(?: pt \d+)*)"
    r"|(?P<alone>pt \d+(?: pt \d+)*)"
)
PATH: Final = re.compile(r"\d+(?:[.:]\d+){1,3}")
