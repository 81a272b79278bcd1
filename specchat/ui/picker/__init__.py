"""The popup that selects the target, the draft and the settings they are loaded with."""

from specchat.ui.picker.pair_button import PairButton, PairButtonState
from specchat.ui.picker.pair_picker import PairPicker

__all__ = ["PairButton", "PairPicker", "PairButtonState"]
