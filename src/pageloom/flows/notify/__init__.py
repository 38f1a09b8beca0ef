"""Notifications: build a notice, queue it in the outbox, send it to its target."""
