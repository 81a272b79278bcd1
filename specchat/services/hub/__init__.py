"""Models on the Hub, and how they get here."""
