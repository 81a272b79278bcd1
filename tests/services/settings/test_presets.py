import pytest
from support.chats import SETTINGS

from specchat.domain.conversations import ConversationSettings
from specchat.domain.errors import SettingError
from specchat.services.settings.presets import BUILT_IN, PRECISE, Presets
from specchat.store.chat_store import SqliteChatStore
from specchat.store.presets import SqlitePresets


@pytest.fixture
def presets(chats: SqliteChatStore) -> Presets:
    return Presets(SqlitePresets(chats.database))


def test_some_are_built_in(presets: Presets) -> None:
    assert tuple(presets.all()) == BUILT_IN
    assert PRECISE.sampling.temperature == 0
    assert [preset.preset for preset in BUILT_IN] == ["Balanced", "Precise", "Creative"]


def test_own_ones_are_kept_under_their_name(presets: Presets) -> None:
    saved = presets.save(" My\nown ", SETTINGS)
    assert saved.preset == "My own"
    presets.save("another", ConversationSettings())
    changed = presets.save("MY OWN", ConversationSettings(system_prompt="Be long."))
    assert presets.all()[3:] == [ConversationSettings(preset="another"), changed]
    presets.remove("my own")
    assert len(presets.all()) == 4


@pytest.mark.parametrize("name", ["", " \n", "balanced", "PRECISE"])
def test_names_that_cannot_be(presets: Presets, name: str) -> None:
    with pytest.raises(SettingError):
        presets.save(name, SETTINGS)


def test_what_would_be_replaced(presets: Presets) -> None:
    saved = presets.save("My own", SETTINGS)
    assert presets.own(" my  OWN") == saved
    assert presets.own("Balanced") is None
    assert presets.own("another") is None
