"""Words of a question that say what kind of question it is, or nothing: they are not searched for."""

from typing import Final

STOP_WORDS: Final = {
    "en": "a an and are as at be been being but by can could did do does done for from had has have he her hers him "
    "his how i if in into is it its me my of on or our she so than that the their them then there these they "
    "this those to us was we were what when where which who whom whose why will with would you your about "
    "after all also any before according actually end ends exactly finally happen happens happened book "
    "chapter story novel tell tells says say said kind really name called mean means",
    "de": "wer wen wem wessen was wann wo woher wohin warum wieso weshalb wie wozu womit welche welcher welches "
    "welchen der die das den dem des ein eine einen einem einer eines und oder ist sind war waren hat haben "
    "hatte wird werden von zu zum zur im in am an auf mit für bei aus nach vor er sie es sich nicht",
    "fr": "qui que quoi quand où comment pourquoi quel quelle quels quelles est ce le la les l un une des de du d et "
    "ou il elle ils elles à au aux en dans par pour sur avec se s qu a ont fait sont était",
    "es": "quién quiénes qué cuándo dónde cómo cuál cuáles por para el la los las un una de del y o en con se es son "
    "era fue a al lo le su sus que",
    "it": "chi che cosa quando dove come perché quale quali il lo la i gli le un uno una di del della e o in con si "
    "è sono era a al da per su",
    "pt": "quem que quando onde como porque qual quais o a os as um uma de do da e ou em no na com se é são era para "
    "por",
    "nl": "wie wat wanneer waar waarom hoe welke de het een en of is zijn was waren heeft van in op met voor te aan",
    "ru": "кто кого кому что чего когда где куда откуда почему зачем как какой какая какие и в на с по о об у к от "
    "за не ли был была было были он она они его её",
    "zh": "谁 誰 什么 什麼 怎么 怎麼 怎样 为什么 為什麼 哪 哪里 哪裡 几 的 了 是 在 吗 嗎 呢",
    "ja": "何 誰 なぜ どこ いつ どう は が を に の と か",
}
"""By ISO 639-1 code. Those of Chinese and Japanese hold in every book; in an unlisted language none are left out."""
