"""Manages the prompts that the user has stored to insert them into messages."""

from specchat.domain.errors import SettingError
from specchat.domain.ports import StoredPromptStore
from specchat.domain.stored_prompt import StoredPrompt
from specchat.services.chat.titles import automatic_title, make_unique_title, one_line

LONGEST_NAME = 60


class PromptLibrary:
    def __init__(self, store: StoredPromptStore) -> None:
        self._store = store

    def list_prompts(self) -> list[StoredPrompt]:
        """By their names."""
        return sorted(self._store.prompts(), key=lambda prompt: prompt.name.casefold())

    def find(self, query: str) -> list[StoredPrompt]:
        """Finds names that contain the query; those that begin with it come first."""
        wanted = query.casefold()
        prompts = self.list_prompts()
        begin = [prompt for prompt in prompts if prompt.name.casefold().startswith(wanted)]
        return [*begin, *(each for each in prompts if wanted in each.name.casefold() and each not in begin)]

    def save(self, name: str, text: str, replaced: str = "") -> StoredPrompt:
        """`replaced`: the old name. A prompt without a name is named after its text."""
        if not text.strip():
            raise SettingError("A prompt needs a text.", "Enter the text to insert.")
        others = [each.name for each in self._store.prompts() if each.name.casefold() != replaced.casefold()]
        taken = {other.casefold() for other in others}
        name = _tidy_name(name) or _tidy_name(automatic_title(text)) or "/"
        while name.casefold() in taken:
            name = make_unique_title(name, others)
        prompt = StoredPrompt(name, text)
        self._store.save_prompt(prompt, replaced)
        return prompt

    def remove(self, name: str) -> None:
        self._store.remove_prompt(name)


def _tidy_name(name: str) -> str:
    return one_line(name)[:LONGEST_NAME].strip()
