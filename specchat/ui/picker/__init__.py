"""Chooses the pair: which models, and how they are loaded."""

from specchat.ui.picker.pair_button import PairButton, PairState
from specchat.ui.picker.picker import PairPicker

__all__ = ["PairButton", "PairPicker", "PairState"]
