"""The benchmark: what guessing is worth on this computer, with these models and these questions."""
