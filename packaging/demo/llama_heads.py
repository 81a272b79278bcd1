"""Heads beside their target in llama.cpp, through the low-level bindings: for checks and for counting acceptance."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from gguf_file import Floats, read_gguf
from llama_cpp import llama_cpp as llama
from llama_cpp import llama_cpp_ext as extension

_ENCODE, _DECODE = 0, 1
_BATCH, _CONTEXT = 256, 2048


def _exported(name: str, arguments: list[Any], result: Any) -> Any:
    function = getattr(extension._lib, name)
    function.argtypes, function.restype = arguments, result
    return function


_pointer = ctypes.c_void_p
_keep_layer_input = _exported(
    "_Z30llama_set_embeddings_layer_inpP13llama_contextjb", [_pointer, ctypes.c_uint32, ctypes.c_bool], None
)
_layer_input = _exported(
    "_Z30llama_get_embeddings_layer_inpP13llama_contextj",
    [_pointer, ctypes.c_uint32],
    ctypes.POINTER(ctypes.c_float),
)
_target_layers = _exported(
    "_Z28llama_model_target_layer_idsPK11llama_model", [_pointer], ctypes.POINTER(ctypes.c_int32)
)
_n_target_layers = _exported("_Z30llama_model_target_layer_ids_nPK11llama_model", [_pointer], ctypes.c_uint32)


@llama.llama_log_callback  # type: ignore[untyped-decorator]
def _silent(level: int, text: bytes, data: object) -> None:
    """llama.cpp tells of every tensor otherwise."""


class Context:
    """A model's weights with one context, and the batch that goes through it."""

    def __init__(self, path: Path, other: Context | None = None, same_model: bool = False) -> None:
        llama.llama_log_set(_silent, None)
        llama.llama_backend_init()
        model_params = llama.llama_model_default_params()
        model_params.n_gpu_layers = 0
        model_params.load_mtp = True
        self._owns_model = not same_model
        self.model: Any = (
            other.model if same_model and other else llama.llama_model_load_from_file(str(path).encode(), model_params)
        )
        if not self.model:
            raise ValueError(f"llama.cpp does not load {path}")
        params = llama.llama_context_default_params()
        params.n_ctx, params.n_batch, params.n_ubatch = _CONTEXT, _BATCH, _BATCH
        params.n_threads = params.n_threads_batch = 1
        if other is not None:
            params.ctx_other = other.context
        if same_model:
            params.ctx_type = llama.LLAMA_CONTEXT_TYPE_MTP
        self.context: Any = llama.llama_init_from_model(self.model, params)
        if not self.context:
            raise ValueError(f"llama.cpp makes no context for {path}")
        self._batch = llama.llama_batch_ext_init(self.context)
        self.width = llama.llama_model_n_embd(self.model)
        self.n_vocab = llama.llama_vocab_n_tokens(llama.llama_model_get_vocab(self.model))

    def clear(self) -> None:
        llama.llama_memory_clear(llama.llama_get_memory(self.context), True)

    def remove(self, position: int) -> None:
        llama.llama_memory_seq_rm(llama.llama_get_memory(self.context), 0, position, -1)

    @property
    def next_position(self) -> int:
        return int(llama.llama_memory_seq_pos_max(llama.llama_get_memory(self.context), 0)) + 1

    def process(
        self,
        first: int,
        tokens: Sequence[int] | None = None,
        states: Floats | None = None,
        output: bool = False,
        encode: bool = False,
    ) -> None:
        """Tokens, states, or tokens with states beside them, from a position on."""
        llama.llama_batch_ext_clear(self._batch)
        n = len(tokens) if tokens is not None else len(states) if states is not None else 0
        kept = None if states is None else np.ascontiguousarray(states, np.float32)
        for i in range(n):
            if tokens is None:
                assert kept is not None
                at = llama.llama_batch_ext_add_embd(self._batch, 0, _vector(kept[i]))
            else:
                at = llama.llama_batch_ext_add_token(self._batch, 0, tokens[i])
                if kept is not None:
                    llama.llama_batch_ext_set_embd_token(self._batch, at, _vector(kept[i]))
            position = llama.llama_pos(first + i)
            llama.llama_batch_ext_set_pos(self._batch, at, ctypes.byref(position))
            llama.llama_batch_ext_set_output_logits(self._batch, at, output)
        code = llama.llama_process(self.context, _ENCODE if encode else _DECODE, self._batch)
        if code:
            raise ValueError(f"llama_process returned {code}")

    def logits(self, n: int) -> Floats:
        """Of the last pass's first n rows, all of which were to be output."""
        return _copied(llama.llama_get_logits(self.context), n, self.n_vocab)

    def next_states(self, n: int) -> Floats:
        return _copied(extension.llama_get_embeddings_nextn(self.context), n, self.width)

    def close(self) -> None:
        llama.llama_batch_ext_free(self._batch)
        llama.llama_free(self.context)
        if self._owns_model:
            llama.llama_model_free(self.model)


class Target(Context):
    """Whose layers' inputs are kept for a head."""

    layers: tuple[int, ...] = ()
    last_state = False

    def keep(self, layers: Sequence[int]) -> None:
        self.layers = tuple(layers)
        for layer in layers:
            _keep_layer_input(self.context, layer, True)

    def keep_last_state(self) -> None:
        self.last_state = True
        extension.llama_set_embeddings_nextn(self.context, True, False)

    def read(self, tokens: Sequence[int], first: int) -> tuple[Floats, Floats]:
        """Logits and features of every token."""
        all_logits, all_features = [], []
        for start in range(0, len(tokens), _BATCH):
            part = tokens[start : start + _BATCH]
            self.process(first + start, part, output=True)
            all_logits.append(self.logits(len(part)))
            inputs = [_copied(_layer_input(self.context, layer), len(part), self.width) for layer in self.layers]
            if self.last_state:
                inputs.append(self.next_states(len(part)))
            all_features.append(np.concatenate([np.zeros((len(part), 0), np.float32), *inputs], 1))
        return np.concatenate(all_logits), np.concatenate(all_features)


class LlamaBlockHead(Context):
    """DFlash and DSpark."""

    def __init__(self, path: Path, target: Target) -> None:
        super().__init__(path, target)
        target.keep(target_layers(self))
        self.anchor_guesses = _metadata(self, "dflash.sample_from_anchor") == "true"
        self.n_guesses = int(_metadata(self, "dflash.block_size")) - (0 if self.anchor_guesses else 1)
        self._mask = llama.llama_vocab_mask(llama.llama_model_get_vocab(self.model))
        llama.llama_set_causal_attn(self.context, False)
        extension.llama_set_embeddings_nextn(self.context, True, True)
        self.confidences: Floats = np.zeros(0, np.float32)
        self.logits_of_guesses: Floats = np.zeros(0, np.float32)

    def catch_up(self, tokens: Sequence[int], features: Floats, first: int) -> None:
        self.remove(first)
        for start in range(0, len(features), _BATCH):
            self.process(first + start, states=features[start : start + _BATCH])

    def guess(self, token: int, position: int, n: int) -> list[int]:
        skipped = 0 if self.anchor_guesses else 1
        n_places = n + skipped
        self.process(position, [token] + [self._mask] * (n_places - 1), output=True)
        self.logits_of_guesses = self.logits(n_places)[skipped:]
        if self.anchor_guesses:
            self.confidences = self.next_states(n_places)[:, 0]
        self.remove(position)
        return [int(token) for token in self.logits_of_guesses.argmax(1)]


class LlamaChainHead(Context):
    """EAGLE-3: the pair of a state and the token after it stands at the state's position."""

    n_guesses = 15
    lag = 1
    """How far the pair's position is behind the token's."""

    def __init__(self, path: Path, target: Target, same_model: bool = False) -> None:
        super().__init__(path, target, same_model)
        self.keep_features(target)
        extension.llama_set_embeddings_nextn(self.context, True, True)
        self._last = self.first_states()
        self.logits_of_guesses: Floats = np.zeros(0, np.float32)

    def keep_features(self, target: Target) -> None:
        target.keep(target_layers(self))

    def first_states(self) -> Floats:
        """The state beside the first token, if it has one."""
        return np.zeros((0, self.width), np.float32)

    def fused(self, features: Floats) -> Floats:
        self.process(self.next_position, states=features, output=True, encode=True)
        return self.next_states(len(features))

    def clear(self) -> None:
        super().clear()
        self._last = self.first_states()

    def catch_up(self, tokens: Sequence[int], features: Floats, first: int) -> None:
        fused = [self.fused(features[start : start + _BATCH]) for start in range(0, len(features), _BATCH)]
        states = np.concatenate([self._last, *fused])
        after = tokens if len(self._last) else tokens[1:]
        begin = first - self.lag if len(self._last) else first
        self.remove(begin)
        for start in range(0, len(after), _BATCH):
            part = after[start : start + _BATCH]
            self.process(begin + start, part, states[start : start + len(part)])
        self._last = states[-1:]

    def guess(self, token: int, position: int, n: int) -> list[int]:
        guesses: list[int] = []
        state, all_logits = self._last, []
        for i in range(n):
            self.process(position - self.lag + i, [token], state, output=True)
            all_logits.append(self.logits(1))
            state = self.next_states(1)
            token = int(all_logits[-1][0].argmax())
            guesses.append(token)
        self.logits_of_guesses = np.concatenate(all_logits)
        self.remove(position - self.lag)
        return guesses


class LlamaNextTokenHead(LlamaChainHead):
    """An MTP layer of the target's own file: the pair stands at the token's position, the first beside zeros."""

    lag = 0

    def __init__(self, path: Path, target: Target) -> None:
        super().__init__(path, target, same_model=True)

    def keep_features(self, target: Target) -> None:
        target.keep_last_state()

    def first_states(self) -> Floats:
        return np.zeros((1, self.width), np.float32)

    def fused(self, features: Floats) -> Floats:
        return features


class LlamaDraft(Context):
    """A model of its own, for comparison: it reads the tokens and needs no features."""

    def __init__(self, path: Path, target: Target) -> None:
        super().__init__(path)

    def catch_up(self, tokens: Sequence[int], features: Floats, first: int) -> None:
        self.remove(first)
        for start in range(0, len(tokens), _BATCH):
            self.process(first + start, tokens[start : start + _BATCH])

    def guess(self, token: int, position: int, n: int) -> list[int]:
        guesses: list[int] = []
        for i in range(n):
            self.process(position + i, [token], output=True)
            token = int(self.logits(1)[0].argmax())
            guesses.append(token)
        self.remove(position)
        return guesses


LlamaDrafter = LlamaBlockHead | LlamaChainHead | LlamaDraft


def has_next_token_layer(path: Path) -> bool:
    return any(key.endswith(".nextn_predict_layers") for key in read_gguf(path)[0])


def load_drafter(path: Path, target: Target) -> LlamaDrafter:
    metadata, _ = read_gguf(path)
    architecture = metadata["general.architecture"]
    if architecture == "eagle3":
        return LlamaChainHead(path, target)
    if architecture == "dflash":
        return LlamaBlockHead(path, target)
    if has_next_token_layer(path):
        return LlamaNextTokenHead(path, target)
    return LlamaDraft(path, target)


def target_layers(head: Context) -> list[int]:
    ids = _target_layers(head.model)
    return [int(ids[i]) for i in range(_n_target_layers(head.model))]


def _metadata(context: Context, key: str) -> str:
    buffer = ctypes.create_string_buffer(64)
    found = llama.llama_model_meta_val_str(context.model, key.encode(), buffer, len(buffer))
    return buffer.value.decode() if found >= 0 else ""


def _vector(values: Floats) -> Any:
    return llama.llama_embd(values.ctypes.data_as(ctypes.POINTER(ctypes.c_float)), 1, values.size)


def _copied(pointer: Any, rows: int, width: int) -> Floats:
    return np.ctypeslib.as_array(pointer, shape=(rows, width)).copy()
