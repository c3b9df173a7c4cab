"""What a model remembers of a book."""

from __future__ import annotations

LINES: dict[str, str] = {
    "memory_offer": "A model can read the book and keep notes of each chapter for /recap and /who, told to nobody "
    "before they have finished it: about {cost}. Without it both are made of quotes.",
    "memory_begins": "A model reads the book and keeps notes of each chapter for /recap and /who: about {cost}.",
    "memory_yes": "With the model, about {cost}",
    "memory_no": "Without the model",
    "memory_unpriced": "a sum that is not known",
    "memory_not": "No model keeps notes of this book: /recap and /who are made of quotes. With the model: about "
    "{cost}.",
    "memory_done": "A model has kept notes of every chapter of this book.",
    "memory_underway": "A model keeps notes of this book: {percent}% of its chapters.",
    "memory_over_budget": "The notes of this book wait until there is money for models again, at midnight (UTC).",
    "memory_put_off": "The notes of this book wait for the model, which could not be used; it is tried again.",
    "memory_dropped": "No model keeps notes of this book any more, and those that there were are deleted.",
    "memory_how": "Say /book memory N to see how it stands, /book memory N on or off.",
    "upload_row_over_budget": "{job}  waits until there is money for models again",
    "upload_row_put_off": "{job}  waits for the model, which could not be used",
    "setting_memory": "Whether a model keeps notes of each book that is added, which costs money: ask each time, "
    "always or never.",
}
