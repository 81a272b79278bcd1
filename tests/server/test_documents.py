"""Documents in requests, in the form of each API: the model reads their text, as it does of attached files."""

import base64
from collections.abc import Iterator
from typing import Any

import pytest
from server.test_queue import Place
from support.documents import make_docx, make_pdf

from specchat.domain.types import Message, Role

PDF = base64.b64encode(make_pdf(["Rain in Spain."])).decode()
DOCX = base64.b64encode(make_docx(["Rain in Spain."])).decode()
TABLE = base64.b64encode(b"city,rain\nOslo,7\n").decode()
LOCKED = base64.b64encode(make_pdf(["Secret."], encrypted=True)).decode()
QUESTION = {"type": "text", "text": "Where?"}


def chat(role: str = "user", **file: object) -> dict[str, Any]:
    return {"messages": [{"role": role, "content": [{"type": "file", "file": file}, QUESTION]}], "max_tokens": 1}


def responses(**file: object) -> dict[str, Any]:
    parts = [{"type": "input_file", **file}, {"type": "input_text", "text": "Where?"}]
    return {"input": [{"role": "user", "content": parts}], "max_output_tokens": 1}


def anthropic(source: object, **more: object) -> dict[str, Any]:
    parts = [{"type": "document", "source": source, **more}, QUESTION]
    return {"messages": [{"role": "user", "content": parts}], "max_tokens": 1}


def base64_source(data: str, media_type: str = "application/pdf") -> dict[str, object]:
    return {"type": "base64", "media_type": media_type, "data": data}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    with Place(tmp_path_factory.mktemp("logs")).running() as place:
        yield place


def asked(place: Place, path: str, body: dict[str, Any]) -> tuple[Message, ...]:
    place.engine.let()
    assert place.api.post(path, body).status == 200
    messages = place.engine.asked[-1]
    assert isinstance(messages, tuple)
    return messages


def prompt_of(place: Place, path: str, body: dict[str, Any]) -> str:
    (message,) = asked(place, path, body)
    assert message.role is Role.USER
    return message.content


@pytest.mark.parametrize(
    ("path", "body", "name", "words"),
    [
        ("/v1/chat/completions", chat(filename="a.pdf", file_data=PDF), "a.pdf", "Rain in Spain."),
        ("/v1/chat/completions", chat(file_data=f"data:text/csv;base64,{TABLE}"), "document", "Oslo"),
        ("/v1/responses", responses(filename="../a.docx", file_data=f"data:;base64,{DOCX}"), "../a.docx", "Rain"),
        ("/v1/messages", anthropic(base64_source(PDF), title="T", context="Old."), "T", "Rain in Spain."),
        ("/v1/messages", anthropic({"type": "text", "media_type": "text/plain", "data": "Rain."}), "document", "Rain."),
        ("/v1/messages", anthropic({"type": "content", "content": [QUESTION]}), "document", "Where?"),
    ],
)
def test_the_model_reads_its_text(place: Place, path: str, body: dict[str, Any], name: str, words: str) -> None:
    prompt = prompt_of(place, path, body)
    assert f"File: {name}" in prompt
    assert words in prompt
    assert prompt.endswith("```\n\nWhere?")


def test_a_tool_may_return_one(place: Place) -> None:
    document = {"type": "document", "source": base64_source(PDF)}
    used = {"type": "tool_use", "id": "1", "name": "read", "input": {}}
    messages = [
        {"role": "assistant", "content": [used]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "1", "content": [document]}]},
    ]
    *_, result = asked(place, "/v1/messages", {"messages": messages, "max_tokens": 1})
    assert result.role is Role.TOOL
    assert "Rain in Spain." in result.content


@pytest.mark.parametrize(
    ("path", "body", "words"),
    [
        ("/v1/chat/completions", chat(file_id="f"), "file_id is not supported here"),
        ("/v1/chat/completions", chat(filename="a.pdf"), "file_data is missing"),
        ("/v1/chat/completions", chat(file_data="?"), "must be Base64"),
        ("/v1/chat/completions", chat(filename="a.pdf", file_data=LOCKED), "protected with a password"),
        ("/v1/chat/completions", chat(filename="a", file_data="iVBORw0KGgo="), "a is an image"),
        ("/v1/chat/completions", chat("system", file_data=PDF), "file is not supported here"),
        (
            "/v1/chat/completions",
            {"messages": [{"role": "user", "content": [{"type": "file", "file": {"file_data": TABLE}}] * 21}]},
            "more than 20 documents",
        ),
        ("/v1/responses", responses(file_url="http://127.0.0.1/a.pdf"), "not fetched from elsewhere"),
        ("/v1/messages", anthropic({"type": "url", "url": "http://127.0.0.1/a.pdf"}), "not fetched from elsewhere"),
        ("/v1/messages", anthropic({"type": "file", "file_id": "f"}), "must be base64, text, or content"),
        ("/v1/messages", anthropic(base64_source(PDF), citations={"enabled": True}), "citations.enabled is not"),
        ("/v1/messages", anthropic(5), "source must be an object"),
    ],
)
def test_what_cannot_be_read_is_refused(place: Place, path: str, body: dict[str, Any], words: str) -> None:
    refused = place.api.post(path, body)
    assert refused.status == 400
    assert words in refused.json["error"]["message"]
