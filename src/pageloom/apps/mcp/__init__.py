"""The Model Context Protocol: a library for agents, over stdio and over the web app."""
