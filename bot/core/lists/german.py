"""German: words that carry a sentence, words that tell an outcome, and irregular forms."""

from __future__ import annotations

from typing import Final

from bot.core.lists.language import Language, contracted, listed, regular, rivals, speaker, tenses

GRAMMAR: Final = (
    "der die das den dem des ein eine einen einem einer eines und oder aber denn weil dass daß ob wenn als wie wer "
    "wen wem wessen was wann wo woher wohin warum weshalb wieso ich mich mir du dich dir er ihn ihm sie ihr ihnen es "
    "wir uns euch man sich mein meine meinen meinem meiner meines dein deine deinen deinem deiner deines sein seine "
    "seinen seinem seiner seines ihre ihren ihrem ihrer ihres unser unsere unseren unserem unserer euer eure euren "
    "eurem dieser diese dieses diesen diesem dies jener jene jenes jenen jenem welcher welche welches welchen welchem "
    "solcher solche solches solchen solch derselbe dieselbe dasselbe denen deren dessen derer selbst selber einander "
    "bin bist ist sind seid war warst waren wart gewesen sei seien wäre wären habe hast hat haben habt hatte hattest "
    "hatten gehabt hätte hätten werde wirst wird werden werdet wurde wurden worden geworden würde würden kann kannst "
    "können könnt konnte konnten könnte könnten muss muß musst müssen musste mußte mussten mußten müsste müßte soll "
    "sollen sollte sollten will wollen wollte wollten darf dürfen durfte durften dürfte mag mögen mochte mochten "
    "möchte möchten nicht kein keine keinen keinem keiner keines nie niemals nichts niemand niemanden niemandem zu "
    "zum zur im in ins am an ans auf aufs aus bei beim mit nach seit von vom vor vorm für fürs gegen ohne um ums "
    "durch durchs über unter hinter neben zwischen bis außer während wegen trotz statt anstatt gegenüber entlang "
    "innerhalb außerhalb auch nur noch schon sehr so dann da dort hier nun jetzt doch ja nein etwas alle alles allem "
    "allen aller jeder jede jedes jeden jedem beide beiden beides einige einiger einigen manche mancher manchen "
    "mehrere viel viele vielen vieler mehr meist meisten wenig wenige wenigen weniger ander andere anderen anderem "
    "anderer anderes ganz ganze ganzen ganzer ganzes halb gar etwa eben gerade fast beinahe kaum wieder immer oft "
    "stets bald sonst sogar eigentlich wohl zwar sondern weder obwohl obgleich obschon trotzdem bevor ehe nachdem "
    "sobald solange sodass damit indem falls sofern also allerdings jedoch dennoch deshalb daher darum deswegen somit "
    "freilich übrigens dabei dafür dagegen danach daran darauf daraus darin darüber darunter davon davor dazu dadurch "
    "dahin daneben hierbei wobei worauf woran worin womit wodurch her hin herein hinein heraus hinaus herauf hinauf "
    "herunter hinunter herum herüber hinüber heran hierher dorthin zurück weg fort los ab mal einmal o ach na herr "
    "herrn frau fräulein usw"
)

DISCOURSE: Final = (
    "sagen sagt sagte sagten gesagt erzählen erzählt erzählte erzählten fragen fragt fragte fragten gefragt antworten "
    "antwortet antwortete geantwortet erklären erklärt erklärte beschreiben beschreibt beschrieb beschrieben erwähnen "
    "erwähnt erwähnte nennen nennt nannte genannt heißen heißt hieß geheißen bemerken bemerkt bemerkte meinen meint "
    "meinte gemeint sprechen spricht sprach gesprochen reden redet redete scheinen scheint schien denken denkt dachte "
    "gedacht glauben glaubt glaubte geglaubt wissen weiß wußte wusste gewusst gewußt kennen kennt kannte gekannt "
    "bedeuten bedeutet bedeutete name namens mensch menschen leute mann person jemand jemanden irgendjemand "
    "irgendetwas ding dinge sache sachen art weise beispiel grund stelle teil text erzähler erzählerin vielleicht "
    "wahrscheinlich wirklich einfach deutlich laut gemäß"
)

LIGHT: Final = (
    "gehen geht ging gingen gegangen geben gibt gab gaben gegeben bekommen bekommt bekam machen macht machte machten "
    "gemacht tun tut tat taten getan nehmen nimmt nahm nahmen genommen lassen lässt läßt ließ ließen gelassen "
    "brauchen braucht brauchte gebraucht benutzen benutzt benutzte"
)

COMMON: Final = (
    "sehen sieht sah sahen gesehen hören hört hörte hörten gehört fühlen fühlt fühlte gefühlt besitzen besitzt besaß "
    "leben lebt lebte gelebt wohnen wohnt wohnte gewohnt arbeiten arbeitet arbeitete gearbeitet tragen trägt trug "
    "getragen halten hält hielt gehalten bleiben bleibt blieb geblieben stehen steht stand sitzen sitzt saß gesessen "
    "liegen liegt lag gelegen kommen kommt kam kamen gekommen bringen bringt brachte gebracht lernen lernt lernte "
    "gelernt treffen trifft traf getroffen helfen hilft half geholfen warten wartet wartete gewartet besuchen besucht "
    "besuchte beginnen beginnt begann begonnen erhalten erhält erhielt öffnen öffnet öffnete geöffnet"
)

NEGATIONS: Final = (
    "nicht kein keine keinen keinem keiner keines nie niemals nichts niemand niemanden niemandem ohne weder kaum "
    "nirgends nirgendwo keineswegs nein"
)

HEDGES: Final = (
    "wenn falls ob sofern würde würden könnte könnten dürfte sollte sollten müsste müßte möchte möchten hätte hätten "
    "wäre wären wird werden kann können soll sollen muss muß müssen will wollen wollte wollten vielleicht womöglich "
    "möglicherweise vermutlich angeblich scheinbar anscheinend wohl fast beinahe drohen droht drohte drohten fürchten "
    "fürchtet fürchtete befürchten befürchtet befürchtete angst wünschen wünscht wünschte gewünscht hoffen hofft "
    "hoffte gehofft beabsichtigen beabsichtigt beabsichtigte versuchen versucht versuchte träumen träumt träumte "
    "geträumt glauben glaubt glaubte geglaubt meinen meint meinte denken denkt dachte gedacht vermuten vermutet "
    "vermutete zweifeln zweifelt zweifelte scheinen scheint schien planen plant plante geplant schwören schwor "
    "geschworen versprechen verspricht versprach versprochen bereit gleichsam weigern weigert weigerte weigerten "
    "geweigert verhindern verhindert verhinderte verhinderten statt anstatt unfähig unmöglich versäumen versäumte "
    "unterließ behaupten behauptet behauptete behaupteten"
)

RIVALS: Final = (
    "vor nach bis; alle einige keine wenige viele manche; mann frau; herr frau fräulein; mehr weniger; mit ohne; "
    "hinein hinaus; herein heraus; hinauf hinunter; über unter; innerhalb außerhalb; immer manchmal oft selten nie; "
    "beide weder; bevor nachdem; jeder niemand jemand; alles nichts etwas; ist sei; ist wäre; war sei; war wäre; "
    "sind seien; sind wären; waren seien; waren wären; hat hätte; hatte hätte"
)

SUPPOSING: Final = (
    "aberglaube ahnte ahnten ahnung annahm annahme annehmen antwortet antwortete behauptet behauptete bildete "
    "einbildung eindruck einfall einfiel erklärt erklärte erwartete erwartung erzählt erzählte fiel folgerte furcht "
    "gedanke gedanken gefahr gehört gerücht gerüchte gesagt glaube hoffnung hört hörte idee lüge meinung meldet "
    "meldete möglich möglichkeit rief sagt sagte sagten schloss schreibt schrieb sorge verdacht verdächtigte "
    "vermutung versichert versicherte vorstellte vorstellung wahrscheinlich wahrscheinlichkeit wunsch zweifel "
    "überzeugt überzeugung"
)

FATE: Final = (
    "sterben stirbt starb starben gestorben tot tote toten toter totes tod todes tode tödlich töten tötet tötete "
    "getötet totschlagen erschlagen erschlug mord morde mörder mörderin morden ermorden ermordet ermordete umbringen "
    "umgebracht umbrachte krepieren krepiert krepierte leiche leichnam gift giftig vergiften vergiftet vergiftete "
    "erschießen erschossen erschoss erschoß schießen schießt schoss schoß geschossen schuss schuß erstechen erstochen "
    "erstach ertrinken ertrinkt ertrank ertrunken ertränken ertränkt erwürgen erwürgt erhängen erhängt gehängt henker "
    "hinrichten hingerichtet hinrichtung selbstmord opfer umkommen umgekommen verunglückt schuldig unschuldig schuld "
    "verbrechen verbrecher dieb diebe diebstahl stehlen stiehlt stahl gestohlen räuber verräter verraten verrät "
    "verriet verrat spion betrüger betrügen betrügt betrog betrogen verkleidet verkleidung heimlich geheim geheimnis "
    "gestehen gesteht gestand gestanden geständnis enthüllen enthüllt enthüllte entlarven entlarvt heiraten heiratet "
    "heiratete geheiratet verheiratet heirat hochzeit ehe ehemann ehefrau gatte gatten gattin braut bräutigam witwe "
    "witwer verlobt verlobte verlobter verlobung schwanger vater mutter sohn söhne tochter töchter bruder brüder "
    "schwester schwestern zwilling onkel tante vetter base cousin waise erbe erbin erben erbt erbte geerbt enterbt "
    "unehelich liebe lieben liebt liebte geliebt geliebter geliebte lebendig überleben überlebt überlebte fliehen "
    "flieht floh flohen geflohen flüchten flüchtet flüchtete flucht entkommen entkommt entkam verhaften verhaftet "
    "verhaftete verhaftung gefängnis gefangen gefangener verurteilt verurteilen zerstören zerstört zerstörte "
    "verbrennen verbrannt verbrannte untergehen untergegangen verschwinden verschwindet verschwand verschwanden "
    "verschwunden rache rächen rächt rächte gerächt gespenst ungeheuer siegen siegt siegte sieg gewinnen gewinnt "
    "gewann gewonnen besiegen besiegt niederlage verlassen verlässt verläßt verließ verließen zurückkehren "
    "zurückgekehrt zurückkehrte heimkehren heimgekehrt fälschen fälschte gefälscht fälschung lügen lügt log gelogen "
    "lügner lüge erpressen erpresst erpressung angreifen angegriffen angriff überfallen überfall verwunden verwundet "
    "verletzt verletzen wunde blind wahnsinn wahnsinnig verrückt verlieren verliert verlor verloren finden findet "
    "fand fanden gefunden entdecken entdeckt entdeckte entlassen gekündigt kündigen kündigt kündigte"
)

IRREGULAR: Final = (
    "beginnen beginnt begann begannen begonnen; beißen biss biß gebissen; bieten bot geboten; binden band gebunden; "
    "bitten bat baten gebeten; blasen bläst blies geblasen; bleiben blieb blieben geblieben; brechen bricht brach "
    "gebrochen; brennen brannte gebrannt; bringen brachte brachten gebracht; denken dachte dachten gedacht; dringen "
    "drang gedrungen; empfangen empfängt empfing; essen isst ißt aß aßen gegessen; fahren fährt fuhr fuhren gefahren; "
    "fallen fällt fiel fielen gefallen; fangen fängt fing gefangen; finden fand fanden gefunden; fliegen flog "
    "geflogen; fliehen floh flohen geflohen; fressen frisst frißt fraß gefressen; geben gibt gab gaben gegeben; gehen "
    "ging gingen gegangen; genießen genoss genoß genossen; geschehen geschieht geschah; gewinnen gewann gewannen "
    "gewonnen; gießen goss goß gegossen; graben gräbt grub gegraben; greifen griff griffen gegriffen; halten hält "
    "hielt hielten gehalten; hängen hing hingen gehangen; heben hob hoben gehoben; heißen hieß geheißen; helfen hilft "
    "half halfen geholfen; kennen kannte gekannt; klingen klang geklungen; kommen kam kamen gekommen; kriechen kroch "
    "gekrochen; laden lädt lud geladen; lassen lässt läßt ließ ließen gelassen; laufen läuft lief liefen gelaufen; "
    "leiden litt gelitten; leihen lieh geliehen; lesen liest las lasen gelesen; liegen lag lagen gelegen; lügen log "
    "gelogen; nehmen nimmt nahm nahmen genommen; nennen nannte genannt; pfeifen pfiff gepfiffen; raten rät riet "
    "geraten; reißen riss riß gerissen; reiten ritt geritten; rennen rannte gerannt; riechen roch gerochen; rufen "
    "rief riefen gerufen; schaffen schuf geschaffen; scheinen schien schienen geschienen; schieben schob geschoben; "
    "schießen schoss schoß geschossen; schlafen schläft schlief geschlafen; schlagen schlägt schlug schlugen "
    "geschlagen; schleichen schlich geschlichen; schließen schloss schloß geschlossen; schneiden schnitt geschnitten; "
    "schreiben schrieb schrieben geschrieben; schreien schrie geschrien; schreiten schritt geschritten; schweigen "
    "schwieg schwiegen geschwiegen; schwimmen schwamm geschwommen; schwinden schwand geschwunden; schwören schwor "
    "geschworen; sehen sieht sah sahen gesehen; senden sandte gesandt; singen sang gesungen; sinken sank gesunken; "
    "sitzen saß saßen gesessen; sprechen spricht sprach sprachen gesprochen; springen sprang sprangen gesprungen; "
    "stechen sticht stach gestochen; stehen stand standen gestanden; stehlen stiehlt stahl gestohlen; steigen stieg "
    "stiegen gestiegen; sterben stirbt starb starben gestorben; stoßen stößt stieß gestoßen; streichen strich "
    "gestrichen; streiten stritt gestritten; tragen trägt trug trugen getragen; treffen trifft traf trafen getroffen; "
    "treiben trieb trieben getrieben; treten tritt trat traten getreten; trinken trank getrunken; tun tut tat taten "
    "getan; vergessen vergisst vergißt vergaß; verlieren verlor verloren; verschwinden verschwand verschwanden "
    "verschwunden; verlassen verlässt verläßt verließ verließen; wachsen wächst wuchs gewachsen; waschen wäscht wusch "
    "gewaschen; weichen wich gewichen; weisen wies gewiesen; wenden wandte gewandt; werfen wirft warf warfen "
    "geworfen; wissen weiß wußte wusste gewusst gewußt; ziehen zog zogen gezogen; zwingen zwang gezwungen"
)

CONTRACTED: Final = (
    "ist’s ist es; war’s war es; wär’s wär es; gibt’s gibt es; gab’s gab es; geht’s geht es; ging’s ging es; "
    "hat’s hat es; hatte’s hatte es; wird’s wird es; kann’s kann es; ich’s ich es; du’s du es; er’s er es; "
    "wir’s wir es; man’s man es; mir’s mir es; wie’s wie es; wenn’s wenn es; ob’s ob es; dass’s dass es; wo’s wo es"
)

GERMAN: Final = Language(
    grammar=listed(GRAMMAR),
    negations=listed(NEGATIONS),
    discourse=listed(DISCOURSE),
    light=listed(LIGHT),
    common=listed(COMMON),
    hedges=listed(HEDGES),
    fates=listed(FATE),
    regular=regular(IRREGULAR),
    articles=listed("der die das ein eine einen einem einer des dem den seine sein ihre ihr dieser diese dieses"),
    being=listed("ist war sei wäre sind waren heißt hieß genannt nennt wirklich eigentlich auch"),
    likening=listed("als wie alias"),
    subjects=listed("ich du er sie es wir ihr man wer der die das dies dieser diese jener jene"),
    conditions=listed("wenn falls ob sofern oder außer bis es sei"),
    joining=listed("und aber denn doch nun also ja ach nein"),
    relatives=listed("der die das"),
    prepositions=listed("in mit auf an bei von vom zu zum zur im am nach vor unter über durch für um seit aus"),
    linking=listed("dass ob wenn"),
    supposing=listed(SUPPOSING),
    tenses=tenses("ist war bin; sind waren; hat hatte habe; haben hatten; wird wurde; werden wurden; kann konnte; muß "
                  "mußte; muss musste; will wollte; soll sollte"),
    speaker=speaker("ich er sie; mich ihn sie; mir ihm ihr; mein sein ihr; meine seine ihre; meinen seinen ihren; "
                    "meinem seinem ihrem; meiner seiner ihrer; meines seines ihres; wir sie; uns sie ihnen"),
    narrator=listed("erzähler erzählerin"),
    things=listed("es das dies dieses"),
    either=listed("oder"),
    contracted=contracted(CONTRACTED),
    rivals=rivals(RIVALS),
    titles=listed("herr herrn frau fräulein"),
    owning=listed("sein seine seinen seinem seiner seines mein meine meinen meinem meiner meines"),
    purpose=listed("zu"),
    provided=listed("wenn falls sofern"),
    degrees=listed("sehr so ganz recht"),
    until=listed("bevor ehe bis"),
    spreading=listed("weder"),
    lacking=listed("statt anstatt ohne"),
    phrasing=listed("in mit auf an bei von zu im am unter über durch neben hinter aus"),
    unreal=listed("würde würden hätte hätten wäre wären könnte könnten möchte möchten müsste müßte"),
    universal=listed("alle alles allen aller immer jeder jede jedes jeden jedem stets"),
    barring=listed("außer ausgenommen"),
    objects=listed("mich mir ihn ihm uns"),
)  # fmt: skip
