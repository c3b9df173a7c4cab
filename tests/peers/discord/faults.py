"""What goes wrong on the way: statuses that come once or several times, answers held back, buckets that run out."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, field

from aiohttp import web

from tests.peers.discord.payloads import ApiError

VIA = {"Via": "1.1 loopback"}
"""Without it discord.py takes a 429 for a ban of Cloudflare's."""


@dataclass
class Fault:
    """``times`` requests of this method and path (a pattern) are answered with ``status``.

    ``after`` says that the request is carried out first, so that only its answer is lost; ``everywhere`` that a 429 is
    of the limit on all requests together; ``code`` is Discord's own.
    """

    method: str
    path: str
    status: int
    times: int = 1
    retry_after: float = 0.2
    after: bool = False
    everywhere: bool = False
    code: int = 0


@dataclass(eq=False)
class Hold:
    """Requests of this method and path (a pattern), and with these words in them, are not carried out until they are
    let go (`FakeDiscord.let_go`). ``reached`` counts those that wait.
    """

    method: str
    path: str
    has: str = ""
    reached: int = 0
    released: bool = False


@dataclass
class Faults:
    """The faults that are to come, and the buckets: a pattern of paths, so many requests in so many seconds."""

    coming: list[Fault] = field(default_factory=list)
    holds: list[Hold] = field(default_factory=list)
    buckets: dict[str, tuple[int, float]] = field(default_factory=dict)
    limited: int = 0
    _hits: dict[str, list[float]] = field(default_factory=dict)

    def before(self, method: str, path: str) -> Fault | None:
        """The fault of a request. Raises `ApiError` for one that is not carried out."""
        found = next((f for f in self.coming if f.method == method and re.fullmatch(f.path, path)), None)
        if found is None:
            return None
        found.times -= 1
        if found.times <= 0:
            self.coming.remove(found)
        if found.after:
            return found
        if found.status == 429:
            raise self._over(found.retry_after, found.everywhere)
        raise ApiError(found.status, found.code, "fault")

    def holding(self, method: str, path: str, body: object) -> Hold | None:
        """What holds a request back."""
        for hold in self.holds:
            if hold.method == method and re.fullmatch(hold.path, path) and hold.has in json.dumps(body):
                return hold
        return None

    def counted(self, path: str) -> dict[str, str]:
        """The headers of a request's bucket. Raises `ApiError` where it has run out."""
        for pattern, (limit, window) in self.buckets.items():
            if re.fullmatch(pattern, path):
                now = time.time()
                hits = self._hits.setdefault(path, [])
                hits[:] = [hit for hit in hits if now - hit < window]
                reset = hits[0] + window - now if hits else window
                if len(hits) >= limit:
                    raise self._over(reset)
                hits.append(now)
                return bucket_headers(limit, limit - len(hits), reset)
        return {}

    def _over(self, retry_after: float, everywhere: bool = False) -> ApiError:
        self.limited += 1
        told = {"retry_after": round(retry_after, 3), "global": everywhere}
        return ApiError(429, 0, "You are being rate limited.", **told)


def bucket_headers(limit: int, remaining: int, reset: float) -> dict[str, str]:
    return {
        "X-RateLimit-Limit": str(limit),
        "X-RateLimit-Remaining": str(remaining),
        "X-RateLimit-Reset": str(time.time() + reset),
        "X-RateLimit-Reset-After": f"{reset:.3f}",
        "X-RateLimit-Bucket": "loopback",
    }


def json_response(value: object, status: int, headers: Mapping[str, str]) -> web.Response:
    """JSON with exactly the content type that discord.py compares with: no charset."""
    sent = {**headers, "Content-Type": "application/json"}
    return web.Response(body=json.dumps(value).encode(), status=status, headers=sent)


def error_response(error: ApiError) -> web.Response:
    headers = dict(VIA)
    if error.status == 429:
        retry_after = float(error.body["retry_after"])
        headers |= {"Retry-After": str(retry_after)}
        headers |= {"X-RateLimit-Global": "true"} if error.body["global"] else bucket_headers(5, 0, retry_after)
    return json_response(error.body, error.status, headers)
