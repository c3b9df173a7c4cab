"""Our own check of what is sent to Discord: limits that no stand-in enforces. Each function returns what is wrong."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

CONTENT: Final = 2_000
EMBEDS: Final = 10
EMBED: Final = {"title": 256, "description": 4_096}
EMBED_TEXT: Final = 6_000
FIELDS: Final = 25
FILES: Final = 10
UPLOAD: Final = 10 << 20
"""Bytes of all files of a message together, on a server without boosts."""
COMMANDS: Final = {1: 100, 2: 5, 3: 5}
"""Slash commands, menus of people and menus of messages that an application may have."""
V2: Final = 1 << 15
V2_TEXT: Final = 4_000
V2_COMPONENTS: Final = 40
KNOWN_FLAGS: Final = (1 << 2) | (1 << 6) | (1 << 12) | V2
"""Previews suppressed, ephemeral, silent, components v2."""
ROW, BUTTON, SELECT, TEXT_INPUT, LABEL = 1, 2, 3, 4, 18
_NAME: Final = re.compile(r"[-_\w]{1,32}")
_MENU_NAME: Final = re.compile(r"\S(?:.{0,30}\S)?")
_FILE: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,60}\.[a-z0-9]{1,8}", re.ASCII)


def units(text: str) -> int:
    """The larger of what Discord and its libraries count: UTF-16 code units."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _long(what: str, text: object, most: int, least: int = 0) -> Iterator[str]:
    if not isinstance(text, str):
        yield f"{what} is no text"
    elif not least <= units(text) <= most:
        yield f"{what} has {units(text)} characters, not {least} to {most}"


def request_problems(
    method: str, path: str, body: Any, files: Sequence[tuple[str, str, bytes]] = (), *, reminder: bool = False
) -> list[str]:
    """What is wrong with a REST request: its JSON, and its files as fields' names, names and content; ``path`` without
    version and query.
    """
    if method in {"GET", "DELETE"} or body is None:
        return []
    if re.search(r"/commands(?:/\d+)?$", path):
        return commands_problems(body if isinstance(body, list) else [body])
    if path.endswith("/callback"):
        return [*interaction_problems(body, reminder=reminder), *_files(body.get("data") or {}, files)]
    if re.search(r"/messages(?:/[\w@]+)?$|^/webhooks/\d+/[^/]+$", path):
        return [*message_problems(body, reminder=reminder, editing=method == "PATCH"), *_files(body, files)]
    if re.search(r"/threads$", path):
        return list(_long("the name of a thread", body.get("name"), 100, 1))
    return []


def _files(body: Mapping[str, Any], files: Sequence[tuple[str, str, bytes]]) -> Iterator[str]:
    """Each file is one of those that the message attaches, under the same name, and all of them are small enough."""
    if len(files) > FILES:
        yield f"{len(files)} files"
    if sum(len(data) for _, _, data in files) > UPLOAD:
        yield "the files are too large"
    named = {f"files[{a.get('id')}]": a.get("filename") for a in body.get("attachments") or ()}
    for field, name, _ in files:
        if named.get(field) != name:
            yield f"the file {field} is not attached"


def interaction_problems(body: Mapping[str, Any], *, reminder: bool = False) -> list[str]:
    """What is wrong with the answer to an interaction."""
    data = body.get("data") or {}
    match body.get("type"):
        case 1 | 6 | 5:
            return _flags(data)
        case 4:
            return message_problems(data, reminder=reminder)
        case 7:
            return message_problems(data, reminder=reminder, editing=True)
        case 8:
            return choices_problems(data.get("choices") or ())
        case 9:
            return modal_problems(data)
    return [f"an unknown type of answer: {body.get('type')}"]


def message_problems(body: Mapping[str, Any], *, reminder: bool = False, editing: bool = False) -> list[str]:
    """What is wrong with a message: lengths, counts, mentions, flags."""
    content = body.get("content") or ""
    wrong = [*_long("content", content, CONTENT), *_flags(body), *_mentions(body, reminder)]
    v2 = bool((body.get("flags") or 0) & V2)
    attached = bool(body.get("attachments"))
    if not content.strip() and not (editing or body.get("embeds") or attached or (v2 and body.get("components"))):
        wrong.append("a message is empty")
    if v2 and (content or body.get("embeds")):
        wrong.append("components v2 with content or embeds")
    wrong += _embeds(body.get("embeds") or ())
    wrong += _components(body.get("components") or (), v2)
    wrong += _attachments(body.get("attachments") or ())
    nonce = body.get("nonce")
    if nonce is not None and not 0 < len(str(nonce)) <= 25:
        wrong.append("a nonce has 1 to 25 characters")
    return wrong


def _flags(body: Mapping[str, Any]) -> list[str]:
    unknown = (body.get("flags") or 0) & ~KNOWN_FLAGS
    return [f"unknown flags {unknown:#x}"] if unknown else []


def _mentions(body: Mapping[str, Any], reminder: bool) -> list[str]:
    """A message that says something says whom it calls: nobody. A reminder may call users by number."""
    allowed = body.get("allowed_mentions")
    if allowed is None:
        return ["nothing says that nobody is called"] if body.get("content") else []
    wrong = []
    if allowed.get("parse") != []:
        wrong.append("mentions are looked for in the text")
    if allowed.get("roles") or allowed.get("replied_user"):
        wrong.append("roles or the one replied to are called")
    if allowed.get("users") and not reminder:
        wrong.append("users are called by what is no reminder")
    return wrong


def _embeds(embeds: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    if len(embeds) > EMBEDS:
        yield f"{len(embeds)} embeds"
    total = 0
    for embed in embeds:
        texts = [str(embed.get(key) or "") for key in EMBED]
        texts += [
            str((embed.get("footer") or {}).get("text") or ""),
            str((embed.get("author") or {}).get("name") or ""),
        ]
        for what, text, most in zip((*EMBED, "footer", "author"), texts, (256, 4_096, 2_048, 256), strict=True):
            yield from _long(f"embed {what}", text, most)
        fields = embed.get("fields") or ()
        if len(fields) > FIELDS:
            yield f"{len(fields)} fields"
        for field in fields:
            yield from _long("the name of a field", field.get("name"), 256, 1)
            yield from _long("the value of a field", field.get("value"), 1_024, 1)
            texts += [str(field.get("name")), str(field.get("value"))]
        total += sum(map(units, texts))
    if total > EMBED_TEXT:
        yield f"{total} characters in embeds"


def _walk(components: Iterable[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    for component in components:
        yield component
        yield from _walk(component.get("components") or ())
        yield from _walk(c for key in ("accessory", "component") if (c := component.get(key)))


def _components(components: Sequence[Mapping[str, Any]], v2: bool) -> Iterator[str]:
    every = list(_walk(components))
    if v2:
        if len(every) > V2_COMPONENTS:
            yield f"{len(every)} components"
        if sum(units(str(c.get("content") or "")) for c in every) > V2_TEXT:
            yield "too much text in components"
    else:
        if len(components) > 5:
            yield f"{len(components)} rows"
        if any(component.get("type") != ROW for component in components):
            yield "a component outside a row"
    ids = [c["custom_id"] for c in every if "custom_id" in c]
    if len(set(ids)) != len(ids):
        yield "a custom id stands twice"
    for component in every:
        yield from _component(component)


def _component(component: Mapping[str, Any]) -> Iterator[str]:
    kind = component.get("type")
    if kind == ROW and not 1 <= len(component.get("components") or ()) <= 5:
        yield "a row has 1 to 5 components"
    if kind == BUTTON:
        yield from _long("the label of a button", component.get("label") or "", 80, 0 if component.get("emoji") else 1)
        if component.get("style") not in (5, 6):
            yield from _long("custom id", component.get("custom_id"), 100, 1)
        else:
            yield "a button that is a link"
    if kind in {SELECT, 5, 6, 7, 8, TEXT_INPUT}:
        yield from _long("custom id", component.get("custom_id"), 100, 1)
        yield from _long("placeholder", component.get("placeholder") or "", 100 if kind == TEXT_INPUT else 150)
    if kind == SELECT:
        options = component.get("options") or ()
        if not 1 <= len(options) <= 25:
            yield f"{len(options)} options"
        if len({option.get("value") for option in options}) != len(options):
            yield "two options have one value"
        for option in options:
            yield from _long("the label of an option", option.get("label"), 100, 1)
            yield from _long("the value of an option", option.get("value"), 100, 1)
            yield from _long("the description of an option", option.get("description") or "", 100)


def _attachments(attachments: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    if len(attachments) > FILES:
        yield f"{len(attachments)} files"
    for file in attachments:
        yield from _long("alt text", file.get("description") or "", 1_024)
        if "filename" in file and _FILE.fullmatch(str(file["filename"])) is None:
            yield "the name of a file is not lower-case ASCII"


def choices_problems(choices: Sequence[Mapping[str, Any]]) -> list[str]:
    """What is wrong with choices, of an option or of autocomplete."""
    wrong = [f"{len(choices)} choices"] if len(choices) > 25 else []
    for choice in choices:
        wrong += _long("the name of a choice", choice.get("name"), 100, 1)
        if isinstance(choice.get("value"), str):
            wrong += _long("the value of a choice", choice["value"], 100, 1)
    return wrong


def modal_problems(data: Mapping[str, Any]) -> list[str]:
    """What is wrong with a form."""
    rows = data.get("components") or ()
    wrong = [
        *_long("the title of a form", data.get("title"), 45, 1),
        *_long("custom id", data.get("custom_id"), 100, 1),
    ]
    if not 1 <= len(rows) <= 5:
        wrong.append(f"{len(rows)} rows in a form")
    for component in _walk(rows):
        wrong += _component(component)
        if component.get("type") == TEXT_INPUT:
            wrong += _long("a label", component.get("label") or "", 45)
            wrong += _long("a value", component.get("value") or "", 4_000)
        if component.get("type") == LABEL:
            wrong += _long("a label", component.get("label"), 45, 1)
            wrong += _long("a description", component.get("description") or "", 100)
    return wrong


def commands_problems(commands: Sequence[Mapping[str, Any]]) -> list[str]:
    """What is wrong with all commands of an application together, and with each."""
    wrong = [problem for command in commands for problem in command_problems(command)]
    named = [(command.get("type", 1), command.get("name")) for command in commands]
    if len(set(named)) != len(named):
        wrong.append("two commands have one name")
    for kind, most in COMMANDS.items():
        count = sum(of == kind for of, _ in named)
        if count > most:
            wrong.append(f"{count} commands of type {kind}")
    return wrong


def command_problems(command: Mapping[str, Any]) -> list[str]:
    """What is wrong with an application command: names, descriptions, options, choices, and the sum of them."""
    name = str(command.get("name"))
    if command.get("type", 1) != 1:
        return [] if _MENU_NAME.fullmatch(name) else [f"the name {name!r}"]
    wrong = list(_described(command))
    total = sum(units(str(text)) for text in _texts(command))
    if total > 8_000:
        wrong.append(f"{total} characters in a command")
    return wrong


def _described(node: Mapping[str, Any]) -> Iterator[str]:
    name = str(node.get("name"))
    if _NAME.fullmatch(name) is None or name != name.lower():
        yield f"the name {name!r}"
    yield from _long(f"the description of {name}", node.get("description"), 100, 1)
    options = node.get("options") or ()
    if len(options) > 25:
        yield f"{len(options)} options of {name}"
    required = [bool(option.get("required")) for option in options]
    if required != sorted(required, reverse=True):
        yield f"an option of {name} that must be given stands behind one that need not"
    yield from choices_problems(node.get("choices") or ())
    for option in options:
        yield from _described(option)


def _texts(node: Mapping[str, Any]) -> Iterator[object]:
    yield from (node.get("name", ""), node.get("description", ""))
    for choice in node.get("choices") or ():
        yield from (choice.get("name", ""), choice.get("value", ""))
    for option in node.get("options") or ():
        yield from _texts(option)
