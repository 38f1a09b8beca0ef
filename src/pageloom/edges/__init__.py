"""Input and output: one module or folder for each outside system."""
