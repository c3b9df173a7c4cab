"""What Discord refuses in a payload: the limits of API v10, as its documentation gives them."""

from __future__ import annotations

import itertools
import re
import time
from collections.abc import Sequence
from typing import Any, Final

Json = dict[str, Any]

EPHEMERAL: Final = 1 << 6
LOADING: Final = 1 << 7
COMPONENTS_V2: Final = 1 << 15
UPLOAD_LIMIT: Final = 10 * 1024 * 1024

_EPOCH: Final = 1_420_070_400_000
_NAME: Final = re.compile(r"[-_'\w]{1,32}")
_numbers = itertools.count(1)

File = tuple[str, str, bytes]
"""The name of the form's field, the name of the file, and what is in it."""


def snowflake() -> str:
    """An id that is later than every one before."""
    return str(((int(time.time() * 1000) - _EPOCH) << 22) | (next(_numbers) & 0x3FFFFF))


def timestamp() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S+00:00", time.gmtime())


class ApiError(Exception):
    """What is answered with an HTTP status and Discord's own code."""

    def __init__(self, status: int, code: int, message: str, **extra: object) -> None:
        super().__init__(message)
        self.status = status
        self.body: Json = {"code": code, "message": message, **extra}


def bad_form(field: str, message: str) -> ApiError:
    errors = {field: {"_errors": [{"code": "BASE_TYPE_MAX_LENGTH", "message": message}]}}
    return ApiError(400, 50035, f"Invalid Form Body: {field}: {message}", errors=errors)


def check_message(body: Json | None, files: Sequence[File], *, empty_ok: bool = False) -> None:
    """Raises `ApiError` for a message that Discord would not take."""
    sent = body or {}
    content, embeds, rows = sent.get("content") or "", sent.get("embeds") or [], sent.get("components") or []
    if len(content) > 2000:
        raise bad_form("content", "Must be 2000 or fewer in length.")
    _check_embeds(embeds)
    if (sent.get("flags") or 0) & COMPONENTS_V2:
        if content or embeds:
            raise ApiError(400, 50035, "The 'content' field cannot be used when using MessageFlags.IS_COMPONENTS_V2")
    else:
        check_rows(rows)
    if len(files) > 10 or sum(len(data) for _, _, data in files) > UPLOAD_LIMIT:
        raise ApiError(413, 40005, "Request entity too large")
    if len(str(sent.get("nonce") or "")) > 25:
        raise bad_form("nonce", "Must be 25 or fewer in length.")
    if not (empty_ok or content or embeds or files or rows):
        raise ApiError(400, 50006, "Cannot send an empty message")


def _check_embeds(embeds: Sequence[Json]) -> None:
    if len(embeds) > 10:
        raise bad_form("embeds", "Must be 10 or fewer in length.")
    total = 0
    for embed in embeds:
        title, description = embed.get("title") or "", embed.get("description") or ""
        fields = embed.get("fields") or []
        if len(title) > 256 or len(description) > 4096 or len(fields) > 25:
            raise bad_form("embeds", "A title has 256 characters, a description 4096, an embed 25 fields.")
        total += len(title) + len(description) + sum(len(f["name"]) + len(f["value"]) for f in fields)
        total += len((embed.get("footer") or {}).get("text") or "") + len((embed.get("author") or {}).get("name") or "")
    if total > 6000:
        raise bad_form("embeds", "Embed size exceeds maximum size of 6000")


def check_rows(rows: Sequence[Json]) -> None:
    """Action rows of buttons: five of five, each with a custom id of its own."""
    if len(rows) > 5:
        raise bad_form("components", "Must be 5 or fewer in length.")
    seen: set[str] = set()
    for row in rows:
        items = row.get("components") or []
        if row.get("type") != 1 or not 1 <= len(items) <= 5:
            raise bad_form("components", "A row has one to five items.")
        for item in items:
            custom_id = item.get("custom_id", "")
            if len(item.get("label") or "") > 80 or not 1 <= len(custom_id) <= 100 or custom_id in seen:
                raise bad_form("components", "A label has 80 characters, a custom id 100, and none stands twice.")
            seen.add(custom_id)


def check_choices(choices: Sequence[Json]) -> None:
    if len(choices) > 25:
        raise bad_form("choices", "Must be 25 or fewer in length.")
    if any(not 1 <= len(choice["name"]) <= 100 or len(str(choice["value"])) > 100 for choice in choices):
        raise bad_form("choices", "Must be between 1 and 100 in length.")


def check_modal(modal: Json) -> None:
    if not 1 <= len(modal.get("title") or "") <= 45 or not 1 <= len(modal.get("custom_id") or "") <= 100:
        raise bad_form("title", "Must be between 1 and 45 in length.")
    for row in modal["components"]:
        for item in row.get("components") or [row.get("component") or {}]:
            if len(item.get("label") or "") > 45 or len(item.get("value") or "") > 4000:
                raise bad_form("components", "A label has 45 characters, a value 4000.")


def check_commands(commands: Sequence[Json]) -> None:
    """Global commands: 100 slash commands and 5 of each menu, their names, descriptions and options."""
    slash = [c for c in commands if c.get("type", 1) == 1]
    if len(slash) > 100 or len(commands) - len(slash) > 10:
        raise bad_form("commands", "Too many commands.")
    for command in slash:
        _check_named(command)
        if _characters(command) > 8000:
            raise bad_form("commands", "A command has 8000 characters.")
    for menu in (c for c in commands if c.get("type", 1) != 1):
        if not 1 <= len(menu["name"]) <= 32 or menu.get("description"):
            raise bad_form("name", "A menu has a name of 32 characters and no description.")


def _check_named(node: Json) -> None:
    if not _NAME.fullmatch(node["name"]) or node["name"] != node["name"].lower():
        raise bad_form("name", "Command name is invalid")
    if not 1 <= len(node.get("description") or "") <= 100:
        raise bad_form("description", "Must be between 1 and 100 in length.")
    options = node.get("options") or []
    if len(options) > 25:
        raise bad_form("options", "Must be 25 or fewer in length.")
    required = [bool(option.get("required")) for option in options]
    if required != sorted(required, reverse=True):
        raise bad_form("options", "Required options must be placed before non-required options")
    check_choices(node.get("choices") or [])
    for option in options:
        _check_named(option)


def _characters(node: Json) -> int:
    own = len(node["name"]) + len(node.get("description") or "")
    own += sum(len(c["name"]) + len(str(c["value"])) for c in node.get("choices") or [])
    return own + sum(_characters(option) for option in node.get("options") or [])
