"""What clients of llama-server ask beside answers."""

import json
from typing import Any

import pytest
from support.api_servers import Api

HELLO = [{"role": "user", "content": "hello world"}]


def test_tokens_and_back(api: Api) -> None:
    tokens = api.post("/tokenize", {"content": "hello world"}).json["tokens"]
    assert tokens
    assert api.post("/detokenize", {"tokens": tokens}).json == {"content": "hello world"}
    pieces = api.post("/tokenize", {"content": "hello 世", "with_pieces": True}).json["tokens"]
    parts = [bytes(each["piece"]) if isinstance(each["piece"], list) else each["piece"].encode() for each in pieces]
    assert b"".join(parts).decode() == "hello 世"
    marked = api.post("/tokenize", {"content": "<|im_start|>"}).json["tokens"]
    assert len(marked) == 1
    assert len(api.post("/tokenize", {"content": "<|im_start|>", "parse_special": False}).json["tokens"]) > 1
    assert api.post("/detokenize", {"tokens": marked}).json == {"content": "<|im_start|>"}
    assert api.post("/detokenize", {"tokens": []}).json == {"content": ""}


def test_the_template_is_applied(api: Api) -> None:
    written = api.post("/apply-template", {"messages": HELLO}).json["prompt"]
    assert written == "<|im_start|>user\nhello world<|im_end|>\n<|im_start|>assistant\n"
    asked = {"prompt": written, "max_tokens": 8, "temperature": 0}
    assert (
        api.post("/v1/completions", asked).json["choices"][0]["text"]
        == (api.chat("hello world", max_tokens=8, temperature=0).json["choices"][0]["message"]["content"])
    )


def test_properties_slots_and_models(api: Api) -> None:
    props = api.get("/props").json
    assert props["default_generation_settings"]["n_ctx"] == 2048
    assert props["chat_template"].startswith("{%- if tools %}")
    assert (props["model_alias"], props["eos_token"]) == ("target.gguf", "<|im_end|>")
    slots = json.loads(api.get("/slots").body)
    assert [slot["id"] for slot in slots] == list(range(props["total_slots"]))
    assert {(slot["is_processing"], slot["n_ctx"], slot["speculative"]) for slot in slots} == {(False, 2048, True)}
    assert len(slots) == api.metrics()["slots"] > 1
    assert api.get("/models").json == api.get("/v1/models").json
    assert api.get("/health").json["status"] == api.get("/v1/health").json["status"] == "ok"


def test_answers_without_the_version_in_the_path(api: Api) -> None:
    """As llama-server's, for clients whose base URL lacks it."""
    asked = {"messages": [{"role": "user", "content": "hello"}], "max_tokens": 2}
    assert api.post("/chat/completions", asked).json["object"] == "chat.completion"
    assert api.post("/completions", {"prompt": "hello", "n_predict": 2}).json["tokens_predicted"] == 2


def test_slots_tell_of_their_answers(api: Api) -> None:
    asked = {"prompt": "hello world", "n_predict": 16, "temperature": 0.5, "seed": 7, "ignore_eos": True}
    reply = api.post("/completion", asked).json
    latest = max(json.loads(api.get("/slots").body), key=lambda slot: slot.get("id_task", -1))
    assert (latest["is_processing"], latest["n_decoded"]) == (False, 16)
    assert latest["n_prompt_tokens"] == reply["tokens_evaluated"]
    assert latest["n_past"] == latest["n_prompt_tokens"] + 16
    assert {name: latest["params"][name] for name in ("seed", "temperature", "n_predict")} == {
        "seed": 7,
        "temperature": 0.5,
        "n_predict": 16,
    }
    assert latest["next_token"] == [{"has_next_token": False, "n_remain": 0, "n_decoded": 16}]


def test_a_completion_in_llama_servers_form(api: Api) -> None:
    asked = {"prompt": "hello world", "n_predict": 16, "temperature": 0, "ignore_eos": True}
    reply = api.post("/completion", asked).json
    assert reply["content"] == api.complete("hello world", temperature=0, ignore_eos=True).json["choices"][0]["text"]
    assert (reply["stop"], reply["stop_type"], reply["tokens_predicted"]) == (True, "limit", 16)
    stop = reply["content"][8:11]
    ended = api.post("/completion", {**asked, "stop": [stop]}).json
    assert (ended["stop_type"], ended["stopping_word"]) == ("word", stop)
    probable = api.post("/completion", {**asked, "n_probs": 2}).json["completion_probabilities"]
    assert len(probable) == 16
    assert len(probable[0]["top_logprobs"]) == 2


def streamed_events(api: Api, asked: dict[str, object]) -> list[dict[str, Any]]:
    blocks = api.post("/completion", {**asked, "stream": True}).body.decode().strip().split("\n\n")
    return [json.loads(block.removeprefix("data: ")) for block in blocks]


def test_the_tokens_of_a_completion(api: Api) -> None:
    asked = {"prompt": "hello world", "n_predict": 16, "temperature": 0, "ignore_eos": True}
    assert api.post("/completion", asked).json["tokens"] == []
    reply = api.post("/completion", {**asked, "return_tokens": True}).json
    assert len(reply["tokens"]) == 16
    assert api.post("/detokenize", {"tokens": reply["tokens"]}).json["content"] == reply["content"]
    chunks = streamed_events(api, {**asked, "return_tokens": True})
    assert [token for chunk in chunks for token in chunk["tokens"]] == reply["tokens"]
    assert not any(chunk["tokens"] for chunk in streamed_events(api, asked))


def test_a_completion_of_several_prompts(api: Api) -> None:
    asked = {"n_predict": 6, "temperature": 0, "ignore_eos": True}
    alone = [api.post("/completion", {**asked, "prompt": text}).json["content"] for text in ("hello", "world")]
    both = {**asked, "prompt": ["hello", "world"]}
    replies = json.loads(api.post("/completion", both).body)
    assert [(each["index"], each["prompt"], each["content"]) for each in replies] == [
        (0, "hello", alone[0]),
        (1, "world", alone[1]),
    ]
    chunks = streamed_events(api, both)
    assert ["".join(each["content"] for each in chunks if each["index"] == index) for index in (0, 1)] == alone
    assert [chunk["index"] for chunk in chunks if chunk["stop"]] == [0, 1]
    assert api.post("/completion", {**asked, "prompt": ["hello"]}).json["content"] == alone[0]


def test_several_answers_and_several_prompts(api: Api) -> None:
    asked = {"max_tokens": 6, "temperature": 1, "seed": 5, "ignore_eos": True}
    choices = api.chat("hello world", n=3, **asked).json["choices"]
    assert [choice["index"] for choice in choices] == [0, 1, 2]
    texts = [choice["message"]["content"] for choice in choices]
    assert texts[0] == api.chat("hello world", **asked).json["choices"][0]["message"]["content"]
    assert len(set(texts)) == 3

    streamed = api.chat("hello world", n=3, stream=True, stream_options={"include_usage": True}, **asked).events
    told = ["", "", ""]
    for choice in (choice for event in streamed for choice in event["choices"]):
        told[choice["index"]] += choice["delta"].get("content") or ""
    assert told == texts
    assert streamed[-1]["usage"]["completion_tokens"] == 18

    both = api.complete(["hello", "world"], **asked).json
    alone = [api.complete(prompt, **asked).json for prompt in ("hello", "world")]
    assert [choice["text"] for choice in both["choices"]] == [each["choices"][0]["text"] for each in alone]
    assert both["usage"]["prompt_tokens"] == sum(each["usage"]["prompt_tokens"] for each in alone)


def test_a_prompt_is_echoed(api: Api) -> None:
    asked = {"max_tokens": 6, "temperature": 0, "ignore_eos": True}
    plain = api.complete("hello world", **asked).json["choices"][0]["text"]
    assert api.complete("hello world", echo=True, **asked).json["choices"][0]["text"] == f"hello world{plain}"
    streamed = api.complete(["hello world"], echo=True, stream=True, **asked).events
    assert "".join(choice["text"] for event in streamed for choice in event["choices"]) == f"hello world{plain}"


def test_scores_are_changed(api: Api) -> None:
    asked = {"max_tokens": 8, "temperature": 0, "ignore_eos": True}
    (token,) = api.post("/tokenize", {"content": "model"}).json["tokens"]
    wanted = api.complete("hello", logit_bias={str(token): 100}, **asked).json["choices"][0]["text"]
    assert wanted == "model" * 8
    usual = api.complete("hello", **asked).json["choices"][0]["text"]
    first = api.post("/tokenize", {"content": usual}).json["tokens"][0]
    other = api.complete("hello", logit_bias=[[first, False]], **asked).json["choices"][0]["text"]
    assert api.post("/tokenize", {"content": other}).json["tokens"][0] != first


def test_temperatures_that_openai_has_not(api: Api) -> None:
    for path, fields in (
        ("/completion", {"prompt": "hello", "n_predict": 2, "temperature": 5, "presence_penalty": 3}),
        ("/api/generate", {"prompt": "hello", "options": {"num_predict": 2, "temperature": 5}, "stream": False}),
    ):
        assert api.post(path, fields).status == 200
    refused = api.chat("hello", temperature=5)
    assert (refused.status, "between 0 and 2" in refused.error["message"]) == (400, True)


@pytest.mark.parametrize(
    ("path", "fields", "said"),
    [
        ("/tokenize", {}, "content is missing"),
        ("/detokenize", {"tokens": ["x"]}, "tokens must be"),
        ("/detokenize", {"tokens": [1 << 30]}, "not in the model's vocabulary"),
        ("/completion", {"prompt": ""}, "prompt is empty"),
        ("/v1/completions", {"prompt": "x", "logit_bias": {"x": 1}}, "logit_bias must name tokens"),
        ("/v1/completions", {"prompt": "x", "logit_bias": {"100000": 1}}, "logit_bias names a token"),
        ("/v1/completions", {"prompt": [1], "echo": True}, "echo needs a text prompt"),
        ("/v1/completions", {"prompt": ["x"] * 17}, "at most 16 prompts"),
        ("/v1/completions", {"prompt": ["x"] * 9, "n": 2}, "too many answers"),
    ],
)
def test_what_is_wrong_is_named(api: Api, path: str, fields: dict[str, object], said: str) -> None:
    refused = api.post(path, fields)
    assert refused.status == 400
    assert said in refused.error["message"]


def test_an_adapter_is_refused(api: Api) -> None:
    refused = api.post("/completion", {"prompt": "hello", "lora": [{"id": 0, "scale": 1}]})
    assert (refused.status, refused.error["param"]) == (400, "lora")
    assert api.post("/completion", {"prompt": "hello", "n_predict": 1, "lora": []}).status == 200
