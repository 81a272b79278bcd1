"""Recordings in the window: named, and played elsewhere."""
