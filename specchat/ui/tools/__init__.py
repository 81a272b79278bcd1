"""Tools in the window: calls that wait for consent, and the settings of their servers."""
