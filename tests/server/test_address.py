import socket

import pytest

from specchat.domain.completions import ServerSettings
from specchat.domain.errors import SettingError, UserError
from specchat.server.address import AllowedHosts, open_listening_socket, require_key_beyond_loopback, server_url


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("127.0.0.1", "http://127.0.0.1:80/v1"),
        ("localhost", "http://localhost:80/v1"),
        ("", "http://127.0.0.1:80/v1"),
        ("0.0.0.0", "http://127.0.0.1:80/v1"),
        ("::", "http://[::1]:80/v1"),
        ("::1", "http://[::1]:80/v1"),
    ],
)
def test_how_this_computer_calls_it(host: str, expected: str) -> None:
    assert server_url(host, 80) == expected


@pytest.mark.parametrize("host", ["localhost.", "127.0.0.1", "::ffff:127.0.0.1"])
def test_an_address_of_this_computer_alone(host: str) -> None:
    require_key_beyond_loopback(ServerSettings(host))
    with open_listening_socket(ServerSettings(host, port=0)) as served:
        socket.create_connection(("127.0.0.1", served.getsockname()[1])).close()


@pytest.mark.parametrize("host", ["localhost.evil.example", "::ffff:0.0.0.0", "::ffff:192.168.1.1", "0.0.0.0", ""])
def test_where_others_could_ask_a_key_is_needed(host: str) -> None:
    with pytest.raises(SettingError, match="would let other computers use the models"):
        require_key_beyond_loopback(ServerSettings(host))


def test_names_of_this_computer_in_any_network() -> None:
    own = socket.gethostname()
    for host in ("0.0.0.0", "::", ""):
        served = AllowedHosts(host)
        assert [name in served for name in (own, f"{own}.local", f"{own.upper()}.fritz.box:8080")] == [True] * 3
        assert f"{own}x.example" not in served
        assert "evil.example" not in served
    assert f"{own}.fritz.box" not in AllowedHosts("127.0.0.1")


def test_a_port_that_needs_rights(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied (while attempting to bind)")

    monkeypatch.setattr(socket, "create_server", refused)
    with pytest.raises(UserError, match=r"^Can't use 127\.0\.0\.1:80: permission denied\.$") as found:
        open_listening_socket(ServerSettings(port=80))
    assert found.value.hint == "Choose a port above 1023 (--port)."
