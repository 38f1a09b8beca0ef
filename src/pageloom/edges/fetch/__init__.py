"""Fetching and rendering pages; ``guard.py`` checks every connection (SSRF protection)."""
