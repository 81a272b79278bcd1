"""What ggml is asked of a device before it is used, where ggml would end the process."""

import ctypes
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.ggufs import ModelRecipe, make_model, quieten
from support.head_labs import HEAD
from support.medusa import make_medusa
from support.pairs import EXACT, loaded

from specchat.backends import devices
from specchat.backends.ggml_device import GgmlDevice, can_multiply
from specchat.backends.llama_model import LlamaModel
from specchat.backends.medusa_head import MedusaHeads
from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import MemoryShortageError, ModelLoadError
from specchat.domain.medusa import Q8_0, StoredHeads
from specchat.gguf.medusa import read_stored_heads

RECIPE = quieten(ModelRecipe(), 0, 0.05)
_DEVICE = 17
"""Pointers of a ggml_backend_device: what it can do, its registry and its context."""
_GET_NAME, _GET_TYPE, _INIT_BACKEND, _SUPPORTS_OP = 0, 3, 5, 9
_GPU = 1
_NAME = ctypes.create_string_buffer(b"CUDA0")

Answer = Callable[..., Any]


@pytest.fixture
def card() -> Callable[..., int]:
    """Makes a device that computes as the CPU does, but for what is given."""
    kept: list[Any] = []

    def make(**answers: Answer) -> int:
        (cpu,) = (handle for handle in devices.handles() if devices.describe(handle).kind == "cpu")
        device = (ctypes.c_void_p * _DEVICE).from_buffer_copy(ctypes.string_at(cpu, _DEVICE * 8))
        kinds = {
            "name": (_GET_NAME, ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)),
            "type": (_GET_TYPE, ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)),
            "init": (_INIT_BACKEND, ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)),
            "supports": (_SUPPORTS_OP, ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_void_p)),
        }
        for name, answer in answers.items():
            at, kind = kinds[name]
            function = kind(answer)
            device[at] = ctypes.cast(function, ctypes.c_void_p).value
            kept.append(function)
        kept.append(device)
        return ctypes.addressof(device)

    return make


@pytest.fixture
def target(tmp_path: Path) -> Iterator[LlamaModel]:
    with loaded(make_model(tmp_path / "target.gguf", RECIPE), EXACT) as target:
        yield target


@pytest.fixture
def heads(tmp_path: Path, target: LlamaModel) -> tuple[Path, StoredHeads]:
    file = make_medusa(tmp_path / "head", RECIPE)
    return file, read_stored_heads(file, target.weights.path)


def test_a_device_that_does_not_start(card: Callable[..., int]) -> None:
    broken = card(name=lambda _: ctypes.addressof(_NAME), init=lambda *_: None)
    with pytest.raises(ModelLoadError, match="CUDA0"):
        GgmlDevice(broken, 1, 1)


def test_closing_twice_is_harmless(card: Callable[..., int]) -> None:
    device = GgmlDevice(card(), 1, 1)
    device.add(Q8_0, 64, 64)
    assert device.allocate()
    assert device.n_bytes >= 64 * 64
    device.close()
    device.close()


@pytest.mark.parametrize("can", [True, False])
def test_whether_it_can_multiply(can: bool, card: Callable[..., int]) -> None:
    assert can_multiply(card(supports=lambda *_: can), Q8_0, 64, 64) is can


@pytest.mark.parametrize(("can", "place"), [(True, "CUDA0"), (False, "CPU")])
def test_heads_stay_off_a_gpu_that_cannot_multiply(
    can: bool,
    place: str,
    card: Callable[..., int],
    target: LlamaModel,
    heads: tuple[Path, StoredHeads],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gpu = card(name=lambda _: ctypes.addressof(_NAME), type=lambda _: _GPU, supports=lambda *_: can)
    known = [*devices.handles(), gpu]
    monkeypatch.setattr(devices, "handles", lambda: known)
    head = MedusaHeads(*heads, target, replace(HEAD, gpu_layers=None))
    assert list(head.allocated) == [place]
    assert head.logits(0, np.ones((1, head.state_width), dtype=np.float32), CancelToken()).any()
    head.close()


def test_heads_that_no_memory_can_hold(target: LlamaModel, heads: tuple[Path, StoredHeads]) -> None:
    file, stored = heads
    first = stored.heads[0]
    huge = replace(first.output, n_rows=1 << 41)
    with pytest.raises(MemoryShortageError, match=r"needs \d+\.\d GB"):
        MedusaHeads(file, StoredHeads((replace(first, output=huge),)), target, HEAD)
