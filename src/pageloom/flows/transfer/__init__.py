"""Import pages from other programs' files, export pages to their formats, back up the library."""
