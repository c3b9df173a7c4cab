"""From a book's text to everything that is stored of it but vectors: sentences, passages, terms, names."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence

from bot.core.book import BookText, PassageCut, Section, SectionKind, Sentence
from bot.core.folding import folded
from bot.core.indexed import IndexedBook, IndexedPassage, IndexedSentence
from bot.core.names import names_in
from bot.core.terms import length, term_id, terms
from bot.ingest.language import language_of
from bot.ingest.passages import cut_passages
from bot.ingest.sentences import split_sentences


def index_book(
    book: BookText, language: str | None = None, progress: Callable[[float], None] = lambda _: None
) -> IndexedBook:
    """Cut, count and name. ``language`` (ISO 639-1) overrules the file's own; ``progress`` gets 0..1."""
    spoken = language_of(book, language)
    by_section: list[list[Sentence]] = [split_sentences(book.text, section, spoken) for section in book.sections]
    progress(0.3)
    cuts = cut_passages(book.text, book.sections, by_section)
    sections = {section.ordinal: section for section in book.sections}
    own = {section.ordinal: found for section, found in zip(book.sections, by_section, strict=True)}
    passages = []
    for cut in cuts:
        counts = terms(cut.span.of(book.text), spoken)
        ids: dict[int, int] = {}
        for term, count in counts.items():
            ids[term_id(term)] = ids.get(term_id(term), 0) + count
        section = sections[cut.section]
        body = section.kind is SectionKind.BODY
        passages.append(IndexedPassage(cut, section.chapter, body, length(counts), ids))
        if cut.ordinal % 64 == 0:
            progress(0.3 + 0.5 * cut.ordinal / len(cuts))
    sentences = _sentences(book, cuts, sections, own)
    progress(0.9)
    return IndexedBook(
        book=book,
        language=spoken,
        text_sha256=hashlib.sha256(book.text.encode()).hexdigest(),
        sentences=sentences,
        passages=tuple(passages),
        names=_names_met(sentences, spoken),
    )


def _names_met(sentences: Sequence[IndexedSentence], language: str) -> dict[str, int]:
    """Each name with the offset at which it is first met; sentences are read as they are revealed."""
    read = sorted(sentences, key=lambda s: s.sentence.revealed_at)
    met: dict[str, int] = {}
    for mention in names_in(((s.text, s.sentence.revealed_at) for s in read), language):
        met[mention.name] = min(mention.revealed_at, met.get(mention.name, mention.revealed_at))
    return met


def _sentences(
    book: BookText,
    cuts: list[PassageCut],
    sections: dict[int, Section],
    own: dict[int, list[Sentence]],
) -> tuple[IndexedSentence, ...]:
    made: list[IndexedSentence] = []
    at = 0
    for cut in cuts:
        section = sections[cut.section]
        for index in range(cut.first, cut.last + 1):
            sentence = own[cut.section][index]
            lead = book.text[at : sentence.span.start]
            text = sentence.span.of(book.text)
            opens = index == 0 or "\n\n" in lead
            made.append(
                IndexedSentence(cut.section, section.chapter, cut.ordinal, sentence, opens, lead, text, folded(text))
            )
            at = sentence.span.end
    return tuple(made)
