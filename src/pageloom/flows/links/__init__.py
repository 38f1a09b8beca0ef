"""Whether saved pages are still there, and what an archive has of those that are not."""
