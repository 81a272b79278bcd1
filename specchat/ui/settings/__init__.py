"""The pages of the settings dialog."""
