"""`serve` without -m: the models of this computer, loaded by requests that name them."""

import json
import shutil
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from anthropic import Anthropic
from ollama import Client, ResponseError
from support.api_servers import ANSWER_S, Api, listening, serving
from support.embedders import make_bert
from support.gated_engine import GatedEngine
from support.model_homes import small_model
from support.projectors import LLAVA

from specchat.domain.completions import ServerSettings
from specchat.domain.embeddings import Pooling
from specchat.services.engines.model_pool import ModelPool
from specchat.services.models.model_library import ModelLibrary
from specchat.services.settings.pair_chooser import PairChooser
from specchat.services.settings.pair_settings import PairSettings
from specchat.store.json_cache import JsonCache
from specchat.store.json_file import JsonFile

ASKED = "hello world, what is a token?"
ASKED_MESSAGES = [{"role": "user", "content": ASKED}]
NAMES = ["alpha-draft.gguf", "alpha.gguf", "beta.gguf", "hollow.gguf", "seeing.gguf", "demo-draft", "demo-target"]
PATHS = ["/etc/passwd", "../models/alpha.gguf", "models/alpha.gguf", "alpha.gguf/../beta.gguf", "file:///etc/passwd"]


@pytest.fixture(scope="module")
def home_of_models(tmp_path_factory: pytest.TempPathFactory, pair: tuple[Path, Path], tiny_llama: Path) -> Path:
    home = tmp_path_factory.mktemp("home-of-models")
    models = home / "data" / "models"
    models.mkdir(parents=True)
    for file, name in ((pair[0], "alpha"), (pair[1], "alpha-draft"), (tiny_llama, "beta")):
        shutil.copy(file, models / f"{name}.gguf")
    (models / "hollow.gguf").write_bytes(small_model())
    target, mmproj = LLAVA.make(models / "sees")
    target.rename(target.with_name("seeing.gguf"))
    mmproj.rename(mmproj.with_name("mmproj-seeing.gguf"))
    (models / "damaged.gguf").write_bytes(tiny_llama.read_bytes()[:-1000])
    return home


@pytest.fixture(scope="module")
def api(home_of_models: Path) -> Iterator[Api]:
    elsewhere = {name: str(home_of_models / "elsewhere") for name in ("HF_HOME", "OLLAMA_MODELS", "HOME")}
    with serving(home_of_models, "--models-max", "2", "-c", "1024", changes=elsewhere) as api:
        yield api


@pytest.fixture
def ollama(api: Api) -> Iterator[Client]:
    with Client(host=api.url.removesuffix("/v1"), timeout=ANSWER_S) as client:
        yield client


def listed(api: Api) -> dict[str, dict[str, Any]]:
    return {model["id"]: model for model in api.get("/models").json["data"]}


def loaded(api: Api) -> list[str]:
    return [name for name, model in listed(api).items() if model["status"]["value"] == "loaded"]


def wait_for(api: Api, name: str, status: str) -> dict[str, Any]:
    end = time.monotonic() + ANSWER_S
    while (model := listed(api)[name])["status"]["value"] != status:
        assert time.monotonic() < end
        time.sleep(0.05)
    return model


def test_all_models_are_listed_and_none_is_loaded_yet(api: Api) -> None:
    assert api.get("/health").json == {"status": "ok"}
    assert [model.id for model in api.client().models.list()] == NAMES
    assert api.get("/v1/models").json == api.get("/models").json
    about = api.client().models.retrieve("alpha.gguf")
    assert (about.id, about.owned_by) == ("alpha.gguf", "specchat")
    assert listed(api)["beta.gguf"]["status"] == {"value": "unloaded", "args": []}
    assert listed(api)["beta.gguf"]["architecture"]["input_modalities"] == ["text"]
    assert listed(api)["seeing.gguf"]["architecture"]["input_modalities"] == ["text", "image"]
    assert "vision" in api.post("/api/show", {"model": "seeing"}).json["capabilities"]
    assert api.get("/slots").body == b"[]"
    assert api.get("/props").json["role"] == "router"


def test_the_model_that_is_named_answers(api: Api) -> None:
    for name in ("alpha.gguf", "beta.gguf"):
        answer = api.client().chat.completions.create(
            model=name, messages=[{"role": "user", "content": ASKED}], max_tokens=4
        )
        assert answer.model == name
    assert loaded(api) == ["alpha.gguf", "beta.gguf"]
    assert api.complete("hello", max_tokens=2).json["model"] == "beta.gguf", "the loaded one, where none is named"
    streamed = api.chat(ASKED, model="ALPHA", stream=True, max_tokens=4).events
    assert {chunk["model"] for chunk in streamed} == {"alpha.gguf"}
    meta = listed(api)["alpha.gguf"]["meta"]
    assert (meta["draft"], meta["n_ctx"], meta["drafting"]) == ("alpha-draft.gguf", 1024, "on")
    assert api.get("/props").json["model_alias"] == "alpha.gguf"
    assert len(api.get("/slots").body) > 2


def test_other_apis_name_models_too(api: Api) -> None:
    with Anthropic(base_url=api.url.removesuffix("/v1"), api_key="none", max_retries=0) as client:
        said = client.messages.create(model="beta", max_tokens=4, messages=[{"role": "user", "content": ASKED}])
    assert said.model == "beta.gguf"
    assert api.post("/tokenize", {"content": "hello", "model": "alpha"}).json["tokens"]
    assert api.post("/completion", {"prompt": "hello", "n_predict": 2, "model": "beta"}).status == 200
    assert api.get("/props?model=alpha").json["model_alias"] == "alpha.gguf"
    responded = api.client().responses.create(model="beta", input=ASKED, max_output_tokens=4)
    assert responded.model == "beta.gguf"


@pytest.mark.parametrize("name", ["gpt-5", *PATHS])
def test_unknown_names_are_told_with_those_that_exist(api: Api, name: str) -> None:
    refused = api.chat(ASKED, model=name)
    assert refused.status == 404
    assert (refused.error["code"], refused.error["param"]) == ("model_not_found", "model")
    assert f"Available: {', '.join(NAMES)}." in refused.error["message"]
    assert api.post("/models/load", {"model": name}).status == 404
    assert api.post("/models/unload", {"model": name}).status == 404
    shown = api.post("/api/show", {"model": name})
    assert (shown.status, list(shown.json)) == (404, ["error"])
    assert api.post("/v1/messages", {"model": name, "max_tokens": 1, "messages": []}).status in (400, 404)


def test_what_cannot_be_loaded_says_why_and_the_server_lives(api: Api, home_of_models: Path) -> None:
    hollow, damaged = api.chat(ASKED, model="hollow"), api.chat(ASKED, model="damaged")
    assert (hollow.status, damaged.status) == (500, 500)
    assert "hollow.gguf" in hollow.error["message"]
    assert "damaged.gguf" in damaged.error["message"]
    assert str(home_of_models) not in hollow.body.decode() + damaged.body.decode()
    status = wait_for(api, "hollow.gguf", "unloaded")["status"]
    assert (status["failed"], status["exit_code"]) == (True, 1)
    assert status["error"] == hollow.error["message"]
    assert api.chat(ASKED, model="beta", max_tokens=2).status == 200


def test_loading_and_unloading(api: Api) -> None:
    """What was asked longest ago makes room."""
    for name in ("beta", "alpha"):
        api.chat(ASKED, model=name, max_tokens=2)
    assert api.post("/models/load", {"model": "beta"}).status == 400
    assert api.post("/models/load", {"model": "alpha-draft"}).json == {"success": True}
    wait_for(api, "alpha-draft.gguf", "loaded")
    assert loaded(api) == ["alpha-draft.gguf", "alpha.gguf"]
    assert api.post("/models/unload", {"model": "alpha"}).json == {"success": True}
    wait_for(api, "alpha.gguf", "unloaded")
    assert api.post("/models/unload", {"model": "alpha"}).status == 400
    assert api.post("/models/load", {}).error["code"] == "missing_required_parameter"
    assert api.complete("hello", max_tokens=2).json["model"] == "alpha-draft.gguf", "the one used last"


def test_a_file_that_came_later_is_found(api: Api, home_of_models: Path) -> None:
    models = home_of_models / "data" / "models"
    new = models / "later.gguf"
    shutil.copy(models / "beta.gguf", new)
    try:
        assert api.chat(ASKED, model="later", max_tokens=2).json["model"] == "later.gguf"
    finally:
        new.unlink()
    assert "later.gguf" not in listed(api)


def test_embedding_models_and_rerankers(api: Api, home_of_models: Path) -> None:
    """None of them is another one's draft, and each says its own name."""
    models = home_of_models / "data" / "models"
    new = [make_bert(models / "embedder.gguf"), make_bert(models / "ranker.gguf", Pooling.RANK)]
    try:
        by_header = api.post("/api/show", {"model": "embedder"}).json["capabilities"]
        loaded = api.post("/api/embed", {"model": "embedder", "input": ""})
        assert (by_header, loaded.json) == (["embedding"], {"model": "embedder", "embeddings": []})
        wait_for(api, "embedder.gguf", "loaded")
        assert len(api.post("/api/embed", {"input": "hello"}).json["embeddings"]) == 1, "the one used last"
        ranked = api.post("/v1/rerank", {"model": "ranker", "query": "hello", "documents": ["water", "token"]})
        assert (ranked.status, ranked.json["model"]) == (200, "ranker.gguf")
        assert api.post("/models/unload", {"model": "embedder"}).status == 200
        wait_for(api, "embedder.gguf", "unloaded")
        durations = [
            api.post("/api/embed", {"model": "embedder", "input": "hello"}).json["load_duration"] for _ in range(2)
        ]
        assert (durations[0] > 0, durations[1]) == (True, 0)
        embedded = api.post("/v1/embeddings", {"model": "embedder", "input": "hello"})
        assert (embedded.status, embedded.json["model"]) == (200, "embedder.gguf")
        assert api.post("/v1/embeddings", {"model": "alpha", "input": "hello"}).status == 501
        assert api.chat(ASKED, model="ranker").status == 501
    finally:
        for path in new:
            path.unlink()


def test_slots_of_each_model(api: Api) -> None:
    for name in ("alpha", "beta"):
        assert api.chat(ASKED, model=name, max_tokens=2).status == 200
    of_alpha, of_beta = (json.loads(api.get(f"/slots?model={name}").body) for name in ("alpha", "beta"))
    assert json.loads(api.get("/slots").body) == of_beta
    assert (len(of_alpha), len(of_beta)) == (4, 4)
    assert of_alpha[0]["id_task"] == of_beta[0]["id_task"] - 1
    assert api.metrics()["slots"] == 8
    assert api.get("/slots?model=hollow").body == b"[]"
    assert api.get("/slots?model=gpt-5").status == 404


def test_ollamas_client(ollama: Client, api: Api) -> None:
    models = {model.model: model for model in ollama.list().models}
    assert list(models) == NAMES
    assert models["alpha.gguf"].size
    assert ollama.generate("beta", keep_alive=60).done_reason == "load"
    (beta,) = [model for model in ollama.ps().models if model.model == "beta.gguf"]
    assert beta.expires_at is not None
    assert beta.expires_at > datetime.now(UTC) + timedelta(days=36500), "never"
    assert (beta.size_vram, beta.context_length) == (0, 1024)
    by_header, when_loaded = ollama.show("hollow"), ollama.show("beta")
    assert api.post("/api/show", {"model": "alpha"}).json["capabilities"] == ["completion", "tools"]
    for shown in (by_header, when_loaded):
        assert shown.modelinfo
        assert shown.modelinfo["llama.context_length"]
        assert shown.details
        assert shown.details.quantization_level
    assert "hollow.gguf" not in loaded(api)
    assert ollama.generate("beta", keep_alive=0).done_reason == "unload"
    wait_for(api, "beta.gguf", "unloaded")
    with pytest.raises(ResponseError, match="gpt-5 is not on this computer") as refused:
        ollama.chat("gpt-5", [])
    assert refused.value.status_code == 404


def test_ollama_hears_how_long_loading_took(ollama: Client, api: Api) -> None:
    ollama.generate("beta", keep_alive=0)
    wait_for(api, "beta.gguf", "unloaded")
    loading, again = (ollama.chat("beta", ASKED_MESSAGES, options={"num_predict": 1}) for _ in range(2))
    assert loading.load_duration
    assert loading.total_duration
    assert loading.load_duration < loading.total_duration
    assert again.load_duration == 0


def test_clients_of_two_models_at_once(api: Api) -> None:
    """Each is answered by the model that it names."""

    def ask(number: int) -> tuple[str, str, int]:
        name = "alpha.gguf" if number % 2 else "beta.gguf"
        answer = api.chat(f"{ASKED} {number}", model=name, max_tokens=8, stream=number % 3 == 0)
        told = answer.events[0]["model"] if number % 3 == 0 else answer.json["model"]
        return name, told, answer.status

    with ThreadPoolExecutor(8) as clients:
        answers = list(clients.map(ask, range(16)))
    assert all(name == told for name, told, _ in answers)
    assert Counter(status for *_, status in answers) == {200: 16}
    assert loaded(api) == ["alpha.gguf", "beta.gguf"]


def test_strangers_are_refused_here_as_well(api: Api) -> None:
    for path in ("/models/load", "/models/unload"):
        body = b'{"model": "beta.gguf"}'
        assert api.send("POST", path, body, {"Host": "evil.example"}).status == 403
        assert api.send("POST", path, body, {"Origin": "https://evil.example"}).status == 403
        assert api.get(path).status == 405


@contextmanager
def pool_listening(folder: Path, key: str) -> Iterator[tuple[ModelPool, Api]]:
    (folder / "models").mkdir()
    (folder / "models" / "alpha.gguf").write_bytes(small_model())
    facts = JsonCache(folder / "facts.json"), JsonCache(folder / "verdicts.json")
    library = ModelLibrary(JsonFile(folder / "added.json"), folder / "models", *facts)
    settings = ServerSettings(port=0, api_key=key)
    chooser = PairChooser(library, PairSettings(JsonFile(folder / "pairs.json")), lambda choice: choice)
    pool = ModelPool(library, chooser, GatedEngine, settings, folder)
    try:
        with listening(pool, settings) as api:
            yield pool, api
    finally:
        pool.close()


def test_only_who_has_the_key_loads_models(tmp_path: Path) -> None:

    with pool_listening(tmp_path, "secret") as (pool, api):
        for path in ("/models", "/v1/models", "/api/tags", "/slots", "/props"):
            assert api.get(path).status == 401
        for path in ("/models/load", "/models/unload", "/api/show"):
            assert api.post(path, {"model": "alpha.gguf"}).status == 401
        assert api.get("/health").status == 200
        assert not pool.models(), "nobody looked which models there are"
        body, key = b'{"model": "alpha.gguf"}', {"Authorization": "Bearer secret"}
        assert api.send("POST", "/models/load", body, key).json == {"success": True}
        assert [model.name for model in pool.models()] == ["alpha.gguf"]
