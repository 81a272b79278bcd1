import pytest
from support.chats import SETTINGS

from specchat.domain.conversations import ConversationSettings
from specchat.domain.errors import SettingError
from specchat.services.settings.preset_service import BUILT_IN, PRECISE, PresetService
from specchat.store.chat_store import SqliteChatStore
from specchat.store.presets import SqlitePresets


@pytest.fixture
def presets(chats: SqliteChatStore) -> PresetService:
    return PresetService(SqlitePresets(chats.database))


def test_some_are_built_in(presets: PresetService) -> None:
    assert tuple(presets.list_presets()) == BUILT_IN
    assert PRECISE.sampling.temperature == 0
    assert [preset.preset for preset in BUILT_IN] == ["Balanced", "Precise", "Creative"]


def test_own_ones_are_kept_under_their_name(presets: PresetService) -> None:
    saved = presets.save(" My\nown ", SETTINGS)
    assert saved.preset == "My own"
    presets.save("another", ConversationSettings())
    changed = presets.save("MY OWN", ConversationSettings(system_prompt="Be long."))
    assert presets.list_presets()[3:] == [ConversationSettings(preset="another"), changed]
    presets.remove("my own")
    assert len(presets.list_presets()) == 4


@pytest.mark.parametrize("name", ["", " \n", "balanced", "PRECISE"])
def test_names_that_cannot_be(presets: PresetService, name: str) -> None:
    with pytest.raises(SettingError):
        presets.save(name, SETTINGS)


def test_what_would_be_replaced(presets: PresetService) -> None:
    saved = presets.save("My own", SETTINGS)
    assert presets.find_own(" my  OWN") == saved
    assert presets.find_own("Balanced") is None
    assert presets.find_own("another") is None
