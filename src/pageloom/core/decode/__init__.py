"""Stage 1 of 8 — decode. Takes bytes or text, gives a Source: text, tree and media type."""
