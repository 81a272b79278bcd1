"""Gaps in code that editors want filled, in llama.vim's own requests."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.api_servers import Api, serving
from support.ggufs import ModelRecipe, make_model
from support.vocabularies import END_OF_TEXT, TURN_END, TURN_START, BpeVocab

MARKS = ("<|fim_prefix|>", "<|fim_suffix|>", "<|fim_middle|>", "<|repo_name|>", "<|file_sep|>")
CODE = BpeVocab(control=(END_OF_TEXT, TURN_START, TURN_END, *MARKS))
WARM_UP = (
    b'{"id_slot":0,"input_prefix":"","input_suffix":"","input_extra":[{"text":"def first(a):\\n    return a\\n",'
    b'"time":[1,2],"filename":"first.py"}],"prompt":"","n_predict":0,"temperature":0.0,"samplers":[],"stream":false,'
    b'"cache_prompt":true,"t_max_prompt_ms":1,"t_max_predict_ms":1,"response_fields":[""]}'
)
ASKED = (
    b'{"id_slot":0,"input_prefix":"def look(world):\\n    return world\\n\\n","input_suffix":"\\n\\nlook(2)\\n",'
    b'"input_extra":[{"text":"def first(a):\\n    return a\\n","time":[1,2],"filename":"first.py"}],'
    b'"prompt":"def find(","n_predict":24,"stop":[],"n_indent":0,"top_k":40,"top_p":0.9,'
    b'"samplers":["top_k","top_p","infill"],"stream":false,"cache_prompt":true,"t_max_prompt_ms":500000,'
    b'"t_max_predict_ms":500000,"response_fields":["content","timings/prompt_n","timings/prompt_ms",'
    b'"timings/prompt_per_token_ms","timings/prompt_per_second","timings/predicted_n","timings/predicted_ms",'
    b'"timings/predicted_per_token_ms","timings/predicted_per_second","truncated","tokens_cached"]}'
)
JSON = {"Content-Type": "application/json"}
GAP = {"input_prefix": "def look(", "input_suffix": "):\n    return 1\n", "temperature": 0}


@pytest.fixture(scope="module")
def coder(home: Path, models_dir: Path) -> Iterator[Api]:
    model = make_model(models_dir / "coder.gguf", ModelRecipe(vocab=CODE, n_ctx=4096))
    with serving(home, "-m", model, "-c", "4096", "--exact") as api:
        yield api


def test_the_requests_of_llama_vim(coder: Api) -> None:
    warmed = coder.send("POST", "/infill", WARM_UP, JSON)
    assert (warmed.status, warmed.json) == (200, {})
    answer = coder.send("POST", "/infill", ASKED, JSON)
    assert answer.status == 200
    asked = json.loads(ASKED)
    assert set(answer.json) == set(asked["response_fields"])
    assert 0 < answer.json["timings/predicted_n"] <= 24, "its infill sampler ends it where the model is unsure"
    assert answer.json["truncated"] is False
    repeated = coder.send("POST", "/infill", ASKED, JSON).json
    assert repeated["timings/prompt_n"] == 1


def test_the_layout_of_the_prompt(coder: Api) -> None:
    """As llama-server writes it; the same tokens give the same answer."""
    files = [{"text": "def first(a):\n", "filename": "first.py"}, {"text": "x = 1\n"}]
    filled = coder.post("/infill", {**GAP, "prompt": "wor", "n_predict": 12, "input_extra": files}).json

    def ids(text: str, **options: object) -> list[int]:
        tokens = coder.post("/tokenize", {"content": text, **options}).json["tokens"]
        assert isinstance(tokens, list)
        return tokens

    prefix, suffix, middle, repository, file = (ids(mark)[0] for mark in MARKS)
    prompt = [
        *[repository, *ids("myproject\n")],
        *[file, *ids("first.py\n"), *ids("def first(a):\n")],
        *[file, *ids("tmp\n"), *ids("x = 1\n")],
        *[file, *ids("filename\n")],
        *[prefix, *ids("def look("), *ids("wor"), suffix, *ids("):\n    return 1\n"), middle],
    ]
    same = coder.post("/completion", {"prompt": prompt, "n_predict": 12, "temperature": 0}).json
    assert filled["content"] == same["content"]
    assert filled["tokens_evaluated"] == same["tokens_evaluated"] == len(prompt)


def test_what_does_not_fit_around_the_gap_is_cut(coder: Api) -> None:
    """Three parts of the batch before it, one behind it, files in the rest."""
    many = "x = 1\n" * 4000
    reply = coder.post(
        "/infill",
        {**GAP, "input_prefix": many, "input_suffix": many, "input_extra": [{"text": many}], "n_predict": 4},
    ).json
    assert reply["tokens_evaluated"] == 3 * 512 + (512 - 2) + (4096 - 2048 - 8) + 3


def test_a_stream(coder: Api) -> None:
    whole = coder.post("/infill", {**GAP, "n_predict": 12}).json["content"]
    streamed = coder.post("/infill", {**GAP, "n_predict": 12, "stream": True})
    blocks = [json.loads(block.removeprefix("data: ")) for block in streamed.body.decode().split("\n\n") if block]
    assert "".join(block["content"] for block in blocks) == whole
    assert [block["stop"] for block in blocks] == [False] * (len(blocks) - 1) + [True]
    assert blocks[-1]["timings"]["predicted_n"] == 12


def test_the_time_limits(coder: Api) -> None:
    """The answer would take seconds: it ends early, and says that it was cut."""
    endless = {**GAP, "n_predict": 3000, "ignore_eos": True, "seed": 1}
    cut = coder.post("/infill", {**endless, "t_max_predict_ms": 50}).json
    assert cut["stop_type"] == "limit"
    assert 0 < cut["tokens_predicted"] < 3000
    unread = coder.post("/infill", {**endless, "input_prefix": "y = 2\n" * 3000, "t_max_prompt_ms": 1}).json
    assert (unread["content"], unread["tokens_predicted"]) == ("", 0)


def test_a_block_ends_where_lines_are_indented_less(coder: Api) -> None:
    whole = coder.post("/infill", {**GAP, "n_predict": 200, "ignore_eos": True}).json["content"]
    assert "\n" in whole
    cut = coder.post("/infill", {**GAP, "n_predict": 200, "ignore_eos": True, "n_indent": 100}).json
    first, _, rest = cut["content"].partition("\n")
    assert whole.startswith(first)
    assert not rest.strip()


def test_openais_suffix_and_ollamas(coder: Api) -> None:
    filled = coder.post("/infill", {**GAP, "n_predict": 8}).json["content"]
    asked = {"prompt": GAP["input_prefix"], "suffix": GAP["input_suffix"]}
    assert (
        coder.post("/v1/completions", {**asked, "max_tokens": 8, "temperature": 0}).json["choices"][0]["text"] == filled
    )
    options = {"num_predict": 8, "temperature": 0}
    assert coder.post("/api/generate", {**asked, "stream": False, "options": options}).json["response"] == filled
    assert coder.post("/api/show", {}).json["capabilities"] == ["completion", "insert"]


def test_guesses_come_from_the_text_around_the_gap(coder: Api) -> None:
    """Words that only the files have, written again."""
    reply = coder.post("/infill", {**GAP, "n_predict": 64, "ignore_eos": True, "input_prefix": "a b c d " * 50}).json
    assert reply["speculation"]["drafted_per_source"].keys() <= {"ngram"}


def test_what_is_far_too_long_is_not_looked_at(coder: Api) -> None:
    refused = coder.post("/infill", {**GAP, "prompt": "x" * 1_000_000})
    assert (refused.status, refused.error["code"]) == (400, "context_length_exceeded")
    assert "far longer" in refused.error["message"]
    named = coder.post("/infill", {**GAP, "input_extra": [{"text": "", "filename": "x" * 1_000_000}], "n_predict": 1})
    assert named.status == 200
    assert named.json["tokens_evaluated"] < 2000


def test_a_model_without_the_tokens(api: Api) -> None:
    refused = api.post("/infill", GAP)
    assert refused.status == 501
    assert "doesn't support infill" in refused.error["message"]


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"input_prefix": None}, "input_prefix is missing"),
        ({"input_suffix": 1}, "input_suffix must be a string"),
        ({"input_extra": "x"}, "input_extra must be a list"),
        ({"input_extra": [{}]}, "input_extra[0].text is missing"),
        ({"response_fields": [1]}, "response_fields must be"),
        ({"t_max_predict_ms": "1"}, "t_max_predict_ms must be a number"),
    ],
)
def test_what_is_wrong_is_named(coder: Api, fields: dict[str, object], said: str) -> None:
    refused = coder.post("/infill", {**GAP, **fields})
    assert refused.status == 400
    assert said in refused.error["message"]
