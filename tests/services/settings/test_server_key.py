import logging

import pytest
from support.keyrings import LockedKeyring, MemoryKeyring, using

from specchat.domain.errors import SettingError
from specchat.services.settings.server_key import KeyStorage, ServerKey

KEY = "canary-key"


def test_a_key_is_kept_and_forgotten() -> None:
    with using(MemoryKeyring()):
        key = ServerKey()
        assert (key(), key.storage) == ("", KeyStorage.NOWHERE)
        key.set(f" {KEY} ")
        assert (key(), key.storage) == (KEY, KeyStorage.KEYRING)
        assert (ServerKey()(), ServerKey().storage) == (KEY, KeyStorage.KEYRING)
        key.delete()
        assert (key(), key.storage) == (ServerKey()(), ServerKey().storage) == ("", KeyStorage.NOWHERE)


def test_without_a_keyring_it_lasts_as_long_as_the_program(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with using(LockedKeyring()):
        key = ServerKey()
        key.set(KEY)
        assert (key(), key.storage) == (KEY, KeyStorage.THIS_RUN)
        with pytest.raises(SettingError, match="Couldn't delete"):
            key.delete()
        assert key() == ServerKey()() == ""
    assert KEY not in caplog.text


@pytest.mark.parametrize("given", ["", "two words", "schlüssel", "line\nbreak", "x" * 1001])
def test_what_cannot_be_sent_is_no_key(given: str) -> None:
    with using(MemoryKeyring()):
        key = ServerKey()
        with pytest.raises(SettingError, match="Not a valid key"):
            key.set(given)
        assert key() == ""


def test_a_key_that_the_keyring_keeps_is_not_forgotten() -> None:
    with using(MemoryKeyring()):
        key = ServerKey()
        key.set(KEY)
        with using(LockedKeyring()), pytest.raises(SettingError, match="Couldn't delete"):
            key.delete()
        assert (key(), key.storage) == (KEY, KeyStorage.KEYRING)
        key.delete()
        assert key() == ""
