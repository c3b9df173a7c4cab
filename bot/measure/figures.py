"""The figures of a set of outcomes, as values for scripts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from bot.core.prices import PriceList, price_list
from bot.measure.evaluate import (
    DEPTHS,
    END,
    MET,
    OTHER,
    RECIPE,
    TEXT,
    TRIGRAM,
    VECTOR,
    Asking,
    BookOutcome,
    Outcome,
)
from bot.measure.intervals import Share, paired_difference, percentile, share
from bot.measure.model_figures import model_figures

COMPARED = (
    (TEXT, 8, 8),
    (TEXT, 16, 16),
    (VECTOR, 8, 8),
    (VECTOR, 16, 16),
    (OTHER, 8, 8),
    (OTHER, 16, 16),
    (RECIPE, 8, 4),
    (RECIPE, 16, 8),
    (TRIGRAM, 16, 8),
)
"""A baseline, how many of our passages, and how many of its own: the recipe's chunks are twice as long as ours."""


def share_value(figure: Share) -> dict[str, float | int | None]:
    """A share with its Wilson interval; ``value`` is null of nothing."""
    return {
        "hits": figure.hits,
        "n": figure.n,
        "value": round(figure.value, 4) if figure.n else None,
        "low": round(figure.interval.low, 4),
        "high": round(figure.interval.high, 4),
    }


def figures(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Recall, quotes, exactness, leaks, refusals and seconds of some outcomes."""
    answerable = [o for o in outcomes if o.question.answerable]
    unanswerable = [o for o in outcomes if not o.question.answerable]
    citations = sum(o.citations for o in outcomes)
    return {
        "questions": len(outcomes),
        "recall": {
            reader: {str(k): share_value(share([o.ranked[reader].hit(k) for o in answerable])) for k in DEPTHS}
            for reader in (MET, END)
        },
        "quotes_overlap": share_value(share([bool(o.overlaps) for o in answerable])),
        "citations_exact": share_value(Share(citations - sum(o.inexact for o in outcomes), citations)),
        "leaks": {
            "questions": sum(bool(o.leaks) for o in outcomes),
            "words": sum(o.leaks.words for o in outcomes),
            "citations_past_boundary": sum(o.leaks.citations for o in outcomes),
            "could_leak": sum(o.tales for o in outcomes),
            "asked": len(outcomes),
        },
        "answers_cite_evidence": share_value(share([bool(o.overlaps) for o in answerable if not o.refused])),
        "false_refusals": share_value(share([o.refused for o in answerable])),
        "refused_without_answer": share_value(share([o.refused for o in unanswerable])),
        "seconds": _seconds([asking for o in outcomes for asking in o.asked]),
    }


def _seconds(asked: Sequence[Asking]) -> dict[str, Any]:
    stages = sorted({stage for asking in asked for stage in asking.stages})
    return {
        "n": len(asked),
        **_percentiles(asking.seconds for asking in asked),
        "stages": {stage: _percentiles(asking.stages[stage] for asking in asked) for stage in stages},
    }


def _percentiles(seconds: Iterable[float]) -> dict[str, float | None]:
    known = list(seconds)
    return {f"p{p}": round(percentile(known, p), 5) if known else None for p in (50, 95)}


def comparisons(outcomes: Sequence[Outcome]) -> list[dict[str, Any]]:
    """Ours against each baseline, the reader at the end of the evidence's chapter, over the same questions.

    ``difference`` is ours minus theirs; ``characters`` are shown to the reader, on average.
    """
    values = []
    for name, ours_at, theirs_at in COMPARED:
        both = [o for o in outcomes if name in o.ranked]
        if not both:
            continue
        ours = [o.ranked[MET].hit(ours_at) for o in both]
        theirs = [o.ranked[name].hit(theirs_at) for o in both]
        difference = paired_difference(ours, theirs)
        values.append(
            {
                "baseline": name,
                "ours_at": ours_at,
                "theirs_at": theirs_at,
                "ours": share_value(share(ours)),
                "theirs": share_value(share(theirs)),
                "difference": {
                    "value": round(difference.value, 4),
                    "low": round(difference.interval.low, 4),
                    "high": round(difference.interval.high, 4),
                    "n": difference.n,
                },
                "characters": {
                    "ours": round(sum(o.ranked[MET].characters(ours_at) for o in both) / len(both)),
                    "theirs": round(sum(o.ranked[name].characters(theirs_at) for o in both) / len(both)),
                },
            }
        )
    return values


def by_kind(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Recall at 8 and 16 and quotes that overlap, for each kind of question."""
    kinds = sorted({o.question.kind for o in outcomes if o.question.answerable})
    values = {}
    for kind in kinds:
        own = [o for o in outcomes if o.question.kind == kind and o.question.answerable]
        values[kind] = {
            "8": share_value(share([o.ranked[MET].hit(8) for o in own])),
            "16": share_value(share([o.ranked[MET].hit(16) for o in own])),
            "quotes_overlap": share_value(share([bool(o.overlaps) for o in own])),
        }
    return values


def evaluation_value(
    books: Sequence[BookOutcome], settings: dict[str, Any], prices: PriceList | None = None
) -> dict[str, Any]:
    """Everything that `dogear eval` says. ``prices`` are of the models that wrote."""
    everything = [o for book in books for o in book.outcomes]
    asked = [asking for outcome in everything for asking in outcome.asked]
    return {
        "settings": settings,
        "books": [{"book": b.name, **figures(b.outcomes)} for b in books if b.outcomes],
        "all": figures(everything),
        "kinds": by_kind(everything),
        "model": model_figures(asked, prices or price_list()),
        "comparisons": comparisons(everything),
        "evidence_not_found": [name for b in books for name in b.lost],
        "notes": [note for b in books for note in b.notes],
        "outcomes": [_outcome_value(o) for o in everything],
    }


def _outcome_value(outcome: Outcome) -> dict[str, Any]:
    """One question's outcome: which searches found its evidence first at which place (from 1), or null."""
    return {
        "id": outcome.question.id,
        "book": outcome.question.book,
        "kind": outcome.question.kind,
        "found_at": {
            name: next((k for k in range(1, len(r.spans) + 1) if r.hit(k)), None) for name, r in outcome.ranked.items()
        },
        "quotes_overlap": outcome.overlaps,
        "refused": outcome.refused,
        "could_leak": outcome.tales,
        "leaks": {"words": outcome.leaks.words, "citations_past_boundary": outcome.leaks.citations},
        "citations": outcome.citations,
        "inexact": outcome.inexact,
        "seconds": [round(asking.seconds, 5) for asking in outcome.asked],
        "failed": [None if asking.failed is None else asking.failed.value for asking in outcome.asked],
        "cut": [{cut.value: count for cut, count in sorted(asking.cuts.items())} for asking in outcome.asked],
    }
