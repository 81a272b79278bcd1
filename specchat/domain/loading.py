"""What is done while a pair is loaded."""

from collections.abc import Callable
from enum import StrEnum


class LoadStage(StrEnum):
    """In this order; what is not needed is left out."""

    CHECKING_TARGET = "checking the target"
    """The first load of a file, in a process of its own."""
    LOADING_TARGET = "loading the target"
    CHECKING_DRAFT = "checking the draft"
    LOADING_DRAFT = "loading the draft"
    SELF_TEST = "self-test"
    MEASURING_SPEED = "measuring speed"


OnLoading = Callable[[LoadStage, float], None]
"""What is being done, and how much of everything is: that never becomes less."""
