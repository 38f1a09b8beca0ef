"""Commands for site rules."""
