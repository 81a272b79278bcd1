"""Recordings in requests: taken with a model that hears, refused by one that does not."""

import base64
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from server.test_pictures import message_of
from server.test_queue import Place
from support.api_servers import serving
from support.audio_projectors import QWEN25_OMNI
from support.recordings import flac, mp3, recording, tones

from specchat.domain.recordings import Recording
from specchat.domain.types import Message, Role

SOUND = Recording(recording(0.2).content)


def audio(content: bytes = SOUND.content, kind: object = "wav") -> dict[str, Any]:
    return {"type": "input_audio", "input_audio": {"data": base64.b64encode(content).decode(), "format": kind}}


def openai(*parts: object, role: str = "user") -> dict[str, Any]:
    text = {"type": "text", "text": "What?"}
    return {"messages": [{"role": role, "content": [*parts, text]}], "max_tokens": 1}


def responses(*parts: object) -> dict[str, Any]:
    text = {"type": "input_text", "text": "What?"}
    return {"input": [{"role": "user", "content": [*parts, text]}], "max_output_tokens": 1}


EACH = [("/v1/chat/completions", openai(audio())), ("/v1/responses", responses(audio()))]


@pytest.fixture(scope="module")
def hearing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    with Place(tmp_path_factory.mktemp("logs"), hears_recordings=True).running() as place:
        yield place


def test_a_model_that_hears_gets_them(hearing: Place) -> None:
    for path, body in EACH:
        hearing.engine.let()
        assert hearing.api.post(path, body).status == 200
        assert hearing.engine.asked[-1] == (Message(Role.USER, "What?", recordings=(SOUND,)),)
    for content, kind in ((mp3(), "mp3"), (flac(tones(0.2)), "flac"), (mp3(), None)):
        hearing.engine.let()
        assert hearing.api.post("/v1/chat/completions", openai(audio(content, kind))).status == 200
    (model,) = hearing.api.get("/v1/models").json["data"]
    assert model["architecture"]["input_modalities"] == ["text", "audio"]


def test_a_model_that_cannot_hear_refuses(tmp_path: Path) -> None:
    with Place(tmp_path, sees_pictures=True).running() as place:
        for path, body in EACH:
            refused = place.api.post(path, body)
            assert refused.status == 400
            assert "gated.gguf can't hear recordings. Choose a model with an audio encoder" in message_of(refused)
        assert place.engine.asked == []


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (openai({"type": "input_audio"}), "input_audio is missing"),
        (openai({"type": "input_audio", "input_audio": {}}), "input_audio.data is missing"),
        (openai({"type": "input_audio", "input_audio": {"data": "?"}}), "must be Base64"),
        (openai(audio(kind="ogg")), "must be one of wav, mp3, flac"),
        (openai(audio(b"hello")), "is not a WAV, MP3, or FLAC recording"),
        (openai(audio(recording(0.01).content)), "has no sound in it"),
        (openai(audio(flac(tones(0.2), claimed=1 << 35))), "is longer than 30 minutes"),
        (openai(*[audio(mp3())] * 17), "must have at most 16 recordings"),
        (openai(audio(), role="assistant"), "input_audio is not supported here"),
    ],
)
def test_what_is_no_recording_is_refused(hearing: Place, body: dict[str, Any], words: str) -> None:
    refused = hearing.api.post("/v1/chat/completions", body)
    assert refused.status == 400
    assert words in message_of(refused)


def test_a_real_model_hears(tmp_path: Path) -> None:
    target, _ = QWEN25_OMNI.make(tmp_path)
    with serving(tmp_path / "home", "-m", target, "--draft-type", "none", "-c", "1024") as api:
        assert api.get("/props").json["modalities"] == {"vision": True, "audio": True}
        for path, body in EACH:
            assert api.post(path, body).status == 200, path
