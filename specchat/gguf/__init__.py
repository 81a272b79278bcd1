"""Model files as their headers tell: bounded reading, tokenizers, compatibility; no network, no weights."""
