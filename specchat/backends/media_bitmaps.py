"""Hands pictures and recordings to libmtmd, once they are checked, and gets what a prompt is made of."""

import ctypes
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from specchat.domain.errors import MediaError
from specchat.domain.media import Media
from specchat.domain.picture_bombs import is_bomb
from specchat.domain.picture_errors import require_readable, undecodable_error
from specchat.domain.pictures import Picture
from specchat.domain.recording_errors import require_hearable, unhearable_error
from specchat.domain.recording_header import clean_recording
from specchat.domain.recordings import Recording

_NO_VIDEO = b"/dev/null/none"
"""What is neither a picture nor a recording is not handed on to programs that decode videos."""


class MediaBitmaps:
    def __init__(self, mtmd: Any, handle: Any) -> None:
        self._mtmd, self._handle = mtmd, handle

    @contextmanager
    def chunks(self, media: Media, *, is_empty: bool = False) -> Iterator[Sequence[Any]]:
        """Texts and what is between them. `is_empty`: without pixels or sound, which is enough to count."""
        mtmd = self._mtmd
        chunks = mtmd.mtmd_input_chunks_init()
        try:
            with self._bitmap(media, is_empty=is_empty) as bitmap:
                part = mtmd.mtmd_input_part(None, bitmap)
                parts = (ctypes.POINTER(mtmd.mtmd_input_part) * 1)(ctypes.pointer(part))
                if mtmd.mtmd_tokenize_from_parts(self._handle, chunks, parts, 1, False):
                    raise _unreadable_error(media)
            yield [mtmd.mtmd_input_chunks_get(chunks, i) for i in range(mtmd.mtmd_input_chunks_size(chunks))]
        finally:
            mtmd.mtmd_input_chunks_free(chunks)

    @contextmanager
    def _bitmap(self, media: Media, *, is_empty: bool) -> Iterator[Any]:
        if isinstance(media, Recording):
            with self._recording(media, is_empty=is_empty) as bitmap:
                yield bitmap
            return
        assert isinstance(media, Picture)
        with self._empty_picture(media) if is_empty else self._picture(media) as bitmap:
            yield bitmap

    @contextmanager
    def _empty_picture(self, picture: Picture) -> Iterator[Any]:
        header = require_readable(picture)
        bitmap = self._mtmd.mtmd_bitmap_init(header.width, header.height, None)
        try:
            yield bitmap
        finally:
            self._mtmd.mtmd_bitmap_free(bitmap)

    @contextmanager
    def _picture(self, picture: Picture) -> Iterator[Any]:
        header = require_readable(picture)
        if is_bomb(picture.content, header):
            raise undecodable_error(picture)
        with self._decoded(picture.content) as bitmap:
            if bitmap is None or self._size(bitmap) != (header.width, header.height):
                raise undecodable_error(picture)
            yield bitmap

    @contextmanager
    def _recording(self, recording: Recording, *, is_empty: bool) -> Iterator[Any]:
        """How many samples there are is known when it is decoded."""
        header = require_hearable(recording)
        with self._decoded(clean_recording(recording.content), is_empty=is_empty) as bitmap:
            if bitmap is None or not self._mtmd.mtmd_bitmap_is_audio(bitmap):
                raise unhearable_error(recording)
            rate = self._mtmd.mtmd_get_audio_sample_rate(self._handle)
            if abs(self._size(bitmap)[0] - header.seconds * rate) > rate:
                raise unhearable_error(recording)
            yield bitmap

    @contextmanager
    def _decoded(self, content: bytes, *, is_empty: bool = False) -> Iterator[Any]:
        """None: it can't be."""
        mtmd = self._mtmd
        data = ctypes.cast(ctypes.c_char_p(content), ctypes.POINTER(ctypes.c_uint8))
        options = mtmd.mtmd_helper_init_opt_default()
        options.video_params.ffmpeg_bin_dir = _NO_VIDEO
        found = mtmd.mtmd_helper_bitmap_init_from_buf_wrapper(self._handle, data, len(content), is_empty, options)
        if found.video_ctx:
            mtmd.mtmd_helper_video_free(found.video_ctx)
        try:
            yield None if found.video_ctx else found.bitmap
        finally:
            mtmd.mtmd_bitmap_free(found.bitmap)

    def _size(self, bitmap: Any) -> tuple[int, int]:
        return self._mtmd.mtmd_bitmap_get_nx(bitmap), self._mtmd.mtmd_bitmap_get_ny(bitmap)


def _unreadable_error(media: Media) -> MediaError:
    if isinstance(media, Recording):
        return MediaError(
            "The model can't read {name}.", "Choose another recording.", name=media.name or "the recording"
        )
    return MediaError("The model can't read {name}.", "Choose another picture.", name=media.name or "the picture")
