"""Stores the user's prompt library in the chat database."""

from specchat.domain.stored_prompt import StoredPrompt
from specchat.store.database import Database
from specchat.store.encoding import decoding_errors, require_types


class SqliteStoredPrompts:
    def __init__(self, database: Database) -> None:
        self._database = database

    def prompts(self) -> list[StoredPrompt]:
        rows = self._database.rows("SELECT name, text FROM prompt ORDER BY name")
        with decoding_errors(self._database.path):
            for row in rows:
                require_types(str, *row)
        return [StoredPrompt(*row) for row in rows]

    def save_prompt(self, prompt: StoredPrompt, replaced: str) -> None:
        with self._database.transaction():
            self.remove_prompt(replaced)
            self._database.execute("INSERT OR REPLACE INTO prompt (name, text) VALUES (?, ?)", prompt.name, prompt.text)

    def remove_prompt(self, name: str) -> None:
        self._database.execute("DELETE FROM prompt WHERE name = ?", name)
