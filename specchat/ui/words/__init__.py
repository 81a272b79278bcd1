"""Formats numbers and translates texts for the window's language."""
