"""Other engines: how they are found, asked and understood."""
