"""What drives the core (chat platforms, the terminal) and what the core drives (PostgreSQL, models)."""
