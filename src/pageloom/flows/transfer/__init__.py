"""Pages in from other programs' files, and out to theirs."""
