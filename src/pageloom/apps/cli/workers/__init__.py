"""Commands for the workers and their queues."""
