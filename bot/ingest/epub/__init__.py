"""EPUB 2 and 3, read directly with zipfile and lxml: container, text, contents, kinds of matter."""

from bot.ingest.epub.reader import read_epub

__all__ = ["read_epub"]
