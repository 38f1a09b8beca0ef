"""The HTTP API, ``/api/v1``: one module for each subject."""
