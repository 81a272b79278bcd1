"""The child process that loads models without weights to measure their memory."""

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from specchat.backends import devices, head_functions, library
from specchat.backends.binding import llama
from specchat.backends.child_loop import serve
from specchat.backends.context import make_context, make_head_context, slot_limit
from specchat.backends.memory_log import parse_context_log, parse_layer_placement
from specchat.backends.memory_measurer import HeadAttachment, MemoryMeasurement, TiedEmbedding
from specchat.backends.rpc_registry import name_buffers
from specchat.backends.rpc_stand_in import stand_in_for
from specchat.backends.vocabulary_check import check_vocabulary
from specchat.backends.weight_repacking import is_repacked
from specchat.backends.weights import Weights
from specchat.domain.cancel_token import CancelToken
from specchat.domain.compute_settings import BATCH, HEAD_BATCH, STATES_KEPT, most_outputs
from specchat.domain.errors import UserError
from specchat.domain.rpc import RpcServer
from specchat.domain.serialization import from_plain, to_plain
from specchat.domain.types import CacheType, Device, ModelSettings

_KEPT = 2
"""The number of models that stay loaded: target and draft."""
_FLOAT = 4


def child_main() -> None:
    os.environ.setdefault("GGML_NO_BACKTRACE", "1")  # llama.cpp would call a debugger, which takes time
    library.start()
    serve(_Models().answer, limits_itself=False)


class _Models:
    def __init__(self) -> None:
        self._loaded: dict[object, _Model] = {}

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        path, settings = Path(request["path"]), from_plain(ModelSettings, request["settings"])
        tied = from_plain(TiedEmbedding, request["tied"]) if request["tied"] else None
        head = from_plain(HeadAttachment, request["head"]) if request["head"] else None
        stand_in_for([from_plain(RpcServer, server) for server in request["servers"]])
        try:
            if head is None:
                measured = self._model(path, settings).measured(settings, tied)
            else:
                target = self._model(head.target, head.target_settings)
                own = target if head.in_target else self._model(path, settings)
                measured = own.measured_as_head(settings, head, target)
        except UserError as error:
            return {"error": to_plain(error.message), "hint": to_plain(error.hint)}
        plain = to_plain(measured)
        assert isinstance(plain, dict)
        return plain

    def _model(self, path: Path, settings: ModelSettings) -> "_Model":
        of_weights = replace(
            settings,
            n_ctx=None,
            threads=None,
            cache_type=CacheType.F16,
            flash_attention=None,
            max_draft=0,
            branches=1,
            slots=1,
            mmproj=None,
            text_only=False,
        )
        state = path.stat() if path.is_file() else None
        key = (path, of_weights, state and (state.st_size, state.st_mtime_ns))
        model = self._loaded.pop(key, None)
        while model is None and len(self._loaded) >= _KEPT:
            self._loaded.pop(next(iter(self._loaded))).close()
        self._loaded[key] = model = model or _Model(path, settings)
        return model


class _Model:
    def __init__(self, path: Path, settings: ModelSettings) -> None:
        check_vocabulary(path)
        with library.capture_log() as log:
            self._weights = Weights(path, settings, CancelToken(), allocate=False)
        self._places = parse_layer_placement(log)

    def measured(self, settings: ModelSettings, tied: TiedEmbedding | None) -> MemoryMeasurement:
        self._weights.require_chat()
        with library.capture_log() as log:
            context = make_context(self._weights, settings)
        n_ctx = int(llama.llama_n_ctx_seq(context))
        llama.llama_free(context)
        here = tuple(devices.available())
        output = (
            most_outputs(settings.max_draft, slot_limit(self._weights, settings))
            * self._weights.vocabulary.size
            * _FLOAT
        )
        return MemoryMeasurement(
            parts=parse_context_log(name_buffers(log), self._places, output, [device.name for device in here]),
            layers=self._places.devices,
            unused=self._places.unused,
            rearranged=tied is not None and _may_rearrange(settings, here) and is_repacked(tied),
            n_ctx=n_ctx,
            devices=here,
        )

    def measured_as_head(self, settings: ModelSettings, head: HeadAttachment, target: "_Model") -> MemoryMeasurement:
        """Measures a head without the weights that belong to the target."""
        settings = replace(settings, slots=slot_limit(target._weights, settings))
        of_target = make_context(target._weights, head.target_settings)
        try:
            with library.capture_log() as log:
                context = make_head_context(self._weights, settings, head.kind, of_target, head.target_settings)
            n_ctx = int(llama.llama_n_ctx_seq(context))
            llama.llama_free(context)
        finally:
            llama.llama_free(of_target)
        here = tuple(devices.available())
        n_layers = len(head_functions.target_layers(self._weights.handle)) if head.kind.reads_layers else 1
        states = n_layers * target._weights.n_embd * (BATCH + settings.slots * 2 * STATES_KEPT) * _FLOAT
        output = HEAD_BATCH * self._weights.vocabulary.size * _FLOAT
        return MemoryMeasurement(
            parts=parse_context_log(name_buffers(log), self._places, output + states, [device.name for device in here]),
            layers=self._places.devices,
            unused=self._places.unused,
            rearranged=False,
            n_ctx=n_ctx,
            devices=here,
        )

    def close(self) -> None:
        self._weights.close()


def _may_rearrange(settings: ModelSettings, here: Sequence[Device]) -> bool:
    """Whether the CPU may repack weights: not if a GPU is used, because it has to access them."""
    gpus = {device.name.lower() for device in here if device.kind in ("gpu", "igpu")}
    alone = (settings.device.lower() not in gpus) if settings.device else not gpus
    return alone and not settings.exact
