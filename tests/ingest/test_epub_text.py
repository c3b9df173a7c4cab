"""The text of EPUB documents: characters, blocks and lines, encodings, broken markup, printed pages."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from bot.core.book import BookText
from bot.ingest.canonical import clean
from bot.ingest.epub.blocks import TextWalk
from bot.ingest.epub.walker import walk_document
from bot.ingest.epub.xhtml import decode, parse_document
from tests.ingest.epub_files import nav, ncx, page, prose, read, titles, write_epub

NAV_ITEM = '<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>'


def book_of(tmp_path: Path, body: str, **more: str) -> BookText:
    return read(write_epub(tmp_path / "b.epub", {"c1.xhtml": page("<h2>Chapter One</h2>" + body)}, **more))  # type: ignore[arg-type]


def prose_of(tmp_path: Path, body: str) -> str:
    return book_of(tmp_path, body).text.removeprefix("Chapter One\n\n")


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("<p>a\u00a0b\u2009c\n  d\u200b\u2060\ufeffe\u00adf e\u0301</p>", "a b c def é"),
        ("<p>one<br/>two<br/><br/>three</p>", "one\ntwo\nthree"),
        ("<div>one<p>two</p>three</div>", "one\n\ntwo\n\nthree"),
        ("<ul><li>a</li><li><p>b</p></li></ul><p>c</p>", "a\nb\n\nc"),
        ("<table><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>", "a b\nc d"),
        ("<pre>one\n    two\n\nthree</pre>", "one\n    two\n\nthree"),
        ("<p><ruby>灯<rp>(</rp><rt>ひ</rt><rp>)</rp></ruby>台</p>", "灯台"),
        ('<p><span class="drop">T</span><span>he</span> weir</p>', "The weir"),
        ('<div class="dropcap">T</div><p>HE weir</p>', "THE weir"),
        ('<p hidden="">no</p><p style="display: none">no</p><p>yes</p><script>no()</script>', "yes"),
        ("<p>a&nbsp;&mdash;&eacute;&#8217; &lt;b&gt; &amp; &unknown;</p>", "a —é’ <b> & &unknown;"),
        ("<p>he\u200dron \u0646\u200cm</p>", "he\u200dron \u0646\u200cm"),
        ("<p>x<![CDATA[ <y> & z ]]></p>", "x <y> & z"),
        ('<p>seen<a epub:type="noteref" href="#n">12</a> it</p>', "seen it"),
        ("<p>x<sup>2</sup> and <a href='#q'>see 4</a></p>", "x2 and see 4"),
    ],
)
def test_a_body_becomes_canonical_text(tmp_path: Path, body: str, text: str) -> None:
    assert prose_of(tmp_path, body) == text


@given(pieces=st.lists(st.text(alphabet="ab \n\u0301\u00e9\u1100\u1161\u00ad\u2003\u0323", max_size=6), max_size=6))
def test_composing_piece_by_piece_equals_composing_the_whole(pieces: list[str]) -> None:
    root = etree.Element("p")
    for number, piece in enumerate(pieces):
        child = etree.SubElement(root, "span", id=f"s{number}")
        child.text = piece
    walk = TextWalk()
    walk_document(root, walk, "a.xhtml", linear=True, is_nav=False)
    text = walk.finish()
    assert text == " ".join(clean("".join(pieces)).split())
    assert clean(text) == text
    assert "  " not in text
    starts = [walk.ids[0, f"s{number}"].start for number in range(len(pieces))]
    assert starts == sorted(starts)
    assert all(0 <= start <= len(text) for start in starts)


@pytest.mark.parametrize(
    ("declared", "encoding"),
    [
        ("utf-8", "utf-8"),
        ("utf-8", "cp1252"),
        ("iso-8859-1", "utf-8"),
        ("iso-8859-1", "cp1252"),
        ("utf-16", "utf-16"),
        ("utf-16", "utf-16-le"),
        ("windows-1252", "cp1252"),
    ],
)
def test_bytes_are_decoded_whatever_they_declare(declared: str, encoding: str) -> None:
    text = f'<?xml version="1.0" encoding="{declared}"?><html><body><p>“Déjà vu” — naïve</p></body></html>'
    root = parse_document(text.encode(encoding))
    assert root is not None
    assert "".join(map(str, root.itertext())) == "“Déjà vu” — naïve"


@pytest.mark.parametrize(("declared", "encoding"), [("shift_jis", "cp932"), ("gb2312", "gb18030"), ("big5", "big5")])
def test_a_declared_charset_is_read_as_its_superset(declared: str, encoding: str) -> None:
    text = "燈台" if encoding != "gb18030" else "灯塔镕"
    source = f'<?xml version="1.0" encoding="{declared}"?><p>{text}</p>'
    assert text in decode(source.encode(encoding))


def test_self_closed_titles_and_scripts_do_not_swallow_the_body(tmp_path: Path) -> None:
    broken = (
        "<html><head><title/><script src='x.js'/></head><body><h2>Chapter {0}</h2><p>Walk {0} & on<br></body></html>"
    )
    files = {f"c{n}.xhtml": broken.format(n) for n in (1, 2)}
    book = read(write_epub(tmp_path / "b.epub", files))
    assert titles(book) == ["Chapter 1", "Chapter 2"]
    assert "Walk 2 & on" in book.text


def test_broken_markup_loses_no_character(tmp_path: Path) -> None:
    text = prose_of(
        tmp_path, "<p class=first>Salt & vinegar, 3 &lt; 4&nbsp;pence<p>&ldquo;A <b>crossed<i>&mdash;tag</b></i> end"
    )
    assert text == "Salt & vinegar, 3 < 4 pence\n\n“A crossed—tag end"


def test_pages_come_from_the_page_list(tmp_path: Path) -> None:
    files = {
        "p.xhtml": page('<h2>Preface</h2><p>Old <span id="pii"/>words.</p>'),
        "c1.xhtml": page(f'<h2>Chapter One</h2><p>He <span id="p1"/>saw.</p>{prose(1)}'),
    }
    table = [("Preface", "p.xhtml"), ("Chapter One", "c1.xhtml")]
    pages = '<ol><li><a href="p.xhtml#pii">ii</a></li><li><a href="c1.xhtml#p1">Page 1</a></li></ol>'
    listed = {**files, "nav.xhtml": nav(table, f'<nav epub:type="page-list">{pages}</nav>')}
    targets = "".join(
        f"<pageTarget><navLabel><text>{label}</text></navLabel><content src='{href}'/></pageTarget>"
        for label, href in (("ii", "p.xhtml#pii"), ("1", "c1.xhtml#p1"))
    )
    item = '<item id="toc" href="t.ncx" media-type="application/x-dtbncx+xml"/>'
    raw = {"OEBPS/t.ncx": ncx(table, f"<pageList>{targets}</pageList>")}
    for path in (
        write_epub(tmp_path / "a.epub", listed, list(files), manifest=NAV_ITEM),
        write_epub(tmp_path / "b.epub", files, raw=raw, manifest=item),
    ):
        book = read(path)
        assert [(p.label, book.text[p.start : p.start + 4]) for p in book.pages] == [("ii", "word"), ("1", "saw.")]


def test_pages_marked_in_the_text_are_found_and_their_numbers_dropped(tmp_path: Path) -> None:
    body = (
        '<p>He <span role="doc-pagebreak" aria-label="12"/>saw <span epub:type="pagebreak" title="13">13</span>a'
        '<span class="pagenum">[Pg 14]</span> heron.</p>'
    )
    book = book_of(tmp_path, body)
    assert book.text.endswith("He saw a heron.")
    assert [(p.label, book.text[p.start : p.start + 5].strip()) for p in book.pages] == [
        ("12", "saw a"),
        ("13", "a her"),
        ("14", "hero"),
    ]


def test_text_in_drawings_is_kept(tmp_path: Path) -> None:
    drawing = '<svg xmlns="http://www.w3.org/2000/svg"><title>t</title><text>Low Barrow</text><text>1890</text></svg>'
    assert prose_of(tmp_path, drawing + "<p>after</p>") == "Low Barrow\n1890\n\nafter"


def test_a_huge_single_document_reads_in_one_go(tmp_path: Path) -> None:
    body = "".join(f"<h2>Chapter {n}</h2>" + prose(n, 12) for n in range(1, 201))
    book = read(write_epub(tmp_path / "b.epub", {"b.xhtml": page(body)}))
    assert len(book.chapters) == 200
