"""The pure middle: bytes in, a Document out."""
