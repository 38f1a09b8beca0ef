"""Scripts for those who work on Pageloom; none of them ships with it."""
