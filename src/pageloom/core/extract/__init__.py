"""Stage 3 of 9: extract. Takes a Source, gives what the page says of itself and its Content."""
