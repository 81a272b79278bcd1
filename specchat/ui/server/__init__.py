"""The local API server: whether it runs, whom it serves, and its page in the settings."""
