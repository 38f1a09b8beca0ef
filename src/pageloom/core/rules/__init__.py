"""Stages 2 and 4 of 9: rules. Declarative edits before and after extraction."""
