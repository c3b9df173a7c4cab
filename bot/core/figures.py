"""What a host may watch: counts and seconds, never a word of a book, a question, or a name."""

from __future__ import annotations

from decimal import Decimal
from enum import StrEnum
from typing import Protocol


class Stage(StrEnum):
    """A part of answering: a transaction at the door, embedding the question, and what a model takes."""

    DOOR = "door"
    EMBED = "embed"
    MODEL = "model"


class Figures(Protocol):
    """Keeps count of what one process did. Labels are codes out of the program, never what somebody wrote."""

    def question_ended(self, status: str, seconds: float, cost: Decimal) -> None:
        """A question ended in this way after so many seconds, and cost so many US dollars."""

    def took(self, stage: Stage, seconds: float) -> None:
        """A part of answering took so many seconds."""

    def claim_cut(self, why: str) -> None:
        """A model's sentence was not shown; ``why`` is a code."""

    def model_called(self, model: str, outcome: str, *, tokens_in: int, tokens_out: int, cost: Decimal) -> None:
        """A request to a model ended; ``outcome`` is a code. Tokens are those that it is charged for; ``cost`` is in US
        dollars.
        """

    def retried(self, service: str) -> None:
        """Something was tried again at a service (a chat platform, a model, the database)."""
