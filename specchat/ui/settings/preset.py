"""A preset as the settings page shows it."""

from dataclasses import dataclass

from specchat.domain.conversations import ConversationSettings


@dataclass(frozen=True, slots=True)
class Preset:
    name: str
    settings: ConversationSettings
    built_in: bool = False
    """Cannot be deleted."""
