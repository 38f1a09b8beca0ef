"""Site rules: explain what they did, test them with cases, import rules of other readers."""
