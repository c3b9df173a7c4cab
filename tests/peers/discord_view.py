"""What a person sees of a Discord message before anything is uncovered: a small reader of Discord's markdown.

It stands apart from the program's own rules and is stricter than any client: what is in a code block counts as seen
even within a cover, and the first line is read by itself, as a notification shows it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

TEXT: Final = "text"
CODE: Final = "code"

_PAIRED: Final = (
    ("spoiler", re.compile(r"\|\|(?P<in>.+?)\|\|", re.DOTALL)),
    ("bold", re.compile(r"\*\*(?P<in>(?:\\.|[^\\])+?)\*\*(?!\*)", re.DOTALL)),
    ("underline", re.compile(r"__(?P<in>(?:\\.|[^\\])+?)__(?!_)", re.DOTALL)),
    ("italic", re.compile(r"\*(?!\s)(?P<in>(?:\\.|\*\*|[^*\\])+?)(?<!\s)\*(?!\*)", re.DOTALL)),
    ("italic", re.compile(r"_(?P<in>(?:\\.|__|[^_\\])+?)_(?![A-Za-z0-9_])", re.DOTALL)),
    ("strike", re.compile(r"~~(?P<in>.+?)~~", re.DOTALL)),
)
_BLOCKS: Final = (
    ("heading", re.compile(r"#{1,3}[ \t]+(?!#)(?P<in>[^\n]*)\n?")),
    ("small", re.compile(r"-#[ ]+(?P<in>[^\n]+)\n?")),
    ("quoted", re.compile(r">>> (?P<in>.*)", re.DOTALL)),
    ("quoted", re.compile(r"> (?P<in>[^\n]*)\n?")),
    ("listed", re.compile(r"(?:[*-]|\d+\.)[ ]+(?P<in>[^\n]+)\n?")),
)
_CODE: Final = (
    ("block", re.compile(r"```(?:[A-Za-z0-9_+.\-]*\n)?(?P<in>.*?[^\n].*?)```", re.DOTALL)),
    (CODE, re.compile(r"(?P<ticks>`+)(?P<in>.+?)(?<!`)(?P=ticks)(?!`)", re.DOTALL)),
)
_CALLED: Final = (
    ("mention", re.compile(r"@(?:everyone|here)|<(?:@[!&]?|#)\d+>|<id:\w+>|</[^>\n]+:\d+>")),
    ("time", re.compile(r"<t:-?\d+(?::[tTdDfFRsS])?>")),
    ("emoji", re.compile(r"<a?:\w+:\d+>|:\w+:")),
    ("link", re.compile(r"\[[^\n]+?\]\((?:[^()\n]|\([^)\n]*\))*\)")),
    ("link", re.compile(r"<[^: >\n]+:/?[^ >\n]+>|(?:https?|steam|discord)://[^\s<]+|<\+?\d[\d -]+>", re.IGNORECASE)),
)
_INVITED: Final = re.compile(
    r"(?:discord(?:app)?\.(?:com|gg)|dsc\.gg|discord\.(?:me|io|li|gift|new))[/\\]+\S+"
    r"|(?:https?|steam|discord):[/\\]{2}|\bwww\.\w|@(?:everyone|here)|<(?:@[!&]?|#)\d+>",
    re.IGNORECASE,
)
"""What clients and the server find in the raw content, whatever stands before it."""
_UNSEEN: Final = re.compile("[\u00ad\u034f\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]")


@dataclass(frozen=True)
class Run:
    """A stretch as it is shown; ``kinds`` are the marks that it stands in, outermost first."""

    text: str
    kinds: tuple[str, ...] = ()

    @property
    def covered(self) -> bool:
        """Whether a person has to uncover it first."""
        return "spoiler" in self.kinds and not {"block", CODE} & set(self.kinds)


def runs(content: str) -> tuple[Run, ...]:
    """The content as it is shown."""
    return tuple(_read(content, (), True))


def _read(content: str, kinds: tuple[str, ...], at_line: bool) -> Iterator[Run]:
    at, text = 0, ""
    while at < len(content):
        fresh = at_line if at == 0 else content[:at].rstrip(" ").endswith("\n")
        if content[at] == "\\" and re.match(r"\\[^A-Za-z0-9\s]", content[at:]):
            text, at = text + content[at + 1], at + 2
            continue
        found = _mark(content, at, fresh)
        if found is None:
            text, at = text + content[at], at + 1
            continue
        if text:
            yield Run(text, kinds)
            text = ""
        kind, match = found
        if "in" not in match.groupdict():
            yield Run(match[0], (*kinds, kind))
        elif kind in {"block", CODE}:
            yield Run(match["in"], (*kinds, kind))
        else:
            yield from _read(match["in"], (*kinds, kind), fresh or kind in {"heading", "small", "quoted", "listed"})
        if match[0].endswith("\n"):
            text = "\n"
        at = match.end()
    if text:
        yield Run(text, kinds)


def _mark(content: str, at: int, fresh: bool) -> tuple[str, re.Match[str]] | None:
    rules = (*(_BLOCKS if fresh else ()), *_CODE, *_PAIRED, *_CALLED)
    return next(((kind, match) for kind, rule in rules if (match := rule.match(content, at))), None)


def shown(content: str) -> str:
    """Everything that a person can read, once all is uncovered. Our own guard, which shows nothing, is left out."""
    return "".join(run.text for run in runs(content)).replace("\u200b", "")


def uncovered(content: str) -> str:
    """What stands outside every cover, and what the first line shows by itself."""
    first = content.split("\n", 1)[0]
    return "\n".join("".join(run.text for run in runs(part) if not run.covered) for part in (content, first))


def marks(content: str) -> set[str]:
    """The kinds of marks that are in force anywhere in the content."""
    found = {kind for run in runs(content) for kind in run.kinds}
    return found | ({"found"} if _INVITED.search(content) else set())


def unseen(content: str) -> bool:
    """Whether it holds characters that show nothing or turn a line around, but for the guard after an escaped sign."""
    return _UNSEEN.search(re.sub(r"(?<=\\@)\u200b", "", content)) is not None


def seen_of(payload: Mapping[str, Any]) -> str:
    """Everything in a message, or in the answer to an interaction, that a person sees before uncovering anything."""
    body = payload.get("data", payload) if "type" in payload and "content" not in payload else payload
    return "\n".join(part for part in _parts(body) if part)


def _parts(body: Mapping[str, Any]) -> Iterator[str]:
    yield uncovered(body.get("content") or "")
    for embed in body.get("embeds") or ():
        yield from _embed(embed)
    yield from _components(body.get("components") or (), covered=False)
    for file in body.get("attachments") or ():
        yield from (file.get("filename") or "", file.get("description") or "", file.get("title") or "")
    for choice in body.get("choices") or ():
        yield str(choice.get("name", ""))
    yield str(body.get("title") or "")
    yield str(body.get("name") or "")


def _embed(embed: Mapping[str, Any]) -> Iterator[str]:
    """Bars hide neither a footer nor the name of an author, and a title is in every notification."""
    yield from (str(embed.get(key) or "") for key in ("title", "url"))
    yield from (str((embed.get(key) or {}).get("text") or "") for key in ("footer",))
    yield from (str((embed.get(key) or {}).get("name") or "") for key in ("author", "provider"))
    yield uncovered(str(embed.get("description") or ""))
    for field in embed.get("fields") or ():
        yield str(field.get("name") or "")
        yield uncovered(str(field.get("value") or ""))


def _components(components: Sequence[Mapping[str, Any]], covered: bool) -> Iterable[str]:
    for component in components:
        hidden = covered or bool(component.get("spoiler"))
        if not hidden:
            yield uncovered(str(component.get("content") or ""))
        for key in ("label", "placeholder", "value", "description"):
            yield str(component.get(key) or "")
        for option in component.get("options") or ():
            yield from (str(option.get("label") or ""), str(option.get("description") or ""))
        yield from _components(component.get("components") or (), hidden)
        for key in ("accessory", "component"):
            if component.get(key):
                yield from _components([component[key]], hidden)
        for item in component.get("items") or ():
            yield str(item.get("description") or "")
