"""What a section is by its label: a lexicon of front and back matter in about ten languages.

It knows the label only. Where the section stands decides with it: "Excerpt from" a diary opens a chapter, but after the
last chapter it is a preview of another book. Everything named here is sealed, so an error hides and never leaks.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from bot.core.book import SectionKind
from bot.ingest.headings import parse_heading
from bot.ingest.number_words import fold

_WHOLE: Final = {
    SectionKind.ESSAY: """introduction|an introduction|general introduction|introductory|introductory note
        |foreword|foreward|preface|author's preface|afterword|after word|author's note|author’s note
        |a note from the author|editor's note|translator's note|translator's preface|publisher's note
        |historical note|biographical note|cast|cast list|cast of characters|list of characters|characters
        |the characters|principal characters|dramatis personae|persons of the play|the persons of the play
        |family tree|family trees|genealogy|chronology|timeline|map|maps|reading guide|reading group guide
        |discussion questions|questions for discussion|study guide
        |book club questions|book club guide|topics for discussion|author q&a|a reader's guide|commentary|critical essay
        |advertisement to the reader|to the reader|einleitung|einführung|zur einführung|vorwort|vorrede|vorbemerkung
        |geleitwort|zum geleit|nachwort|nachbemerkung|personen|personenverzeichnis|zeittafel|stammbaum
        |anmerkung des autors|anmerkung des übersetzers|préface|avant-propos|avant propos|avertissement|au lecteur
        |postface|personnages|les personnages|chronologie|note de l'auteur|note de l'éditeur|note du traducteur
        |arbre généalogique|introducción|prefacio|presentación|posfacio|postfacio|personajes|cronología
        |nota del autor|nota del editor|nota del traductor|estudio preliminar|introduzione|prefazione|postfazione
        |presentazione|personaggi|cronologia|nota dell'autore|nota del traduttore|introdução|prefácio|apresentação
        |posfácio|personagens|nota do autor|nota do tradutor|inleiding|voorwoord|woord vooraf|ten geleide|nawoord
        |personages|lijst van personages|wstęp|przedmowa|posłowie|osoby|spis postaci|od autora|od tłumacza
        |od wydawcy|słowo wstępne|введение|вступление|предисловие|послесловие|от автора|от переводчика|от издателя
        |действующие лица|хронология|inledning|förord|efterord|personer|forord|efterord|indledning|innledning
        |etterord|esipuhe|johdanto|jälkisanat|předmluva|doslov|úvod|előszó|utószó|önsöz|sonsöz|πρόλογος του εκδότη
        |εισαγωγή|序|序言|序文|前言|引言|导言|導言|导读|導讀|代序|自序|原序|译者序|譯者序|再版序|后记|後記|跋|后序
        |译后记|譯後記|人物表|人物介绍|人物介紹|主要人物|作者的话|作者的話|解説|解说|訳者あとがき|あとがき|まえがき
        |はじめに|おわりに|登場人物|登場人物紹介|年表|年谱|年譜|系図|서문|머리말|들어가며|후기|작가의 말|옮긴이의 말
        |역자 후기|등장인물|해설""",
    SectionKind.CONTENTS: """contents|the contents|table of contents|brief contents|detailed contents|table
        |contents of this volume|list of illustrations|illustrations|list of plates|plates|list of maps
        |list of figures|list of tables|inhalt|inhaltsverzeichnis|inhaltsübersicht|verzeichnis der abbildungen
        |abbildungsverzeichnis|table des matières|sommaire|table des illustrations|índice|índice general
        |tabla de contenido|contenido|contenidos|tabla de materias|indice|indice generale|sommario|sumário|conteúdo
        |inhoud|inhoudsopgave|spis treści|spis ilustracji|содержание|оглавление|innehåll|innehållsförteckning
        |indhold|indholdsfortegnelse|innhold|sisällys|sisällysluettelo|obsah|tartalom|tartalomjegyzék|içindekiler
        |περιεχόμενα|תוכן|תוכן העניינים|目录|目錄|目次|总目录|插图目录|もくじ|목차|차례""",
    SectionKind.NOTES: """notes|note|endnotes|end notes|footnotes|footnote|annotations|explanatory notes
        |notes to the text|textual notes|notes and references|editor's notes|translator's notes|anmerkungen|fußnoten
        |fussnoten|endnoten|erläuterungen|notes de fin|notes de bas de page|notas|notas al pie|notas finales
        |notas de rodapé|note al testo|noten|voetnoten|eindnoten|aantekeningen|przypisy|примечания|сноски
        |комментарии|noter|fotnoter|anmärkningar|poznámky|jegyzetek|注释|註釋|注釋|註解|注解|脚注|注|尾注|訳注|原注
        |각주|주석|미주|주""",
    SectionKind.BACK: """appendix|appendices|glossary|index|index of names|bibliography|works cited
        |further reading|sources|references|about the author|about the authors|about the translator
        |about the publisher|about this book|about the book|about the type|acknowledgments|acknowledgements
        |acknowledgement|acknowledgment|colophon|credits|permissions|errata|addenda|addendum|by the same author
        |also available|other books|books by this author|newsletter|transcriber's note|transcriber's notes
        |original transcriber's notes|transcription notes|license|licence|the full project gutenberg license
        |advertisements|anhang|glossar|register|literaturverzeichnis|danksagung|über den autor|über die autorin
        |über das buch|bildnachweis|annexe|annexes|appendice|glossaire|bibliographie|remerciements
        |à propos de l'auteur|du même auteur|apéndice|anexo|anexos|glosario|bibliografía|agradecimientos
        |sobre el autor|sobre la autora|acerca del autor|glossario|bibliografia|ringraziamenti|l'autore|sull'autore
        |apêndice|glossário|agradecimentos|sobre o autor|bijlage|bijlagen|verklarende woordenlijst|dankwoord
        |over de auteur|dodatek|aneks|słowniczek|podziękowania|o autorze|приложение|приложения|глоссарий|словарь
        |благодарности|об авторе|указатель|bilaga|ordlista|tack|om författaren|taksigelser|om forfatteren|附录|附錄
        |词汇表|索引|参考文献|參考文獻|作者简介|作者簡介|关于作者|關於作者|致谢|致謝|鸣谢|付録|用語集|謝辞|著者紹介
        |著者略歴|奥付|부록|용어집|색인|감사의 말|지은이 소개|저자 소개""",
    SectionKind.FRONT: """cover|title page|titlepage|half title|half-title|half title page|frontispiece
        |copyright|copyright page|copyright notice|imprint|uncopyright|dedication|epigraph|praise|advance praise
        |impressum|titel|titelseite|widmung|motto|page de titre|couverture|dédicace|épigraphe|mentions légales
        |cubierta|portada|portadilla|créditos|dedicatoria|epígrafe|copertina|frontespizio|dedica|epigrafe|capa
        |folha de rosto|dedicatória|omslag|titelpagina|opdracht|okładka|strona tytułowa|dedykacja|обложка
        |титульный лист|посвящение|эпиграф|titelsida|dedikation|封面|扉页|扉頁|版权|版权页|版權|版權頁|献词|獻詞
        |题记|題記|表紙|扉|献辞|표지|판권|헌사""",
    SectionKind.PREVIEW: """preview|sneak peek|sneak preview|special preview|teaser|excerpt|bonus excerpt
        |coming soon|coming next|next in the series|next in series|the next book|next book|also coming|leseprobe
        |vorschau|extrait|aperçu|avance|adelanto|anteprima|estratto|excerto|prévia|leesfragment|voorproefje|fragment
        |zapowiedź|отрывок|smakprov|læseprøve|试读|試讀|预告|預告|下集预告|下集預告|下一部预告|次回予告|次巻予告
        |미리보기|예고""",
}

_OPENING: Final = {
    SectionKind.PREVIEW: """an excerpt from|excerpt from|excerpts from|a preview of|preview of|a sneak peek
        |sneak peek|sneak preview|a special preview|special preview|read on for|read on to|keep reading for
        |turn the page for|continue reading for|here is a preview|here's a preview|the story continues in
        |the adventure continues in|the series continues|coming soon|coming in|the next book in|the next novel
        |the next thrilling|the first chapter of|look out for|don't miss|leseprobe|auszug aus|lesen sie weiter in
        |extrait de|extrait du|découvrez un extrait|extracto de|adelanto de|lea un|un adelanto|estratto da
        |anteprima di|um excerto|excerto de|leia um|fragment uit|een fragment|fragment powieści|отрывок из|читайте в
        |utdrag ur|utdrag från|läs ett|uddrag fra""",
    SectionKind.ESSAY: """a conversation with|an interview with|interview with the author|q&a with
        |introduction by|introduction to|preface by|preface to|author's preface
        |foreword by|foreword to|afterword by|afterword to|a note on the|note on the|note to the reader
        |a note to the reader|note to the second|a chronology|chronology of|questions for|dramatis personae
        |the persons of|introduction du|introduction de|préface de|préface du|préface à|postface de|vorwort zur
        |vorwort des|vorwort zu|vorwort von|nachwort von|nachwort zu|nachwort des|einleitung von|prólogo del editor
        |prólogo del traductor|prólogo de la edición|prefacio de|prefacio a|introducción de|introducción a
        |prefazione di|prefazione a|introduzione di|introduzione a|prefácio de|prefácio à|предисловие к
        |предисловие пере|предисловие изда|przedmowa do|wstęp do|förord till""",
    SectionKind.BACK: """about the author|about the|also by|other books by|other titles by|other works by
        |more by|more from|books by|by the same author|novels by|works by|appendix|acknowledg|glossary of
        |transcriber's|transcriber’s|project gutenberg|the project gutenberg|end of project gutenberg|index of
        |anhang|weitere bücher|über den autor|über die autor|du même auteur|de la même autrice|autres ouvrages
        |otros libros|otros títulos|del mismo autor|altri libri|dello stesso autore|outros livros|do mesmo autor
        |meer van|andere boeken|inne książki|другие книги""",
    SectionKind.NOTES: "notes to|notes on|notes for|anmerkungen zu|notes sur|notas a|notas de|przypisy do|примечания к",
    SectionKind.CONTENTS: "list of illustrations|list of plates|list of the|contents of|table of",
    SectionKind.FRONT: "copyright|title page|praise for|advance praise|all rights reserved|dedicated to",
}

_EDGES: Final = " .:;,*_=~#-–—[]()【】《》"
_NUMBERED = re.compile(r"\s+(?:\d{1,3}|[ivxl]+|[a-h])$")


def _key(label: str) -> str:
    return fold(" ".join(label.replace("’", "'").split())).strip(_EDGES)


@cache
def _whole() -> dict[str, SectionKind]:
    return {_key(entry): kind for kind, entries in reversed(_WHOLE.items()) for entry in entries.split("|")}


@cache
def _opening() -> tuple[tuple[str, SectionKind], ...]:
    return tuple((_key(entry), kind) for kind, entries in _OPENING.items() for entry in entries.split("|"))


def label_kind(label: str) -> SectionKind | None:
    """What a section labelled ``label`` is, or None where the label does not say.

    A number beats words: "Chapter 2. The Index" is BODY, "12. Notes" is None (a number alone proves nothing). BODY is
    returned for numbered chapters and parts and for prologues, epilogues and their kind, and for nothing else.
    """
    key = _key(label)
    if not key or len(label) > 120:
        return None
    if (kind := _whole().get(key)) is not None:
        return kind
    for opening, opened in _opening():
        if key.startswith(opening) and not key[len(opening) : len(opening) + 1].isalpha():
            return opened
    heading = parse_heading(label)
    if heading is not None:
        return None if heading.bare else SectionKind.BODY
    return _whole().get(_NUMBERED.sub("", key).strip(_EDGES))
