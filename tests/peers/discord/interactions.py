"""What a bot answers to interactions: callbacks within three seconds, and its webhook for fifteen minutes."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from tests.peers.discord.payloads import (
    EPHEMERAL,
    LOADING,
    ApiError,
    File,
    Json,
    timestamp,
)
from tests.peers.discord.state import Interaction, World

Announce = Callable[[Json, str], Awaitable[None]]
REPLY, DEFER, DEFER_EDIT, EDIT, CHOICES, MODAL = 4, 5, 6, 7, 8, 9


@dataclass
class Interactions:
    """``ack_deadline`` and ``token_life`` are in seconds."""

    world: World
    announce: Announce
    ack_deadline: float = 3.0
    token_life: float = 900.0

    async def edited(
        self, message: Json, body: Json | None, files: Sequence[File], it: Interaction | None = None
    ) -> Json:
        sent = body or {}
        for key in ("content", "embeds", "components"):
            if key in sent:
                message[key] = sent[key] if sent[key] is not None else ("" if key == "content" else [])
        if files or "attachments" in sent:
            message["attachments"] = self.world.stored(files)
        message["flags"] = (message["flags"] & ~LOADING) | (sent.get("flags") or 0)
        message["edited_timestamp"] = timestamp()
        self.world.note(message, files, it)
        await self.announce(message, "MESSAGE_UPDATE")
        return message

    def _made(self, it: Interaction, body: Json | None, files: Sequence[File], flags: int = 0) -> Json:
        message = self.world.add_message(it.channel, self.world.app_id, body, files, flags, noted=False)
        message |= {"webhook_id": self.world.app_id, "application_id": self.world.app_id, "type": 20}
        message["interaction_metadata"] = {
            "id": it.id, "type": it.type, "user": self.world.users[it.user], "authorizing_integration_owners": {},
        }  # fmt: skip
        self.world.note(message, files, it)
        return message

    async def callback(self, number: str, token: str, body: Json, files: Sequence[File]) -> Json:
        it = self.world.interactions.get(number)
        if it is None or it.token != token:
            raise ApiError(404, 10062, "Unknown interaction")
        if it.acked is None and time.time() - it.created > self.ack_deadline:
            raise ApiError(404, 10062, "Unknown interaction")
        if it.acked is not None:
            raise ApiError(400, 40060, "Interaction has already been acknowledged.")
        kind, data = body["type"], body.get("data") or {}
        it.acked = kind
        try:
            message = await self._answered(it, kind, data, files)
        except ApiError:
            it.acked = None
            raise
        it.ack_ms = (time.time() - it.created) * 1000
        it.mark(f"callback{kind}", data)
        told: Json = {
            "interaction": {
                "id": it.id, "type": it.type, "response_message_id": it.original,
                "response_message_loading": it.loading, "response_message_ephemeral": it.ephemeral,
            }
        }  # fmt: skip
        return told | ({"resource": {"type": kind, "message": message}} if kind in (REPLY, EDIT) else {})

    async def _answered(self, it: Interaction, kind: int, data: Json, files: Sequence[File]) -> Json | None:
        private = (data.get("flags") or 0) & EPHEMERAL
        if kind in (REPLY, DEFER):
            message = self._made(it, data if kind == REPLY else {}, files, private | (LOADING if kind == DEFER else 0))
            it.original, it.ephemeral, it.loading = message["id"], bool(private), kind == DEFER
            if kind == REPLY:
                await self.announce(message, "MESSAGE_CREATE")
            return message
        if kind == EDIT:
            message = self.world.messages[it.channel][it.source or ""]
            it.original = message["id"]
            return await self.edited(message, data, files, it)
        if kind == CHOICES:
            it.choices = data.get("choices") or []
        elif kind == MODAL:
            it.modal = data
        elif kind == DEFER_EDIT:
            it.original = it.source
        return None

    async def webhook(
        self, method: str, token: str, which: str | None, body: Json | None, files: Sequence[File]
    ) -> Json | None:
        it = self.world.by_token.get(token)
        if it is None or it.acked is None:
            raise ApiError(404, 10015, "Unknown Webhook")
        if time.time() - it.created > self.token_life:
            raise ApiError(401, 50027, "Invalid Webhook Token")
        messages = self.world.messages[it.channel]
        if method == "POST":
            if it.loading:
                it.loading = False
                it.mark("followup-completes", body)
                return await self.edited(messages[it.original or ""], body, files, it)
            message = self._made(it, body, files)
            it.followups.append(message["id"])
            it.mark("followup", body)
            await self.announce(message, "MESSAGE_CREATE")
            return message
        number = it.original if which == "@original" else which
        found = messages.get(number or "")
        if found is None:
            raise ApiError(404, 10008, "Unknown Message")
        if method == "DELETE":
            del messages[found["id"]]
            it.mark("delete", None)
            return None
        if method == "PATCH":
            it.loading = False
            it.mark("edit", body)
            return await self.edited(found, body, files, it)
        return found
