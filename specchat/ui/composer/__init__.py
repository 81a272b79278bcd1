"""Where messages are written."""

from specchat.ui.composer.composer import Composer
from specchat.ui.composer.context_use import ContextPart, ContextUse

__all__ = ["Composer", "ContextPart", "ContextUse"]
