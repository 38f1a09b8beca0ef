"""Stage 3 of 9: extract. Takes a DecodedPage, gives what the page says about itself and Content."""
