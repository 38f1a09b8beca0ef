"""What a notice says, the outbox it waits in, and the target it is sent to."""
