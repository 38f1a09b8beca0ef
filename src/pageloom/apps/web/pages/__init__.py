"""The pages that people see, one module for each subject."""
