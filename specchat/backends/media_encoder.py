"""Turns pictures and recordings into rows that a target reads in place of tokens, with libmtmd."""

import ctypes
import os
import threading
import weakref
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from specchat.backends import devices, library
from specchat.backends.batch_runner import BatchRunner
from specchat.backends.binding import llama
from specchat.backends.cores import physical_cores
from specchat.backends.device_choice import all_on_cpu, chosen_devices
from specchat.backends.media_bitmaps import MediaBitmaps
from specchat.backends.memory_log import parse_projector_log
from specchat.backends.weights import NO_REASON, Weights
from specchat.domain.cancel_token import CancelToken
from specchat.domain.compute_settings import BATCH
from specchat.domain.errors import BugError, ComputeError, ModelLoadError
from specchat.domain.media import Media
from specchat.domain.memory import MemoryBreakdown
from specchat.domain.types import ModelSettings
from specchat.engine.tokens import FIRST_PICTURE, Tokens

Rows = NDArray[np.float32]

_MAX_CONTENTS = 256 << 20
_MAX_ENCODED = 256 << 20
"""Bytes that are kept."""
_MOST_KNOWN = 20_000
_LAST_ID = int(np.iinfo(np.int32).min)
_IS_TEXT, _IS_SOUND = 0, 2
"""The types of chunks."""


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class MediaPart:
    """Rows that are decoded together. A picture or a recording may have several, with tokens between them."""

    first: int
    """The id of the first row: those of the others count down from there."""
    n_rows: int
    n_positions: int
    """Fewer than rows, where positions have several dimensions."""
    digest: str
    number: int
    """Among the parts of its file."""
    chunk: Any
    """mtmd's, without pixels or sound. It lives as long as this."""

    @property
    def ids(self) -> range:
        return range(self.first, self.first - self.n_rows, -1)


@dataclass(frozen=True, slots=True)
class _Known:
    """What was seen or heard."""

    tokens: Sequence[Sequence[int]]
    parts: Sequence[MediaPart]


class MediaEncoder:
    """Its file is loaded with the first picture or recording."""

    def __init__(self, path: Path, weights: Weights, settings: ModelSettings) -> None:
        self.path = path
        self.allocated: Mapping[str, MemoryBreakdown] = {}
        """On each device, once it is loaded."""
        self._weights, self._settings = weights, settings
        self._width = int(llama.llama_model_n_embd_inp(weights.handle))
        self._mtmd: Any = None
        self._handle: Any = None
        self._bitmaps: MediaBitmaps
        """Since it is open."""
        self._lock = threading.RLock()
        """Prompts are counted while answers are written."""
        self._next_id = FIRST_PICTURE
        self._known: OrderedDict[str, _Known] = OrderedDict()
        """By their digests."""
        self._parts: dict[int, MediaPart] = {}
        """By their first row."""
        self._contents: OrderedDict[str, Media] = OrderedDict()
        self._n_content = 0
        """Their bytes."""
        self._encoded: OrderedDict[int, Rows] = OrderedDict()

    def open(self) -> None:
        with self._lock:
            if self._handle is None:
                self._mtmd = library.mtmd()
                self._handle = self._load()
                self._bitmaps = MediaBitmaps(self._mtmd, self._handle)

    def _load(self) -> Any:
        params = _params(self._mtmd, self._settings)
        with library.capture_errors() as errors, library.capture_log() as log:
            handle = self._mtmd.mtmd_init_from_file(os.fsencode(self.path), self._weights.handle, params)
        if not handle:
            raise _load_error(self.path, self._weights.path, list(errors))
        self.allocated = parse_projector_log(log, [device.name for device in devices.available()])
        return handle

    # What prompts are made of

    def tokens(self, media: Media) -> tuple[int, ...]:
        """Its rows, with the tokens that the target expects before, between and after them. Nothing is encoded yet."""
        with self._lock:
            self.open()
            self._keep_content(media)
            known = self._known.get(media.digest) or self._learn(media)
            self._known.move_to_end(media.digest)
            return tuple(chain.from_iterable(known.tokens))

    def _keep_content(self, media: Media) -> None:
        """All of one prompt have room: what comes with a request is not larger."""
        if media.digest not in self._contents:
            self._n_content += len(media.content)
        self._contents[media.digest] = media
        self._contents.move_to_end(media.digest)
        while self._n_content > _MAX_CONTENTS:
            self._n_content -= len(self._contents.popitem(last=False)[1].content)

    def _learn(self, media: Media) -> _Known:
        tokens, parts = list[Sequence[int]](), list[MediaPart]()
        with self._bitmaps.chunks(media, is_empty=True) as chunks:
            for chunk in chunks:
                if self._mtmd.mtmd_input_chunk_get_type(chunk) == _IS_TEXT:
                    tokens.append(self._text(chunk))
                else:
                    parts.append(self._new_part(chunk, media, len(parts)))
                    tokens.append(parts[-1].ids)
        self._known[media.digest] = known = _Known(tokens, parts)
        self._parts.update((part.first, part) for part in parts)
        while len(self._known) > _MOST_KNOWN:
            for part in self._known.popitem(last=False)[1].parts:
                del self._parts[part.first]
        return known

    def _text(self, chunk: Any) -> Sequence[int]:
        count = ctypes.c_size_t()
        tokens = self._mtmd.mtmd_input_chunk_get_tokens_text(chunk, ctypes.byref(count))
        return [int(tokens[i]) for i in range(count.value)]

    def _new_part(self, chunk: Any, media: Media, number: int) -> MediaPart:
        mtmd = self._mtmd
        n_rows, n_positions = mtmd.mtmd_input_chunk_get_n_tokens(chunk), mtmd.mtmd_input_chunk_get_n_pos(chunk)
        if self._next_id - n_rows <= _LAST_ID:
            raise ComputeError("The model has read too many pictures and recordings.", "Load it again.")
        is_sound = mtmd.mtmd_input_chunk_get_type(chunk) == _IS_SOUND
        copy = mtmd.mtmd_input_chunk_get_placeholder(chunk) if is_sound else mtmd.mtmd_input_chunk_copy(chunk)
        part = MediaPart(self._next_id, int(n_rows), int(n_positions), media.digest, number, copy)
        weakref.finalize(part, mtmd.mtmd_input_chunk_free, copy).atexit = False
        self._next_id -= part.n_rows + 1  # so that two parts never look like one
        return part

    # What is read

    def part(self, rows: Tokens) -> MediaPart:
        part = self._parts.get(int(rows[0]))
        if part is None:
            raise _forgotten_error()
        if part.n_rows != len(rows):
            raise BugError(f"{len(rows)} rows of a picture or recording, from {rows[:1].tolist()}")
        return part

    def encode(self, part: MediaPart, cancel: CancelToken) -> None:
        """What was encoded lately need not be encoded again."""
        if part.first not in self._encoded:
            self.open()
            self._encode_media(self._contents.get(part.digest), part.number, cancel)
        self._encoded.move_to_end(part.first)
        while len(self._encoded) > 1 and sum(rows.nbytes for rows in self._encoded.values()) > _MAX_ENCODED:
            self._encoded.popitem(last=False)

    def decode(self, part: MediaPart, context: Any, position: int, sequence: int) -> int:
        """Into the target's cache; llama.cpp's code."""
        rows, end = self._encoded[part.first], llama.llama_pos()
        address = rows.ctypes.data_as(ctypes.POINTER(ctypes.c_float))
        nothing = self._mtmd.mtmd_helper_post_decode_callback()
        return int(
            self._mtmd.mtmd_helper_decode_image_chunk(
                self._handle, context, part.chunk, address, position, sequence, BATCH, ctypes.byref(end), nothing, None
            )
        )

    def _encode_media(self, media: Media | None, first: int, cancel: CancelToken) -> None:
        """From the part with the number `first` on, as much as is kept: a recording may have more."""
        known = self._known.get(media.digest) if media is not None else None
        if media is None or known is None:
            raise _forgotten_error()
        number, n_bytes = 0, 0
        with self._bitmaps.chunks(media) as chunks:
            for chunk in chunks:
                if self._mtmd.mtmd_input_chunk_get_type(chunk) == _IS_TEXT:
                    continue
                if number >= first:
                    cancel.check()
                    self._encoded[known.parts[number].first] = rows = self._encode_chunk(chunk, known.parts[number])
                    n_bytes += rows.nbytes
                if n_bytes > _MAX_ENCODED // 2:
                    break
                number += 1

    def _encode_chunk(self, chunk: Any, part: MediaPart) -> Rows:
        mtmd = self._mtmd
        if mtmd.mtmd_input_chunk_get_n_tokens(chunk) != part.n_rows:
            raise BugError("a picture or recording has other rows than its size tells")
        BatchRunner.n_passes += 1  # tells that something is computed
        if mtmd.mtmd_encode_chunk(self._handle, chunk):
            raise ComputeError(
                "llama.cpp failed to encode a picture or recording.", "This computer may have run out of memory."
            )
        address = mtmd.mtmd_get_output_embd(self._handle)
        return np.ctypeslib.as_array(address, shape=(part.n_rows, self._width)).copy()

    def close(self) -> None:
        if self._handle is not None:
            self._known.clear()
            self._parts.clear()
            self._mtmd.mtmd_free(self._handle)
            self._handle = None


def _params(mtmd: Any, settings: ModelSettings) -> Any:
    params = mtmd.mtmd_context_params_default()
    params.print_timings = False
    params.n_threads = settings.threads or physical_cores()
    params.use_gpu = not (settings.rpc or all_on_cpu(settings))  # other machines have no part of it
    if params.use_gpu and (chosen := chosen_devices(settings)):
        params.device = chosen[0]
    return params


def _forgotten_error() -> ComputeError:
    return ComputeError("A picture or recording of this chat is no longer in memory.", "Send the message again.")


def _load_error(path: Path, target: Path, errors: Sequence[str]) -> ModelLoadError:
    said = " ".join(errors)
    if "mismatch between text model" in said:
        return ModelLoadError(
            "{name} was made for another model than {target}.",
            "Choose the mmproj file from the target's repository, or none (--no-mmproj).",
            name=path.name,
            target=target.name,
        )
    reason = errors[0].partition(": ")[2].strip() or errors[0] if errors else NO_REASON
    return ModelLoadError(
        "Can't load {name}: {reason}",
        "Download it again, or leave it out (--no-mmproj).",
        name=path.name,
        reason=reason,
    )
