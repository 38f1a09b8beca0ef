"""Commands that watch pages and notify of changes."""
