"""Turns pictures into rows that a target reads in place of tokens, with libmtmd."""

import ctypes
import os
import threading
import weakref
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
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
from specchat.backends.memory_log import parse_projector_log
from specchat.backends.weights import NO_REASON, Weights
from specchat.domain.cancel_token import CancelToken
from specchat.domain.compute_settings import BATCH
from specchat.domain.errors import BugError, ComputeError, ModelLoadError, PictureError
from specchat.domain.memory import MemoryBreakdown
from specchat.domain.picture_bombs import is_bomb
from specchat.domain.picture_errors import require_readable, undecodable_error
from specchat.domain.picture_header import PictureHeader
from specchat.domain.pictures import Picture
from specchat.domain.types import ModelSettings
from specchat.engine.tokens import FIRST_PICTURE, Tokens

Rows = NDArray[np.float32]

_MAX_CONTENTS = 256 << 20
_MAX_ENCODED = 256 << 20
"""Bytes that are kept."""
_MOST_KNOWN = 20_000
_LAST_ID = int(np.iinfo(np.int32).min)
_NO_VIDEO = b"/dev/null/none"
"""What is no picture is not handed on to programs that decode videos."""
_IS_TEXT = 0
"""The type of a chunk."""


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class PicturePart:
    """Rows that are decoded together. A picture may have several, with tokens between them."""

    first: int
    """The id of the first row: those of the others count down from there."""
    n_rows: int
    n_positions: int
    """Fewer than rows, where positions have several dimensions."""
    digest: str
    number: int
    """Among the parts of its picture."""
    chunk: Any
    """mtmd's, without the pixels. It lives as long as this."""

    @property
    def ids(self) -> range:
        return range(self.first, self.first - self.n_rows, -1)


@dataclass(frozen=True, slots=True)
class _Known:
    """A picture that was seen."""

    tokens: Sequence[Sequence[int]]
    parts: Sequence[PicturePart]


class PictureEncoder:
    """Its file is loaded with the first picture."""

    def __init__(self, path: Path, weights: Weights, settings: ModelSettings) -> None:
        self.path = path
        self.allocated: Mapping[str, MemoryBreakdown] = {}
        """On each device, once it is loaded."""
        self._weights, self._settings = weights, settings
        self._width = int(llama.llama_model_n_embd_inp(weights.handle))
        self._mtmd: Any = None
        self._handle: Any = None
        self._lock = threading.RLock()
        """Prompts are counted while answers are written."""
        self._next_id = FIRST_PICTURE
        self._known: OrderedDict[str, _Known] = OrderedDict()
        """By their digests."""
        self._parts: dict[int, PicturePart] = {}
        """By their first row."""
        self._contents: OrderedDict[str, Picture] = OrderedDict()
        self._n_content = 0
        """Their bytes."""
        self._encoded: OrderedDict[int, Rows] = OrderedDict()

    def open(self) -> None:
        with self._lock:
            if self._handle is None:
                self._mtmd = library.mtmd()
                self._handle = self._load()

    def _load(self) -> Any:
        params = _params(self._mtmd, self._settings)
        with library.capture_errors() as errors, library.capture_log() as log:
            handle = self._mtmd.mtmd_init_from_file(os.fsencode(self.path), self._weights.handle, params)
        if not handle:
            raise _load_error(self.path, self._weights.path, list(errors))
        if not self._mtmd.mtmd_support_vision(handle):
            self._mtmd.mtmd_free(handle)
            raise ModelLoadError(
                "{name} encodes no pictures.", "Choose another mmproj file, or none (--no-mmproj).", name=self.path.name
            )
        self.allocated = parse_projector_log(log, [device.name for device in devices.available()])
        return handle

    # What prompts are made of

    def tokens(self, picture: Picture) -> tuple[int, ...]:
        """Its rows, with the tokens that the target expects before, between and after them. Nothing is decoded yet."""
        with self._lock:
            self.open()
            self._keep_content(picture)
            known = self._known.get(picture.digest) or self._learn(picture)
            self._known.move_to_end(picture.digest)
            return tuple(chain.from_iterable(known.tokens))

    def _keep_content(self, picture: Picture) -> None:
        """All of one prompt have room: what comes with a request is not larger."""
        if picture.digest not in self._contents:
            self._n_content += len(picture.content)
        self._contents[picture.digest] = picture
        self._contents.move_to_end(picture.digest)
        while self._n_content > _MAX_CONTENTS:
            self._n_content -= len(self._contents.popitem(last=False)[1].content)

    def _learn(self, picture: Picture) -> _Known:
        header = require_readable(picture)
        tokens, parts = list[Sequence[int]](), list[PicturePart]()
        with self._empty_bitmap(header) as bitmap, self._chunks(picture, bitmap) as chunks:
            for chunk in chunks:
                if self._mtmd.mtmd_input_chunk_get_type(chunk) == _IS_TEXT:
                    tokens.append(self._text(chunk))
                else:
                    parts.append(self._new_part(chunk, picture, len(parts)))
                    tokens.append(parts[-1].ids)
        self._known[picture.digest] = known = _Known(tokens, parts)
        self._parts.update((part.first, part) for part in parts)
        while len(self._known) > _MOST_KNOWN:
            for part in self._known.popitem(last=False)[1].parts:
                del self._parts[part.first]
        return known

    def _text(self, chunk: Any) -> Sequence[int]:
        count = ctypes.c_size_t()
        tokens = self._mtmd.mtmd_input_chunk_get_tokens_text(chunk, ctypes.byref(count))
        return [int(tokens[i]) for i in range(count.value)]

    def _new_part(self, chunk: Any, picture: Picture, number: int) -> PicturePart:
        mtmd = self._mtmd
        n_rows, n_positions = mtmd.mtmd_input_chunk_get_n_tokens(chunk), mtmd.mtmd_input_chunk_get_n_pos(chunk)
        if self._next_id - n_rows <= _LAST_ID:
            raise ComputeError("The model has read too many pictures.", "Load it again.")
        copy = mtmd.mtmd_input_chunk_copy(chunk)
        part = PicturePart(self._next_id, int(n_rows), int(n_positions), picture.digest, number, copy)
        weakref.finalize(part, mtmd.mtmd_input_chunk_free, copy).atexit = False
        self._next_id -= part.n_rows + 1  # so that two parts never look like one
        return part

    # What is read

    def part(self, rows: Tokens) -> PicturePart:
        part = self._parts.get(int(rows[0]))
        if part is None:
            raise _forgotten_error()
        if part.n_rows != len(rows):
            raise BugError(f"{len(rows)} rows of a picture, from {rows[:1].tolist()}")
        return part

    def encode(self, part: PicturePart, cancel: CancelToken) -> None:
        """What was encoded lately need not be encoded again."""
        if part.first not in self._encoded:
            self.open()
            self._encode_picture(self._contents.get(part.digest), cancel)
        self._encoded.move_to_end(part.first)
        while len(self._encoded) > 1 and sum(rows.nbytes for rows in self._encoded.values()) > _MAX_ENCODED:
            self._encoded.popitem(last=False)

    def decode(self, part: PicturePart, context: Any, position: int, sequence: int) -> int:
        """Into the target's cache; llama.cpp's code."""
        rows, end = self._encoded[part.first], llama.llama_pos()
        address = rows.ctypes.data_as(ctypes.POINTER(ctypes.c_float))
        nothing = self._mtmd.mtmd_helper_post_decode_callback()
        return int(
            self._mtmd.mtmd_helper_decode_image_chunk(
                self._handle, context, part.chunk, address, position, sequence, BATCH, ctypes.byref(end), nothing, None
            )
        )

    def _encode_picture(self, picture: Picture | None, cancel: CancelToken) -> None:
        known = self._known.get(picture.digest) if picture is not None else None
        if picture is None or known is None:
            raise _forgotten_error()
        number = 0
        with self._decoded_bitmap(picture) as bitmap, self._chunks(picture, bitmap) as chunks:
            for chunk in chunks:
                if self._mtmd.mtmd_input_chunk_get_type(chunk) != _IS_TEXT:
                    cancel.check()
                    self._encoded[known.parts[number].first] = self._encode_chunk(chunk, known.parts[number])
                    number += 1

    def _encode_chunk(self, chunk: Any, part: PicturePart) -> Rows:
        mtmd = self._mtmd
        if mtmd.mtmd_input_chunk_get_n_tokens(chunk) != part.n_rows:
            raise BugError("a picture has other rows than its size tells")
        BatchRunner.n_passes += 1  # tells that something is computed
        if mtmd.mtmd_encode_chunk(self._handle, chunk):
            raise ComputeError("llama.cpp failed to encode a picture.", "This computer may have run out of memory.")
        address = mtmd.mtmd_get_output_embd(self._handle)
        return np.ctypeslib.as_array(address, shape=(part.n_rows, self._width)).copy()

    # mtmd's values

    @contextmanager
    def _empty_bitmap(self, header: PictureHeader) -> Iterator[Any]:
        """Without its pixels, which is enough to count."""
        bitmap = self._mtmd.mtmd_bitmap_init(header.width, header.height, None)
        try:
            yield bitmap
        finally:
            self._mtmd.mtmd_bitmap_free(bitmap)

    @contextmanager
    def _decoded_bitmap(self, picture: Picture) -> Iterator[Any]:
        header = require_readable(picture)
        mtmd, content = self._mtmd, picture.content
        if is_bomb(content, header):
            raise undecodable_error(picture)
        data = ctypes.cast(ctypes.c_char_p(content), ctypes.POINTER(ctypes.c_uint8))
        options = mtmd.mtmd_helper_init_opt_default()
        options.video_params.ffmpeg_bin_dir = _NO_VIDEO
        found = mtmd.mtmd_helper_bitmap_init_from_buf_wrapper(self._handle, data, len(content), False, options)
        if found.video_ctx:
            mtmd.mtmd_helper_video_free(found.video_ctx)
        if not found.bitmap:
            raise undecodable_error(picture)
        try:
            size = mtmd.mtmd_bitmap_get_nx(found.bitmap), mtmd.mtmd_bitmap_get_ny(found.bitmap)
            if found.video_ctx or size != (header.width, header.height):
                raise undecodable_error(picture)
            yield found.bitmap
        finally:
            mtmd.mtmd_bitmap_free(found.bitmap)

    @contextmanager
    def _chunks(self, picture: Picture, bitmap: Any) -> Iterator[Sequence[Any]]:
        mtmd = self._mtmd
        chunks = mtmd.mtmd_input_chunks_init()
        part = mtmd.mtmd_input_part(None, bitmap)
        parts = (ctypes.POINTER(mtmd.mtmd_input_part) * 1)(ctypes.pointer(part))
        try:
            if mtmd.mtmd_tokenize_from_parts(self._handle, chunks, parts, 1, False):
                raise PictureError(
                    "The model can't read {name}.", "Choose another picture.", name=picture.name or "the picture"
                )
            yield [mtmd.mtmd_input_chunks_get(chunks, i) for i in range(mtmd.mtmd_input_chunks_size(chunks))]
        finally:
            mtmd.mtmd_input_chunks_free(chunks)

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
    return ComputeError("A picture of this chat is no longer in memory.", "Send the message again.")


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
