"""Starts the window and reports what prevents it, even where Qt cannot start."""
