"""Strategies for what a book, a member or a model might write to break out of a message."""

from __future__ import annotations

from hypothesis import strategies as st

TRICKS = (
    "||", "|", "|||", "\\", "\\|", "\\||", "`", "``", "```", "```py\n", "\n```\n", "*", "**", "***", "_", "__", "~~",
    "# ", "## ", "-# ", "- ", "* ", "1. ", "12. ", "> ", ">>> ", "\n", "\n\n", "\r\n", "\t", " ", "  ", "\x00",
    "\x1b[2J",
    "@everyone", "@here", "@Everyone", "@", "<@123456789012345678>", "<@!1>", "<@&1>", "<#1>", "<t:1700000000:R>",
    "<:a:1>", "<a:b:2>", ":smile:", ":skull", "</ask:123>", "<id:customize>", "https://evil.example/x", "http://a.bc",
    "steam://run/1", "discord://x", "<https://evil.example>", "discord.gg/abc", "discord.com/invite\\abc",
    "www.evil.example",
    "DISCORD.GG/abc", "[a](https://evil.example)", "[a](<b:c>)", "](http://x.y)", "[1]", "(", ")", "](", "mailto:a@b.c",
    "\u202e", "\u202a", "\u2066", "\u2069", "\u200f", "\u200b", "\u2060", "\ufeff", "\u00ad", "\u200d", "\u200c",
    "\ufdd0", "\ufdd1", "\ue000", "\ufffe", "\u2028", "\u2029", "\u0085", "\u3164", "\u034f", "\ud800", "e\u0301",
    "👩\u200d👧", "🏴", "𝕏", "中文。", "שלום", "a", "the end", "Mr. Hyde", "3.5", "¯\\_(ツ)_/¯", "…", "“No!”",
    "everyone", "here",
)  # fmt: skip

hostile = st.lists(st.sampled_from(TRICKS) | st.text(max_size=6), max_size=12).map("".join)
"""Short texts made of tricks."""

sentence = st.lists(st.sampled_from(("birds", "keeps", "Toby", "lamp", "|", "*", "_", "@", "🦉", "a.b")), min_size=2)
prose = st.lists(sentence.map(lambda words: " ".join(words) + "."), min_size=1, max_size=80).map(" ".join)
"""Long texts of short sentences with signs in them."""

long_hostile = st.one_of(
    hostile,
    prose,
    st.builds(lambda text, times: text * times, hostile, st.integers(1, 60)),
)
"""Texts of every length, some longer than several messages."""
