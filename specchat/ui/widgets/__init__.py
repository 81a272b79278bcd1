"""Widgets, dialogs and styling shared by the whole window."""
