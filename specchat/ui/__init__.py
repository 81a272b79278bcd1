"""The window: Qt over the services."""
