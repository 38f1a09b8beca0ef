"""The web app and the HTTP API: handlers and templates over the library."""
