"""Stage 8 of 9: snapshot. Takes a Document, gives its hashes: identity in time."""
