"""Commands for whole archives of pages."""
