"""Manages the prompts that the user has stored to insert them into messages."""

from specchat.domain.errors import SettingError
from specchat.domain.ports import StoredPromptStore
from specchat.domain.stored_prompt import StoredPrompt
from specchat.services.chat.titles import one_line

LONGEST_NAME = 60


class PromptLibrary:
    def __init__(self, store: StoredPromptStore) -> None:
        self._store = store

    def list_prompts(self) -> list[StoredPrompt]:
        """By their names."""
        return sorted(self._store.prompts(), key=lambda prompt: prompt.name.casefold())

    def find(self, query: str) -> list[StoredPrompt]:
        """Those whose names begin with it, then those that have it elsewhere in their names."""
        wanted = query.casefold()
        prompts = self.list_prompts()
        begin = [prompt for prompt in prompts if prompt.name.casefold().startswith(wanted)]
        return [*begin, *(each for each in prompts if wanted in each.name.casefold() and each not in begin)]

    def save(self, name: str, text: str, replaced: str = "") -> StoredPrompt:
        """`replaced`: what it was called before."""
        name = one_line(name)[:LONGEST_NAME].strip()
        if not name:
            raise SettingError("A prompt needs a name.", "Enter a name.")
        if not text.strip():
            raise SettingError("A prompt needs a text.", "Enter the text to insert.")
        taken = {each.name.casefold() for each in self._store.prompts()} - {replaced.casefold()}
        if name.casefold() in taken:
            raise SettingError("There is already a prompt called {name}.", "Choose another name.", name=name)
        prompt = StoredPrompt(name, text)
        self._store.save_prompt(prompt, replaced)
        return prompt

    def remove(self, name: str) -> None:
        self._store.remove_prompt(name)
