"""The pure core: content in, a Document out; no input or output of its own."""
