"""A server whose models are unloaded for want of requests."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.api_servers import ANSWER_S, Api, serving


@pytest.fixture(scope="module")
def api(home: Path, pair: tuple[Path, Path]) -> Iterator[Api]:
    with serving(home, "-m", pair[0], "--draft-type", "none", "-c", "512", "--idle-unload", "0.2") as api:
        yield api


def wait_until_asleep(api: Api) -> None:
    end = time.monotonic() + ANSWER_S
    while api.get("/api/ps").json["models"]:
        assert time.monotonic() < end
        time.sleep(0.05)


def test_what_does_not_wake_the_model(api: Api, pair: tuple[Path, Path]) -> None:
    wait_until_asleep(api)
    props = api.get("/props").json
    assert (props["is_sleeping"], props["total_slots"], props["eos_token"]) == (True, 4, "<|im_end|>")
    assert props["chat_template"].startswith("{%- if tools %}")
    assert api.post("/api/show", {"model": "any"}).json["capabilities"] == ["completion", "tools"]
    assert api.get("/health").json["status"] == "ok"
    assert [model["id"] for model in api.get("/v1/models").json["data"]] == [pair[0].name]
    assert api.get("/api/ps").json == {"models": []}
    assert api.get("/props").json["is_sleeping"] is True


def test_a_request_wakes_the_model_and_looking_does_not_keep_it_awake(api: Api) -> None:
    assert api.complete("hello", max_tokens=1).status == 200
    end = time.monotonic() + ANSWER_S
    while not api.get("/props").json["is_sleeping"]:
        assert time.monotonic() < end
        time.sleep(0.05)


def test_ollamas_clients_hear_that_the_request_loaded_the_model(api: Api) -> None:
    wait_until_asleep(api)
    asked = {"prompt": "hello", "stream": False, "options": {"num_predict": 1}}
    assert api.post("/api/generate", asked).json["load_duration"] > 0
