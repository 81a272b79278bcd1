"""Stores the user's settings, presets and secrets."""
