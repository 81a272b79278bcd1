"""Background threads and tasks of the user interface."""
