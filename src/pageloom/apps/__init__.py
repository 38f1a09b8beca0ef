"""The ways in; each catches PageloomError exactly once."""
