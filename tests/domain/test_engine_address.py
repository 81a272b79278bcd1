import pytest

from specchat.domain.engine_address import parse_engine_address
from specchat.domain.errors import SettingError


@pytest.mark.parametrize(
    ("text", "written", "chat"),
    [
        ("http://localhost:8080", "http://localhost:8080", "http://localhost:8080/v1/chat"),
        ("localhost:8080/", "http://localhost:8080", "http://localhost:8080/v1/chat"),
        (" HTTP://LOCALHOST:80/v1/ ", "http://localhost", "http://localhost/v1/chat"),
        ("https://example.org:443/api/v1", "https://example.org/api", "https://example.org/api/v1/chat"),
        ("https://example.org/paas/v4", "https://example.org/paas/v4", "https://example.org/paas/v4/chat"),
        ("https://example.org/v1beta/openai", "https://example.org/v1beta/openai", None),
        ("http://[::1]:11434", "http://[::1]:11434", "http://[::1]:11434/v1/chat"),
    ],
)
def test_one_way_to_write_it(text: str, written: str, chat: str | None) -> None:
    address = parse_engine_address(text)
    assert str(address) == written
    assert address.api("/chat") == (chat or f"{written}/chat")
    assert parse_engine_address(written) == address


@pytest.mark.parametrize(
    "text",
    ["", "http://", "ftp://example.org", "http://a b", "http://x:99999", "http://x:0", "http://x?y", "http://x#y", "ü"],
)
def test_what_is_no_address(text: str) -> None:
    with pytest.raises(SettingError, match="is not the address of an engine"):
        parse_engine_address(text)


def test_a_password_in_it_is_refused_and_not_repeated() -> None:
    with pytest.raises(SettingError) as refused:
        parse_engine_address("http://me:secret@example.org")
    assert "secret" not in refused.value.message + refused.value.hint


@pytest.mark.parametrize(
    ("text", "exposes"),
    [("http://localhost:1", False), ("http://127.0.0.2", False), ("http://10.0.0.2", True), ("https://x.org", False)],
)
def test_who_could_read_a_key(text: str, exposes: bool) -> None:
    assert parse_engine_address(text).exposes_keys == exposes
