"""Archives in, Documents out: plan, shards, parts, and what carries them out."""
