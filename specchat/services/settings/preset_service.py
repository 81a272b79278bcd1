"""Manages named presets of system prompt and sampling settings."""

from dataclasses import replace

from specchat.domain.conversations import RANDOM_SEED, ConversationSettings
from specchat.domain.errors import SettingError
from specchat.domain.ports import PresetStore
from specchat.domain.types import SamplingParams
from specchat.services.chat.titles import one_line

BALANCED = ConversationSettings(preset="Balanced")
PRECISE = ConversationSettings(preset="Precise", sampling=SamplingParams(temperature=0.0, seed=RANDOM_SEED))
CREATIVE = ConversationSettings(
    preset="Creative", sampling=SamplingParams(temperature=1.2, top_k=0, top_p=0.98, seed=RANDOM_SEED)
)
BUILT_IN = (BALANCED, PRECISE, CREATIVE)

_LONGEST_NAME = 60


class PresetService:
    def __init__(self, store: PresetStore) -> None:
        self._store = store

    def list_presets(self) -> list[ConversationSettings]:
        """The built-in ones first."""
        return [*BUILT_IN, *self._store.presets()]

    def save(self, name: str, settings: ConversationSettings) -> ConversationSettings:
        """In place of one of the same name."""
        name = _tidy_name(name)
        if not name:
            raise SettingError("A preset needs a name.", "Enter a name.")
        if is_built_in(name):
            raise SettingError("{name} is built in and can't be changed.", "Choose another name.", name=name)
        preset = replace(settings, preset=name)
        self._store.save_preset(preset)
        return preset

    def find_own(self, name: str) -> ConversationSettings | None:
        """What `save` would replace, and `remove` would delete."""
        wanted = _tidy_name(name).casefold()
        return next((preset for preset in self._store.presets() if preset.preset.casefold() == wanted), None)

    def remove(self, name: str) -> None:
        self._store.remove_preset(name)


def _tidy_name(name: str) -> str:
    return one_line(name)[:_LONGEST_NAME].strip()


def is_built_in(name: str) -> bool:
    return name.casefold() in {preset.preset.casefold() for preset in BUILT_IN}
