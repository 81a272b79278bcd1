"""Tools of MCP servers: which there are, which the user consented to, and calls of them."""
