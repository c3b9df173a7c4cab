"""Measuring what people run: recall, leaks, refusals and speed. Nothing here has a part in answering."""
