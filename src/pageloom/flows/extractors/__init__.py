"""Compare two extractors on the same pages: measure differences, write a report."""
