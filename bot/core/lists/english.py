"""English: words that carry a sentence, words that tell an outcome, and irregular forms."""

from __future__ import annotations

from typing import Final

from bot.core.lists.language import Language, contracted, listed, regular, rivals, speaker, tenses

GRAMMAR: Final = (
    "a an the this that these those i me my mine myself we us our ours ourselves you your yours yourself yourselves "
    "he him his himself she her hers herself it its itself they them their theirs themselves one ones who whom whose "
    "which what when where why how whoever whatever whenever wherever and or but nor so yet for as if than then "
    "though although because since while whereas until till unless whether of in on at to from by with without within "
    "into onto upon about above across after against along amid among amongst around before behind below beneath "
    "beside besides between beyond during except inside near off out outside over past per round through throughout "
    "toward towards under up down via like am is are was were be been being do does did done doing have has had "
    "having can could may might must shall should will would ought not no none neither either both each every all any "
    "some such same other another others much many more most several few little less least own too very also even "
    "just only quite rather almost enough still again ever never always often here there now thus hence therefore "
    "however not let o oh mr mrs ms miss dr st etc whole half i’d you’d we’d they’d he’d she’d it’d who’d there’d "
    "that’d needn’t daren’t ain’t"
)

DISCOURSE: Final = (
    "say says said saying tell tells told telling ask asks asked asking answer answers answered reply replies replied "
    "explain explains explained describe describes described mention mentions mentioned note notes noted state states "
    "stated suggest suggests suggested show shows shown showed remark remarks remarked add adds added speak speaks "
    "seem seems seemed think thinks thought believe believes believed know knows knew known mean means meant call "
    "calls called name names named refer refers referred according person people man woman something someone somebody "
    "anyone anything everything thing things way part kind sort example reason passage text narrator perhaps probably "
    "really simply clearly indeed yes"
)

LIGHT: Final = (
    "gave get gets give given gives go goes going gone got like liked likes made make makes need needed needs put "
    "puts take taken takes took use used uses want wanted wants went"
)

COMMON: Final = (
    "arrive arrived arrives began begin begins bring brings brought came carried carries carry come comes feel feels "
    "felt hear heard hears held help helped helps hold holds keep keeps kept learn learned learns live lived lives "
    "look looked looks meet meets met notice noticed notices offer offered offers open opened opens owe owed owes own "
    "owned owns receive received receives sat saw see seen sees sit sits stand stands stay stayed stays stood visit "
    "visited visits wait waited waits walk walked walks wear wears wore work worked works"
)

NEGATIONS: Final = "not no never none nobody nothing neither nor cannot without nowhere hardly scarcely barely"

HEDGES: Final = (
    "afraid almost apparently as assume assumed assumes attempt attempted believe believed believes can conjecture "
    "conjectured could doubt doubtless doubts dream dreamed dreams dreamt fear feared fears hope hoped hopes if "
    "imagine imagined intend intended intends lest like likely may maybe might must nearly ought perhaps plan planned "
    "plans possibly presumably presume presumed presumes pretend pretended probably promise promised ready seem "
    "seemed seemingly seems shall should suppose supposed suspect suspected suspects swear swore think thinks thought "
    "threaten threatened threatens tried tries try unless vow vowed want wanted wants whether will wish wished wishes "
    "would fail failed fails failing refuse refused refuses refusing decline declined declines declining forbade "
    "forbid forbidden forbids prevent prevented preventing prevents avoid avoided avoids neglect neglected neglects "
    "omitted instead unable impossible incapable guess guessed guesses fancied fancies reckon reckoned reckons "
    "expect expected expects"
)

RIVALS: Final = (
    "before after until; all some none few most many half every any; man woman; men women; more less fewer; with "
    "without; into out; up down; above below; over under; inside outside; from to; always sometimes often never "
    "seldom; first last; mr mrs miss; both neither either; everybody nobody somebody; everyone somebody "
    "nobody; everything nothing something"
)

SUPPOSING: Final = (
    "affirm affirmed announce announced announces answered answers appeared appears assert asserted asserts "
    "assumption assure assured assures belief chance claim claimed claims conclude concluded concludes conclusion "
    "conviction convinced danger declare declared declares declaring dread dreaded dreading expectation expected "
    "expecting expects fancied fancies fancy fearing guess guessed guesses heard hears hinted hoping idea imagination "
    "impression inference inferred insist insisted insists judged lie lies lying maintain maintained maintains notion "
    "occurred occurs opinion persuaded persuasion possibility possible prayed praying presumption probability "
    "probable reckon reckoned remark remarked remarks replied reply report reported rumor rumored rumors rumour "
    "rumoured rumours said say saying says strikes struck superstition surmise surmised suspecting suspicion "
    "suspicions tell telling tells theory thinking told wishing writes wrote"
)

FATE: Final = (
    "die dies died dying dead death deaths kill kills killed killing killer murder murders murdered murderer "
    "murderess slay slain assassin suicide corpse poison poisoned poisoner strangle strangled drown drowned hang "
    "hanged execute executed execution behead shot stab stabbed perish perished fatal victim culprit guilty innocent "
    "crime criminal thief stole steal stolen theft traitor betray betrayed betrayal spy villain impostor imposter "
    "alias disguise disguised identity secretly secret reveal reveals revealed confess confesses confessed confession "
    "marry marries married marriage wed wedding wife husband bride widow widower engaged engagement elope eloped "
    "pregnant father mother son daughter brother sister twin uncle aunt cousin orphan heir heiress inherit inherits "
    "inherited inheritance bastard illegitimate love loves loved lover alive survive survives survived survivor "
    "escape escapes escaped arrest arrests arrested prison prisoner convicted condemned betrothed destroyed destroy "
    "burned burnt sank sunk wreck wrecked vanish vanished disappear disappears disappeared revenge avenge avenged "
    "ghost monster werewolf vampire winner wins won defeat defeated victory abandon abandons abandoned leave leaves "
    "left return returns returned forge forged forgery faked fake lied liar blackmail blackmailed attack attacked "
    "wound wounded blind insane madness mad lost loses found finds"
)

IRREGULAR: Final = (
    "arise arose arisen; awake awoke awoken; bear bore borne born; beat beaten; become became; begin began begun; "
    "bend bent; bind bound; bite bit bitten; bleed bled; blow blew blown; break broke broken; breed bred; bring "
    "brought; build built; burn burnt; buy bought; catch caught; choose chose chosen; cling clung; come came; creep "
    "crept; deal dealt; dig dug; draw drew drawn; dream dreamt; drink drank drunk; drive drove driven; eat ate eaten; "
    "fall fell fallen; feed fed; feel felt; fight fought; find found; flee fled; fling flung; fly flew flown; forbid "
    "forbade forbidden; forget forgot forgotten; forgive forgave forgiven; freeze froze frozen; get got gotten; give "
    "gave given; go went gone goes; grow grew grown; hang hung; hear heard; hide hid hidden; hold held; keep kept; "
    "kneel knelt; know knew known; lay laid; lead led; lean leant; leap leapt; learn learnt; leave left; lend lent; "
    "lie lay lain; light lit; lose lost; make made; mean meant; meet met; owe ought; pay paid; ride rode ridden; ring "
    "rang rung; rise rose risen; run ran; say said; see saw seen; seek sought; sell sold; send sent; shake shook "
    "shaken; shine shone; shoot shot; show shown; shrink shrank shrunk; sing sang sung; sink sank sunk; sit sat; "
    "sleep slept; slide slid; speak spoke spoken; spend spent; spin spun; spring sprang sprung; stand stood; steal "
    "stole stolen; stick stuck; strike struck stricken; string strung; swear swore sworn; sweep swept; swim swam "
    "swum; swing swung; take took taken; teach taught; tear tore torn; tell told; think thought; throw threw thrown; "
    "understand understood; wake woke woken; wear wore worn; weave wove woven; weep wept; win won; wind wound; write "
    "wrote written; man men; woman women; child children; foot feet; tooth teeth; mouse mice; wife wives; knife "
    "knives; leaf leaves; thief thieves; wolf wolves; life lives; half halves"
)

CONTRACTED: Final = (
    "i’m i am; i’ll i will; i’ve i have; you’re you are; you’ll you will; you’ve you have; he’s he is; he’ll he will; "
    "she’s she is; she’ll she will; it’s it is; it’ll it will; we’re we are; we’ll we will; we’ve we have; "
    "they’re they are; they’ll they will; they’ve they have; there’s there is; there’ll there will; that’s that is; "
    "that’ll that will; who’s who is; who’ll who will; what’s what is; where’s where is; here’s here is; how’s how is; "
    "don’t do not; doesn’t does not; didn’t did not; isn’t is not; aren’t are not; wasn’t was not; weren’t were not; "
    "hasn’t has not; haven’t have not; hadn’t had not; can’t can not; cannot can not; couldn’t could not; "
    "won’t will not; wouldn’t would not; shan’t shall not; shouldn’t should not; mustn’t must not; mightn’t might not; "
    "oughtn’t ought not"
)

ENGLISH: Final = Language(
    grammar=listed(GRAMMAR),
    negations=listed(NEGATIONS),
    discourse=listed(DISCOURSE),
    light=listed(LIGHT),
    common=listed(COMMON),
    hedges=listed(HEDGES),
    fates=listed(FATE),
    regular=regular(IRREGULAR),
    articles=listed("the a an his her their its my our this that"),
    being=listed("is was be been being are were called calls named really also means"),
    likening=listed("as like alias"),
    subjects=listed("i we you he she it they one who which that there this these those"),
    conditions=listed("if unless lest whether or except until till"),
    joining=listed("and but then for so now well oh yet still however"),
    relatives=listed("who which"),
    prepositions=listed("in on at with by of to from for after before under over through during"),
    linking=listed("that if whether"),
    supposing=listed(SUPPOSING),
    tenses=tenses("is was am; are were; has had have; does did do"),
    speaker=speaker("i he she they; me him her them; my his her their; mine his hers theirs; myself himself herself; "
                    "we they; us them; our their; ours theirs; ourselves themselves"),
    narrator=listed("narrator"),
    things=listed("it there this that these those which"),
    either=listed("or"),
    contracted=contracted(CONTRACTED),
    rivals=rivals(RIVALS),
    future=listed("will shall"),
    titles=listed("mr mrs miss ms dr st sir lady lord"),
    genders=(listed("he him his himself"), listed("she her hers herself")),
    owning=listed("his her its their my our your"),
    purpose=listed("to"),
    provided=listed("if unless lest"),
    degrees=listed("very quite rather so too most more"),
    excess=listed("too"),
    until=listed("before until till ere"),
    comparing=listed("than"),
    spreading=listed("neither nor"),
    unreal=listed("would could should might i’d you’d he’d she’d we’d they’d"),
    narrowing=listed("else least"),
    lacking=listed("instead without"),
    similes=listed("like though"),
    phrasing=listed("of in on at with by from to under over through during into upon beside near against"),
    sole=listed("only first last"),
    restricting=listed("that who whom whose which where when"),
    universal=listed("all every everybody everyone everything always anybody anyone anything"),
    barring=listed("except excepting save barring"),
    saving=listed("but"),
    verging=listed("about"),
    almost=frozenset((("all", "but"),)),
    framing=listed("that"),
    objects=listed("me him her us them"),
)  # fmt: skip
