"""What a model says about pictures and recordings by mtmd's own functions, written as its example program does it."""

import ctypes
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from specchat.backends import library
from specchat.backends.binding import llama
from specchat.backends.llama_model import LlamaModel
from specchat.domain.compute_settings import BATCH
from specchat.domain.media import Media

MARKER = "<__media__>"


def greedy_answer(model: LlamaModel, mmproj: Path, prompt: str, shown: Sequence[Media], n: int) -> list[int]:
    """`model`: only its context is used, from the beginning. The prompt has a marker for each of them."""
    mtmd, context = library.mtmd(), model.context
    llama.llama_memory_clear(llama.llama_get_memory(context), True)
    with _encoder(model, mmproj) as encoder:
        end = llama.llama_pos(0)
        chunks = _chunks(encoder, prompt, shown)
        assert not mtmd.mtmd_helper_eval_chunks(encoder, context, chunks, 0, 0, BATCH, True, ctypes.byref(end))
        mtmd.mtmd_input_chunks_free(chunks)
    said: list[int] = []
    batch = llama.llama_batch_init(1, 0, 1)
    for position in range(end.value, end.value + n):
        logits = np.ctypeslib.as_array(llama.llama_get_logits_ith(context, -1), shape=(model.n_vocab,))
        said.append(int(logits.argmax()))
        batch.n_tokens, batch.token[0], batch.pos[0] = 1, said[-1], position
        batch.n_seq_id[0], batch.seq_id[0][0], batch.logits[0] = 1, 0, 1
        assert not llama.llama_decode(context, batch)
    llama.llama_batch_free(batch)
    llama.llama_memory_clear(llama.llama_get_memory(context), True)
    return said


@contextmanager
def _encoder(model: LlamaModel, mmproj: Path) -> Iterator[Any]:
    mtmd = library.mtmd()
    params = mtmd.mtmd_context_params_default()
    params.print_timings, params.n_threads = False, model.settings.threads or 2
    encoder = mtmd.mtmd_init_from_file(os.fsencode(mmproj), model.weights.handle, params)
    assert encoder
    yield encoder
    mtmd.mtmd_free(encoder)


def _chunks(encoder: Any, prompt: str, shown: Sequence[Media]) -> Any:
    mtmd = library.mtmd()
    bitmaps = [_bitmap(encoder, each) for each in shown]
    data = prompt.encode()
    text = mtmd.mtmd_input_text(data, len(data), True, True)
    chunks = mtmd.mtmd_input_chunks_init()
    listed = (ctypes.c_void_p * len(bitmaps))(*bitmaps)
    assert not mtmd.mtmd_tokenize(encoder, chunks, ctypes.byref(text), listed, len(bitmaps))
    for bitmap in bitmaps:
        mtmd.mtmd_bitmap_free(bitmap)
    return chunks


def _bitmap(encoder: Any, shown: Media) -> Any:
    mtmd = library.mtmd()
    data = (ctypes.c_uint8 * len(shown.content)).from_buffer_copy(shown.content)
    options = mtmd.mtmd_helper_init_opt_default()
    found = mtmd.mtmd_helper_bitmap_init_from_buf_wrapper(encoder, data, len(shown.content), False, options)
    assert found.bitmap
    assert not found.video_ctx
    return found.bitmap
