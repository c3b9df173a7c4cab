"""The books of a club."""

from __future__ import annotations

LINES: dict[str, str] = {
    "no_book": "The club has no book yet: /book add FILE.",
    "no_such_book": "The club has no such book: /book list shows those it has.",
    "no_file": "There is no file {file}: check the path.",
    "book_how": "Say /book add FILE, /book list, /book switch N, /book remove N, /book replace FILE, /book memory N or "
    "/book chapters; "
    "of what is being added: /book jobs, /book announce N, /book cancel N, /book retry N or /book undo.",
    "quotation_mark": "A quotation mark is missing its partner.",
    "book_added": "“{title}” can be asked about: {count} chapter. It is book {book}. | “{title}” can be asked about: "
    "{count} chapters. It is book {book}.",
    "book_there": "The club has this file already: it is book {book}, “{title}”.",
    "book_switch": "/book switch {book} makes it the club's current book.",
    "book_row": "{mark} {book}  {title}",
    "book_now": "The club reads “{title}” now.",
    "book_gone_untitled": "Book {number}, which was not announced, is gone with everything made from it.",
    "book_gone": "“{title}” and everything made from it is gone.",
    "book_remove_sure": "Remove “{title}”?",
    "book_remove_sure_untitled": "Remove book {number}, which was not announced?",
    "book_remove_what": "Everybody’s place in it goes with it, and what was asked about it. It cannot be undone.",
    "book_remove_yes": "Remove it",
    "book_kept": "Nothing was removed.",
    "chapter_row": "#{ordinal}  {name}  {title}",
}
