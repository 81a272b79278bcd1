"""What is said, in the language of the window."""
