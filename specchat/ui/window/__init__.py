"""The window itself: its layout, menus and keys, and what is shown beside every page."""
