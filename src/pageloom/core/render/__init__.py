"""Stage 7 of 9: render. Takes a content tree or a Document, gives Markdown with frontmatter."""
