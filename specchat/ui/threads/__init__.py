"""Work away from the window's thread."""
