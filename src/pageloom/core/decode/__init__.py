"""Stage 1 of 9: decode. Takes bytes or text, gives a DecodedPage: text, tree and media type."""
