"""Getting pages: every byte of the network passes the one gate in ``guard.py``."""
