"""One check of a watch (request, admit, judge, commit), its policy and its schedule."""
