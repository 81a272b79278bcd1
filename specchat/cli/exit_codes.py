"""Exit codes of commands, besides 0, and 2 for wrong arguments."""

USER_ERROR = 1
NEGATIVE_ANSWER = 3
"""The verdict is the answer: it does not go together, or does not fit."""
INTERRUPTED = 130
