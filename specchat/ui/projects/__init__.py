"""Projects: what their rows in the sidebar do, and their settings."""
