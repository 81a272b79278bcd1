"""One window for each home, whoever opens files with it."""
