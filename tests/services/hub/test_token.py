import logging
import os
import subprocess
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path

import keyring.backends.fail
import keyring.backends.null
import pytest
from huggingface_hub import constants
from keyring.backend import KeyringBackend
from support.keyrings import LockedKeyring, MemoryKeyring, OddKeyring, PlainFileKeyring, using

from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import HubOfflineError, HubUnknownTokenError, SettingError, UserError
from specchat.domain.translatable_text import TranslatableText
from specchat.services.hub.hub_token import HubToken, TokenState, TokenStorage

TOKEN = "hf_canary"
PLACE = ("specchat", "Hugging Face")


@pytest.fixture(autouse=True)
def no_token_around(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HF_TOKEN", raising=False)


@pytest.fixture
def memory() -> Iterator[MemoryKeyring]:
    backend = MemoryKeyring()
    with using(backend):
        yield backend


def test_a_token_lives_in_the_keyring(memory: MemoryKeyring) -> None:
    token = HubToken()
    assert (token(), token.storage) == (None, TokenStorage.NOWHERE)
    assert token.set(f" {TOKEN}\n") is TokenStorage.KEYRING
    assert memory.kept == {PLACE: TOKEN}
    assert (token(), token.storage) == (TOKEN, TokenStorage.KEYRING)
    later = HubToken()
    assert (later(), later.storage) == (TOKEN, TokenStorage.KEYRING)
    later.delete()
    assert (later(), later.storage, memory.kept) == (None, TokenStorage.NOWHERE, {})
    later.delete()


def test_the_environment_goes_first(memory: MemoryKeyring, monkeypatch: pytest.MonkeyPatch) -> None:
    token = HubToken()
    token.set("hf_kept")
    monkeypatch.setenv("HF_TOKEN", f"{TOKEN}\n")
    assert (token(), token.storage) == (TOKEN, TokenStorage.ENVIRONMENT)
    monkeypatch.setenv("HF_TOKEN", "")
    assert (token(), token.storage) == ("hf_kept", TokenStorage.KEYRING)


@pytest.mark.parametrize(
    "backend", [keyring.backends.fail.Keyring, keyring.backends.null.Keyring, PlainFileKeyring, LockedKeyring]
)
def test_without_a_keyring_it_is_kept_for_this_run(
    backend: type[KeyringBackend], caplog: pytest.LogCaptureFixture
) -> None:
    keeper = backend()
    with using(keeper):
        token = HubToken()
        assert token() is None
        assert token.set(TOKEN) is TokenStorage.THIS_RUN
        assert (token(), token.storage) == (TOKEN, TokenStorage.THIS_RUN)
        assert "kept only until specchat quits" in token.storage.description
        assert HubToken()() is None
    assert TOKEN not in caplog.text + repr(token)
    assert not getattr(keeper, "kept", None)


def test_a_keyring_with_errors_of_its_own(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with using(OddKeyring()):
        token = HubToken()
        assert (token.set(TOKEN), token()) == (TokenStorage.THIS_RUN, TOKEN)
        later = HubToken()
        assert (later(), later.storage) == (None, TokenStorage.NOWHERE)
        with pytest.raises(SettingError, match="Couldn't delete") as caught:
            token.delete()
    assert "Odd" in caplog.text
    assert TOKEN not in caplog.text + "".join(traceback.format_exception(caught.value))


def test_a_keyring_that_does_not_let_go() -> None:
    with using(LockedKeyring()):
        token = HubToken()
        token.set(TOKEN)
        with pytest.raises(SettingError, match="Couldn't delete"):
            token.delete()
        assert token() is None


def test_one_of_the_hubs_client_goes_last(
    memory: MemoryKeyring, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(constants, "HF_HUB_DISABLE_IMPLICIT_TOKEN", False)
    monkeypatch.setattr(constants, "HF_TOKEN_PATH", str(tmp_path / "token"))
    token = HubToken()
    assert (token(), token.storage) == (None, TokenStorage.NOWHERE)
    (tmp_path / "token").write_text(f"{TOKEN}\n")
    assert (token(), token.storage) == (TOKEN, TokenStorage.HUB_CLIENT)
    token.set("hf_given")
    assert (token(), token.storage) == ("hf_given", TokenStorage.KEYRING)
    token.delete()
    assert (token(), token.storage) == (TOKEN, TokenStorage.HUB_CLIENT)
    assert (tmp_path / "token").read_text() == f"{TOKEN}\n"


@pytest.mark.parametrize("wrong", [b"", b"\xff\xfe", b"two words", b"hf_\0"])
def test_what_is_no_token_of_the_hubs_client(
    memory: MemoryKeyring, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, wrong: bytes
) -> None:
    monkeypatch.setattr(constants, "HF_TOKEN_PATH", str(tmp_path / "token"))
    (tmp_path / "token").write_bytes(wrong)
    token = HubToken()
    assert (token(), token.storage) == (None, TokenStorage.NOWHERE)


def test_a_token_of_the_hubs_client_need_not_be_used(
    memory: MemoryKeyring, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(constants, "HF_TOKEN_PATH", str(tmp_path / "token"))
    monkeypatch.setattr(constants, "HF_HUB_DISABLE_IMPLICIT_TOKEN", True)
    (tmp_path / "token").write_text(TOKEN)
    assert HubToken()() is None


@pytest.mark.parametrize(("name", "value"), [("HF_HOME", "."), ("HF_TOKEN_PATH", "token"), ("XDG_CACHE_HOME", "cache")])
def test_where_the_hubs_client_keeps_it(tmp_path: Path, name: str, value: str) -> None:
    places = {"HF_HOME": "token", "HF_TOKEN_PATH": "token", "XDG_CACHE_HOME": "cache/huggingface/token"}
    place = tmp_path / places[name]
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(TOKEN)
    environment = {key: each for key, each in os.environ.items() if not key.startswith("HF_")}
    script = "from specchat.sources.stored_token import stored_token; print(stored_token())"
    found = subprocess.run(
        [sys.executable, "-c", script],
        env={**environment, name: str(tmp_path / value)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout.strip() == TOKEN


def unknown(_: str, __: CancelToken) -> str:
    raise HubUnknownTokenError("{host} rejected your token.", "Make a new one.", host="hub.example")


def unreachable(_: str, __: CancelToken) -> str:
    raise HubOfflineError("Can't reach {host}.", "Check the connection.", host="hub.example")


def test_whose_it_is(memory: MemoryKeyring) -> None:
    token = HubToken(lambda given, _: given.removeprefix("hf_"))
    token.set(TOKEN)
    assert token.state == TokenState(TokenStorage.KEYRING, TranslatableText("Signed in as canary."))
    token.delete()
    assert token.state == TokenState(TokenStorage.NOWHERE)


def test_one_that_the_hub_does_not_know_is_not_kept(memory: MemoryKeyring) -> None:
    memory.kept[PLACE] = "hf_before"
    token = HubToken(unknown)
    with pytest.raises(SettingError, match="hub.example rejected this token, so it wasn't saved") as caught:
        token.set(TOKEN)
    assert memory.kept == {PLACE: "hf_before"}
    assert (token(), token.state) == ("hf_before", TokenState(TokenStorage.KEYRING))
    assert TOKEN not in "".join(traceback.format_exception(caught.value))


def test_one_that_could_not_be_checked_is_kept(memory: MemoryKeyring) -> None:
    token = HubToken(unreachable)
    assert token.set(TOKEN) is TokenStorage.KEYRING
    assert token.state.standing == "Couldn't check the token: Can't reach hub.example."


def test_a_doubt_is_told_once_for_each_token(memory: MemoryKeyring) -> None:
    token = HubToken()
    told: list[UserError] = []
    token.add_rejection_listener(told.append)
    error = UserError("The Hub does not know it.", "Make a new one.")
    for _ in range(3):
        token.report_rejection(error)
    assert told == [error]
    assert token.state.standing == error.message
    token.set(TOKEN)
    assert token.state.standing is None
    token.report_rejection(error)
    assert told == [error, error]


@pytest.mark.parametrize("wrong", ["", "hf_ca nary", "hf_canary\nx", "hf_canäry", "hf_canary\0"])
def test_what_is_no_token(memory: MemoryKeyring, wrong: str, monkeypatch: pytest.MonkeyPatch) -> None:
    token = HubToken()
    with pytest.raises(SettingError) as caught:
        token.set(wrong)
    assert "hf_ca" not in caught.value.message
    assert memory.kept == {}
    memory.kept[PLACE] = wrong
    if wrong:
        with pytest.raises(SettingError, match="Not a valid token"):
            HubToken()()
