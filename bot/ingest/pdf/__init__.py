"""PDF to a book draft: lines, columns, running heads, footnotes, paragraphs, headings, outline, page labels."""
