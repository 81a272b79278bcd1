"""The settings page and its tabs; changes apply at once."""
