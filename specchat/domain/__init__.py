"""Plain values and interfaces of the program; imports only the standard library."""
