from pathlib import Path

import pytest
from support.gguf_bytes import BOOL, TOKENS, BytesSource, Raw, Tensor, Value, array, gguf, model_metadata, model_tensors

from specchat.domain.errors import ModelFileError
from specchat.gguf.header import Header, read_header
from specchat.gguf.shape import read_shape, shape_of


def header_of(changes: dict[str, Value | None] | None = None, tensors: list[Tensor] | None = None) -> Header:
    return read_header(BytesSource(gguf(model_metadata(changes), model_tensors() if tensors is None else tensors)))


def test_a_plain_model() -> None:
    shape = shape_of(header_of())
    assert (shape.n_embd, shape.n_ff, shape.n_head, shape.n_vocab) == (32, 64, 4, len(TOKENS))
    assert [(layer.key_width, layer.value_width, layer.window) for layer in shape.layers] == [(16, 16, 0)] * 2
    assert shape.layers[0].weights == 32 * 4 + 32 * 34
    assert (shape.layers[1].weights, shape.input_weights, shape.output_weights) == (0, 640, 0)


def test_an_embedding_that_is_the_output_too() -> None:
    assert shape_of(header_of()).tied_output == 640
    own = [*model_tensors(), Tensor("output.weight", (32, len(TOKENS)))]
    assert shape_of(header_of(None, own)).tied_output == 0


def test_heads_of_their_own_size_in_each_layer() -> None:
    changes: dict[str, Value | None] = {
        "llama.attention.head_count_kv": [1, 4],
        "llama.attention.key_length": 16,
        "llama.attention.value_length": 8,
    }
    layers = shape_of(header_of(changes)).layers
    assert [(layer.key_width, layer.value_width) for layer in layers] == [(16, 8), (64, 32)]


def bools(*items: bool) -> Raw:
    return array(BOOL, items)


@pytest.mark.parametrize(
    ("architecture", "pattern", "slides"),
    [
        ("any", 2, [True, False, True, False]),
        ("any", 4, [True, True, True, False]),
        ("any", 1, [False, False, False, False]),
        ("any", 0, [True, True, True, True]),
        ("any", bools(False, True, True, False), [False, True, True, False]),
        ("any", bools(True), [True, False, False, False]),
        ("any", [0, 1, 0, 1], [False, True, False, True]),
        ("any", None, [False, False, False, False]),
        ("gemma2", None, [True, False, True, False]),
        ("cohere2", None, [True, True, True, False]),
    ],
)
def test_which_layers_have_a_window(architecture: str, pattern: Value | None, slides: list[bool]) -> None:
    changes: dict[str, Value | None] = {
        "general.architecture": architecture,
        f"{architecture}.block_count": 4,
        f"{architecture}.embedding_length": 32,
        f"{architecture}.attention.head_count": 4,
        f"{architecture}.attention.sliding_window": 128,
        f"{architecture}.attention.sliding_window_pattern": pattern,
    }
    layers = shape_of(header_of(changes)).layers
    assert [layer.window == 128 for layer in layers] == slides


def test_layers_with_a_window_may_have_heads_of_another_size() -> None:
    changes: dict[str, Value | None] = {
        "llama.attention.sliding_window": 128,
        "llama.attention.sliding_window_pattern": bools(True, False),
        "llama.attention.key_length": 64,
        "llama.attention.key_length_swa": 32,
    }
    assert [layer.key_width for layer in shape_of(header_of(changes)).layers] == [64, 128]


def test_layers_that_share_the_cache_of_others() -> None:
    layers = shape_of(header_of({"llama.attention.shared_kv_layers": 1})).layers
    assert [layer.key_width for layer in layers] == [16, 0]


def test_latent_attention_keeps_keys_only() -> None:
    changes: dict[str, Value | None] = {
        "llama.attention.head_count_kv": 1,
        "llama.attention.key_length": 576,
        "llama.attention.value_length": 512,
        "llama.attention.key_length_mla": 192,
    }
    assert [(layer.key_width, layer.value_width) for layer in shape_of(header_of(changes)).layers] == [(576, 0)] * 2


def test_layers_that_predict_further_tokens_are_not_loaded() -> None:
    tensors = [*model_tensors(), Tensor("blk.1.nextn.eh_proj.weight", (32, 32))]
    shape = shape_of(header_of({"llama.nextn_predict_layers": 1}, tensors))
    assert len(shape.layers) == 1
    assert shape.input_weights + shape.output_weights + shape.layers[0].weights == sum(
        tensor.size for tensor in header_of().tensors
    )


def test_experts_count_as_far_as_they_are_used() -> None:
    changes: dict[str, Value | None] = {"llama.expert_count": 8, "llama.expert_used_count": 2}
    assert shape_of(header_of(changes)).n_ff == 128
    assert shape_of(header_of({**changes, "llama.expert_feed_forward_length": 96})).n_ff == 192


def test_a_model_in_several_files(tmp_path: Path) -> None:
    first, second = (tmp_path / f"big-0000{part}-of-00002.gguf" for part in (1, 2))
    first.write_bytes(gguf(model_metadata({"split.no": 0, "split.count": 2}), model_tensors()))
    assert read_shape(first).layers[1].weights == 0
    second.write_bytes(gguf({"split.no": 1, "split.count": 2}, [Tensor("blk.1.attn_q.weight", (32, 32))]))
    assert read_shape(first).layers[1].weights == 4096
    with pytest.raises(ModelFileError, match="part 2 of 2"):
        read_shape(second)


@pytest.mark.parametrize("missing", ["llama.block_count", "llama.embedding_length"])
def test_a_file_that_does_not_say(missing: str) -> None:
    with pytest.raises(ModelFileError, match="doesn't state the size of its layers"):
        shape_of(header_of({missing: None}))
