"""Notifiers: one file for each kind of target (webhook, e-mail, feed, console, Apprise)."""
