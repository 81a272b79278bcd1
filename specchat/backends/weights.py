"""The weights of a model file, loaded into memory."""

import ctypes
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from specchat.backends import library
from specchat.backends.binding import llama
from specchat.backends.crash_errors import BROKEN
from specchat.backends.device_choice import all_on_cpu, chosen_devices, n_sharing
from specchat.backends.vocabulary import Vocabulary
from specchat.domain.cancel_token import CancelToken
from specchat.domain.compute_settings import SINGLE_TEXT_FACTS
from specchat.domain.embeddings import ENCODERS
from specchat.domain.errors import ModelFileError, ModelLoadError
from specchat.domain.tensor_split import require_devices
from specchat.domain.translatable_text import TranslatableText
from specchat.domain.types import ModelSettings, SplitMode

Progress = Callable[[float], None]

_LONGEST_KIND = 256

NO_REASON = TranslatableText("llama.cpp gave no reason")
_SPLIT_MODES = {SplitMode.NONE: 0, SplitMode.LAYER: 1, SplitMode.ROW: 2, SplitMode.TENSOR: 3}
_NO_ROWS = "does not support split buffers"
_FEWER_LAYERS = TranslatableText("Use fewer GPU layers (-ngl), or choose a smaller model.")
_BY_LAYERS = TranslatableText("This device can't split a model by row. Use --split-mode layer.")
_ANOTHER = TranslatableText("Choose a text generation model.")
_NO_VOCABULARY = TranslatableText("{name} can't chat: it has no vocabulary.")


class Weights:
    def __init__(
        self,
        path: Path,
        settings: ModelSettings,
        cancel: CancelToken,
        progress: Progress = lambda _: None,
        *,
        allocate: bool = True,
        vocabulary_only: bool = False,
    ) -> None:
        """`allocate`: if False, loads everything except the weights, to find out how much memory they would need."""
        library.start()
        if not path.is_file():
            raise ModelFileError("File not found: {path}.", "Check the path, or add the model again.", path=path)
        if allocate and settings.tensor_split:
            require_devices(settings.tensor_split, n_sharing(settings))
        self.path = path
        self._settings = settings
        params = _params(settings, allocate=allocate)
        params.vocab_only = vocabulary_only
        self.handle = _load(path, settings, cancel, progress, params)
        self.vocabulary = Vocabulary(self.handle)

    @property
    def n_parameters(self) -> int:
        return int(llama.llama_model_n_params(self.handle))

    @property
    def size(self) -> int:
        """The size of all tensors in bytes."""
        return int(llama.llama_model_size(self.handle))

    @property
    def size_on_gpus(self) -> int:
        """As if all layers had the same size."""
        if all_on_cpu(self._settings):
            return 0
        all_layers, wanted = int(llama.llama_model_n_layer(self.handle)) + 1, self._settings.gpu_layers
        n_layers = all_layers if wanted is None or wanted < 0 else min(wanted, all_layers)
        return self.size * n_layers // all_layers

    @property
    def kind(self) -> str:
        """Architecture, size and quantization in llama.cpp's words."""
        buffer = ctypes.create_string_buffer(_LONGEST_KIND)
        llama.llama_model_desc(self.handle, buffer, _LONGEST_KIND)
        return buffer.value.decode("utf-8", "replace")

    @property
    def n_ctx_train(self) -> int:
        return int(llama.llama_model_n_ctx_train(self.handle))

    @property
    def n_embd(self) -> int:
        return int(llama.llama_model_n_embd_out(self.handle))

    @property
    def is_recurrent(self) -> bool:
        return bool(llama.llama_model_is_recurrent(self.handle) or llama.llama_model_is_hybrid(self.handle))

    @property
    def attention_window(self) -> int:
        """The size of the sliding window. 0: each token sees all earlier ones."""
        return int(llama.llama_model_n_swa(self.handle))

    @property
    def has_plain_cache(self) -> bool:
        """Whether the cache contains only keys and values that every later token sees."""
        return self.keeps_texts_apart and not (self.is_recurrent or self.attention_window)

    @property
    def keeps_texts_apart(self) -> bool:
        """Whether several texts can share the cache, which then contains only keys, values and recurrent states."""
        return not any(self.metadata(f"{self.architecture}.{fact}") for fact in SINGLE_TEXT_FACTS)

    @property
    def architecture(self) -> str:
        return self.metadata("general.architecture") or ""

    @property
    def looks_ahead(self) -> bool:
        """Whether tokens also see later ones."""
        return self.architecture in ENCODERS or self.metadata(f"{self.architecture}.attention.causal") == "false"

    @property
    def only_encodes(self) -> bool:
        """Whether the model has only an encoder. Other encoder models use llama.cpp's decoding function."""
        return bool(llama.llama_model_has_encoder(self.handle)) and not llama.llama_model_has_decoder(self.handle)

    @property
    def shares_cache(self) -> bool:
        """Whether this is a head that reads its target's cache and has none of its own."""
        return self.architecture == "gemma4-assistant"

    def require_chat(self) -> None:
        if reason := self._why_no_chat():
            raise ModelLoadError(reason, _ANOTHER, name=self.path.name)

    def _why_no_chat(self) -> TranslatableText | None:
        if self.architecture in ENCODERS:
            return TranslatableText("{name} can't chat: it is an encoder, which generates no text.")
        if llama.llama_model_is_diffusion(self.handle):
            return TranslatableText("{name} can't chat: it is a diffusion model.")
        return None if self.vocabulary.has_text else _NO_VOCABULARY

    def require_text(self) -> None:
        if not self.vocabulary.has_text:
            raise ModelLoadError(_NO_VOCABULARY, _ANOTHER, name=self.path.name)

    def metadata(self, key: str) -> str | None:
        size = 256
        while True:
            buffer = ctypes.create_string_buffer(size)
            length = llama.llama_model_meta_val_str(self.handle, key.encode(), buffer, size)
            if length < size:
                return buffer.value.decode("utf-8", "replace") if length >= 0 else None
            size = length + 1

    def close(self) -> None:
        if self.handle:
            llama.llama_model_free(self.handle)
            self.handle = None


def _params(settings: ModelSettings, *, allocate: bool) -> Any:
    params = llama.llama_model_default_params()
    params.load_mtp = settings.mtp
    if settings.gpu_layers is not None:
        params.n_gpu_layers = settings.gpu_layers
    if settings.split_mode is not None:
        params.split_mode = _SPLIT_MODES[settings.split_mode]
    if settings.exact:  # repacked weights round differently for one row and for several
        params.use_extra_bufts = False
    if not allocate:
        params.no_alloc, params.load_mode = True, llama.LLAMA_LOAD_MODE_NONE
    return params


def _load(path: Path, settings: ModelSettings, cancel: CancelToken, progress: Progress, params: Any) -> Any:
    def report(fraction: float, _: object) -> bool:
        progress(fraction)
        return not cancel.cancelled

    params.progress_callback = llama.llama_progress_callback(report)
    chosen, shares = _device_list(settings), _shares(settings)
    if chosen is not None:
        params.devices = ctypes.cast(chosen, ctypes.c_void_p)
    if shares is not None:
        params.tensor_split = shares
    with library.capture_errors() as error_lines:
        handle = llama.llama_model_load_from_file(os.fsencode(path), params)
    if handle:
        return handle
    cancel.check()
    if _lacks_memory(list(error_lines)) and all_on_cpu(settings):
        raise ModelLoadError(
            "Not enough memory for {name}: {reason}",
            "Choose a smaller model, or close other programs.",
            name=path.name,
            reason=first_error(list(error_lines)) or NO_REASON,
        )
    raise ModelLoadError(
        "Can't load {name}: {reason}",
        _hint(list(error_lines)),
        name=path.name,
        reason=first_error(list(error_lines)) or NO_REASON,
    )


def _hint(error_lines: list[str]) -> TranslatableText:
    if _lacks_memory(error_lines):
        return _FEWER_LAYERS
    if any(_NO_ROWS in line for line in error_lines):
        return _BY_LAYERS
    return BROKEN


def _lacks_memory(error_lines: list[str]) -> bool:
    said = [complaint.partition(": ")[2] or complaint for complaint in error_lines]
    return any("alloc" in reason or "memory" in reason for reason in said)


def library_facts() -> str:
    """Returns llama.cpp's version, and the instructions and backends that it was built for."""
    library.start()
    return f"{llama.llama_version().decode()} {llama.llama_print_system_info().decode()}"


def first_error(error_lines: list[str]) -> str | None:
    """Returns llama.cpp's first error, which names the cause; later ones only repeat that it failed."""
    return error_lines[0].partition(": ")[2] or error_lines[0] if error_lines else None


def _device_list(settings: ModelSettings) -> Any:
    chosen = chosen_devices(settings)
    return None if chosen is None else (ctypes.c_void_p * (len(chosen) + 1))(*chosen, None)


def _shares(settings: ModelSettings) -> Any:
    """Returns the shares in an array with room for the maximum number of devices, which llama.cpp reads."""
    if not settings.tensor_split:
        return None
    most = int(llama.llama_max_devices())
    return (ctypes.c_float * most)(*settings.tensor_split[:most])
