"""Words that carry a sentence and tell nothing of a book, irregular forms of English, and words that tell a fate."""

from __future__ import annotations

from typing import Final

GRAMMAR: Final[dict[str, str]] = {
    "en": "a an the this that these those i me my mine myself we us our ours ourselves you your yours yourself "
    "yourselves he him his himself she her hers herself it its itself they them their theirs themselves one ones "
    "who whom whose which what when where why how whoever whatever whenever wherever and or but nor so yet for as if "
    "than then though although because since while whereas until till unless whether of in on at to from by with "
    "without within into onto upon about above across after against along amid among amongst around before behind "
    "below beneath beside besides between beyond during except inside near off out outside over past per round "
    "through throughout toward towards under up down via like am is are was were be been being do does did done doing "
    "have has had having can could may might must shall should will would ought not no none neither either both each "
    "every all any some such same other another others much many more most several few little less least own too very "
    "also even just only quite rather almost enough still again ever never always often here there now thus hence "
    "therefore however not cannot let o oh mr mrs ms miss dr st etc whole half that’s there’s it’s he’s she’s who’s "
    "what’s i’m i’d i’ll i’ve you’re you’d you’ll you’ve we’re we’d we’ll we’ve they’re they’d they’ll they’ve he’d "
    "he’ll she’d she’ll it’d it’ll",
    "de": "der die das den dem des ein eine einen einem einer eines und oder aber denn weil dass daß ob wenn als wie "
    "wer wen wem wessen was wann wo woher wohin warum ich mich mir du dich dir er ihn ihm sie ihr ihnen es wir uns "
    "euch man sich mein dein sein seine seinen seinem seiner seines ihre ihren ihrem ihrer ihres unser euer dieser "
    "diese dieses diesen diesem jener jene jenes welcher welche welches bin bist ist sind seid war waren gewesen habe "
    "hat haben hatte hatten werde wird werden wurde wurden worden kann konnte können muss musste müssen soll sollte "
    "will wollte wollen darf durfte mag möchte nicht kein keine keinen keinem keiner nie niemals nichts niemand zu zum "
    "zur im in am an auf aus bei beim mit nach seit von vom vor für gegen ohne um durch über unter hinter neben "
    "zwischen bis auch nur noch schon sehr so dann da dort hier nun jetzt doch ja nein etwas alle alles allem",
    "fr": "le la les l un une des de du d et ou mais car donc ni que qu qui quoi dont où quand comment pourquoi quel "
    "quelle quels quelles je me m moi tu te t toi il elle on nous vous ils elles lui leur eux se s soi mon ma mes ton "
    "ta tes son sa ses notre nos votre vos leurs ce cet cette ces c ceci cela ça est sont était étaient être été suis "
    "es a ai as ont avait avaient avoir eu fut furent sera ne n pas plus jamais rien personne aucun aucune non à au "
    "aux en dans par pour sur sous avec sans chez vers entre contre avant après depuis pendant y si comme très aussi "
    "même tout toute tous toutes bien encore déjà ici là",
    "es": "el la lo los las un una unos unas de del y e o u pero que quien quienes qué quién cuando cuándo donde dónde "
    "como cómo por porque para a al en con sin sobre entre hasta desde yo me mí tú te ti él ella ello nos nosotros "
    "ellos ellas se le les su sus mi mis tu tus este esta esto estos estas ese esa eso esos esas aquel aquella es son "
    "era eran ser sido fue fueron ha han había habían haber he no ni nunca nada nadie ningún ninguna muy más menos "
    "también ya aún si sí todo toda todos todas",
    "it": "il lo la i gli le l un uno una di del dello della dei degli delle d e ed o ma che chi cui quando dove come "
    "perché per a al allo alla ai agli alle da dal dalla in nel nella nei con su sul sulla tra fra io mi me tu ti te "
    "egli ella lui lei esso essa noi ci voi vi essi loro si suo sua suoi sue mio mia questo questa questi queste "
    "quello quella è sono era erano essere stato fu ha hanno aveva avevano avere non né mai nulla niente nessuno più "
    "molto anche già ancora se tutto tutta tutti tutte",
    "pt": "o a os as um uma uns umas de do da dos das e ou mas que quem quando onde como por porque para ao à em no "
    "na nos nas com sem sobre entre até desde eu me mim tu te ele ela nós eles elas se lhe lhes seu sua seus suas meu "
    "minha este esta isto esse essa isso aquele aquela é são era eram ser sido foi foram há tem têm tinha tinham ter "
    "não nem nunca nada ninguém muito mais menos também já ainda todo toda todos todas",
    "nl": "de het een en of maar want dat die dit deze wie wat wanneer waar waarom hoe welke ik me mij je jij hij hem "
    "zij ze haar het wij we ons jullie hun zich mijn jouw zijn uw is was waren ben bent geweest heeft hebben had "
    "hadden wordt werd worden kan kon moet zal zou wil niet geen nooit niets niemand van in op met voor te aan bij "
    "uit naar door over onder tussen tot om als dan ook nog al zeer er daar hier nu",
    "ru": "и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по только ее её мне было вот "
    "от меня еще ещё нет о об из ему когда даже ну ли если уже или ни быть был была были него до вас они тут где есть "
    "их чтобы себя ей них мы этот эта это эти того тот та те кто которая который которые чем при свой своя свои",
}
"""Articles, pronouns, prepositions, conjunctions, auxiliaries and the like, by ISO 639-1 code."""

DISCOURSE: Final = (
    "say says said saying tell tells told telling ask asks asked asking answer answers answered reply replies replied "
    "explain explains explained describe describes described mention mentions mentioned note notes noted state states "
    "stated suggest suggests suggested show shows shown showed remark remarks remarked add adds added speak speaks "
    "seem seems seemed think thinks thought believe believes believed know knows knew known mean means meant call "
    "calls called name names named refer refers referred according person people man woman something someone somebody "
    "anyone anything everything thing things way part kind sort example reason passage text narrator "
    "perhaps probably really simply clearly indeed yes"
)
"""What an English sentence about a book is made with besides: telling, thinking, being called. No deeds, no places."""

LIGHT: Final = frozenset(
    ("go", "goes", "went", "gone", "going", "give", "gives", "gave", "given", "get", "gets", "got", "make", "makes",
     "made", "take", "takes", "took", "taken", "put", "puts", "use", "uses", "used", "want", "wants", "wanted", "need",
     "needs", "needed", "like", "likes", "liked")
)  # fmt: skip
"""English verbs that tell little by themselves: what is done is told by the words with them."""

COMMON: Final = frozenset(
    [
        "see",
        "sees",
        "saw",
        "seen",
        "hear",
        "hears",
        "heard",
        "feel",
        "feels",
        "felt",
        "own",
        "owns",
        "owned",
        "owe",
        "owes",
        "owed",
        "live",
        "lives",
        "lived",
        "work",
        "works",
        "worked",
        "wear",
        "wears",
        "wore",
        "carry",
        "carries",
        "carried",
        "hold",
        "holds",
        "held",
        "stay",
        "stays",
        "stayed",
        "stand",
        "stands",
        "stood",
        "sit",
        "sits",
        "sat",
        "look",
        "looks",
        "looked",
        "come",
        "comes",
        "came",
        "bring",
        "brings",
        "brought",
        "keep",
        "keeps",
        "kept",
        "learn",
        "learns",
        "learned",
        "notice",
        "notices",
        "noticed",
        "meet",
        "meets",
        "met",
        "arrive",
        "arrives",
        "arrived",
        "help",
        "helps",
        "helped",
        "wait",
        "waits",
        "waited",
        "visit",
        "visits",
        "visited",
        "begin",
        "begins",
        "began",
        "receive",
        "receives",
        "received",
        "offer",
        "offers",
        "offered",
        "open",
        "opens",
        "opened",
        "walk",
        "walks",
        "walked",
    ]
)
"""English verbs that people tell a thing with in their own words, where the book has another."""

NEGATIONS: Final = frozenset(
    ("not", "no", "never", "none", "nobody", "nothing", "neither", "nor", "cannot", "without", "nowhere", "hardly",
     "scarcely", "barely", "nicht", "kein", "keine", "keinen", "keinem", "keiner", "nie", "niemals", "nichts",
     "niemand", "ohne", "pas", "jamais", "rien", "aucun", "aucune", "sans", "nunca", "nada", "nadie", "non", "mai",
     "nulla", "niente", "nessuno", "não", "niet", "geen", "nooit", "niets", "не", "нет", "ни", "никогда", "ничего",
     "никто", "без")
)  # fmt: skip

HEDGES: Final = frozenset(
    ("if", "would", "should", "could", "might", "may", "perhaps", "maybe", "unless", "lest", "whether", "will",
     "shall", "threaten", "threatens", "threatened", "fear", "fears", "feared", "afraid", "wish", "wishes", "wished",
     "want", "wants", "wanted", "hope", "hopes", "hoped", "intend", "intends", "intended", "try", "tries", "tried",
     "attempt", "attempted", "nearly", "almost", "dream", "dreams", "dreamt", "dreamed", "imagine", "imagined",
     "suppose", "supposed", "suspect", "suspects", "suspected", "doubt", "doubts", "pretend", "pretended", "plan",
     "plans", "planned", "swear", "swore", "vow", "vowed", "promise", "promised", "as", "like", "seem", "seems",
     "seemed", "can", "must", "ought", "thought", "thinks", "think", "believe", "believes", "believed", "ready")
)  # fmt: skip
"""English words after which a deed is not told as done."""

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
    "ghost monster werewolf vampire winner wins won defeat defeated victory abandon abandons abandoned "
    "leave leaves left return returns returned forge forged forgery faked fake lied liar blackmail blackmailed "
    "attack attacked wound wounded blind insane madness mad lost loses found finds"
)
"""English words that tell an outcome: one of these must stand in the very sentences that are quoted."""

IRREGULAR: Final = """
arise arose arisen
awake awoke awoken
bear bore borne born
beat beaten
become became
begin began begun
bend bent
bind bound
bite bit bitten
bleed bled
blow blew blown
break broke broken
breed bred
bring brought
build built
burn burnt
buy bought
catch caught
choose chose chosen
cling clung
come came
creep crept
deal dealt
dig dug
draw drew drawn
dream dreamt
drink drank drunk
drive drove driven
eat ate eaten
fall fell fallen
feed fed
feel felt
fight fought
find found
flee fled
fling flung
fly flew flown
forbid forbade forbidden
forget forgot forgotten
forgive forgave forgiven
freeze froze frozen
get got gotten
give gave given
go went gone goes
grow grew grown
hang hung
hear heard
hide hid hidden
hold held
keep kept
kneel knelt
know knew known
lay laid
lead led
lean leant
leap leapt
learn learnt
leave left
lend lent
lie lay lain
light lit
lose lost
make made
mean meant
meet met
owe ought
pay paid
ride rode ridden
ring rang rung
rise rose risen
run ran
say said
see saw seen
seek sought
sell sold
send sent
shake shook shaken
shine shone
shoot shot
show shown
shrink shrank shrunk
sing sang sung
sink sank sunk
sit sat
sleep slept
slide slid
speak spoke spoken
spend spent
spin spun
spring sprang sprung
stand stood
steal stole stolen
stick stuck
strike struck stricken
string strung
swear swore sworn
sweep swept
swim swam swum
swing swung
take took taken
teach taught
tear tore torn
tell told
think thought
throw threw thrown
understand understood
wake woke woken
wear wore worn
weave wove woven
weep wept
win won
wind wound
write wrote written
man men
woman women
child children
foot feet
tooth teeth
mouse mice
wife wives
knife knives
leaf leaves
thief thieves
wolf wolves
life lives
half halves
"""
"""English forms that no stemmer brings together: a base and its forms a line."""
