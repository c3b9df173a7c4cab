"""Words in which a novel tells what a question asks with another word: "how does he die" finds "lifeless".

English only; a question in a book of another language is asked with its own words alone. What was gained, and on which
questions the words had been chosen, is in docs/retrieval.md.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from bot.core.terms import stem, terms

RELATED_WEIGHT: Final = 0.5
"""How much a related word counts beside a word of the question."""

_LANGUAGE: Final = "en"

_FAMILIES: Final = """
die died dead death dying perish expired killed lifeless corpse funeral grave
kill killed murder murdered murderer slay slain stab strangle shoot shot poison assassin victim slaughter
marry married marriage wedding wed wife husband bride bridegroom engaged engagement betrothed match propose proposal
engaged engagement betrothed marry accept hand
propose proposal offer hand marry love accept refuse
love loved adore attachment affection heart admire
hate hatred detest dislike enemy resentment
revenge vengeance avenge retribution
elope elopement ran run fled flee gone escape
escape fled flee flight run away gone free
job profession trade occupation employed business work living
work worked served service employed years
inherit heir estate entail fortune will legacy property left
will testament legacy heir left
rich wealthy fortune money wealth thousand
poor poverty debt penniless
pay paid money debt settle
steal stole stolen thief theft rob robbed taken missing gone
lose lost missing vanish disappear
find found discover discovered
arrest arrested police prison prisoner custody seized handcuffs captured
prison jail gaol convict cell captive
doctor surgeon physician
ill sick illness fever disease malady
wound wounded hurt injured blood bleeding
fight struggle blow struck duel battle
weapon gun pistol revolver knife dagger sword stick axe
father papa son daughter parent
mother mamma son daughter parent
brother sister
child children boy girl son daughter baby infant
born birth
house home live lived lodge dwelling residence
live lived reside lodging rooms house
travel journey set out voyage sail went arrived
arrive arrived came come reached
leave left depart departed went gone
letter note wrote written write message telegram
introduce introduced introducing acquaintance meet met
meet met acquaintance encounter introduced
friend companion acquaintance
secret secretly hidden concealed private
hide hidden hid concealed conceal
tell told confess confessed reveal revealed
lie lied deceive deceived false pretend pretended
afraid fear feared terror frightened dread horror
angry anger fury rage furious
happy happiness joy delight
sad sorrow grief tears weep wept misery
look looked appearance face features eyes hair tall
clothes dress coat suit dressed wore
pet dog cat bird
animal dog horse beast
monster creature fiend wretch
food dinner supper breakfast eat
drink wine brandy rum glass water
gift present gave given
promise promised oath swore vow
plan scheme plot intend purpose
author writer book poet wrote
picture portrait painting
jewel diamond gem treasure pearl
king emperor prince
soldier army officer regiment military
war battle army campaign
begin began start commence first
end ended finally last
old age aged years
destroy destroyed tore burn burnt broke ruined
make made create created creature
believe thought suspect opinion
blame fault guilty guilt
save saved rescue rescued
help helped assist assistance aid
want wished desire desired
refuse refused reject decline
forbid forbidden prohibit
church priest clergyman parson
school schoolmaster teacher governess
servant maid butler housekeeper
"""
"""One family a line: the asked word, then the words that tell it."""

_FATE: Final = (
    "die died dead death killed murdered perished corpse lifeless married wounded hurt escaped arrested executed "
    "lost gone body"
)
_ASKS_FATE: Final = re.compile(
    r"\bhappen(?:s|ed)? to\b|\bbec(?:omes?|ame) of\b|\bsurviv|\bfate\b|\bend(?:s|ed)? up\b", re.I
)


def related_terms(question: str, language: str | None) -> frozenset[str]:
    """The terms related to those of ``question``, without its own; none unless ``language`` is English.

    A question about somebody's fate ("what happens to Ana") is also asked with the outcomes novels have.
    """
    if language != _LANGUAGE:
        return frozenset()
    asked = terms(question, language).keys()
    found = {term for word in asked for term in _families().get(word, ())}
    if _ASKS_FATE.search(question):
        found |= terms(_FATE, language).keys()
    return frozenset(found - asked)


@lru_cache(maxsize=1)
def _families() -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for line in _FAMILIES.strip().splitlines():
        head, *others = (stem(word, _LANGUAGE) for word in line.split())
        found[head] = found.get(head, frozenset()) | frozenset(others)
    return found
