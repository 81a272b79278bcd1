"""The help: a page of the window that shows the program's documentation."""
