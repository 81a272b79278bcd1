"""Measures what guessing brings: every way answers every prompt, taking turns."""
