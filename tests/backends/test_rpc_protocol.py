"""What is not to be used as another machine: found out without llama.cpp, whose client would end the process."""

import socket
import struct
import time
from collections.abc import Callable
from threading import Event

import pytest
from support.rpc_servers import answering_with

from specchat.backends.rpc_protocol import CAPABILITIES, VERSION, probe_server
from specchat.backends.rpc_servers import KnownRpcServers
from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import Cancelled, RpcError, SettingError
from specchat.domain.rpc import RpcDevice, RpcServer, parse_rpc_servers, rpc_devices, rpc_warning
from specchat.domain.types import Device

SERVER = RpcServer("a:1", (RpcDevice(8, 4, 32, 1 << 40),))


def version(major: int, minor: int) -> Callable[[socket.socket], None]:
    def answer(connection: socket.socket) -> None:
        reply = bytes([major, minor, 0, 0]) + bytes(CAPABILITIES)
        connection.sendall(struct.pack("<Q", len(reply)) + reply)

    return answer


def test_nobody_is_there() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # and does not listen
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(RpcError, match=f"Can't reach the RPC server at {address}: connection refused"):
            probe_server(address)


def test_one_that_is_in_use_does_not_answer() -> None:
    with answering_with(lambda _: None) as address, pytest.raises(RpcError, match="it may be in use"):
        probe_server(address, timeout_s=0.1)


def test_one_that_says_a_little_now_and_then_is_not_waited_for() -> None:
    """Each byte comes in time, all of them would not."""

    def trickle(connection: socket.socket) -> None:
        while True:
            connection.sendall(bytes([CAPABILITIES + 4, *bytes(7)]))
            for _ in range(CAPABILITIES + 3):
                time.sleep(0.05)
                connection.sendall(b"\0")

    with answering_with(trickle) as address, pytest.raises(RpcError, match="it may be in use"):
        probe_server(address, timeout_s=0.2)


@pytest.mark.parametrize(("major", "minor"), [(VERSION[0] + 1, 0), (VERSION[0] - 1, 9), (VERSION[0], VERSION[1] + 1)])
def test_another_version(major: int, minor: int) -> None:
    said = f"uses protocol version {major}.{minor}, but specchat uses 7.0"
    with answering_with(version(major, minor)) as address, pytest.raises(RpcError, match=said):
        probe_server(address)


WRONG = {
    "a web server": lambda connection: connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n"),
    "an older one": lambda connection: connection.close(),
    "no devices": lambda connection: (version(*VERSION)(connection), connection.sendall(struct.pack("<QI", 4, 0))),
    "half an answer": lambda connection: (
        connection.sendall(struct.pack("<QI", CAPABILITIES + 4, 7)),
        connection.close(),
    ),
    "endless": lambda connection: connection.sendall(struct.pack("<Q", 1 << 62)),
}


@pytest.mark.parametrize("name", WRONG)
def test_something_else(name: str) -> None:
    with answering_with(WRONG[name]) as address, pytest.raises(RpcError, match="is not an RPC server"):
        probe_server(address)


def test_addresses_are_written_in_one_way() -> None:
    assert parse_rpc_servers("Den:50053, 10.0.0.2,den:50053") == ("den:50053", "10.0.0.2:50052")
    assert parse_rpc_servers("the_den.lan") == ("the_den.lan:50052",)


def test_too_many_machines() -> None:
    with pytest.raises(SettingError, match="at most 16 RPC servers"):
        parse_rpc_servers(",".join(f"den{n}" for n in range(17)))


NO_ADDRESSES = ["::1", "[::1]:50052", "http://den:50052", "den:0", "den:99999", "a b", "-x:1", "192.168..20"]


@pytest.mark.parametrize("wrong", [*NO_ADDRESSES, f"{'a' * 64}.example", ".".join(["den"] * 64), "den:٥٠"])
def test_what_is_no_address(wrong: str) -> None:
    with pytest.raises(SettingError, match="is not the address of an RPC server"):
        parse_rpc_servers(wrong)


def test_devices_are_numbered_over_all_servers() -> None:
    two = RpcServer("b:2", (RpcDevice(2, 1, 32, 9), RpcDevice(3, 2, 32, 9)))
    assert rpc_devices([SERVER, two]) == [
        Device("RPC0", "a:1", "gpu", 8, 4),
        Device("RPC1", "b:2", "gpu", 2, 1),
        Device("RPC2", "b:2", "gpu", 3, 2),
    ]


def test_the_warning_is_about_networks() -> None:
    assert rpc_warning(["127.0.0.1:1", "localhost:2"]) is None
    assert "unencrypted" in str(rpc_warning(["127.0.0.1:1", "den:2"]))


def test_one_that_is_in_use_is_as_it_was() -> None:
    now, answers = [0.0], [SERVER]

    def probe(address: str) -> RpcServer:
        if not answers:
            raise RpcError("in use", "")
        return answers.pop()

    known = KnownRpcServers(probe, lambda: now[0])
    assert known.find("a:1") == SERVER
    now[0] = 60.0
    assert known.find("a:1") == SERVER
    with pytest.raises(RpcError):
        known.check("a:1", CancelToken())
    with pytest.raises(RpcError):
        known.find("b:2")


def test_whoever_cancels_waits_for_no_answer() -> None:
    cancel, gone = CancelToken(), Event()

    def probe(_: str) -> RpcServer:
        cancel.cancel()
        gone.wait(60)
        return SERVER

    with pytest.raises(Cancelled):
        KnownRpcServers(probe).check("a:1", cancel)
    gone.set()
