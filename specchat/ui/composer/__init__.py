"""The message composer with its text field, attachments and context meter."""

from specchat.ui.composer.composer import Composer
from specchat.ui.composer.context_usage import ContextPart, ContextUsage

__all__ = ["Composer", "ContextPart", "ContextUsage"]
