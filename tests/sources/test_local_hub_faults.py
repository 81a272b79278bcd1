"""Each fault of the local Hub does to the real client what it says."""

import io
import sys
import threading
from pathlib import Path

import httpx2
import pytest
from huggingface_hub import HfApi, get_hf_file_metadata, hf_hub_download, hf_hub_url
from huggingface_hub.errors import GatedRepoError, HfHubHTTPError
from huggingface_hub.file_download import http_get
from support.hub import Fault, LocalHub

REPO = "someone/small-GGUF"
MODEL = bytes(range(256)) * 4000
STORED = "/repos/*/model.gguf"


@pytest.fixture
def model(hub: LocalHub) -> str:
    hub.add(REPO, {"model.gguf": MODEL})
    return hf_hub_url(REPO, "model.gguf", endpoint=hub.endpoint)


def received(client: httpx2.Client, url: str, error: type[Exception]) -> bytes:
    """Until it fails."""
    got = bytearray()

    def read() -> None:
        with client.stream("GET", url) as answer:
            for piece in answer.iter_raw():
                got.extend(piece)

    with pytest.raises(error):
        read()
    return bytes(got)


@pytest.mark.parametrize("size", [1, 70_000, 900_000])
def test_a_reset_in_the_middle(hub: LocalHub, client: httpx2.Client, model: str, size: int) -> None:
    hub.fault(STORED, Fault(reset=True), after_bytes=size)
    got = received(client, model, httpx2.ReadError)
    assert MODEL.startswith(got)
    assert hub.bytes_sent(STORED) == size
    if sys.platform == "linux":  # elsewhere a reset may overtake the bytes before it
        assert len(got) == size
    assert client.get(model).content == MODEL


def test_a_reset_ends_the_clients_own_download(hub: LocalHub, model: str) -> None:
    hub.fault(STORED, Fault(reset=True), after_bytes=1000)
    with pytest.raises(httpx2.ReadError):
        http_get(model, io.BytesIO())


def test_a_connection_closed_too_early(hub: LocalHub, client: httpx2.Client, model: str) -> None:
    hub.fault(STORED, Fault(truncated=True), after_bytes=500)
    assert received(client, model, httpx2.RemoteProtocolError) == MODEL[:500]
    assert client.get(model).content == MODEL


def test_a_length_that_is_too_small(hub: LocalHub, model: str) -> None:
    hub.fault(STORED, Fault(length_off_by=-10))
    with pytest.raises(OSError, match="Consistency check failed"):
        http_get(model, io.BytesIO(), expected_size=len(MODEL))


def test_a_length_that_is_too_large(hub: LocalHub, client: httpx2.Client, model: str) -> None:
    hub.fault(STORED, Fault(length_off_by=10))
    assert received(client, model, httpx2.RemoteProtocolError) == MODEL


def test_a_wrong_byte_is_the_same_byte_of_the_file_wherever_one_begins(
    hub: LocalHub, client: httpx2.Client, model: str
) -> None:
    hub.fault(STORED, Fault(corrupted_at=100_000), times=2)
    assert client.get(model, headers={"Range": "bytes=0-99999"}).content == MODEL[:100_000]
    expected = bytearray(MODEL)
    expected[100_000] ^= 0xFF
    assert client.get(model).content == expected
    assert client.get(model, headers={"Range": "bytes=99999-"}).content == expected[99_999:]
    assert client.get(model).content == MODEL


def test_the_client_keeps_a_wrong_byte(hub: LocalHub, model: str, tmp_path: Path) -> None:
    hub.fault(STORED, Fault(corrupted_at=7))
    path = hf_hub_download(REPO, "model.gguf", cache_dir=tmp_path, endpoint=hub.endpoint, token=False)
    assert [at for at, pair in enumerate(zip(Path(path).read_bytes(), MODEL, strict=True)) if len(set(pair)) > 1] == [7]


def test_a_range_that_is_ignored(hub: LocalHub, client: httpx2.Client, model: str) -> None:
    hub.fault(STORED, Fault(ignores_range=True))
    file = io.BytesIO(MODEL[:1000])
    file.seek(1000)
    http_get(model, file, resume_size=1000, expected_size=len(MODEL))
    assert file.getvalue() == MODEL
    assert hub.bytes_sent(STORED) == len(MODEL)
    assert client.get(model, headers={"Range": "bytes=-5"}).status_code == 206


def test_silence_ends_with_the_server() -> None:
    with httpx2.Client(follow_redirects=True, timeout=None) as client, LocalHub() as hub:
        hub.add(REPO, {"model.gguf": MODEL})
        hub.fault(STORED, Fault(stalled=3600), after_bytes=10)
        url = hf_hub_url(REPO, "model.gguf", endpoint=hub.endpoint)
        got: list[bytes] = []
        reader = threading.Thread(target=lambda: got.append(received(client, url, httpx2.RemoteProtocolError)))
        reader.start()
        hub.wait_until(lambda: hub.bytes_sent(STORED) == 10)
    reader.join()
    assert MODEL[:10].startswith(got[0])


def test_silence_that_passes(hub: LocalHub, client: httpx2.Client, model: str) -> None:
    hub.fault(STORED, Fault(stalled=0.01), after_bytes=10)
    assert client.get(model).content == MODEL


def test_a_slow_connection(hub: LocalHub, client: httpx2.Client, model: str) -> None:
    hub.fault(STORED, Fault(bytes_per_second=100), after_bytes=1000)
    with client.stream("GET", model) as answer:
        pieces = answer.iter_raw()
        got = b""
        while len(got) <= 1000:
            got += next(pieces)
        assert got == MODEL[: len(got)]
        assert hub.bytes_sent(STORED) < len(MODEL)


@pytest.mark.parametrize("status", [401, 403, 404, 416, 500, 502, 503])
def test_another_status(hub: LocalHub, model: str, status: int) -> None:
    hub.fault("*/resolve/main/model.gguf", Fault(status=status))
    with pytest.raises(HfHubHTTPError) as caught:
        http_get(model, io.BytesIO())
    assert caught.value.response.status_code == status
    hub.fault(STORED, Fault(status=status))
    with pytest.raises(HfHubHTTPError) as caught:
        http_get(model, io.BytesIO())
    assert str(caught.value.response.url).startswith(hub.cdn)
    http_get(model, io.BytesIO(), expected_size=len(MODEL))


def test_a_status_with_its_code(hub: LocalHub, model: str) -> None:
    hub.fault(f"/{REPO}/*", Fault(status=403, error_code="GatedRepo"))
    with pytest.raises(GatedRepoError):
        get_hf_file_metadata(model)


def test_too_many_requests(hub: LocalHub, model: str) -> None:
    hub.fault("*", Fault(status=429, retry_after=55), times=2)
    with pytest.raises(HfHubHTTPError, match=r"'resolvers' rate limit.\nRetry after 55 seconds") as caught:
        get_hf_file_metadata(model)
    assert caught.value.response.headers["Retry-After"] == "55"
    api = HfApi(endpoint=hub.endpoint, token=False)
    with pytest.raises(HfHubHTTPError, match=r"'api' rate limit.\nRetry after 55 seconds"):
        api.model_info(REPO)
    assert api.model_info(REPO).id == REPO


def test_a_signed_address_expires_and_the_hub_gives_a_new_one(hub: LocalHub, model: str) -> None:
    hub.fault(STORED, Fault(expired=True))
    location = get_hf_file_metadata(model).location
    for _ in range(2):
        with pytest.raises(HfHubHTTPError) as caught:
            http_get(location, io.BytesIO())
        assert caught.value.response.status_code == 403
    fresh = get_hf_file_metadata(model).location
    assert fresh != location
    file = io.BytesIO()
    http_get(fresh, file)
    assert file.getvalue() == MODEL


def test_faults_come_one_after_the_other(hub: LocalHub, client: httpx2.Client, model: str) -> None:
    hub.fault("*/model.gguf", Fault(status=500), times=None, origin="cdn")
    hub.fault("*/model.gguf", Fault(status=503), origin="hub")
    assert [client.get(model).status_code for _ in range(3)] == [503, 500, 500]
    hub.clear_faults()
    assert client.get(model).status_code == 200
