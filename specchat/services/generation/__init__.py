"""From two files to a loaded pair, and from a question to an answer."""
