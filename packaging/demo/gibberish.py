"""What a cat types."""

from __future__ import annotations

from random import Random

_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_SIGNS = "?!.,;:#+*~%&$@/()[]{}<>=-_^|"
_LETTERS = "".join(_ROWS)


def gibberish(rng: Random) -> str:
    return rng.choice((_mashed, _words, _signs, _repeated, _numbers))(rng)


def _mashed(rng: Random) -> str:
    row = rng.choice(_ROWS)
    return "".join(rng.choice(row) for _ in range(rng.randint(4, 18)))


def _words(rng: Random) -> str:
    def word() -> str:
        return "".join(rng.choice(_LETTERS) for _ in range(rng.randint(2, 9)))

    return " ".join(word() for _ in range(rng.randint(1, 6)))


def _signs(rng: Random) -> str:
    return "".join(rng.choice(_SIGNS) for _ in range(rng.randint(1, 8)))


def _repeated(rng: Random) -> str:
    syllable = "".join(rng.choice(_LETTERS) for _ in range(rng.randint(1, 3)))
    return syllable * rng.randint(3, 8)


def _numbers(rng: Random) -> str:
    return " ".join(str(rng.randrange(10 ** rng.randint(1, 8))) for _ in range(rng.randint(1, 4)))
