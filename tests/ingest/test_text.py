"""Plain text books of our own making, one kind of trouble each."""

from __future__ import annotations

import textwrap
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.core.book import BookText, SectionKind
from bot.core.errors import FileRefused
from bot.ingest.gutenberg import is_ending
from bot.ingest.sections import assemble
from bot.ingest.text import read_text

GAP = "\n\n\n"


def prose(n: int, paragraphs: int = 4, width: int = 68) -> str:
    """Wrapped paragraphs that begin with "Opening n" and end with "closing n."."""
    sentences = [
        "the ferryman counted the lanterns along the quay and found one too many.",
        "Nobody in the harbour office could say who had hung it there, or why.",
        "She wrote the number down, crossed it out, and went back to her soup.",
        "A gull walked the length of the railing as if it were paid to do so.",
        "By noon the fog had come in again, and the bell was rung every minute.",
    ]
    blocks = []
    for p in range(paragraphs):
        words = [sentences[(n + p + k) % len(sentences)] for k in range(4)]
        words[0] = f"Opening {n}, {words[0]}" if p == 0 else words[0].capitalize()
        if p == paragraphs - 1:
            words.append(f"And so it went until closing {n}.")
        blocks.append(textwrap.fill(" ".join(words), width))
    return "\n\n".join(blocks)


def book_of(text: str, encoding: str = "utf-8") -> BookText:
    return assemble(read_text(text.encode(encoding)))


def chapters(book: BookText) -> list[tuple[int | None, str]]:
    return [(section.printed_number, section.title) for section in book.chapters]


def body(book: BookText) -> str:
    return "\n".join(s.span.of(book.text) for s in book.sections if s.kind is SectionKind.BODY)


def opens_and_closes(book: BookText) -> list[tuple[str, str]]:
    """The first two and last two words of every chapter's prose."""
    found = []
    for section in book.chapters:
        words = book.text[section.heading_end : section.span.end].split()
        found.append((" ".join(words[:2]).strip(","), " ".join(words[-2:])))
    return found


def expected(*numbers: int) -> list[tuple[str, str]]:
    return [(f"Opening {n}", f"closing {n}.") for n in numbers]


def chain(headings: list[str], gap: str = GAP) -> str:
    return gap.join(f"{heading}\n\n{prose(n)}" for n, heading in enumerate(headings, 1))


def test_a_contents_list_glued_to_the_first_heading_is_cut_where_its_first_key_comes_round_again() -> None:
    listed = "PART ONE\n\nCHAPTER I\n\nCHAPTER II\n\nPART TWO\n\nCHAPTER I\n\nCHAPTER II\n\n"
    text = listed + "PART ONE\n\n" + chain(["CHAPTER I", "CHAPTER II"]) + GAP + "PART TWO\n\n"
    text += f"CHAPTER I\n\n{prose(3)}{GAP}CHAPTER II\n\n{prose(4)}"
    book = book_of(text)
    assert [number for number, _ in chapters(book)] == [1, 2, 1, 2]
    assert [section.parts[0].number for section in book.chapters] == [1, 1, 2, 2]
    assert opens_and_closes(book) == expected(1, 2, 3, 4)


def test_a_contents_block_with_page_numbers_is_sealed() -> None:
    listed = "CONTENTS\n\n  CHAPTER                 PAGE\n\n" + "\n".join(
        f"     {n}. The {name} ........ {n * 12}" for n, name in enumerate(["Lamp", "Key", "Bell"], 1)
    )
    book = book_of(f"A TALE\n\n\n{listed}{GAP}" + chain(["1. The Lamp", "2. The Key", "3. The Bell"]))
    assert chapters(book) == [(1, "1. The Lamp"), (2, "2. The Key"), (3, "3. The Bell")]
    assert [s.kind for s in book.sections if "PAGE" in s.span.of(book.text)] == [SectionKind.CONTENTS]
    assert opens_and_closes(book) == expected(1, 2, 3)


def test_a_contents_list_at_the_end_is_back_matter() -> None:
    heads = ["CHAPITRE PREMIER", "CHAPITRE II", "CHAPITRE III"]
    book = book_of(chain(heads) + GAP + "TABLE DES MATIÈRES\n\n" + "\n\n".join(heads) + "\n")
    assert [number for number, _ in chapters(book)] == [1, 2, 3]
    assert opens_and_closes(book) == expected(1, 2, 3)


def test_titles_without_numbers_are_found_by_the_contents_list() -> None:
    titles = ["THE LAMP", "THE KEY", "THE BELL"]
    listed = "CONTENTS\n\n" + "\n".join(f"  {t.title()}   {n * 9}" for n, t in enumerate(titles, 1))
    book = book_of(f"HARBOUR TALES\n\n{listed}{GAP}" + chain(titles))
    assert chapters(book) == [(None, title) for title in titles]
    assert opens_and_closes(book) == expected(1, 2, 3)


def test_titles_in_capitals_are_found_without_a_contents_list() -> None:
    book = book_of("HARBOUR TALES\n\nby Nobody" + GAP + chain(["THE LAMP", "THE KEY", "THE BELL", "THE OAR"]))
    assert [title for _, title in chapters(book)] == ["THE LAMP", "THE KEY", "THE BELL", "THE OAR"]


@pytest.mark.parametrize(
    "heads",
    [
        ["chapter.001", "chapter.002", "chapter.003"],
        ["LETTER I", "LETTER II", "LETTER III"],
        ["CHAPTER ONE\n\nThe Lamp", "CHAPTER TWO\n\nThe Key", "CHAPTER THREE\n\nThe Bell"],
        ["CHAPTER I.\nTHE LAMP.", "CHAPTER II.\nTHE KEY.", "CHAPTER III.\nTHE BELL."],
        ["One", "Two", "Three"],
        ["1", "2", "3"],
        ["- 1 -", "- 2 -", "- 3 -"],
        ["I. THE LAMP", "II. THE KEY", "III. THE BELL"],
        [" " * 20 + "I  The Lamp", " " * 20 + "II  The Key", " " * 20 + "III  The Bell"],
        ["Глава первая", "Глава вторая", "Глава третья"],
        ["Kapitel 1", "Kapitel 2", "Kapitel 3"],
        ["_CHAPTER I_", "_CHAPTER II_", "_CHAPTER III_"],
        ["THE FIRST STAVE", "STAVE TWO", "STAVE III"],
        ["Hoofdstuk een", "Hoofdstuk twee", "Hoofdstuk drie"],
        ["Первая глава", "Вторая глава", "Третья глава"],
    ],
)
def test_many_forms_of_headings_divide_a_book(heads: list[str]) -> None:
    book = book_of(chain(heads))
    assert [number for number, _ in chapters(book)] == [1, 2, 3]
    assert opens_and_closes(book) == expected(1, 2, 3)
    flat = [" ".join(head.split()).strip() for head in heads]
    assert [title for _, title in chapters(book)] == flat


def test_an_unnumbered_last_chapter_is_not_glued_to_the_one_before() -> None:
    book = book_of(chain(["CHAPTER I.", "CHAPTER II.", "CHAPTER THE LAST"]) + "\n\nTHE END. YOURS TRULY, NOBODY.\n")
    assert [number for number, _ in chapters(book)] == [1, 2, None]


def test_long_descriptive_titles_over_several_lines_are_headings_whole() -> None:
    heads = [
        f"Capítulo {n}. De lo que sucedió al farolero cuando quiso contar las lámparas\ndel muelle, con otros "
        "sucesos que verá quien los leyere, y oirá quien\nlos escuchare leer"
        for n in ("I", "II", "III")
    ]
    book = book_of(chain(heads))
    assert [title for _, title in chapters(book)] == [head.replace("\n", " ") for head in heads]
    assert opens_and_closes(book) == expected(1, 2, 3)


def test_parts_with_bare_numerals_that_restart() -> None:
    text = f"PREMIÈRE PARTIE{GAP}I\n\n{prose(1)}{GAP}II\n\n{prose(2)}{GAP}DEUXIÈME PARTIE{GAP}"
    text += f"I\n\n{prose(3)}{GAP}II\n\n{prose(4)}"
    for encoding in ("utf-8", "cp1252"):
        book = book_of(text, encoding)
        assert book.encoding == encoding
        assert [(s.parts[0].number, s.printed) for s in book.chapters] == [(1, "I"), (1, "II"), (2, "I"), (2, "II")]
        assert opens_and_closes(book) == expected(1, 2, 3, 4)


def test_speaker_labels_stray_numbers_and_lists_are_no_chapters() -> None:
    inner = "\n\n(I) So it seems.\n\n1984\n\n7\n\n1. Bread\n\n2. Milk\n\n3. Salt\n\n"
    text = f"I\n\n{prose(1, 2)}{inner}{prose(1, 2)}{GAP}II\n\n{prose(2)}{GAP}III\n\n{prose(3)}"
    book = book_of(text)
    assert [number for number, _ in chapters(book)] == [1, 2, 3]


def test_inner_sections_are_no_chapters_and_a_changed_form_goes_on() -> None:
    story = f"{prose(1)}\n\nI.\n\n{prose(7)}\n\nII.\n\n{prose(8)}"
    text = f"ADVENTURE I. THE LAMP\n\n{story}{GAP}ADVENTURE II. THE KEY\n\n{prose(2)}{GAP}III. THE BELL\n\n{prose(3)}"
    book = book_of(text)
    assert [number for number, _ in chapters(book)] == [1, 2, 3]


def test_parts_alone_are_chapters() -> None:
    book = book_of(chain(["BOOK I", "BOOK II", "BOOK III"]))
    assert [number for number, _ in chapters(book)] == [1, 2, 3]
    assert all(not section.parts for section in book.chapters)


def test_front_matter_is_sealed_and_a_prologue_is_story() -> None:
    text = f"THE HARBOUR\n\nby Nobody{GAP}INTRODUCTION\n\n{prose(90)}{GAP}PROLOGUE\n\n{prose(1)}{GAP}" + chain(
        ["CHAPTER 1", "CHAPTER 2"]
    )
    book = book_of(text)
    assert [title for _, title in chapters(book)] == ["PROLOGUE", "CHAPTER 1", "CHAPTER 2"]
    essay = next(s for s in book.sections if s.kind is SectionKind.ESSAY)
    assert "Opening 90" in essay.span.of(book.text)
    assert essay.revealed_at == book.body_end


def test_back_matter_and_previews_are_sealed() -> None:
    text = chain(["Chapter 1", "Chapter 2"]) + f"{GAP}THE END{GAP}ABOUT THE AUTHOR\n\n{prose(91)}"
    text += f"{GAP}AN EXCERPT FROM THE NEXT HARBOUR\n\nChapter 1\n\n{prose(92)}{GAP}Chapter 2\n\n{prose(93)}"
    book = book_of(text)
    assert len(book.chapters) == 2
    assert not any(f"Opening {n}" in body(book) for n in (91, 92, 93))
    preview = book.sections[-1]
    assert preview.kind is SectionKind.PREVIEW
    assert "closing 93." in preview.span.of(book.text)
    assert preview.revealed_at > len(book.text)


def test_what_follows_the_end_is_sealed() -> None:
    book = book_of(chain(["Chapter 1", "Chapter 2"]) + f"\n\nThe End\n\n{prose(91)}")
    assert "Opening 91" not in body(book)
    assert body(book).rstrip().endswith("The End")


GUTENBERG_STARTS = [
    "*** START OF THIS PROJECT GUTENBERG EBOOK THE HARBOUR ***",
    "***START OF THE PROJECT GUTENBERG EBOOK THE HARBOUR***",
    "*** START OF THE PROJECT GUTENBERG EBOOK, THE HARBOUR ***",
    "*** START OF THIS PROJECT GUTENBERG EBOOK THE HARBOUR, A TALE OF\nLAMPS AND BELLS ***",
    "*END*THE SMALL PRINT! FOR PUBLIC DOMAIN ETEXTS*Ver.04.29.93*END*",
    "*END THE SMALL PRINT! FOR PUBLIC DOMAIN EBOOKS*Ver.02/11/02*END*",
]
GUTENBERG_ENDS = [
    "*** END OF THIS PROJECT GUTENBERG EBOOK THE HARBOUR ***",
    "***END OF THE PROJECT GUTENBERG EBOOK THE HARBOUR***",
    "End of Project Gutenberg's The Harbour, by Nobody",
    "End of the Project Gutenberg EBook of The Harbour, by Nobody",
    "End of The Project Gutenberg Etext of The Harbour",
    "*** END OF THE EBOOK THE HARBOUR ***",
    "_End of Project Gutenberg's The Harbour_",
    "Fin de Project Gutenberg The Harbour",
    "Ende dieses Projekt Gutenberg Etextes The Harbour",
    "*** START: FULL LICENSE ***",
    "THE FULL PROJECT GUTENBERG LICENSE",
]


@pytest.mark.parametrize("end", GUTENBERG_ENDS)
def test_the_ending_of_gutenberg_is_known_by_its_line(end: str) -> None:
    assert is_ending(end)
    assert is_ending(f"  {end.upper()}  ")
    assert not is_ending(f"He read: {end}".replace("*", ""))


@pytest.mark.parametrize("line", ["", "THE END", "End of Part One", "*** * ***", "Project Gutenberg", "*" * 100_000])
def test_other_lines_are_no_ending_of_gutenberg(line: str) -> None:
    assert not is_ending(line)


@pytest.mark.parametrize("start", GUTENBERG_STARTS)
@pytest.mark.parametrize("end", GUTENBERG_ENDS)
def test_gutenberg_boilerplate_is_cut_at_its_markers_in_all_their_forms(start: str, end: str) -> None:
    head = "The Project Gutenberg EBook of The Harbour\n\nTitle: The Harbour\n\nAuthor: Nobody\n\nLanguage: English\n\n"
    text = f"{head}{start}\n\n\nProduced by A Volunteer\n\n\n" + chain(["CHAPTER I", "CHAPTER II"])
    book = book_of(f"{text}\n\n\n{end}\n\nUpdated editions will replace this one. CHAPTER I\n\nCHAPTER II\n", "ascii")
    assert (book.title, book.author, book.language) == ("The Harbour", "Nobody", "en")
    assert opens_and_closes(book) == expected(1, 2)
    assert not any(words in book.text for words in ("Gutenberg", "Volunteer", "SMALL PRINT", "Updated editions"))


def test_without_a_marker_nothing_is_cut_and_a_warning_says_so() -> None:
    book = book_of("A Project Gutenberg book, its marker lost.\n\n" + chain(["CHAPTER I", "CHAPTER II"]))
    assert "its marker lost" in book.text
    assert any("marker" in warning for warning in book.warnings)


RUSSIAN = "Паромщик сосчитал фонари на набережной и нашёл один лишний. Никто в конторе не знал, кто его повесил. "
FRENCH = "Le passeur compta les lanternes du quai ; l’une était de trop. Où donc était passé le gardien âgé ? "
CHINESE = "摆渡人数了数码头上的灯笼，发现多了一盏。没有人知道是谁挂上去的，也没有人知道为什么。"
JAPANESE = "渡し守は波止場の灯りを数え、ひとつ多いことに気づいた。誰が掛けたのか、だれも知らなかった。"
KOREAN = "뱃사공은 부두의 등불을 세어 보고 하나가 더 많다는 것을 알았다. 누가 걸었는지 아무도 몰랐다. "
POLISH = "Przewoźnik policzył latarnie wzdłuż nabrzeża i znalazł o jedną za dużo. Źdźbło trawy drżało, gęś poszła. "


@pytest.mark.parametrize(
    ("sentence", "heads", "codec", "name"),
    [
        (RUSSIAN, ("Глава первая", "Глава вторая"), "koi8-r", "koi8-r"),
        (RUSSIAN, ("Глава первая", "Глава вторая"), "cp1251", "cp1251"),
        (FRENCH, ("PREMIÈRE PARTIE", "DEUXIÈME PARTIE"), "mac-roman", "mac-roman"),
        (FRENCH, ("PREMIÈRE PARTIE", "DEUXIÈME PARTIE"), "cp1252", "cp1252"),
        (CHINESE, ("第一章 灯笼", "第二章 钥匙"), "gb2312", "gb18030"),
        (CHINESE, ("第一章 灯笼", "第二章 钥匙"), "utf-16-le", "utf-16"),
        (JAPANESE, ("第一章　灯", "第二章　鍵"), "euc-jp", "euc_jp"),
        (JAPANESE, ("第一章　灯", "第二章　鍵"), "cp932", "cp932"),
        (KOREAN, ("제1장 등불", "제2장 열쇠"), "cp949", "cp949"),
        (POLISH, ("Rozdział pierwszy", "Rozdział drugi"), "cp1250", "cp1250"),
        (RUSSIAN, ("Глава первая", "Глава вторая"), "utf-16-be", "utf-16"),
    ],
)
def test_encodings_are_found_and_headings_with_them(
    sentence: str, heads: tuple[str, str], codec: str, name: str
) -> None:
    text = "\r\n\r\n".join(f"{head}\r\n\r\n{sentence * 12}" for head in heads)
    book = book_of(text, codec)
    assert book.encoding == name
    assert [number for number, _ in chapters(book)] == [1, 2]
    assert unicodedata.normalize("NFC", sentence.strip()).replace("\u3000", " ") in book.text


def test_utf8_with_a_few_broken_bytes_stays_utf8() -> None:
    data = chain(["CHAPTER I", "CHAPTER II"]).replace("She", "“Élise”").encode()
    broken = data[:700] + b"\x93" + data[700:]
    book = assemble(read_text(broken))
    assert book.encoding == "utf-8"
    assert "“Élise”" in book.text
    assert any(warning.startswith("1 character") for warning in book.warnings)


def test_gb18030_with_a_broken_byte_is_still_told() -> None:
    data = (
        ("第一章 灯笼\n\n" + CHINESE * 30 + "\n\n第二章 钥匙\n\n" + CHINESE * 30)
        .replace("。", "。\n")
        .encode("gb18030")
    )
    book = assemble(read_text(data[:401] + data[402:]))
    assert book.encoding == "gb18030"
    assert [number for number, _ in chapters(book)] == [1, 2]


@pytest.mark.parametrize("data", [bytes(range(256)) * 8, b"%PDF-1.7\n...", b"PK\x03\x04abc", b"\x01\x02\x03text" * 50])
def test_a_binary_file_is_refused(data: bytes) -> None:
    with pytest.raises(FileRefused) as refused:
        read_text(data)
    assert refused.value.code == "binary_file"


@pytest.mark.parametrize("data", [b"", b"\n \n", "\ufeff \u3000\n".encode(), b"\xff\xfe"])
def test_an_empty_file_is_refused(data: bytes) -> None:
    with pytest.raises(FileRefused) as refused:
        read_text(data)
    assert refused.value.code == "empty"


def test_a_book_without_headings_is_one_chapter_without_a_number() -> None:
    book = book_of(prose(1, 8))
    assert chapters(book) == [(None, "")]
    assert any("No chapter headings" in warning for warning in book.warnings)


def test_wrapped_lines_are_joined_and_verse_keeps_its_lines() -> None:
    verse = "    The lamp is out,\n    the tide is in,\n    and no one rows\n    to Gannet Row."
    book = book_of(f"CHAPTER I\n\n{prose(1)}\n\n{verse}\n\n{prose(2)}{GAP}CHAPTER II\n\n{prose(3)}")
    assert "The lamp is out,\nthe tide is in,\nand no one rows\nto Gannet Row." in book.text
    assert "\n\n" + " ".join(prose(2).split("\n\n")[0].split("\n")) + "\n\n" in book.text


def test_one_line_per_paragraph_is_recognised_with_windows_line_ends_and_form_feeds() -> None:
    text = "\f".join(f"Chapter {n}\r\n" + prose(n, width=10_000).replace("\n\n", "\r\n") + "\r\n" for n in (1, 2, 3))
    book = book_of(text)
    assert opens_and_closes(book) == expected(1, 2, 3)
    assert book.text.count("\n\n") == 3 * 4 + 2


def test_first_line_indents_part_paragraphs_where_no_empty_line_does() -> None:
    paragraphs = prose(1).split("\n\n")
    text = "CHAPTER I\n\n" + "\n".join("  " + p for p in paragraphs) + "\n\nCHAPTER II\n\n" + prose(2)
    book = book_of(text)
    assert "\n\n".join(" ".join(p.split()) for p in paragraphs) in book.text


def test_a_heading_glued_to_its_prose_is_parted_from_it() -> None:
    text = "\n".join(f"CHAPTER {n}\n{prose(n, 1)}" for n in (1, 2, 3))
    book = book_of(text)
    assert opens_and_closes(book) == expected(1, 2, 3)


def test_chinese_titles_on_a_line_of_their_own_and_volumes_in_the_same_line() -> None:
    text = "\n".join(
        f"第{v}卷 {name} 第{c}章 灯笼{n}\n　　{n}号船靠岸。{CHINESE}\n　　{CHINESE}"
        for n, (v, name, c) in enumerate([("一", "港口", "一"), ("一", "港口", "二"), ("二", "大海", "一")])
    )
    book = book_of(text)
    assert [(s.parts[0].number, s.printed_number) for s in book.chapters] == [(1, 1), (1, 2), (2, 1)]


def test_gaps_and_repeats_in_the_numbers_are_reported_and_lose_nothing() -> None:
    book = book_of(chain(["Chapter 1", "Chapter 2", "Chapter 5", "Chapter 5", "Chapter 6"]))
    assert [number for number, _ in chapters(book)] == [1, 2, 5, 5, 6]
    assert any("2 to 5" in warning for warning in book.warnings)
    assert any("twice" in warning and "5" in warning for warning in book.warnings)


def test_reading_the_same_bytes_twice_gives_the_same_book() -> None:
    data = chain(["CHAPTER I", "CHAPTER II"]).encode()
    assert read_text(data) == read_text(data)


def test_a_contents_list_with_summaries_is_a_list() -> None:
    def summary(n: int) -> str:
        return f"CHAPTER {n}.\nThe Quay.—A Lantern too many.—The Gull on the Railing walks the length of it {n}."

    heads = [f"CHAPTER {n}." for n in (1, 2, 3)] + ["CHAPTER THE LAST."]
    listed = "\n\n".join([*map(summary, (1, 2, 3)), "CHAPTER THE LAST.\nOut at last.—Yours truly."])
    text = f"HARBOUR\n\nCONTENTS.\n\n\n{listed}\n\n\nILLUSTRATIONS.\n\n\nThe Quay\n\nA Lantern\n\n\nEXPLANATORY\n\n"
    long = GAP.join(f"{head}\n\n\n{prose(n, 8)}" for n, head in enumerate(heads, 1))
    book = book_of(f"{text}{prose(99)}\n\n\nHARBOUR\n\n\n{long}")
    assert chapters(book) == [(1, "CHAPTER 1."), (2, "CHAPTER 2."), (3, "CHAPTER 3."), (None, "CHAPTER THE LAST.")]
    assert opens_and_closes(book) == expected(1, 2, 3, 4)
    assert "Opening 99" not in body(book)


def test_letters_and_chapters_listed_line_by_line() -> None:
    heads = ["Letter 1", "Letter 2", "Chapter 1", "Chapter 2"]
    listed = " CONTENTS\n\n" + "\n".join(f" {head}" for head in heads)
    book = book_of(f"Harbour;\n\nor, the Lantern\n\nby Nobody\n\n\n{listed}\n\n\n\n\n" + chain(heads))
    assert [title for _, title in chapters(book)] == heads
    assert opens_and_closes(book) == expected(1, 2, 3, 4)


def test_books_and_epilogues_that_hold_chapters_are_parts() -> None:
    parts = ["BOOK ONE: 1805", "BOOK TWO: 1806", "FIRST EPILOGUE: 1813 - 20", "SECOND EPILOGUE"]
    listed = "Contents\n\n" + "\n\n".join(f"{part}\n\nCHAPTER I\n\nCHAPTER II" for part in parts)
    story = GAP.join(
        f"{part}\n\n\n\nCHAPTER I\n\n{prose(2 * n - 1)}{GAP}CHAPTER II\n\n{prose(2 * n)}"
        for n, part in enumerate(parts, 1)
    )
    book = book_of(f"{listed}\n\n\n{story}")
    assert [section.printed for section in book.chapters] == ["I", "II"] * 4
    assert [section.parts[0].title for section in book.chapters] == [part for part in parts for _ in "12"]
    assert [section.parts[0].number for section in book.chapters] == [1, 1, 2, 2, 3, 3, 4, 4]
    assert opens_and_closes(book) == expected(*range(1, 9))


def test_named_numbers_are_the_chapters_and_bare_ones_inside_them_are_not() -> None:
    names = ["A LANTERN TOO MANY", "THE GULL", "THE BELL"]
    listed = "Contents\n\n" + "\n".join(
        f"   {r}.     {t.title()}" for r, t in zip(("I", "II", "III"), names, strict=True)
    )
    inner = f"I.\n\n{prose(1)}\n\nII.\n\n{prose(8)}\n\nIII.\n\n{prose(9)}"
    text = (
        f"{listed}\n\n\n\nI. {names[0]}\n\n{inner}{GAP}II. {names[1]}\n\n{prose(2)}{GAP}III. {names[2]}\n\n{prose(3)}"
    )
    book = book_of(text)
    assert [title for _, title in chapters(book)] == [
        f"{r}. {t}" for r, t in zip(("I", "II", "III"), names, strict=True)
    ]


def test_a_list_of_moby_dicks_kind_begins_with_front_matter() -> None:
    heads = ["CHAPTER 1. Lanterns.", "CHAPTER 2. The Gull.", "CHAPTER 3. The Bell.", "Epilogue"]
    listed = "CONTENTS\n\nETYMOLOGY.\n\nEXTRACTS (Supplied by Nobody).\n\n" + "\n\n".join(heads)
    front = f"ETYMOLOGY.\n\n{prose(80)}\n\nEXTRACTS. (Supplied by Nobody).\n\n{prose(81)}"
    book = book_of(f"{listed}\n\n\n\n{front}{GAP}" + chain(heads))
    assert [title for _, title in chapters(book)] == heads
    assert not any(f"Opening {n}" in body(book) for n in (80, 81))


def test_titles_set_apart_divide_a_book_even_where_a_chapter_opens_with_a_short_speech() -> None:
    titles = ["The Lamp", "The Key", "The Last Night", "The Oar"]
    text = GAP.join(f"{title}\n\n“Well?”\n\n{prose(n)}" for n, title in enumerate(titles, 1))
    assert [title for _, title in chapters(book_of(text))] == titles


def test_an_epilogue_in_two_levels_and_a_chapter_called_conclusion() -> None:
    text = f"CHAPTER I\n\nConclusion\n\n{prose(1)}{GAP}Epilogue{GAP}First Epilogue{GAP}CHAPTER I\n\n{prose(2)}"
    book = book_of(text)
    assert [title for _, title in chapters(book)] == ["CHAPTER I Conclusion", "CHAPTER I"]
    assert opens_and_closes(book) == expected(1, 2)


@pytest.mark.parametrize("opening", ["PART ONE\n\n\nI", "CHAPTER I", "I"])
def test_the_numbered_sections_of_an_introduction_are_sealed(opening: str) -> None:
    essay = f"INTRODUCTION\n\n\nI\n\n{prose(80)}{GAP}II\n\n{prose(81)}{GAP}III\n\n{prose(82)}"
    story = f"{opening}\n\n{prose(1)}{GAP}{'CHAPTER II' if 'CHAPTER' in opening else 'II'}\n\n{prose(2)}"
    book = book_of(f"{essay}{GAP}{story}")
    assert [section.printed for section in book.chapters] == ["I", "II"]
    assert not any(f"Opening {n}" in body(book) for n in (80, 81, 82))


def test_the_numbered_sections_of_an_afterword_are_sealed() -> None:
    text = chain(["I", "II", "III"]) + f"{GAP}AFTERWORD\n\n\nI\n\n{prose(80)}{GAP}II\n\n{prose(81)}"
    book = book_of(text)
    assert [section.printed for section in book.chapters] == ["I", "II", "III"]
    assert not any(f"Opening {n}" in body(book) for n in (80, 81))


def test_a_chinese_contents_list_and_matter_after_the_story() -> None:
    heads = ["序章 雾", "第一章 灯笼", "第二章 钥匙", "尾声"]
    story = "\n".join(f"{head}\n　　{CHINESE}{n}\n　　{CHINESE}" for n, head in enumerate(heads))
    text = "灯塔\n作者：无名\n\n目录\n" + "\n".join(heads) + f"\n\n{story}\n\n后记\n　　写完了。{CHINESE}"
    book = book_of(text, "gb18030")
    assert [title for _, title in chapters(book)] == heads
    assert "写完了" not in body(book)
    assert book.sections[-1].kind is SectionKind.ESSAY


def test_hebrew_chapters_have_no_number() -> None:
    text = GAP.join(
        f"פרק {letter}\n\nהסוור ספר את הפנסים לאורך הרציף ומצא אחד יותר מדי. {n}" for n, letter in enumerate("אב")
    )
    book = book_of(text)
    assert chapters(book) == [(None, "פרק א"), (None, "פרק ב")]


def test_notes_between_chapters_are_sealed_and_the_chapters_go_on() -> None:
    text = f"CHAPTER I\n\n{prose(1)}{GAP}NOTES\n\n[1] The gull dies.{GAP}CHAPTER II\n\n{prose(2)}"
    book = book_of(text)
    assert [number for number, _ in chapters(book)] == [1, 2]
    note = next(s for s in book.sections if s.kind is SectionKind.NOTES)
    assert note.revealed_at == book.body_end


def test_a_book_without_headings_still_has_its_back_matter_sealed() -> None:
    book = book_of(f"{prose(1, 9)}\n\n\nABOUT THE AUTHOR\n\nShe keeps lanterns.\n")
    assert [section.kind for section in book.sections] == [SectionKind.BODY, SectionKind.BACK]


PIECES = [
    "CHAPTER I", "CHAPTER II", "CHAPTER III.", "Chapter 1 The Lamp", "PART ONE", "BOOK II", "PROLOGUE",
    "Epilogue", "I", "II", "III", "I. THE LAMP", "II. THE KEY", "CONTENTS", "INTRODUCTION", "NOTES",
    "THE END", "AN EXCERPT FROM HARBOUR", "ABOUT THE AUTHOR", "THE GULL", "第一章 灯笼", "第二章", "终章",
    "FIRST EPILOGUE", "VOLUME I. CHAPTER I", "* * *", "1984", "LETTER I", prose(1, 1), prose(2, 2),
    prose(3, 1, 10_000), CHINESE * 3, "   The lamp is out,\n   the tide is in,", "“Well?”",
]  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(PIECES), st.sampled_from(["\n", "\n\n", "\n\n\n", "\n\n\n\n\n"])), min_size=1)
)
def test_any_order_of_headings_labels_and_prose_makes_a_sound_book(pieces: list[tuple[str, str]]) -> None:
    text = "".join(piece + gap for piece, gap in pieces)
    book = book_of(text)
    assert "".join(section.span.of(book.text) for section in book.sections) == book.text
    assert [section.chapter for section in book.chapters] == list(range(1, len(book.chapters) + 1))
    kept = "".join(book.text.split())
    assert sorted(kept) == sorted("".join(text.split()))


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_make_a_book_or_are_refused(data: bytes) -> None:
    try:
        draft = read_text(data)
    except FileRefused as refused:
        assert refused.code in {"binary_file", "empty"}
    else:
        assert assemble(draft).text


def test_a_listed_preface_between_the_list_and_the_story_is_sealed() -> None:
    listed = "CONTENTS\n\nCHAPTER I\n\nCHAPTER II"
    book = book_of(f"{listed}{GAP}PREFACE\n\n{prose(80)}{GAP}" + chain(["CHAPTER I", "CHAPTER II"]))
    assert [title for _, title in chapters(book)] == ["CHAPTER I", "CHAPTER II"]
    assert "Opening 80" not in body(book)


def test_a_glued_list_without_a_label_is_cut() -> None:
    text = "THE BOOK\n\nCHAPTER I\nCHAPTER II\nCHAPTER III\n" + chain(["CHAPTER I", "CHAPTER II", "CHAPTER III"])
    book = book_of(text)
    assert [title for _, title in chapters(book)] == ["CHAPTER I", "CHAPTER II", "CHAPTER III"]


def test_titles_that_come_twice_are_two_chapters() -> None:
    heads = ["ANA", "BEN", "ANA"]
    book = book_of("CONTENTS\n\n" + "\n\n".join(heads) + GAP + chain(heads))
    assert [title for _, title in chapters(book)] == heads


def test_bytes_that_cp1252_does_not_know_may_be_mac_roman() -> None:
    book = book_of(chain(["Chapitre premier", "Chapitre deuxième", "Épilogue"]), "mac-roman")
    assert book.encoding == "mac-roman"
    assert [number for number, _ in chapters(book)] == [1, 2, None]
