"""Stores the presets of the user in the chat database."""

from specchat.domain.conversations import ConversationSettings
from specchat.store.database import Database
from specchat.store.encoding import decode_settings, decoding_errors, encode


class SqlitePresets:
    def __init__(self, database: Database) -> None:
        self._database = database

    def presets(self) -> list[ConversationSettings]:
        rows = self._database.rows("SELECT settings FROM preset ORDER BY name")
        with decoding_errors(self._database.path):
            return [decode_settings(settings) for (settings,) in rows]

    def save_preset(self, settings: ConversationSettings) -> None:
        self._database.execute(
            "INSERT OR REPLACE INTO preset (name, settings) VALUES (?, ?)", settings.preset, encode(settings)
        )

    def remove_preset(self, name: str) -> None:
        self._database.execute("DELETE FROM preset WHERE name = ?", name)
