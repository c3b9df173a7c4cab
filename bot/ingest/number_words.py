"""Number words of headings, 1 to about 100, in the languages of the heading grammar.

Keys are folded as `fold` folds: lower case, no accents, hyphens as spaces. In the tables ``a|b`` are alternatives and
``{o,a}`` inflections of the stem before it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from enum import StrEnum
from functools import cache, lru_cache
from typing import Final

_MARKS = re.compile("[\u0300-\u036f]")
_HYPHENS = re.compile(r"[-\u2010-\u2015 ]+")
_INFLECTED = re.compile(r"^(.*)\{(.*)\}(.*)$")


@lru_cache(maxsize=16_384)
def fold(text: str) -> str:
    """``text`` for comparing: compatibility forms, lower case, Latin, Greek and Cyrillic letters without accents."""
    text = unicodedata.normalize("NFKD", text).casefold()
    return unicodedata.normalize("NFC", _HYPHENS.sub(" ", _MARKS.sub("", text)))


def _forms(entry: str) -> Iterator[str]:
    for word in entry.split("|"):
        inflected = _INFLECTED.match(word)
        if inflected is None:
            yield fold(word)
            continue
        stem, endings, rest = inflected.groups()
        for ending in endings.split(","):
            yield fold(stem + ending + rest)


_Table = dict[str, int]


def _listed(entries: str, start: int = 1, step: int = 1) -> _Table:
    return {form: start + step * index for index, entry in enumerate(entries.split()) for form in _forms(entry) if form}


def _joined(tens: _Table, units: _Table, pattern: str) -> _Table:
    """Tens and units in one word or phrase; ``pattern`` has ``{t}`` and ``{u}``."""
    return {
        fold(pattern.format(t=ten, u=unit)): t + u for ten, t in tens.items() for unit, u in units.items() if u < 10
    }


def _english() -> _Table:
    units = _listed(
        "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
        " eighteen nineteen"
    )
    tens = _listed("twenty thirty forty|fourty fifty sixty seventy eighty ninety", 20, 10)
    ordinals = _listed(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth"
        " fifteenth sixteenth seventeenth eighteenth nineteenth"
    )
    tenths = _listed("twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth", 20, 10)
    below = units | tens | _joined(tens, units, "{t} {u}") | _joined(tens, units, "{t}{u}")
    below_th = ordinals | tenths | _joined(tens, ordinals, "{t} {u}")
    table = below | below_th | {"hundred": 100, "hundredth": 100}
    for count, hundreds in (("one", 100), ("a", 100), ("two", 200), ("three", 300)):
        table |= {f"{count} hundred": hundreds, f"{count} hundredth": hundreds}
        for word, value in (below | below_th).items():
            table[f"{count} hundred {word}"] = table[f"{count} hundred and {word}"] = hundreds + value
    return table


def _german() -> _Table:
    units = _listed(
        "eins|ein{,e,es,er} zwei|zwo drei vier fünf|fuenf sechs sieben acht neun zehn elf zwölf|zwoelf dreizehn"
        " vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn"
    )
    tens = _listed("zwanzig dreißig|dreissig vierzig fünfzig sechzig siebzig achtzig neunzig", 20, 10)
    cardinals = units | tens | _joined(tens, units, "{u}und{t}") | {"hundert": 100, "einhundert": 100}
    table = dict(cardinals)
    stems = dict.fromkeys(("erst",), 1) | {"dritt": 3, "siebent": 7, "siebt": 7, "acht": 8}
    for word, value in cardinals.items():
        stems.setdefault(word + ("t" if value < 20 else "st"), value)
    for stem, value in stems.items():
        table.update({stem + ending: value for ending in ("e", "er", "es", "en", "em")})
    return table


def _french() -> _Table:
    units = _listed(
        "un{,e} deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept"
        " dix-huit dix-neuf"
    )
    tens = _listed("vingt trente quarante cinquante soixante septante", 20, 10) | {"quatre vingt": 80, "nonante": 90}
    table = units | tens | _joined(tens, units, "{t} {u}") | _joined(tens, units, "{t} et {u}")
    for base, start in (("soixante", 60), ("quatre vingt", 80)):
        table |= {f"{base} {word}": start + value for word, value in units.items() if value >= 10}
    table |= {"soixante et onze": 71, "quatre vingts": 80, "cent": 100}
    for word, value in list(table.items()):
        stem = word.removesuffix("e")
        stem += {"cinq": "u"}.get(stem[-4:], "")
        if stem.endswith("neuf"):
            stem = stem[:-1] + "v"
        table.setdefault(stem + "ieme", value)
    return table | _listed("premier|première second{,e}") | {"quatre vingtieme": 80}


_ROMANCE_ORDINALS = (
    # Spanish
    "primer{,o,a} segund{o,a} tercer{,o,a} cuart{o,a} quint{o,a} sext{o,a}|sest{o,a} séptim{o,a}|sétim{o,a} octav{o,a}"
    " noven{o,a}|non{o,a} décim{o,a} undécim{o,a}|oncen{o,a}|decimoprimer{o,a}"
    " duodécim{o,a}|docen{o,a}|decimosegund{o,a} decimotercer{,o,a}|trecen{o,a} decimocuart{o,a} decimoquint{o,a}"
    " decimosext{o,a} decimoséptim{o,a} decimoctav{o,a}|decimooctav{o,a} decimonoven{o,a}|decimonon{o,a} vigésim{o,a}",
    # Italian
    "prim{o,a} second{o,a} terz{o,a} quart{o,a} quint{o,a} sest{o,a} settim{o,a} ottav{o,a} non{o,a} decim{o,a}"
    " undicesim{o,a}|undecim{o,a}|decimoprim{o,a} dodicesim{o,a}|duodecim{o,a}|decimosecond{o,a}"
    " tredicesim{o,a}|decimoterz{o,a} quattordicesim{o,a}|decimoquart{o,a} quindicesim{o,a}|decimoquint{o,a}"
    " sedicesim{o,a}|decimosest{o,a} diciassettesim{o,a}|decimosettim{o,a} diciottesim{o,a}|decimottav{o,a}"
    " diciannovesim{o,a}|decimonon{o,a} ventesim{o,a}",
    # Portuguese
    "primeir{o,a} segund{o,a} terceir{o,a} quart{o,a} quint{o,a} sext{o,a} sétim{o,a} oitav{o,a} non{o,a} décim{o,a}"
    " undécim{o,a} duodécim{o,a}",
    # Latin
    "prim{us,a,um} secund{us,a,um} terti{us,a,um} quart{us,a,um} quint{us,a,um} sext{us,a,um} septim{us,a,um}"
    " octav{us,a,um} non{us,a,um} decim{us,a,um}",
)


def _romance() -> _Table:
    table: _Table = {}
    for entries in _ROMANCE_ORDINALS:
        table |= _listed(entries)
    units = {word: value for word, value in table.items() if value < 10}
    tens = _listed(
        "décim{o,a} vigésim{o,a}|ventesim{o,a} trigésim{o,a}|trentesim{o,a}"
        " cuadragésim{o,a}|quadragésim{o,a}|quarantesim{o,a} quincuagésim{o,a}|quinquagésim{o,a}|cinquantesim{o,a}"
        " sexagésim{o,a}|sessantesim{o,a} septuagésim{o,a}|settantesim{o,a}"
        " octogésim{o,a}|ottantesim{o,a} nonagésim{o,a}|novantesim{o,a} centésim{o,a}",
        10,
        10,
    )
    table |= tens | _joined(tens, units, "{t} {u}") | _joined({"decimo": 10, "vigesimo": 20}, units, "{t}{u}")
    for ten, value in _listed("vent trent quarant cinquant sessant settant ottant novant", 20, 10).items():
        joint = "i" if ten == "vent" else "a"
        endings = _listed("un du tre quattr cinqu sei sett ott nov")
        for unit, plus in endings.items():
            stem = ten if unit in {"un", "ott"} else ten + joint
            table |= {f"{stem}{unit}esim{gender}": value + plus for gender in "oa"}
            table |= {f"{ten}{joint}{unit}esim{gender}": value + plus for gender in "oa"}
    cardinals = (
        "un{o,a} dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis|diez-y-seis"
        " diecisiete dieciocho diecinueve veinte veintiun{o,a} veintidós veintitrés veinticuatro veinticinco veintiséis"
        " veintisiete veintiocho veintinueve treinta",
        "un{o,a} due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici"
        " diciassette diciotto diciannove venti ventuno ventidue ventitré ventiquattro venticinque ventisei ventisette"
        " ventotto ventinove trenta",
        "um{,a} dois|duas três quatro cinco seis sete oito nove dez onze doze treze quatorze|catorze quinze"
        " dezesseis|dezasseis dezessete|dezassete dezoito dezenove|dezanove vinte",
    )
    for entries in cardinals:
        table = _listed(entries) | table
    spanish_tens = _listed("treinta cuarenta cincuenta sesenta setenta ochenta noventa", 30, 10)
    spanish_units = _listed("un{o,a} dos tres cuatro cinco seis siete ocho nueve")
    portuguese_tens = _listed("vinte trinta quarenta cinquenta sessenta setenta oitenta noventa", 20, 10)
    portuguese_units = _listed("um{,a} dois|duas três quatro cinco seis sete oito nove")
    table |= spanish_tens | _joined(spanish_tens, spanish_units, "{t} y {u}") | {"cien": 100, "cento": 100, "cem": 100}
    return table | portuguese_tens | _joined(portuguese_tens, portuguese_units, "{t} e {u}")


def _germanic() -> _Table:
    """Dutch, Swedish, Danish and Norwegian."""
    dutch = _listed(
        "een|één twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien"
        " achttien negentien"
    )
    dutch_tens = _listed("twintig dertig veertig vijftig zestig zeventig tachtig negentig", 20, 10)
    dutch |= dutch_tens | _joined(dutch_tens, dutch, "{u}en{t}") | {"honderd": 100}
    table = dict(dutch)
    irregular = {"eerste": 1, "derde": 3, "achtste": 8}
    table |= irregular
    for word, value in dutch.items():
        table.setdefault(word + ("de" if value < 20 else "ste"), value)
    swedish = _listed("ett|en två tre fyra fem sex sju åtta nio tio elva tolv tretton fjorton femton sexton sjutton")
    swedish |= {"arton": 18, "nitton": 19}
    ordinals = _listed(
        "första|förste|første andra|andre|anden|andet|annen|annet tredje fjärde|fjerde femte sjätte|sjette"
        " sjunde|syvende|sjuende åttonde|ottende|åttende nionde|niende tionde|tiende elfte|ellevte|ellefte"
        " tolfte|tolvte trettonde|trettende fjortonde|fjortende femtonde|femtende sextonde|sekstende sjuttonde|syttende"
        " artonde|attende nittonde|nittende tjugonde|tyvende|tjuende"
    )
    swedish_tens = _listed("tjugo trettio fyrtio femtio sextio sjuttio åttio nittio", 20, 10)
    table = swedish | ordinals | table | swedish_tens
    table |= _joined(swedish_tens, swedish, "{t}{u}") | _joined(swedish_tens, ordinals, "{t}{u}")
    table |= {ten + "nde": value for ten, value in swedish_tens.items()}
    return table | _listed("en to tre fire fem seks syv otte ni ti elleve tolv")


def _slavic() -> _Table:
    russian = _listed(
        "перв{ый,ая,ое} втор{ой,ая,ое} трет{ий,ья,ье} четверт{ый,ая,ое} пят{ый,ая,ое} шест{ой,ая,ое} седьм{ой,ая,ое}"
        " восьм{ой,ая,ое} девят{ый,ая,ое} десят{ый,ая,ое} одиннадцат{ый,ая,ое} двенадцат{ый,ая,ое}"
        " тринадцат{ый,ая,ое} четырнадцат{ый,ая,ое} пятнадцат{ый,ая,ое} шестнадцат{ый,ая,ое} семнадцат{ый,ая,ое}"
        " восемнадцат{ый,ая,ое} девятнадцат{ый,ая,ое}"
    )
    tenths = _listed(
        "двадцат{ый,ая,ое} тридцат{ый,ая,ое} сороков{ой,ая,ое} пятидесят{ый,ая,ое} шестидесят{ый,ая,ое}"
        " семидесят{ый,ая,ое} восьмидесят{ый,ая,ое} девяност{ый,ая,ое} сот{ый,ая,ое}",
        20,
        10,
    )
    tens = _listed("двадцать тридцать сорок пятьдесят шестьдесят семьдесят восемьдесят девяносто сто", 20, 10)
    cardinals = _listed("один|одна два|две три четыре пять шесть семь восемь девять десять")
    polish = _listed(
        "pierwsz{y,a,e} drug{i,a,ie} trzeci{,a,e} czwart{y,a,e} piąt{y,a,e} szóst{y,a,e} siódm{y,a,e} ósm{y,a,e}"
        " dziewiąt{y,a,e} dziesiąt{y,a,e} jedenast{y,a,e} dwunast{y,a,e} trzynast{y,a,e} czternast{y,a,e}"
        " piętnast{y,a,e} szesnast{y,a,e} siedemnast{y,a,e} osiemnast{y,a,e} dziewiętnast{y,a,e}"
    )
    polish_tens = _listed(
        "dwudziest{y,a,e} trzydziest{y,a,e} czterdziest{y,a,e} pięćdziesiąt{y,a,e} sześćdziesiąt{y,a,e}"
        " siedemdziesiąt{y,a,e} osiemdziesiąt{y,a,e} dziewięćdziesiąt{y,a,e} setn{y,a,e}",
        20,
        10,
    )
    polish_cardinals = _listed("jeden|jedna dwa|dwie trzy cztery pięć sześć siedem osiem dziewięć dziesięć")
    czech = _listed(
        "prvn{í} druh{ý,á,é} třet{í} čtvrt{ý,á,é} pát{ý,á,é} šest{ý,á,é} sedm{ý,á,é} osm{ý,á,é} devát{ý,á,é}"
        " desát{ý,á,é} jedenáct{ý,á,é} dvanáct{ý,á,é}"
    )
    table = czech | cardinals | tens | russian | tenths | polish_cardinals | polish | polish_tens
    return table | _joined(tens, russian, "{t} {u}") | _joined(polish_tens, polish, "{t} {u}")


def _others() -> _Table:
    """Greek, Turkish, Hungarian and Finnish."""
    return (
        _listed("πρώτ{ο,ος,η} δεύτερ{ο,ος,η} τρίτ{ο,ος,η} τέταρτ{ο,ος,η} πέμπτ{ο,ος,η} έκτ{ο,ος,η} έβδομ{ο,ος,η}"
                " όγδο{ο,ος,η} ένατ{ο,ος,η} δέκατ{ο,ος,η}")
        | _listed("birinci ikinci üçüncü dördüncü beşinci altıncı yedinci sekizinci dokuzuncu onuncu")
        | _listed("első második harmadik negyedik ötödik hatodik hetedik nyolcadik kilencedik tizedik")
        | _listed("ensimmäinen toinen kolmas neljäs viides kuudes seitsemäs kahdeksas yhdeksäs kymmenes")
    )  # fmt: skip


class Family(StrEnum):
    """The languages whose number words may stand beside one heading word."""

    ENGLISH = "english"
    GERMAN = "german"
    FRENCH = "french"
    ROMANCE = "romance"
    GERMANIC = "germanic"
    SLAVIC = "slavic"
    OTHER = "other"


EVERY_FAMILY: Final = frozenset(Family)

_TABLES: Final = {
    Family.ENGLISH: _english,
    Family.GERMAN: _german,
    Family.FRENCH: _french,
    Family.ROMANCE: _romance,
    Family.GERMANIC: _germanic,
    Family.SLAVIC: _slavic,
    Family.OTHER: _others,
}


@cache
def number_words(families: frozenset[Family] = EVERY_FAMILY) -> dict[str, int]:
    """Folded number word or phrase -> its value, in the languages of ``families``; the earlier family wins."""
    table: _Table = {}
    for family in reversed(Family):
        if family in families:
            table |= _TABLES[family]()
    return table


LONGEST_PHRASE: Final = 5
"""The most words of a number phrase ("three hundred and twenty one")."""
