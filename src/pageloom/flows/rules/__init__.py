"""Site rules at work: explain them, prove them by cases, import other readers' rules."""
