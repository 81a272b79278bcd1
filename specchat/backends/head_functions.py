"""Functions of llama.cpp for heads, which are exported under mangled C++ names."""

import ctypes
from collections.abc import Sequence
from functools import cache
from typing import Any

from specchat.backends.binding import llama
from specchat.domain.errors import ModelLoadError

_Context = _Model = ctypes.c_void_p


def enable_layer_input(context: Any, layer: int) -> None:
    """Takes effect with the next pass. Unsupported architectures abort the process: see `gguf.heads`."""
    _set_layer_input()(context, layer, True)


def layer_input(context: Any, layer: int) -> int:
    """Returns the address of the rows of the latest pass, one per token."""
    return int(_layer_input()(context, layer))


def enable_states(context: Any, *, outputs_only: bool) -> None:
    """Makes llama.cpp keep the states that heads read, of all tokens or only of those with logits."""
    _set_nextn()(context, True, outputs_only)


def states(context: Any) -> int:
    """Returns the address of these rows."""
    return int(_nextn()(context) or 0)


def select_layer(context: Any, offset: int) -> None:
    """Chooses which of several MTP layers the next passes use."""
    _set_nextn_layer()(context, offset)


def target_layers(model: Any) -> Sequence[int]:
    ids = _target_layers()(model)
    return [int(ids[i]) for i in range(_n_target_layers()(model))]


def selector_width(model: Any) -> int:
    """Returns the number of candidates per position of a DFlash2 block. 0 if the head has logits instead."""
    return int(_selector_top_k()(model))


def _export(arguments: list[Any], result: Any, *names: str) -> Any:
    """Finds a function by its mangled names: of GCC and Clang, and of Visual C++."""
    for name in names:
        if hasattr(llama._lib, name):
            function = llama._lib[name]
            function.argtypes, function.restype = arguments, result
            return function
    raise ModelLoadError(
        "This build of llama.cpp doesn't support draft heads: {name} is missing.", "Reinstall specchat.", name=names[0]
    )


@cache
def _set_layer_input() -> Any:
    return _export(
        [_Context, ctypes.c_uint32, ctypes.c_bool],
        None,
        "_Z30llama_set_embeddings_layer_inpP13llama_contextjb",
        "?llama_set_embeddings_layer_inp@@YAXPEAUllama_context@@I_N@Z",
    )


@cache
def _layer_input() -> Any:
    return _export(
        [_Context, ctypes.c_uint32],
        ctypes.c_void_p,
        "_Z30llama_get_embeddings_layer_inpP13llama_contextj",
        "?llama_get_embeddings_layer_inp@@YAPEAMPEAUllama_context@@I@Z",
    )


@cache
def _set_nextn() -> Any:
    return _export(
        [_Context, ctypes.c_bool, ctypes.c_bool],
        None,
        "_Z26llama_set_embeddings_nextnP13llama_contextbb",
        "?llama_set_embeddings_nextn@@YAXPEAUllama_context@@_N1@Z",
    )


@cache
def _nextn() -> Any:
    return _export(
        [_Context],
        ctypes.c_void_p,
        "_Z26llama_get_embeddings_nextnP13llama_context",
        "?llama_get_embeddings_nextn@@YAPEAMPEAUllama_context@@@Z",
    )


@cache
def _set_nextn_layer() -> Any:
    return _export(
        [_Context, ctypes.c_int32],
        None,
        "_Z28llama_set_nextn_layer_offsetP13llama_contexti",
        "?llama_set_nextn_layer_offset@@YAXPEAUllama_context@@H@Z",
    )


@cache
def _target_layers() -> Any:
    return _export(
        [_Model],
        ctypes.POINTER(ctypes.c_int32),
        "_Z28llama_model_target_layer_idsPK11llama_model",
        "?llama_model_target_layer_ids@@YAPEBHPEBUllama_model@@@Z",
    )


@cache
def _n_target_layers() -> Any:
    return _export(
        [_Model],
        ctypes.c_uint32,
        "_Z30llama_model_target_layer_ids_nPK11llama_model",
        "?llama_model_target_layer_ids_n@@YAIPEBUllama_model@@@Z",
    )


@cache
def _selector_top_k() -> Any:
    return _export(
        [_Model],
        ctypes.c_int32,
        "_Z33llama_model_dflash_selector_top_kPK11llama_model",
        "?llama_model_dflash_selector_top_k@@YAHPEBUllama_model@@@Z",
    )
