"""The model manager: find a pair that matches and fits, and have it here."""
