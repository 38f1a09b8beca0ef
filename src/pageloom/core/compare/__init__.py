"""Stage 9 of 9: compare. Takes two Documents, gives what changed."""
