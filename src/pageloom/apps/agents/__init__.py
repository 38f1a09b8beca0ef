"""Workers between queues: each a thin shell over one flow."""
