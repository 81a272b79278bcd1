"""What the user chose, and is asked for once."""
