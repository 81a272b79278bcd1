"""Other machines that lend their devices: the list of them, and their part of the manager's pane of engines."""
