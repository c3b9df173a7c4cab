"""The people, servers, channels, messages and interactions of a loopback Discord, and what was shown of each."""

from __future__ import annotations

import time
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from tests.peers.discord.payloads import EPHEMERAL, File, Json, snowflake, timestamp

TEXT, DIRECT, PUBLIC_THREAD, PRIVATE_THREAD = 0, 1, 11, 12
SEE, SEND, ATTACH, HISTORY, SEND_IN_THREADS = 1 << 10, 1 << 11, 1 << 15, 1 << 16, 1 << 38
_MEMBER_RIGHTS = SEE | SEND | HISTORY | SEND_IN_THREADS | (1 << 31)
_BOT_RIGHTS = SEE | SEND | ATTACH | HISTORY | SEND_IN_THREADS
"""What the invite link asks for."""


@dataclass
class Interaction:
    """One interaction and what the bot answered; ``timeline`` holds milliseconds since it came, what, and with what.

    ``name`` is the command ("book add"), or the custom id of what was pressed or sent; ``values`` what was typed.
    """

    id: str
    token: str
    type: int
    user: str
    channel: str
    created: float
    source: str | None = None
    name: str = ""
    values: dict[str, str] = field(default_factory=dict)
    source_private: bool = False
    acked: int | None = None
    ack_ms: float | None = None
    modal: Json | None = None
    choices: list[Json] | None = None
    original: str | None = None
    loading: bool = False
    ephemeral: bool = False
    followups: list[str] = field(default_factory=list)
    timeline: list[tuple[float, str, Any]] = field(default_factory=list)

    def mark(self, what: str, body: Any) -> None:
        self.timeline.append((round((time.time() - self.created) * 1000), what, body))


@dataclass(frozen=True)
class Shown:
    """A message as it stood from a moment on. ``private`` says that one person alone could see it: ``viewer``.

    ``at`` is in seconds of the epoch; ``cause`` is the name of the interaction in answer to which it was shown.
    """

    channel: str
    message: str
    private: bool
    body: Json
    files: tuple[tuple[str, bytes], ...] = ()
    viewer: str = ""
    at: float = 0.0
    cause: str = ""


@dataclass
class World:
    """Everything there is; ``shown`` holds every message of the bot's in every state it was in, and ``away`` whoever a
    test says has been silent for long.
    """

    app_id: str = field(default_factory=snowflake)
    users: dict[str, Json] = field(default_factory=dict)
    guilds: dict[str, Json] = field(default_factory=dict)
    channels: dict[str, Json] = field(default_factory=dict)
    messages: dict[str, dict[str, Json]] = field(default_factory=dict)
    members: dict[tuple[str, str], Json] = field(default_factory=dict)
    thread_members: dict[str, list[str]] = field(default_factory=dict)
    commands: list[Json] = field(default_factory=list)
    interactions: dict[str, Interaction] = field(default_factory=dict)
    by_token: dict[str, Interaction] = field(default_factory=dict)
    files: dict[str, bytes] = field(default_factory=dict)
    closed_to: set[str] = field(default_factory=set)
    away: set[str] = field(default_factory=set)
    shown: list[Shown] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.users[self.app_id] = self._user("Dogear", self.app_id, bot=True)

    @property
    def bot(self) -> Json:
        return self.users[self.app_id]

    @staticmethod
    def _user(name: str, user: str, *, bot: bool = False) -> Json:
        return {
            "id": user, "username": name, "discriminator": "0", "global_name": name, "avatar": None, "bot": bot,
        }  # fmt: skip

    def add_user(self, name: str) -> str:
        user = snowflake()
        self.users[user] = self._user(name, user)
        return user

    def add_member(self, guild: str, user: str) -> Json:
        made: Json = {
            "user": self.users[user], "roles": [], "nick": None, "joined_at": "2026-01-01T00:00:00+00:00",
            "deaf": False, "mute": False, "flags": 0,
        }  # fmt: skip
        self.members[guild, user] = made
        return made

    def add_guild(self, name: str, members: Sequence[str] = (), shard: tuple[int, int] = (0, 1)) -> tuple[str, str]:
        """A server with one text channel; the first member owns it. Of so many shards it is on this one."""
        guild = snowflake()
        while (int(guild) >> 22) % shard[1] != shard[0]:
            guild = str(int(guild) + (1 << 22))
        everyone = {
            "id": guild, "name": "@everyone", "permissions": str(_MEMBER_RIGHTS), "position": 0, "color": 0,
            "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None}, "hoist": False,
            "managed": False, "mentionable": False, "flags": 0,
        }  # fmt: skip
        managed = everyone | {
            "id": snowflake(), "name": "Dogear", "permissions": str(_BOT_RIGHTS), "position": 1, "managed": True,
        }  # fmt: skip
        for user in (self.app_id, *members):
            self.add_member(guild, user)
        self.members[guild, self.app_id]["roles"] = [managed["id"]]
        self.guilds[guild] = {
            "id": guild, "name": name, "owner_id": members[0] if members else self.app_id, "roles": [everyone, managed],
            "channels": [], "threads": [], "emojis": [], "stickers": [], "features": [], "members": [],
            "member_count": 1 + len(members), "voice_states": [], "presences": [], "stage_instances": [],
            "guild_scheduled_events": [], "verification_level": 0, "default_message_notifications": 0,
            "explicit_content_filter": 0, "mfa_level": 0, "premium_tier": 0, "preferred_locale": "en-US",
            "nsfw_level": 0, "large": False, "unavailable": False, "afk_timeout": 300, "system_channel_flags": 0,
            "premium_progress_bar_enabled": False, "soundboard_sounds": [],
        }  # fmt: skip
        return guild, self.add_channel(guild, "general")

    def rights(self, user: str, channel: str) -> int:
        """What somebody may do in a channel, by their roles and what stands over them there."""
        place = self.channels[channel]
        place = self.channels[place["parent_id"]] if place["type"] in {PUBLIC_THREAD, PRIVATE_THREAD} else place
        guild = self.guilds[place["guild_id"]]
        roles = {guild["id"], *self.members[guild["id"], user]["roles"]}
        found = 0
        for role in guild["roles"]:
            found |= int(role["permissions"]) if role["id"] in roles else 0
        for of in ({guild["id"]}, roles - {guild["id"]}, {user}):
            over = [o for o in place["permission_overwrites"] if o["id"] in of]
            for one in over:
                found &= ~int(one["deny"])
            for one in over:
                found |= int(one["allow"])
        return found if found & SEE else 0

    def sees(self, user: str, channel: str) -> bool:
        """Whether somebody sees a channel; a private thread only who is in it."""
        place = self.channels[channel]
        if (place["guild_id"], user) not in self.members:
            return False
        within = place["type"] != PRIVATE_THREAD or user in self.thread_members[channel]
        return within and bool(self.rights(user, channel))

    def forbid(self, channel: str, who: str, rights: int) -> Json:
        """Take rights from a person or role in a channel; the channel as it is then."""
        place = self.channels[channel]
        kept = [one for one in place["permission_overwrites"] if one["id"] != who]
        over = {"id": who, "type": 1 if who in self.users else 0, "allow": "0", "deny": str(rights)}
        place["permission_overwrites"] = [*kept, *([over] if rights else [])]
        return place

    def add_channel(self, guild: str, name: str, only: Sequence[str] = ()) -> str:
        """A text channel; where ``only`` names people, the others cannot see it."""
        channel = snowflake()
        see = SEE
        overwrites = [{"id": guild, "type": 0, "allow": "0", "deny": str(see)}] if only else []
        overwrites += [{"id": u, "type": 1, "allow": str(see), "deny": "0"} for u in (*only, self.app_id) if only]
        made = {
            "id": channel, "type": TEXT, "name": name, "guild_id": guild, "position": 0, "nsfw": False, "topic": None,
            "permission_overwrites": overwrites, "last_message_id": None, "rate_limit_per_user": 0, "parent_id": None,
        }  # fmt: skip
        self.channels[channel], self.messages[channel] = made, {}
        self.guilds[guild]["channels"].append(made)
        return channel

    def add_thread(self, parent: str, name: str, members: Sequence[str], *, private: bool = False) -> str:
        thread, guild = snowflake(), self.channels[parent]["guild_id"]
        made = {
            "id": thread, "type": PRIVATE_THREAD if private else PUBLIC_THREAD, "name": name, "guild_id": guild,
            "parent_id": parent, "owner_id": members[0], "last_message_id": None, "message_count": 0,
            "member_count": len(members), "rate_limit_per_user": 0, "flags": 0,
            "thread_metadata": {
                "archived": False, "auto_archive_duration": 1440, "archive_timestamp": timestamp(), "locked": False,
            },
        }  # fmt: skip
        self.channels[thread], self.messages[thread] = made, {}
        self.thread_members[thread] = [self.app_id, *members]
        self.guilds[guild]["threads"].append(made)
        return thread

    def direct(self, user: str) -> Json:
        """The channel between the bot and a person."""
        for channel in self.channels.values():
            if channel["type"] == DIRECT and channel["recipients"][0]["id"] == user:
                return channel
        made: Json = {
            "id": snowflake(), "type": DIRECT, "recipients": [self.users[user]], "last_message_id": None, "flags": 0,
        }  # fmt: skip
        self.channels[made["id"]], self.messages[made["id"]] = made, {}
        return made

    def add_interaction(
        self, kind: int, user: str, channel: str, source: str | None, name: str, values: dict[str, str]
    ) -> Interaction:
        token = "tok" + snowflake()
        made = Interaction(snowflake(), token, kind, user, channel, time.time(), source, name, values)
        if source is not None:
            made.source_private = bool(self.messages[channel][source]["flags"] & EPHEMERAL)
        self.interactions[made.id] = made
        self.by_token[made.token] = made
        return made

    def add_message(
        self,
        channel: str,
        author: str,
        body: Json | None,
        files: Sequence[File] = (),
        flags: int = 0,
        *,
        noted: bool = True,
    ) -> Json:
        sent = body or {}
        made: Json = {
            "id": snowflake(), "channel_id": channel, "author": self.users[author],
            "content": sent.get("content") or "", "timestamp": timestamp(), "edited_timestamp": None, "tts": False,
            "mention_everyone": False, "mentions": [], "mention_roles": [], "attachments": self.stored(files),
            "embeds": sent.get("embeds") or [], "components": sent.get("components") or [], "pinned": False,
            "type": 0, "flags": (sent.get("flags") or 0) | flags,
        }  # fmt: skip
        if sent.get("message_reference"):
            made["message_reference"] = sent["message_reference"] | {"channel_id": channel}
            made["type"] = 19
        self.messages[channel][made["id"]] = made
        if author == self.app_id and noted:
            self.note(made, files)
        return made

    def note(self, message: Json, files: Sequence[File] = (), it: Interaction | None = None) -> None:
        """Keep how a message of the bot's stands now."""
        channel, viewer = message["channel_id"], ""
        place = self.channels[channel]
        if place["type"] == DIRECT:
            viewer = place["recipients"][0]["id"]
        elif message["flags"] & EPHEMERAL:
            viewer = message["interaction_metadata"]["user"]["id"]
        sent = tuple((name, data) for _, name, data in files)
        cause = "" if it is None else it.name
        self.shown.append(
            Shown(channel, message["id"], bool(viewer), deepcopy(message), sent, viewer, time.time(), cause)
        )

    def stored(self, files: Sequence[File], origin: str = "") -> list[Json]:
        """Files as attachments."""
        kept = []
        for _, name, data in files:
            file = snowflake()
            self.files[file] = data
            url = f"{origin}/cdn/{file}/{name}"
            kept.append({"id": file, "filename": name, "size": len(data), "url": url, "proxy_url": url})
        return kept
