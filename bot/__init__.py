"""Dogear: a spoiler-safe book-club bot."""
