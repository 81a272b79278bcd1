"""Pictures in the window: read, shown small, and looked at."""
