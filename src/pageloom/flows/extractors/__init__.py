"""Two extractors over the same pages: measure the difference, write the report."""
