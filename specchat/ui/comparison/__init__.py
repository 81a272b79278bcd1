"""The same question to two pairs, or to one with and without its draft."""
