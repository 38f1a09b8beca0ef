"""Pageloom inside other programs: thin, and each with an extra of its own."""
