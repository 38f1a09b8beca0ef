"""The library: pages, versions and what users did with them, in SQLite or PostgreSQL."""
