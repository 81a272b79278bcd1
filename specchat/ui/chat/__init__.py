"""Behind the window: what its parts show, and what happens on a click."""
