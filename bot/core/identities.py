"""Whether a sentence says that two are one: "The stranger was Ana Wren.", „Der Fremde hieß Ana Wren.“

Only forms that say so themselves count, in English and German, each with both in it: what is denied, asked, supposed, a
lie or only reported ("they say that ...") joins nobody, nor does what is said of somebody beside them ("the brother of
the stranger was ..."). In other languages only "alias" does.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from bot.core.words import TELLING, words

LABEL: Final = 60
"""Code points of a name, or of the words that stand for one."""
LONGEST: Final = 2_000
"""Code points of a sentence that is looked at: a longer one joins nobody."""


@dataclass(frozen=True, slots=True)
class _Forms:
    """How one language says it, with ``{a}`` and ``{b}`` for the two. ``plain`` forms take a verb that also tells what
    somebody is; ``strong`` ones say of two names that they are one person's. ``other`` is "none other than".

    ``factive`` is what a "that" before it may follow ("she saw that"): after all else it is only thought or said.
    ``telling`` are verbs by which it is hearsay, ``false`` what makes it a mistake, a lie or a play wherever in the
    sentence it stands.
    """

    plain: tuple[str, ...]
    strong: tuple[str, ...]
    other: str
    factive: str
    telling: str
    false: str


_MARKS: Final = '[.,;:!?(—–“”"‘’„»«]'
_END: Final = (
    r"(?!\w)(?!,?\s+(?:or|oder)\b)\s*"
    r"(?:[.,;:!?)”’\"“«»—–-](?!\w)|$|(?:and|und)\b(?!\s+(?-i:[A-ZÄÖÜ]))"
    r"|(?:who|whom|himself|herself|after\s+all|in\s+disguise|selbst)\b)"
)
_OWN: Final = r"(?!\w|['’]s?\b)"
"""After somebody: nothing that makes them another's ("the stranger's brother")."""
_OPEN, _CLOSE = '[“"‘„»«]', '[”"’“«»]'
_SPOKEN: Final = '[^“”"„»«]'
_BEFORE: Final = rf"(?P<before>(?:{_SPOKEN}*[,.;:!—–]\s*)?)"
"""What somebody says before they say who they are."""

_OTHER: Final = r"(?:none|no|nobody|no\s+one)\s+(?:other|else)\s+(?:than|but)"
_BE: Final = r"(?:is|was|had\s+been|has\s+been|turned\s+out\s+to\s+be|proved\s+to\s+be)"
_TRULY: Final = (
    r"(?:\s+(?:really|indeed|truly|actually|himself|herself|then|therefore|in\s+(?:truth|fact|reality)|all\s+along))*"
)
_REAL: Final = r"(?:real|true|right|own|full|proper)"
_SELF: Final = r"(?:himself|herself|themselves)"
_SAID: Final = (
    r"(?:said|says|answered|replied|cried|returned|exclaimed|whispered|declared|added|confessed|murmured|announced)"
)
_I_AM: Final = (
    rf"(?:I\s+am(?:\s+called)?|I['’]m|my\s+(?:{_REAL}\s+)?name\s+(?:is|was)|my\s+name['’]s|they\s+call\s+me"
    r"|I\s+was\s+(?:once\s+)?called)"
)
_LIVED: Final = (
    r"(?:(?:has|had)\s+(?:been\s+)?|was\s+)?(?:liv(?:es|ed|ing)|travell?(?:s|ed|ing)|goes|went|gone|going|pass(?:es|ed|ing)|known"
    r"|c[ao]me|hid|hidden|sailed|served|worked|enlisted|wrote|written|stayed)(?:\s+\w+){0,3}?"
)
_LEFT: Final = rf"(?:^|{_MARKS}\s*|\b(?:that|because|so|now|then|since)\s+|(?:^|[,;:—–“\"‘])\s*(?:and|but|for|when)\s+)"
_LEFT_OR_WORD: Final = rf"(?:{_LEFT}|\b(?!of\b)\w+\s+)"

_ENGLISH: Final = _Forms(
    plain=(rf"{_LEFT}{{a}}(?:,?\s+who)?\s+{_BE}{_TRULY}\s+(?:{_OTHER}\s+)?{{b}}{_END}",),
    strong=(
        rf"{_LEFT}{{a}}(?:,?\s+who)?\s+{_BE}{_TRULY}\s+{_OTHER}\s+{{b}}{_END}",
        rf"{_LEFT_OR_WORD}{{a}},?\s+(?:alias|otherwise(?:\s+(?:called|known\s+as))?)\s+{{b}}{_END}",
        rf"{_LEFT}{{a}},?\s+(?:also\s+(?:called|known\s+as)|(?:better|commonly|generally|usually|formerly)\s+(?:called|known"
        rf"\s+as)|known\s+as|whose\s+(?:{_REAL}\s+)?name\s+{_BE}{_TRULY})\s+{{b}}{_END}",
        rf"{_LEFT}{{a}}(?:,?\s+who)?\s+{_BE}\s+(?:also\s+|really\s+|once\s+)?(?:called|named|known\s+as)\s+{{b}}{_END}",
        rf"{_LEFT}{{a}},\s+(?:called|named)\s+{{b}}{_END}",
        rf"{_LEFT}{{a}}(?:,?\s+who)?,?\s+(?:(?:has\s+|had\s+)?(?:called|styled|named|signed|introduced|announced)|calls|calling|"
        rf"signs|signing|introducing|announcing)\s+{_SELF}(?:\s+to\s+(?:me|us|him|her|them))?(?:\s+as)?\s+{{b}}{_END}",
        rf"{_LEFT}{{a}}(?:,?\s+who)?,?\s+(?:(?:{_LIVED}\s+)?under|{_LIVED}\s+by|(?:had\s+)?(?:took|taken|assumed|bore|bears))\s+the\s+"
        rf"(?:assumed\s+|false\s+)?name\s+of\s+{{b}}{_END}",
        rf"{_LEFT}the\s+(?:{_REAL}\s+)?name\s+of\s+{{a}}\s+{_BE}{_TRULY}\s+{{b}}{_END}",
        rf"{_LEFT}{{a}}['’]s?\s+(?:{_REAL}\s+)?name\s+{_BE}{_TRULY}\s+{{b}}{_END}",
        rf"{_LEFT}{{a}}\s+and\s+{{b}}\s+(?:are|were|is|was){_TRULY}\s+(?:one\s+and\s+the\s+same|the\s+(?:very\s+)?same\s+"
        rf"(?:person|man|woman|girl|boy|being)){_END}",
        rf"\b(?:recogni[sz]ed|identified|introduced|presented)\s+{{a}}(?:\s+to\s+(?:me|us|him|her|them))?\s+as\s+{{b}}{_END}",
        rf"\bknew\s+{{a}}\s+to\s+be\s+{{b}}{_END}",
        rf"\brecogni[sz]ed\s+in\s+{{a}}\s+{{b}}{_END}",
        rf"{_OPEN}{_BEFORE}{_I_AM}{_TRULY}\s+{{b}}{_END}{_SPOKEN}{{0,80}}?{_CLOSE}?\s*{_SAID}\s+{{a}}{_OWN}",
        rf"{_OPEN}{_BEFORE}{_I_AM}{_TRULY}\s+{{b}}{_END}{_SPOKEN}{{0,80}}?{_CLOSE}?\s*{{a}}\s+{_SAID}\b",
        rf"{_LEFT}{{a}}\s+{_SAID}(?:\s+\w+ly)?[,:]?\s*{_OPEN}{_BEFORE}{_I_AM}{_TRULY}\s+{{b}}{_END}",
    ),
    other=_OTHER,
    factive=r"(?:saw|sees?|seen|seeing|kn[eo]ws?|known|knowing|learn(?:s|ed|t)?|f[io]und(?:\s+out)?|discover(?:s|ed)?|understood|"
    r"reali[sz](?:es|ed)|recogni[sz](?:es|ed)|remember(?:s|ed)|proves?|proved|show(?:s|ed)|(?:turned|came)\s+out|perceived|certain|evident"
    r"|true|truth|clear|plain|fact|now)",
    telling=r"(?:said|says?|tells?|told|swore|claim(?:s|ed)?|pretend(?:s|ed)?|rumou?red|whispered|heard|insisted|maintained|argued"
    r"|declared|wrote|writes|read|cried|answered|replied|ran|thought|held)",
    false=r"(?:lies?|lied|lying|liars?|false(?:ly)?|untrue|wrong(?:ly)?|mistak\w+|mistook|errors?|impossible|(?:un|im)(?:likely|probable)"
    r"|jest\w*|jok\w+|dream\w*|rumou?rs?|stor(?:y|ies)|tales?|play\w*|games?|stage|parts?|roles?|den(?:y|ies|ied|ying)|refus\w+"
    r"|deceiv\w+|invent\w+|fanc\w+|guess\w*|notion|suspicion|mock\w+|save|except|manner\s+of\s+speaking)",
)  # fmt: skip

_ANDERS: Final = r"(?:niemand\s+ander(?:er|s|es)|kein(?:e|er)?\s+andere?r?)\s+als"
_WAHRLICH: Final = r"(?:\s+(?:wirklich|tatsächlich|eigentlich|nämlich|also|selbst|in\s+(?:Wahrheit|Wirklichkeit)))*"
_WAHR: Final = r"(?:wahre|wirkliche|richtige|eigentliche|volle)[rsnm]?"
_SAGTE: Final = r"(?:sagte|sagt|antwortete|erwiderte|rief|flüsterte|gestand|erklärte|entgegnete|versetzte|murmelte)"
_ICH_BIN: Final = rf"(?:ich\s+(?:bin|heiße|heisse)|mein\s+(?:{_WAHR}\s+)?Name\s+ist|man\s+nennt\s+mich)"
_LINKS: Final = rf"(?:^|{_MARKS}\s*|\b(?:dass|daß|weil|aber|nun|da)\s+|(?:^|[,;:—–“„\"])\s*(?:und|denn|als)\s+)"
_LINKS_OR_WORD: Final = rf"(?:{_LINKS}|\b(?-i:[a-zäöü])\w*\s+)"
"""A noun before them is another: "die Frau des Fremden"."""

_GERMAN: Final = _Forms(
    plain=(
        rf"{_LINKS}{{a}}\s+(?:ist|war){_WAHRLICH}\s+(?:{_ANDERS}\s+)?{{b}}{_END}",
        rf"\b(?:dass|daß|weil|da)\s+{{a}}{_WAHRLICH}\s+(?:{_ANDERS}\s+)?{{b}}\s+(?:gewesen\s+)?(?:ist|war){_END}",
        rf"{_LINKS}{{a}},\s+(?:der|die|das){_WAHRLICH}\s+{{b}}\s+(?:gewesen\s+)?(?:ist|war){_END}",
    ),
    strong=(
        rf"{_LINKS}{{a}}\s+(?:ist|war){_WAHRLICH}\s+{_ANDERS}\s+{{b}}{_END}",
        rf"{_LINKS_OR_WORD}{{a}},?\s+(?:alias|genannt|auch\s+genannt|sonst\s+genannt|mit\s+{_WAHR}\s+Namen)\s+{{b}}{_END}",
        rf"{_LINKS}{{a}},\s+(?:auch|sonst)\s+{{b}}\s+genannt\b",
        rf"{_LINKS}{{a}}\s+(?:hieß|hiess|heißt|heisst|nannte\s+sich|nennt\s+sich){_WAHRLICH}\s+{{b}}{_END}(?!\s[^.;:]*\bzu\b)",
        rf"{_LINKS}{{a}}\s+(?:wurde|wird|ward)\s+(?:auch\s+)?{{b}}\s+(?:genannt|geheißen|gerufen)\b",
        rf"\b(?:dass|daß|weil|da)\s+{{a}}{_WAHRLICH}\s+{{b}}\s+(?:hieß|heißt)\b",
        rf"{_LINKS}{{a}},\s+(?:der|die|das)(?:\s+sich)?{_WAHRLICH}\s+{{b}}\s+(?:hieß|heißt|nannte|nennt)\b",
        rf"{_LINKS}{{a}},\s+(?:den|die|das)\s+(?:man|alle|sie)\s+{{b}}\s+(?:nannten?|nennen|nennt)\b",
        rf"{_LINKS}{{a}},\s+dessen\s+(?:{_WAHR}\s+)?Name\s+{{b}}\s+(?:war|ist|lautete)\b",
        rf"{_LINKS}{{a}},\s+deren\s+(?:{_WAHR}\s+)?Name\s+{{b}}\s+(?:war|ist|lautete)\b",
        rf"{_LINKS}der\s+(?:{_WAHR}\s+)?Name\s+{{a}}\s+(?:ist|war|lautete){_WAHRLICH}\s+{{b}}{_END}",
        rf"{_LINKS}{{a}}\s+stellte\s+sich(?:\s+(?:ihm|ihr|ihnen|mir|uns))?\s+als\s+{{b}}\s+vor\b",
        rf"{_LINKS}{{a}}\s+gab\s+sich(?:\s+(?:ihm|ihr|ihnen|mir|uns))?\s+als\s+{{b}}\s+zu\s+erkennen\b",
        rf"{_LINKS}{{a}}\s+(?:lebte|reiste|wohnte|ging|diente|schrieb|kam)(?:\s+\w+){{0,3}}?\s+unter\s+dem\s+"
        rf"(?:falschen\s+|angenommenen\s+)?Namen\s+{{b}}{_END}",
        rf"{_LINKS}{{a}}\s+und\s+{{b}}\s+(?:sind|waren|ist|war){_WAHRLICH}\s+(?:ein\s+und\s+d(?:er|ie)selbe|dieselbe\s+Person|"
        rf"derselbe\s+Mann|dieselbe\s+Frau){_END}",
        rf"\berkannte\s+(?:er\s+|sie\s+|ich\s+)?in\s+{{a}}\s+{{b}}{_END}",
        rf"\berkannte\s+(?:er\s+|sie\s+|ich\s+)?{{a}}\s+als\s+{{b}}{_END}",
        rf"{_LINKS}{{a}}\s+(?:unterschrieb|unterzeichnete)\s+(?:sich\s+)?(?:als|mit)\s+{{b}}{_END}",
        rf"{_OPEN}{_BEFORE}{_ICH_BIN}{_WAHRLICH}\s+{{b}}{_END}{_SPOKEN}{{0,80}}?{_CLOSE}?\s*,?\s*{_SAGTE}\s+"
        rf"{{a}}{_OWN}",
        rf"{_LINKS}{{a}}\s+{_SAGTE}\s*[,:]\s*{_OPEN}{_BEFORE}{_ICH_BIN}{_WAHRLICH}\s+{{b}}{_END}",
    ),
    other=_ANDERS,
    factive=r"(?:sah(?:en)?|sieht|gesehen|w[uü](?:ss|ß)ten?|wei(?:ss|ß)|erkannten?|erkennt|erfuhr(?:en)?|merkten?|bemerkten?|entdeckten?"
    r"|begriff(?:en)?|verstand(?:en)?|fand(?:en)?|zeigte\s+sich|stellte\s+sich\s+heraus|heraus|klar|wahr|Wahrheit|gewi(?:ss|ß))",
    telling=r"(?:sagten?|sagt|erzählten?|behaupte(?:t|te|ten)|hieß|heißt|hörten?|schrieb(?:en)?|rief(?:en)?|las(?:en)?|meinten?)",
    false=r"(?:falsch\w*|fälschlich\w*|irr(?:t|te|ten|ig|ige|tümlich)|Irrtum|Lügen?|Lügner\w*|log|gelogen|(?:un)?möglich|unwahr\w*"
    r"|Tr[aä]um\w*|träum\w*|\w*Scherz\w*|Spaß|Spott|spiel\w*|Gerücht\w*|bestritt\w*|leugne\w*|(?:be)?zweif\w*|eingebildet"
    r"|bildete|verwechsel\w*|täusch\w*|munkel\w*|annahm\w*|nahm\w*\s+an)",
)  # fmt: skip

_ELSEWHERE: Final = _Forms((), (rf"{{a}},?\s+alias\s+{{b}}{_END}",), *[r"(?!)"] * 4)
_FORMS: Final[Mapping[str, _Forms]] = {"en": _ENGLISH, "de": _GERMAN}
_ONE, _OTHER_ONE = "\ue000", "\ue001"
"""Stand in a sentence for the two that may be one: no text has them, and they are no part of a word."""
_ARTICLE: Final = re.compile(r"^(?:d(?:er|ie|as|en|em|es)|eine?[nmrs]?)\s+", re.IGNORECASE)
_SOME: Final = re.compile(r"(?:an?|one|some|eine?[nmrs]?)\s", re.IGNORECASE)
_THAT: Final = r"(?:that|dass|daß)"
_GOES_ON: Final = r"(?:and|but|who|und|aber|der|die)"
_ENDING: Final = re.compile(r"(?<=\w{4})(?:e[nmrs]?|n|s)$")


def names_somebody(label: str, language: str | None) -> bool:
    """Whether a label is a name or says something of somebody: "the stranger", not "he" nor "the man"."""
    return 0 < len(label) <= LABEL and any(word.kind in TELLING for word in words(label, language))


def stands(label: str, text: str, language: str | None) -> bool:
    """Whether a label stands in a text; of German in any case that its words may have there."""
    return re.search(rf"(?<!\w){_pattern(label, language)}(?!\w)", text, re.IGNORECASE) is not None


def says_one(text: str, one: str, other: str, language: str | None, *, plainly: bool = True) -> bool:
    """Whether a sentence says that ``one`` and ``other`` are the same, and leaves no doubt of it.

    Where it is not to be said ``plainly``, "Hope was Ferrier" is not enough; it never is of "a clever man".
    """
    forms, text = _FORMS.get(language or "", _ELSEWHERE), " ".join(text.split())
    plainly = plainly and not any(_SOME.match(label) for label in (one, other))
    for label in sorted((one, other), key=len, reverse=True):
        mark = _ONE if label == one else _OTHER_ONE
        text = re.sub(rf"(?<!\w){_pattern(label, language)}(?!\w)", mark, text, flags=re.IGNORECASE)
    if len(text) > LONGEST or _ONE not in text or _OTHER_ONE not in text:
        return False
    for first, second in ((_ONE, _OTHER_ONE), (_OTHER_ONE, _ONE)):
        for form in (*forms.strong, *(forms.plain if plainly else ())):
            for found in _compiled(form, first, second).finditer(text):
                if not _unsure(text, found, forms, language):
                    return True
    return False


def _unsure(text: str, found: re.Match[str], forms: _Forms, language: str | None) -> bool:
    """Whether what a form says is only reported, or denied or doubted by anything else in the sentence."""
    before, after = text[: found.start("a")], text[found.end("b") :]
    uttered = found.groupdict().get("before")
    if (uttered is None or found.start("a") < found.start("b")) and _only_told(before, forms):
        return True
    if uttered and re.search(rf"\b{forms.telling}\b", uttered, re.IGNORECASE):
        return True
    if re.search(rf"^\s*[,;:—–-]\s*(?:(?!{_GOES_ON}\b)\w+\.?\s+){{0,3}}{forms.telling}\b", after, re.IGNORECASE):
        return True
    around = f"{text[: found.start()]} {text[found.end() :]} {uttered or ''}"
    if re.search(rf"\b{forms.false}\b", around, re.IGNORECASE):
        return True
    said = re.sub(rf"{forms.other}|\b(?:as|als)\b", " ", found[0], flags=re.IGNORECASE)
    return doubted(f"{text[: found.start()]} {said} {text[found.end() :]}", language)


def _only_told(before: str, forms: _Forms) -> bool:
    """Whether what stands before it makes it hearsay, or thought: "they say that", "it was a notion of hers that"."""
    if re.search(rf"\b{forms.telling}(?:\s+\w+){{0,2}}[,:]?(?:\s+{_THAT})?\s*$", before, re.IGNORECASE):
        return True
    if re.search(rf"(?<!\w){_THAT}\s*$", before, re.IGNORECASE) is None:
        return False
    known = rf"\b{forms.factive}(?:\s+\w+){{0,2}},?\s+{_THAT}\s*$"
    return re.search(known, before, re.IGNORECASE) is None


@lru_cache
def _compiled(form: str, first: str, second: str) -> re.Pattern[str]:
    named = form.replace("{a}", f"(?P<a>{first})").replace("{b}", rf"[“\"„»‘]?(?P<b>{second})")
    return re.compile(named, re.IGNORECASE)


def _pattern(label: str, language: str | None) -> str:
    found = _ARTICLE.match(label) if language == "de" else None
    if found is None:
        return r"\s+".join(map(re.escape, label.split()))
    bare = [_ENDING.sub("", word) for word in label[found.end() :].split()]
    return r"(?:d(?:er|ie|as|en|em|es)|eine?[nmrs]?)\s+" + r"\s+".join(
        rf"{re.escape(w)}(?:e[nmrs]?|n|s)?" for w in bare
    )


def folded_label(label: str) -> str:
    """A label by which it is the same with another article; a German one in any case."""
    folded = " ".join(label.casefold().split())
    if (found := _ARTICLE.match(folded)) is not None:
        return " ".join(_ENDING.sub("", word) for word in folded[found.end() :].split())
    return re.sub(r"^(?:the|an?)\s+(?=\S)", "", folded)


def doubted(text: str, language: str | None) -> bool:
    """Whether a sentence asks, denies or leaves open what it says, whichever part of it does."""
    return any(mark in text for mark in "?؟？") or any(word.negates or word.hedges for word in words(text, language))
