"""A loopback Discord, REST v10 and gateway in one application, and people who use it.

It is a model of the service and proves nothing about the real one: docs/manual-check.md is for that.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from aiohttp import web

from tests.peers.apart import Apart, run_apart
from tests.peers.discord.faults import Faults, Hold
from tests.peers.discord.gateway import Gateway
from tests.peers.discord.payloads import UPLOAD_LIMIT, Json, snowflake
from tests.peers.discord.rest import Request, Rest
from tests.peers.discord.state import Interaction, World

T = TypeVar("T")

MANAGE_GUILD = 1 << 5
MANAGE_MESSAGES = 1 << 13
_COMMAND, _COMPONENT, _AUTOCOMPLETE, _SUBMIT = 2, 3, 4, 5
_EVERYTHING = str((1 << 53) - 1)
_CONTENT = 1 << 15


class FakeDiscord:
    """Discord, in a thread of its own. Methods that are named for what people do say so to the bot."""

    def __init__(self, token: str = "loopback.token", *, granted: bool = True) -> None:
        self.token, self.origin = token, ""
        self.world, self.faults = World(), Faults()
        self.apart = Apart()
        self._condition = asyncio.Condition()
        self.gateway = Gateway(self.world, token, lambda: self.origin, self._changed, self.apart)
        self.rest = Rest(self.world, self.gateway, token, self.faults, self._changed, self._happens, granted)

    @property
    def requests(self) -> list[Request]:
        return self.rest.requests

    @property
    def problems(self) -> list[str]:
        """What Discord would not have taken of what came."""
        return self.rest.problems

    @run_apart
    async def start(self) -> None:
        app = web.Application(client_max_size=64 << 20)
        app.router.add_get("/gw", self.gateway.handle)
        app.router.add_get("/gw/", self.gateway.handle)
        app.router.add_get("/cdn/{id}/{name}", self.rest.cdn)
        app.router.add_route("*", "/api/v10/{path:.*}", self.rest.handle)
        self._runner = web.AppRunner(app)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self.origin = f"http://127.0.0.1:{self._runner.addresses[0][1]}"

    async def stop(self) -> None:
        await self._stopped()
        self.apart.end()

    @run_apart
    async def _stopped(self) -> None:
        await self.gateway.drop()
        await self._runner.cleanup()

    async def _changed(self) -> None:
        async with self._condition:
            self._condition.notify_all()

    @run_apart
    async def touch(self) -> None:
        """Something that is waited for may have happened outside."""
        await self._changed()

    async def _happens(self, found: Callable[[], T | None]) -> T:
        async with self._condition:
            while not (value := found()):
                await self._condition.wait()
            return value

    @run_apart
    async def until(self, found: Callable[[], T | None], seconds: float = 60.0) -> T:
        """What ``found`` returns once it is true of anything. Raises ``TimeoutError``."""
        return await asyncio.wait_for(self._happens(found), seconds)

    def hold(self, method: str, path: str, has: str = "") -> Hold:
        """Hold back what comes from now on, of this method and path (a pattern), and with these words in it."""
        made = Hold(method, path, has)
        self.faults.holds.append(made)
        return made

    @run_apart
    async def let_go(self, hold: Hold) -> None:
        """Carry out what was held back."""
        self.faults.holds.remove(hold)
        hold.released = True
        await self._changed()

    @run_apart
    async def forbid(self, channel: str, who: str, rights: int) -> None:
        """Take rights from a person or role in a channel; 0 gives them all back."""
        await self.gateway.dispatch("CHANNEL_UPDATE", self.world.forbid(channel, who, rights))

    @run_apart
    async def add_guild(
        self, name: str, members: Sequence[str] = (), shard: tuple[int, int] = (0, 1)
    ) -> tuple[str, str]:
        guild, channel = self.world.add_guild(name, members, shard)
        await self.gateway.guild_created(guild)
        return guild, channel

    @run_apart
    async def add_thread(self, parent: str, name: str, members: Sequence[str], *, private: bool = False) -> str:
        thread = self.world.add_thread(parent, name, members, private=private)
        await self.gateway.dispatch("THREAD_CREATE", self.world.channels[thread])
        return thread

    @run_apart
    async def member_left(self, guild: str, user: str) -> None:
        del self.world.members[guild, user]
        self.world.guilds[guild]["member_count"] -= 1
        await self.gateway.dispatch("GUILD_MEMBER_REMOVE", {"guild_id": guild, "user": self.world.users[user]})

    @run_apart
    async def member_came(self, guild: str, user: str) -> None:
        member = self.world.add_member(guild, user)
        self.world.guilds[guild]["member_count"] += 1
        await self.gateway.dispatch("GUILD_MEMBER_ADD", {**member, "guild_id": guild})

    @run_apart
    async def said(self, user: str, channel: str, content: str, mentions: Sequence[str] = ()) -> Json:
        """A person writes in a channel; without the intent the bot gets the words only where it is mentioned."""
        message = self.world.add_message(channel, user, {"content": content})
        message["mentions"] = [self.world.users[u] for u in mentions]
        told, guild = dict(message), self.world.channels[channel].get("guild_id")
        if guild:
            told["guild_id"] = guild
            told["member"] = {k: v for k, v in self.world.members[guild, user].items() if k != "user"}
            if not self.gateway.intents & _CONTENT and self.world.app_id not in mentions:
                told |= {"content": "", "embeds": [], "attachments": [], "components": []}
        await self.gateway.dispatch("MESSAGE_CREATE", told)
        return message

    @run_apart
    async def wrote(self, user: str, content: str) -> Json:
        """A person writes to the bot alone."""
        return await self.said(user, self.world.direct(user)["id"], content)

    @run_apart
    async def _interacted(
        self, kind: int, user: str, channel: str, data: Json, *, name: str, values: dict[str, str] | None = None,
        source: str | None = None, rights: int = 0,
    ) -> Interaction:  # fmt: skip
        it = self.world.add_interaction(kind, user, channel, source, name, values or {})
        place = self.world.channels[channel]
        guild = place.get("guild_id")
        own = str(self.world.rights(self.world.app_id, channel)) if guild else _EVERYTHING
        told: Json = {
            "id": it.id, "application_id": self.world.app_id, "type": kind, "token": it.token, "version": 1,
            "data": data, "channel_id": channel, "channel": place, "locale": "en-US", "entitlements": [],
            "authorizing_integration_owners": {"0": guild} if guild else {"1": user}, "context": 0 if guild else 1,
            "attachment_size_limit": UPLOAD_LIMIT, "app_permissions": own,
        }  # fmt: skip
        if guild:
            member = self.world.members[guild, user] | {"permissions": str(rights)}
            told |= {"guild_id": guild, "guild_locale": "en-US", "member": member}
        else:
            told["user"] = self.world.users[user]
        if source:
            told["message"] = self.world.messages[channel][source]
        await self.gateway.dispatch("INTERACTION_CREATE", told)
        return it

    def _command(self, name: str) -> tuple[Json, Json, list[str]]:
        path = name.split()
        command = next(c for c in self.world.commands if c["name"] == path[0])
        node = command
        for part in path[1:]:
            node = next(option for option in node["options"] if option["name"] == part)
        return command, node, path

    @run_apart
    async def slash(
        self,
        user: str,
        channel: str,
        command: str,
        /,
        *,
        rights: int = 0,
        focused: str | None = None,
        **options: Any,
    ) -> Interaction:
        """A slash command ("book add"), or with ``focused`` a look at what completes that option.

        An attachment is a pair of the file's name and what is in it.
        """
        root, node, path = self._command(command)
        types = {option["name"]: option["type"] for option in node.get("options") or []}
        resolved: Json = {}
        values: list[Json] = []
        for key, given in options.items():
            value = given
            if types[key] == 11:
                (kept,) = self.world.stored([("file", *given)], self.origin)
                resolved.setdefault("attachments", {})[kept["id"]] = kept
                value = kept["id"]
            if types[key] == 6:
                resolved.setdefault("users", {})[value] = self.world.users[value]
            values.append(
                {"name": key, "type": types[key], "value": value} | ({"focused": True} if key == focused else {})
            )
        for part in reversed(path[1:]):
            values = [{"name": part, "type": 1, "options": values}]
        data = {"id": root["id"], "name": root["name"], "type": 1, "options": values, "resolved": resolved}
        kind = _AUTOCOMPLETE if focused else _COMMAND
        typed = {key: given for key, given in options.items() if isinstance(given, str)}
        return await self._interacted(kind, user, channel, data, name=command, values=typed, rights=rights)

    @run_apart
    async def menu(self, user: str, channel: str, name: str, message: str) -> Interaction:
        """A message's context menu."""
        command = next(c for c in self.world.commands if c["name"] == name)
        resolved = {"messages": {message: self.world.messages[channel][message]}}
        data = {"id": command["id"], "name": name, "type": 3, "target_id": message, "resolved": resolved}
        return await self._interacted(_COMMAND, user, channel, data, name=name)

    @run_apart
    async def click(self, user: str, channel: str, message: str, label: str) -> Interaction:
        """Press the button of a message with this label."""
        rows = self.world.messages[channel][message]["components"]
        (custom_id,) = [i["custom_id"] for row in rows for i in row["components"] if i.get("label") == label]
        return await self.press(user, channel, message, custom_id)

    @run_apart
    async def press(self, user: str, channel: str, message: str, custom_id: str) -> Interaction:
        data = {"custom_id": custom_id, "component_type": 2}
        return await self._interacted(_COMPONENT, user, channel, data, name=custom_id, source=message)

    @run_apart
    async def choose(self, user: str, channel: str, message: str, label: str) -> Interaction:
        """Choose from the menu of a message what has this label."""
        rows = self.world.messages[channel][message]["components"]
        (menu,) = [item for row in rows for item in row["components"] if item["type"] == 3]
        (value,) = [option["value"] for option in menu["options"] if option["label"] == label]
        data = {"custom_id": menu["custom_id"], "component_type": 3, "values": [value]}
        return await self._interacted(_COMPONENT, user, channel, data, name=menu["custom_id"], source=message)

    @run_apart
    async def submit(self, user: str, shown: Interaction, /, **values: str) -> Interaction:
        """Send a modal that was shown."""
        assert shown.modal is not None
        rows = [{"type": 1, "components": [{"type": 4, "custom_id": k, "value": v}]} for k, v in values.items()]
        data = {"custom_id": shown.modal["custom_id"], "components": rows}
        name = shown.modal["custom_id"]
        return await self._interacted(_SUBMIT, user, shown.channel, data, name=name, values=values, source=shown.source)

    def message(self, it: Interaction) -> Json:
        """The bot's first reply to an interaction."""
        return self.world.messages[it.channel][it.original or snowflake()]
