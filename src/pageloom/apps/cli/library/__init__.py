"""Commands of the library of saved pages."""
