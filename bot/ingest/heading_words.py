"""The words of chapter, part and story headings, folded (`bot.ingest.number_words.fold`)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

from bot.ingest.number_words import Family, fold


def _folded(words: str) -> frozenset[str]:
    return frozenset(map(fold, words.split()))


@dataclass(frozen=True, slots=True)
class HeadingWord:
    """A word that makes a number a heading.

    ``kind`` is "chapter" or "part". A ``loose`` word is common in prose too ("night", "letter"): it needs a clear
    separator or the line's end after its number. ``families`` are the languages of its number words.
    """

    word: str
    kind: str
    families: frozenset[Family]
    loose: bool = False


_E, _G, _F = Family.ENGLISH, Family.GERMAN, Family.FRENCH
_R, _N, _S, _O = Family.ROMANCE, Family.GERMANIC, Family.SLAVIC, Family.OTHER

_CHAPTER: Final = (
    ("chapter chap chapt stave adventure canto fytte", (_E,)),
    ("kapitel", (_G, _N)),
    ("hauptstück gesang abenteuer abschnitt", (_G,)),
    ("chapitre chant", (_F,)),
    ("capítulo capitulo cap capitolo capítol capitol capitolul caput canto jornada", (_R,)),
    ("hoofdstuk kapittel kapitlet kapitola", (_N, _S)),
    ("rozdział глава розділ kapitola", (_S,)),
    ("fejezet luku bölüm κεφάλαιο κεφάλαιον", (_O,)),
    ("chương bab ĉapitro", (_O,)),
)
_LOOSE_CHAPTER: Final = (
    ("letter episode tale story fit section day night scene entry lecture", (_E,)),
    ("brief auftritt szene", (_G, _N)),
    ("lettre scène récit", (_F,)),
    ("carta lettera escena cena scena", (_R,)),
    ("brev", (_N,)),
    ("list письмо", (_S,)),
)
_PART: Final = (
    ("part book volume vol phase epoch", (_E,)),
    ("teil buch band", (_G,)),
    ("partie livre tome volume", (_F,)),
    ("parte libro livro tomo volumen volume pars liber partea cartea", (_R,)),
    ("deel boek del bok boken bind", (_N,)),
    ("część księga tom часть книга том частина část kniha díl", (_S,)),
    ("rész könyv kötet osa kirja kısım kitap cilt μέρος βιβλίο phần quyển", (_O,)),
)
_LOOSE_PART: Final = (
    ("act", (_E,)),
    ("akt aufzug", (_G, _S)),
    ("acte époque", (_F,)),
    ("acto ato atto", (_R,)),
    ("действие", (_S,)),
)

UNNUMBERED_SCRIPTS: Final = {
    "פרק": "chapter",
    "חלק": "part",
    "الفصل": "chapter",
    "فصل": "chapter",
    "الجزء": "part",
    "अध्याय": "chapter",
    "भाग": "part",
    "บทที่": "chapter",
    "κεφαλαιο": "chapter",
    "κεφαλαιον": "chapter",
    "μεροσ": "part",
}
"""Words whose numbers are not read (unless in digits): what follows in a short line belongs to the heading."""

_STORY: Final = {
    "prologue": "prologue prolog prólogo prologo proloog prologi prologus пролог πρόλογος prolouge prelude präludium"
    " プロローグ 序章 序幕 序曲 楔子 引子 프롤로그 서장",
    "epilogue": "epilogue epilog epílogo epilogo epiloog epilogi epilógus"
    " epilogus épilogue эпилог επίλογος postlude coda"
    " エピローグ 終章 终章 尾声 尾聲 終幕 终幕 終曲 终曲 大结局 大結局 에필로그 종장",
    "conclusion": "conclusion conclusione conclusión conclusão schluss schluß заключение zakończenie slot finale"
    " 结局 結局 最終章 最终章 最終話 最终话 最終回",
    "interlude": "interlude intermezzo interludio interlúdio intermède interludium zwischenspiel entr'acte entr’acte"
    " интерлюдия 幕間 幕间 間章 间章 断章 断章 插曲 閑話 막간",
    "extra": "番外 番外篇 番外編 番外编 外传 外傳 後日談 后日谈 외전",
}

LAST_WORDS: Final = _folded(
    "last final letztes letzte letzter dernier dernière último última"
    " ultimo ultima laatste sista siste sidste"
    " ostatni ostatnia последняя poslední utolsó viimeinen"
)
"""Words for the last chapter, which has no number ("CHAPTER THE LAST", "Letztes Kapitel")."""

ARTICLES: Final = _folded("the das der die le la les el los il lo o a os as het de den det")

CARDINALS: Final = _folded(
    "one two three four five six seven eight nine ten ein eine einer eins"
    " zwei drei vier fünf sechs sieben acht"
    " neun zehn un une deux trois quatre cinq sept huit neuf dix uno una dos tres cuatro cinco seis siete ocho nueve"
    " diez due tre quattro cinque sei sette otto nove dieci um uma dois"
    " duas quatro sete oito dez een twee drie vijf zes"
    " zeven negen tien en ett to två fyra fem sex sju åtta nio tio jeden jedna dwa dwie trzy cztery pięć один одна два"
    " две три четыре пять"
)
"""Counting words: before a heading word they count it ("one night", "una parte") and make no heading."""


@cache
def heading_words() -> dict[str, HeadingWord]:
    """Folded word -> what it is; a word of several languages has the number words of them all."""
    table: dict[str, HeadingWord] = {}
    for kind, loose, groups in (
        ("chapter", False, _CHAPTER),
        ("part", False, _PART),
        ("chapter", True, _LOOSE_CHAPTER),
        ("part", True, _LOOSE_PART),
    ):
        for words, families in groups:
            for word in map(fold, words.split()):
                known = table.get(word)
                every = frozenset(families) | (known.families if known else frozenset())
                first = known or HeadingWord(word, kind, every, loose)
                table[word] = HeadingWord(word, first.kind, every, first.loose)
    return table


@cache
def story_words() -> dict[str, str]:
    """Folded word -> the kind of unnumbered heading it makes: prologue, epilogue, conclusion, interlude, extra."""
    return {fold(word): kind for kind, words in _STORY.items() for word in words.split()}
