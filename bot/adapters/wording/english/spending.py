"""What models cost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

LINES: Final[Mapping[str, str]] = {
    "spent_nothing": "Nothing was spent on models this month.",
    "spent_today": "Spent today: {amount} of {most}.",
    "spent_today_unbounded": "Spent today: {amount}.",
    "spent_month": "Spent this month: {amount} of {most}.",
    "spent_month_unbounded": "Spent this month: {amount}.",
    "spent_amount": "{amount} USD",
    "spent_cost": "{amount} USD",
    "spent_cost_unknown": "cost not known",
    "spent_cost_partly": "{amount} USD and what is not known",
    "spent_by": "{model}, {purpose}: {count} request, {input} tokens read, {cached} of them from the cache, {output} "
    "written, {cost} | {model}, {purpose}: {count} requests, {input} tokens read, {cached} of them from the cache, "
    "{output} written, {cost}",
    "spent_by_job": "{model}, {purpose}: {cost}",
    "spent_for_answer": "answers",
    "spent_for_support": "checking sentences",
    "spent_for_parts": "splitting questions",
    "spent_for_judge": "judging answers",
    "spent_for_memory": "remembering chapters",
    "spent_for_memory_check": "checking what is remembered",
    "spent_for_other": "other",
    "spent_then": "Past that answers are the closest passages. Days and months are of UTC.",
}
