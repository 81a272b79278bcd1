"""Client of MCP servers. Only these modules use the SDK; import them on first use, as that takes most of a second."""
