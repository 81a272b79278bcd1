"""From nothing to a window, also where Qt cannot start."""
