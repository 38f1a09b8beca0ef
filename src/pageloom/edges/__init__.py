"""The outside world: one module or folder for each outside thing."""
