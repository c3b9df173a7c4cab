"""Messages as a Discord client shows them, as one HTML page: for looking at, with every cover in place."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping, Sequence
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from tests.peers.discord_view import Run, runs

_OWN_LINES: Final = frozenset(("quoted", "block"))
_STYLE: Final = """
* { box-sizing: border-box }
body { margin: 0; background: #313338; color: #dbdee1; width: WIDTHpx;
       font: 15px/1.375 'gg sans', 'Noto Sans', 'DejaVu Sans', sans-serif }
.message { display: grid; grid-template-columns: 40px 1fr; gap: 0 16px; padding: 10px 16px 10px }
.again { padding-top: 0 }
.face { width: 40px; height: 40px; border-radius: 50%; background: #4e7fd1; color: #fff; display: grid;
        place-items: center; font-size: 20px }
.name { color: #f2f3f5; font-weight: 600 }
.tag { background: #5865f2; color: #fff; border-radius: 3px; font-size: 10px; padding: 1px 4px; margin: 0 6px;
       vertical-align: 2px }
.when { color: #949ba4; font-size: 12px }
.content { white-space: pre-wrap; overflow-wrap: anywhere }
.spoiler { background: #1e1f22; color: transparent; border-radius: 3px; box-decoration-break: clone;
           -webkit-box-decoration-break: clone; padding: 1px 2px }
.bold { font-weight: 700; color: #f2f3f5 }
.small { font-size: 12.5px; color: #949ba4 }
.heading { font-size: 17px; font-weight: 700; color: #f2f3f5; display: inline-block; margin: 4px 0 }
.quoted { border-left: 4px solid #4e5058; padding-left: 12px; display: block; margin: 2px 0 }
.block { display: block; background: #2b2d31; border: 1px solid #1e1f22; border-radius: 4px; padding: 7px 9px;
         font: 13px/1.3 'DejaVu Sans Mono', monospace; margin: 6px 0; white-space: pre-wrap; max-width: 560px }
.rows { margin-top: 6px; display: flex; flex-wrap: wrap; gap: 8px }
.break { flex-basis: 100%; height: 0 }
.button { background: #4e5058; color: #fff; border-radius: 8px; padding: 6px 14px; font-size: 14px; font-weight: 500 }
.s1 { background: #5865f2 } .s3 { background: #248046 } .s4 { background: #da373c }
.menu { background: #1e1f22; color: #949ba4; border-radius: 8px; padding: 8px 12px; min-width: 320px }
.only { color: #949ba4; font-size: 12px; margin-top: 6px }
.only b { color: #00a8fc; font-weight: 400 }
img { max-width: 420px; border-radius: 8px; margin-top: 6px; display: block }
"""


def page_of(
    payloads: Sequence[Mapping[str, Any]], *, files: Mapping[str, bytes] | None = None, width: int = 760
) -> str:
    """A page of messages of one bot, in order, ``width`` CSS pixels wide. Nothing covered can be read in it."""
    messages = [_message(payload, n > 0, files or {}) for n, payload in enumerate(payloads)]
    style = _STYLE.replace("WIDTH", str(width))
    return f'<!doctype html><meta charset="utf-8"><title>Discord</title><style>{style}</style>{"".join(messages)}'


def _message(payload: Mapping[str, Any], again: bool, files: Mapping[str, bytes]) -> str:
    private = bool((payload.get("flags") or 0) & (1 << 6))
    only = '<div class="only">Only you can see this · <b>Dismiss message</b></div>' if private else ""
    head = '<span class="name">Dogear</span><span class="tag">APP</span><span class="when">Today at 20:14</span>'
    pictures = [_picture(file, files) for file in payload.get("attachments") or ()]
    return (
        f'<div class="message{" again" if again else ""}"><div class="face">◥</div><div>{head}'
        f'<div class="content">{_content(str(payload.get("content") or ""))}</div>{"".join(pictures)}'
        f"{_rows(payload.get('components') or ())}{only}</div></div>"
    )


def _content(content: str) -> str:
    """The markdown as it is shown; covered words are not on the page at all, only their width is."""
    pieces: list[str] = []
    for own, group in groupby(_blocked(runs(content)), key=lambda pair: pair[0]):
        inner = "".join(_run(run) for _, run in group)
        pieces.append(f'<div class="{own}">{inner.strip(chr(10))}</div>' if own else inner.removeprefix("\n"))
    return "".join(pieces)


def _blocked(shown: Sequence[Run]) -> list[tuple[str, Run]]:
    """Each run with the block that it stands in, if any; line ends between lines of one quotation belong to it."""
    made: list[tuple[str, Run]] = []
    for n, run in enumerate(shown):
        block = next((kind for kind in run.kinds if kind in _OWN_LINES), "")
        after = next((k for k in shown[n + 1].kinds if k in _OWN_LINES), "") if n + 1 < len(shown) else ""
        if not block and run.text == "\n" and made and made[-1][0] == after == "quoted":
            block = "quoted"
        made.append((block, run))
    return made


def _run(run: Run) -> str:
    text = run.text.replace("\u200b", "")
    kinds = [kind for kind in run.kinds if kind not in _OWN_LINES]
    if "spoiler" in kinds:
        return f'<span class="spoiler">{_bars(text)}</span>'
    return f'<span class="{" ".join(kinds)}">{escape(text)}</span>' if kinds else escape(text)


def _bars(text: str) -> str:
    """Letters that are as wide as those covered, and say nothing."""
    return re.sub(r"\S", "n", text)


def _picture(file: Mapping[str, Any], files: Mapping[str, bytes]) -> str:
    data = files.get(str(file.get("filename")))
    if data is None:
        return ""
    source = base64.b64encode(data).decode("ascii")
    return f'<img alt="{escape(str(file.get("description") or ""))}" src="data:image/png;base64,{source}">'


def _rows(rows: Sequence[Mapping[str, Any]]) -> str:
    shown = []
    for row in rows:
        for component in row.get("components") or ():
            if component.get("type") == 2:
                style = f"button s{component.get('style')}"
                shown.append(f'<span class="{style}">{escape(str(component.get("label") or ""))}</span>')
            else:
                shown.append(f'<span class="menu">{escape(str(component.get("placeholder") or ""))} ⌄</span>')
        shown.append('<span class="break"></span>')
    return f'<div class="rows">{"".join(shown)}</div>' if shown else ""


def written(page: str, folder: Path, name: str) -> Path:
    """The page as a file, for `chromium --headless --screenshot`."""
    file = folder / f"{name}.html"
    file.write_text(page, encoding="utf-8")
    return file
