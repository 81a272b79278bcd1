"""Connections to other engines: the manager's pane, their dialogs, and what the picker shows of them."""
