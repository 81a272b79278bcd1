"""Use cases of the program, shared by the commands, the window and the server."""
