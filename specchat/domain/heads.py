"""Kinds of heads: drafters that read the hidden states of their target."""

from enum import StrEnum


class HeadKind(StrEnum):
    """The kinds of heads, named as in `draft_type` and `inspect`."""

    MTP = "mtp"
    EAGLE3 = "eagle3"
    DFLASH = "dflash"
    DSPARK = "dspark"
    MEDUSA = "medusa"

    @property
    def guesses_blocks(self) -> bool:
        """All guesses in one pass, not one after another."""
        return self in (HeadKind.DFLASH, HeadKind.DSPARK)

    @property
    def reads_layers(self) -> bool:
        """The inputs of some layers that its file names; the others read what the last layer leaves."""
        return self not in (HeadKind.MTP, HeadKind.MEDUSA)


class HeadObstacle(StrEnum):
    """Why a head doesn't go with a target, beyond their tokens: codes that `compat` gives."""

    TARGET_IS_HEAD = "head-of-head"
    FAMILY = "head-family"
    DEPTH = "head-depth"
    WIDTH = "head-width"
    LAYERS = "head-layers"
    NO_LAYER_STATES = "no-layer-states"
