"""The program itself: how its last run ended, bundled resources and updates."""
