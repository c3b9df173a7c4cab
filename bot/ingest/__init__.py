"""File bytes to one canonical text with sections, sentences and passages."""
