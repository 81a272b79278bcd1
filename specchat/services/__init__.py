"""What the program can do, for commands, window and server alike."""
