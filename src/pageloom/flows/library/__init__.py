"""Save pages, reparse them, find duplicates, poll the feeds of sources."""
