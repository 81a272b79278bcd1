"""What programs see that use LiteLLM, which speaks each provider's own API. They run where it is installed."""

import json
import os
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.api_servers import Api, serving
from support.embedders import make_bert

pytestmark = pytest.mark.filterwarnings("ignore")
QUESTION = "hello world, what is a token?"
ASKED = [{"role": "user", "content": QUESTION}]
WEATHER = {
    "type": "function",
    "function": {
        "name": "weather",
        "description": "The weather somewhere.",
        "parameters": {
            "type": "object",
            "properties": {"city": {"enum": ["Oslo", "Rome"]}},
            "required": ["city"],
            "additionalProperties": False,
        },
    },
}


@pytest.fixture(scope="module")
def litellm() -> Any:
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"  # it would ask the network
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = pytest.importorskip("litellm")
    found.telemetry = False
    return found


@pytest.fixture(params=["openai", "anthropic", "ollama_chat"])
def provider(request: pytest.FixtureRequest, api: Api) -> dict[str, str]:
    base = api.url if request.param == "openai" else api.url.removesuffix("/v1")
    return {"model": f"{request.param}/any", "api_base": base, "api_key": "none"}


def test_an_answer_whole_and_streamed(litellm: Any, provider: dict[str, str], api: Api) -> None:
    expected = api.chat(QUESTION, temperature=0, max_tokens=16).json["choices"][0]["message"]["content"]
    whole = litellm.completion(messages=ASKED, temperature=0, max_tokens=16, **provider)
    assert whole.choices[0].message.content == expected
    assert whole.usage.completion_tokens == 16
    chunks = litellm.completion(messages=ASKED, temperature=0, max_tokens=16, stream=True, **provider)
    assert "".join(chunk.choices[0].delta.content or "" for chunk in chunks) == expected


def test_a_tool_is_called_and_its_result_read(litellm: Any, api: Api) -> None:
    messages: list[Any] = list(ASKED)
    provider = {"model": "openai/any", "api_base": api.url, "api_key": "none"}
    answer = litellm.completion(messages=messages, tools=[WEATHER], tool_choice="required", **provider)
    message = answer.choices[0].message
    assert json.loads(message.tool_calls[0].function.arguments)["city"] in ("Oslo", "Rome")
    results = [{"role": "tool", "tool_call_id": call.id, "content": "It rains."} for call in message.tool_calls]
    messages += [message, *results]
    assert litellm.completion(messages=messages, tools=[WEATHER], max_tokens=4, **provider).usage.prompt_tokens > 50


@pytest.fixture
def embedder(home: Path, models_dir: Path) -> Iterator[Api]:
    with serving(home, "-m", make_bert(models_dir / "litellm.gguf")) as api:
        yield api


def test_embeddings(litellm: Any, embedder: Api) -> None:
    found = litellm.embedding(model="openai/any", input=["hello", "world"], api_base=embedder.url, api_key="none")
    assert [len(each["embedding"]) for each in found.data] == [64, 64]
