"""Libraries that read foreign files; they run only in the sandbox, within limits."""
