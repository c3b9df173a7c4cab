"""Languages of which the small words and the denials are known, and no more."""

from __future__ import annotations

from typing import Final

from bot.core.lists.language import Language, listed

_WORDS: Final = {
    "fr": (
        "le la les l un une des de du d et ou mais car donc ni que qu qui quoi dont où quand comment pourquoi "
        "quel quelle quels quelles je me m moi tu te t toi il elle on nous vous ils elles lui leur eux se s "
        "soi mon ma mes ton ta tes son sa ses notre nos votre vos leurs ce cet cette ces c ceci cela ça est "
        "sont était étaient être été suis es a ai as ont avait avaient avoir eu fut furent sera ne n pas plus "
        "jamais rien personne aucun aucune non à au aux en dans par pour sur sous avec sans chez vers entre "
        "contre avant après depuis pendant y si comme très aussi même tout toute tous toutes bien encore déjà "
        "ici là",
        "pas jamais rien aucun aucune sans",
    ),
    "es": (
        "el la lo los las un una unos unas de del y e o u pero que quien quienes qué quién cuando cuándo "
        "donde dónde como cómo por porque para a al en con sin sobre entre hasta desde yo me mí tú te ti él "
        "ella ello nos nosotros ellos ellas se le les su sus mi mis tu tus este esta esto estos estas ese esa "
        "eso esos esas aquel aquella es son era eran ser sido fue fueron ha han había habían haber he no ni "
        "nunca nada nadie ningún ninguna muy más menos también ya aún si sí todo toda todos todas",
        "no nunca jamás nada nadie ni sin ningún ninguna ninguno tampoco",
    ),
    "it": (
        "il lo la i gli le l un uno una di del dello della dei degli delle d e ed o ma che chi cui quando "
        "dove come perché per a al allo alla ai agli alle da dal dalla in nel nella nei con su sul sulla tra "
        "fra io mi me tu ti te egli ella lui lei esso essa noi ci voi vi essi loro si suo sua suoi sue mio "
        "mia questo questa questi queste quello quella è sono era erano essere stato fu ha hanno aveva "
        "avevano avere non né mai nulla niente nessuno più molto anche già ancora se tutto tutta tutti tutte",
        "non no mai nulla niente nessuno nessuna né senza neppure",
    ),
    "pt": (
        "o a os as um uma uns umas de do da dos das e ou mas que quem quando onde como por porque para ao à "
        "em no na nos nas com sem sobre entre até desde eu me mim tu te ele ela nós eles elas se lhe lhes seu "
        "sua seus suas meu minha este esta isto esse essa isso aquele aquela é são era eram ser sido foi "
        "foram há tem têm tinha tinham ter não nem nunca nada ninguém muito mais menos também já ainda todo "
        "toda todos todas",
        "não nunca jamais nada ninguém nem sem nenhum nenhuma tampouco",
    ),
    "nl": (
        "de het een en of maar want dat die dit deze wie wat wanneer waar waarom hoe welke ik me mij je jij "
        "hij hem zij ze haar het wij we ons jullie hun zich mijn jouw zijn uw is was waren ben bent geweest "
        "heeft hebben had hadden wordt werd worden kan kon moet zal zou wil niet geen nooit niets niemand van "
        "in op met voor te aan bij uit naar door over onder tussen tot om als dan ook nog al zeer er daar "
        "hier nu",
        "niet geen nooit niets niemand zonder noch nergens nauwelijks",
    ),
    "ru": (
        "и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по только ее её мне "
        "было вот от меня еще ещё нет о об из ему когда даже ну ли если уже или ни быть был была были него до "
        "вас они тут где есть их чтобы себя ей них мы этот эта это эти того тот та те кто которая который "
        "которые чем при свой своя свои",
        "не нет ни никогда ничего никто без нигде едва",
    ),
}

_ARTICLES: Final = {
    "fr": "le la les l un une",
    "es": "el la los las un una",
    "it": "il lo la gli un una",
    "pt": "o a os as um uma",
    "nl": "de het een",
}
_BEING: Final = {"fr": "est était", "es": "es era", "it": "è era", "pt": "é era", "nl": "is was", "ru": "это"}

OTHERS: Final = {
    code: Language(
        grammar=listed(grammar),
        negations=listed(negations),
        articles=listed(_ARTICLES.get(code, "")),
        being=listed(_BEING.get(code, "")),
    )
    for code, (grammar, negations) in _WORDS.items()
}
"""By ISO 639-1 code."""
