"""Commands that read a page without saving it."""
