"""Which draft guesses for a target, and what it should bring."""
