"""Who may come in: passwords, sessions, sign-in links, tokens and what they may do."""
