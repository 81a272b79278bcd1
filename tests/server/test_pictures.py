"""Pictures in requests, in the form of each API: taken with a model that sees, refused by one that does not."""

import base64
from collections.abc import Iterator
from typing import Any

import pytest
from server.test_queue import Place
from support.api_servers import Response
from support.pictures import picture, png, png_of

from specchat.domain.picture_errors import undecodable_error
from specchat.domain.pictures import Picture
from specchat.domain.types import Message, Role
from specchat.server.body_limiter import BODY_BYTES
from specchat.server.errors import to_api_error

RED = Picture(picture().content)
BASE64 = base64.b64encode(RED.content).decode()
URI = f"data:image/png;base64,{BASE64}"
SEEN = Message(Role.USER, "What?", pictures=(RED,))


def openai(url: object = URI) -> dict[str, Any]:
    parts = [{"type": "text", "text": "What?"}, {"type": "image_url", "image_url": url}]
    return {"messages": [{"role": "user", "content": parts}], "max_tokens": 1}


def responses(url: object = URI) -> dict[str, Any]:
    parts = [{"type": "input_image", "image_url": url}, {"type": "input_text", "text": "What?"}]
    return {"input": [{"role": "user", "content": parts}], "max_output_tokens": 1}


def anthropic(**source: object) -> dict[str, Any]:
    source = source or {"type": "base64", "media_type": "image/png", "data": BASE64}
    parts = [{"type": "image", "source": source}, {"type": "text", "text": "What?"}]
    return {"messages": [{"role": "user", "content": parts}], "max_tokens": 1}


def ollama(*images: object) -> dict[str, Any]:
    message = {"role": "user", "content": "What?", "images": list(images) or [BASE64]}
    return {"messages": [message], "stream": False, "options": {"num_predict": 1}}


def generated(*images: object) -> dict[str, Any]:
    return {"prompt": "What?", "images": list(images) or [BASE64], "stream": False, "options": {"num_predict": 1}}


EACH = [
    ("/v1/chat/completions", openai()),
    ("/v1/chat/completions", openai({"url": URI, "detail": "high"})),
    ("/v1/responses", responses()),
    ("/v1/messages", anthropic()),
    ("/api/chat", ollama()),
    ("/api/generate", generated()),
]


@pytest.fixture(scope="module")
def seeing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    with Place(tmp_path_factory.mktemp("logs"), sees_pictures=True).running() as place:
        yield place


@pytest.fixture(scope="module")
def blind(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    with Place(tmp_path_factory.mktemp("logs")).running() as place:
        yield place


@pytest.mark.parametrize(("path", "body"), EACH)
def test_a_model_that_sees_gets_them(seeing: Place, path: str, body: dict[str, Any]) -> None:
    seeing.engine.let()
    assert seeing.api.post(path, body).status == 200
    assert seeing.engine.asked[-1] == (SEEN,)


@pytest.mark.parametrize(("path", "body"), EACH)
def test_a_model_that_cannot_see_refuses(blind: Place, path: str, body: dict[str, Any]) -> None:
    refused = blind.api.post(path, body)
    assert refused.status == 400
    assert "gated.gguf can't see pictures. Choose a model with a vision encoder" in message_of(refused)
    assert blind.engine.asked == []


def message_of(refused: Response) -> str:
    error = refused.json["error"]
    if isinstance(error, str):  # as Ollama has it
        return error
    assert error["type"] == "invalid_request_error"
    return str(error["message"])


@pytest.mark.parametrize(
    ("path", "body", "words"),
    [
        ("/v1/chat/completions", openai("https://example.org/a.png"), "not fetched from elsewhere"),
        ("/v1/chat/completions", openai({"url": "file:///etc/passwd"}), "not fetched from elsewhere"),
        ("/v1/chat/completions", openai({"url": "data:image/png,abc"}), "must be a data URI with Base64"),
        ("/v1/chat/completions", openai({}), "image_url.url is missing"),
        ("/v1/chat/completions", openai(None), "image_url is missing"),
        ("/v1/chat/completions", openai("data:;base64,aGVsbG8="), "is not a PNG, JPEG, GIF, or BMP picture"),
        ("/v1/responses", responses("http://127.0.0.1/a.png"), "not fetched from elsewhere"),
        ("/v1/responses", responses({"url": 5}), "must be a string"),
        ("/v1/messages", anthropic(type="url", url="https://example.org/a.png"), "not fetched from elsewhere"),
        ("/v1/messages", anthropic(type="file", file_id="f"), "must be base64"),
        ("/v1/messages", anthropic(type="base64", data="?"), "must be Base64"),
        ("/api/chat", ollama("?"), "must be Base64"),
        ("/api/chat", ollama("https://example.org/a.png"), "must be Base64"),
        ("/api/chat", ollama(5), "must be a list of pictures in Base64"),
        ("/api/chat", ollama(*[BASE64] * 65), "must have at most 64 pictures"),
        ("/api/generate", generated("aGVsbG8="), "is not a PNG, JPEG, GIF, or BMP picture"),
        ("/api/generate", {**generated(), "raw": True}, "can't be combined with suffix or raw"),
    ],
)
def test_what_is_no_picture_is_refused(seeing: Place, path: str, body: dict[str, Any], words: str) -> None:
    refused = seeing.api.post(path, body)
    assert refused.status == 400
    assert words in message_of(refused)


def test_only_users_show_pictures(seeing: Place) -> None:
    for role in ("system", "assistant"):
        body = openai()
        body["messages"][0]["role"] = role
        assert "image_url is not supported here" in message_of(seeing.api.post("/v1/chat/completions", body))


def test_limits(seeing: Place, blind: Place) -> None:
    vast = base64.b64encode(png_of(30_000, 30_000, b"")).decode()
    assert "more than 40 million pixels" in message_of(seeing.api.post("/api/chat", ollama(vast)))
    large = base64.b64encode(png() + bytes(BODY_BYTES)).decode()
    assert blind.api.post("/api/chat", ollama(large)).status == 413
    seeing.engine.let()
    assert seeing.api.post("/api/chat", ollama(large)).status == 200


def test_a_damaged_picture_is_no_fault_of_the_server() -> None:
    refused = to_api_error(undecodable_error(Picture(png())))
    assert refused.status == 400
    assert str(refused.error["message"]).startswith("The picture is damaged: it can't be decoded.")


@pytest.mark.parametrize("sees", [True, False])
def test_clients_are_told(seeing: Place, blind: Place, sees: bool) -> None:
    api = (seeing if sees else blind).api
    (model,) = api.get("/v1/models").json["data"]
    assert model["architecture"]["input_modalities"] == (["text", "image"] if sees else ["text"])
