"""The controllers behind the main window."""
