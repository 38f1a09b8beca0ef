"""Front doors: the command line, the workers; each catches PageloomError in one place."""
