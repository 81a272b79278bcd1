"""A drafter's proposal for one step: guesses that follow each other or form a tree.

A tree has a form: for each guess, which earlier one it follows; -1: the text. Its main branch comes first.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace


def chain_parents(length: int) -> tuple[int, ...]:
    """Each follows the one before."""
    return tuple(range(-1, length - 1))


def main_length(parents: Sequence[int]) -> int:
    """Guesses on the main branch, which comes first."""
    return next((i for i, parent in enumerate(parents) if parent != i - 1), len(parents))


def count_branches(parents: Sequence[int]) -> int:
    return len(parents) - len(set(parents) - {-1})


@dataclass(frozen=True, slots=True)
class Probes:
    """Tokens that ride on a pass: they are no guesses, but the drafter wants to know what the target says of them."""

    tokens: tuple[int, ...] = ()
    parents: tuple[int, ...] = ()
    """As of a proposal, whose guesses they are counted after."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """Guesses for the next tokens, best first in time; one origin and one confidence each.

    They follow one another, or form a tree, whose main branch comes first.
    """

    tokens: tuple[int, ...] = ()
    origins: tuple[str, ...] = ()
    confidences: tuple[float, ...] = ()
    parents: tuple[int, ...] = ()
    """Of a tree: for each guess, which earlier one it follows; -1: the text. Empty: they follow one another."""
    seconds: tuple[int | None, ...] = ()
    """What else could stand in place of each guess, where that is known: not proposed, until a branch is made of it."""
    probes: Probes = Probes()

    @property
    def depths(self) -> Sequence[int]:
        """How many guesses each of them follows."""
        depths = list[int]()
        for parent in self.parents:
            depths.append(depths[parent] + 1 if parent >= 0 else 0)
        return depths or range(len(self.tokens))

    @property
    def n_main(self) -> int:
        """Guesses on the main branch."""
        return main_length(self.parents) if self.parents else len(self.tokens)

    @property
    def rows(self) -> tuple[int, ...]:
        """All that the target evaluates."""
        return self.tokens + self.probes.tokens

    @property
    def row_parents(self) -> tuple[int, ...]:
        """Empty: they follow one another."""
        if not self.probes.tokens:
            return self.parents
        return self._tree_parents + self.probes.parents

    @property
    def _tree_parents(self) -> tuple[int, ...]:
        return self.parents or chain_parents(len(self.tokens))

    @property
    def n_branches(self) -> int:
        return count_branches(self.row_parents) if self.row_parents else 1

    def find_guess(self, token: int, parent: int) -> int | None:
        """Which guess is this token, after that guess?"""
        if not self.parents:
            after = parent + 1
            return after if after < len(self.tokens) and self.tokens[after] == token else None
        guesses = enumerate(zip(self.tokens, self.parents, strict=True))
        return next((i for i, guess in guesses if guess == (token, parent)), None)

    def was_right(self, guess: int, held: Sequence[int]) -> bool | None:
        """`held`: guesses that were accepted. None: those before it were not."""
        parent = self.parents[guess] if self.parents else guess - 1
        return guess in held if parent < 0 or parent in held else None

    def first(self, count: int) -> "Proposal":
        if count >= len(self.tokens):
            return self
        return Proposal(
            self.tokens[:count],
            self.origins[:count],
            self.confidences[:count],
            self.parents[:count],
            self.seconds[:count],
        )

    def main_branch(self) -> "Proposal":
        """A chain."""
        is_chain = not self.row_parents
        return self if is_chain else replace(self.first(self.n_main), parents=(), probes=Probes())

    def with_branch(self, token: int, place: int) -> "Proposal":
        """Another guess beside one of the main branch, whose origin and confidence it shares."""
        return Proposal(
            (*self.tokens, token),
            (*self.origins, self.origins[place]),
            (*self.confidences, self.confidences[place]),
            (*self._tree_parents, place - 1),
        )
