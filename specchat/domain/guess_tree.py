"""The form of a tree of guesses: for each of them, which earlier one it follows; -1: the text."""

from collections.abc import Sequence


def chain_parents(length: int) -> tuple[int, ...]:
    """Each follows the one before."""
    return tuple(range(-1, length - 1))


def main_length(parents: Sequence[int]) -> int:
    """Guesses on the main branch, which comes first."""
    return next((i for i, parent in enumerate(parents) if parent != i - 1), len(parents))


def count_branches(parents: Sequence[int]) -> int:
    return len(parents) - len(set(parents) - {-1})
