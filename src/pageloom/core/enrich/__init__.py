"""Stage 6 of 9: enrich. Takes title, text and Markdown, gives Insights about them."""
