import json
from dataclasses import asdict

import pytest
from support.gguf_bytes import (
    I32,
    TOKENS,
    BytesSource,
    Tensor,
    Value,
    array,
    gguf,
    model_metadata,
    model_tensors,
    strings,
)

from specchat.domain.errors import ModelFileError
from specchat.gguf.draft_kinds import is_draft_only
from specchat.gguf.header import Header, read_header
from specchat.gguf.summary import ModelSummary, chat_template, summarise

CONTRACT = [
    "architecture",
    "parameters",
    "quantization",
    "file_size",
    "n_layer",
    "n_ctx_train",
    "n_embd",
    "n_head",
    "n_head_kv",
    "n_vocab",
    "tokenizer",
    "chat_template",
    "draft_kind",
    "draft_inside",
    "bytes_read",
    "problems",
]


def header_of(changes: dict[str, Value | None] | None = None, tensors: list[Tensor] | None = None) -> Header:
    return read_header(BytesSource(gguf(model_metadata(changes), model_tensors() if tensors is None else tensors)))


def summary_of(changes: dict[str, Value | None] | None = None, tensors: list[Tensor] | None = None) -> ModelSummary:
    source = BytesSource(gguf(model_metadata(changes), model_tensors() if tensors is None else tensors))
    return summarise(read_header(source), source)


def test_a_sound_model() -> None:
    summary = summary_of()
    assert (summary.architecture, summary.quantization) == ("llama", "F16")
    assert summary.parameters == 320 + 32 + 1024
    assert (summary.n_layer, summary.n_ctx_train, summary.n_embd) == (2, 512, 32)
    assert (summary.n_head, summary.n_head_kv, summary.n_vocab) == (4, 2, len(TOKENS))
    assert summary.file_size == summary.bytes_read > 0
    assert (summary.chat_template, summary.draft_kind, summary.problems) == (False, None, ())


def test_its_fields_are_those_of_the_contract() -> None:
    fields = json.loads(json.dumps(asdict(summary_of())))
    assert list(fields) == CONTRACT
    assert list(fields["tokenizer"]) == ["model", "pre", "sha256", "bos", "eos", "add_bos", "add_eos"]
    assert fields["problems"] == []


def test_heads_per_layer_are_summed_up_by_the_most() -> None:
    summary = summary_of({"llama.attention.head_count": [2, 4], "llama.attention.head_count_kv": None})
    assert (summary.n_head, summary.n_head_kv) == (4, 4)
    assert summary_of({"llama.attention.head_count_kv": [0, 2]}).n_head_kv == 2


@pytest.mark.parametrize(
    ("file_type", "name"),
    [(15, "Q4_K_M"), (1024 + 7, "Q8_0"), (38, "MXFP4_MOE"), (9999, "Q8_0"), (None, "Q8_0")],
)
def test_quantization_is_what_the_file_says_or_most_of_it_is(file_type: int | None, name: str) -> None:
    assert summary_of({"general.file_type": file_type}).quantization == name


def test_chat_templates() -> None:
    assert chat_template(header_of({"tokenizer.chat_template": "{{ messages }}"})) == "{{ messages }}"
    assert summary_of({"tokenizer.chat_template": "{{ messages }}"}).chat_template
    assert chat_template(header_of({"tokenizer.chat_template": ""})) is None
    with pytest.raises(ModelFileError, match=r"tokenizer\.chat_template is not a string"):
        chat_template(header_of({"tokenizer.chat_template": array(I32, [1])}))


def renamed(architecture: str) -> dict[str, Value | None]:
    return {
        "general.architecture": architecture,
        f"{architecture}.block_count": 2,
        f"{architecture}.embedding_length": 32,
        f"{architecture}.context_length": 512,
    }


@pytest.mark.parametrize(
    ("architecture", "tensor", "kind"),
    [
        ("eagle3", "fc.weight", "eagle3"),
        ("dflash", "fc.weight", "dflash"),
        ("dflash", "markov_w1.weight", "dspark"),
        ("gemma4-assistant", "token_embd.weight", "assistant"),
        ("qwen35", "blk.1.nextn.eh_proj.weight", "mtp"),
    ],
)
def test_drafts_that_need_their_target(architecture: str, tensor: str, kind: str) -> None:
    tensors = [Tensor(tensor, (32, len(TOKENS)))]
    summary = summary_of(renamed(architecture), tensors)
    assert (summary.draft_kind, summary.draft_inside, summary.problems) == (kind, None, ())
    assert is_draft_only(header_of(renamed(architecture), tensors))


def test_a_whole_model_with_a_built_in_draft() -> None:
    changes: dict[str, Value | None] = {"llama.nextn_predict_layers": 1}
    tensors = [*model_tensors(), Tensor("blk.1.nextn.eh_proj.weight", (64, 32))]
    summary = summary_of(changes, tensors)
    assert (summary.draft_kind, summary.draft_inside, summary.n_layer) == (None, "mtp", 1)
    assert not is_draft_only(header_of(changes, tensors))
    assert not is_draft_only(header_of())


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"tokenizer.ggml.model": None}, "It has no tokenizer."),
        ({"tokenizer.ggml.model": "none"}, "It has no tokenizer."),
        ({"tokenizer.ggml.model": "future\x1b"}, "Its tokenizer has an unknown type: future\ufffd."),
        ({"tokenizer.ggml.model": "gpt2"}, "Its tokenizer has no merge rules."),
        (
            {"tokenizer.ggml.tokens": [*TOKENS[:-1], "a"]},
            "Several of its tokens have the same text, which llama.cpp rejects.",
        ),
        ({"tokenizer.ggml.tokens": strings([])}, "Its vocabulary is empty."),
        ({"tokenizer.ggml.tokens": TOKENS[:-1]}, "Its vocabulary has 9 tokens, but token_embd.weight has 10."),
        ({"llama.block_count": None}, "It doesn't state its number of layers."),
        ({"llama.embedding_length": None}, "It doesn't state the width of its layers."),
        ({"llama.context_length": None}, "It doesn't state its context length."),
    ],
)
def test_problems_of_the_metadata(changes: dict[str, Value | None], problem: str) -> None:
    assert problem in summary_of(changes).problems


def test_problems_of_the_tensors() -> None:
    assert summary_of(tensors=[]).problems == ("It contains only a vocabulary, no weights.",)
    assert summary_of(tensors=model_tensors()[1:]).problems == ("The tensor token_embd.weight is missing.",)
    flat = [Tensor("token_embd.weight", (32,))]
    assert summary_of(tensors=flat).problems == ("Its vocabulary has 10 tokens, but token_embd.weight has none.",)


def test_the_vocabulary_may_be_known_from_elsewhere() -> None:
    without: dict[str, Value | None] = {"tokenizer.ggml.model": None}
    assert summary_of(without).n_vocab == 10
    assert summary_of({**without, "llama.vocab_size": 77}).n_vocab == 77
    assert summary_of(without, []).n_vocab is None


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"general.architecture": "clip"}, "It encodes images"),
        ({"general.type": "mmproj"}, "It encodes images"),
        ({"general.type": "adapter"}, "adapter"),
        ({"general.type": "imatrix"}, "calibration data"),
    ],
)
def test_files_that_cannot_chat(changes: dict[str, Value | None], problem: str) -> None:
    (only,) = summary_of(changes).problems
    assert problem in only


def test_files_that_are_no_models() -> None:
    with pytest.raises(ModelFileError, match="It contains: imatrix"):
        summary_of({"general.architecture": None, "general.type": "imatrix"})
    with pytest.raises(ModelFileError, match="It doesn't say what it contains"):
        summary_of({"general.architecture": None})


def test_the_first_part_of_a_split_model() -> None:
    (problem,) = summary_of({"split.no": 0, "split.count": 3}, []).problems
    assert problem == "It is part 1 of 3. The parameters and size shown are for this part only."
    assert summary_of({"split.no": 0, "split.count": 1}).problems == ()


def test_a_later_part_of_a_split_model() -> None:
    with pytest.raises(ModelFileError, match="part 2 of 3") as caught:
        summary_of({"general.architecture": None, "split.no": 1, "split.count": 3})
    assert caught.value.hint.endswith("-00001-of-00003.gguf.")
    with pytest.raises(ModelFileError, match="part 4 of 3"):
        summary_of({"split.no": 3, "split.count": 3})
