import os
import struct
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import psutil
import pytest
from support.ggufs import ModelRecipe, make_model
from support.sparse import SHAPES, make_sparse
from support.vocabularies import BpeVocab

from specchat.backends.child import ChildOutOfMemory
from specchat.backends.devices import available
from specchat.backends.memory_log import parse_allocated_log, parse_context_log, parse_layer_placement
from specchat.backends.memory_measurer import MemoryMeasurer, TiedEmbedding
from specchat.domain.errors import ModelFileError, ModelLoadError
from specchat.domain.memory import MemoryBreakdown
from specchat.domain.types import CacheType, ModelSettings

MIB = 2**20
SETTINGS = ModelSettings(n_ctx=2048, threads=1)
Q4_K, Q6_K = 12, 14


@pytest.fixture(scope="module")
def measurer() -> Iterator[MemoryMeasurer]:
    with closing(MemoryMeasurer()) as made:
        yield made


def test_all_but_the_weights(measurer: MemoryMeasurer, tiny_llama: Path) -> None:
    found = measurer.measure(tiny_llama, replace(SETTINGS, max_draft=16))
    assert found.layers == ("CPU",) * 5
    assert found.n_ctx == 2048
    (parts,) = found.parts.values()
    assert (parts.weights, parts.kv, parts.output) == (0, 2 * MIB, 17 * 1024 * 4)
    assert parts.compute > 0
    assert {device.name for device in found.devices} == {device.name for device in available()}


def test_the_context_is_rounded_up_as_in_a_real_load(measurer: MemoryMeasurer, tiny_llama: Path) -> None:
    assert measurer.measure(tiny_llama, ModelSettings(n_ctx=1000)).n_ctx == 1024


def test_exact_mode_is_measured_as_it_loads(measurer: MemoryMeasurer, tiny_llama: Path) -> None:
    """Its cache has another type, which takes as much, but it always uses flash attention."""
    without = replace(SETTINGS, flash_attention=False)
    (plain,), (exact,) = (
        measurer.measure(tiny_llama, settings).parts.values() for settings in (without, replace(without, exact=True))
    )
    assert plain.kv == exact.kv
    assert plain.compute > exact.compute


def test_a_model_that_was_measured_stays(measurer: MemoryMeasurer, tiny_llama: Path, tmp_path: Path) -> None:
    """Other settings of the context take no second look at the file."""
    path = tmp_path / "model.gguf"
    path.write_bytes(tiny_llama.read_bytes())
    state = path.stat()
    first = measurer.measure(path, SETTINGS)
    path.write_bytes(bytes(state.st_size))
    os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))
    second = measurer.measure(path, replace(SETTINGS, n_ctx=1024, cache_type=CacheType.Q8_0, max_draft=3))
    assert second.parts["CPU"].kv == pytest.approx(first.parts["CPU"].kv / 2 * 34 / 64, abs=0.006 * MIB)
    with pytest.raises(ModelLoadError):
        measurer.measure(path, replace(SETTINGS, exact=True))


def test_a_changed_file_is_read_again(measurer: MemoryMeasurer, tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    layers = [len(measurer.measure(make_model(path, ModelRecipe(n_layer=n)), SETTINGS).layers) for n in (2, 3)]
    assert layers == [3, 4]


def test_only_two_models_stay(measurer: MemoryMeasurer, models_dir: Path) -> None:
    """Each vocabulary takes some 50 MB."""
    pid = _pid(measurer)
    path = make_sparse(models_dir / "large-vocabulary.gguf", SHAPES["llama-1b"])
    sizes = []
    for n in range(4):
        copy = models_dir / f"copy-{n}.gguf"
        os.link(path, copy)
        measurer.measure(copy, SETTINGS)
        sizes.append(psutil.Process(pid).memory_info().rss / MIB)
    assert _pid(measurer) == pid
    assert max(sizes[2:]) < sizes[1] + 20


def test_a_file_that_crashes_llama_cpp(measurer: MemoryMeasurer, tmp_path: Path, tiny_llama: Path) -> None:
    path = tmp_path / "crash.gguf"
    name = b"llama.block_count"
    data = bytearray(tiny_llama.read_bytes())
    n_layer = data.index(name) + len(name) + 4
    data[n_layer : n_layer + 4] = struct.pack("<I", 1_000_000)
    path.write_bytes(data)
    with pytest.raises(ModelLoadError, match=r"crash\.gguf crashes llama\.cpp: .+") as caught:
        measurer.measure(path, SETTINGS)
    assert "download it again" in caught.value.hint
    assert measurer.measure(tiny_llama, SETTINGS).n_ctx == 2048


def test_a_file_that_llama_cpp_refuses(measurer: MemoryMeasurer, tmp_path: Path) -> None:
    path = tmp_path / "nonsense.gguf"
    path.write_bytes(b"GGUF" + bytes(1000))
    with pytest.raises(ModelLoadError, match=r"Can't load nonsense\.gguf: "):
        measurer.measure(path, SETTINGS)


def test_a_file_that_is_not_there(measurer: MemoryMeasurer) -> None:
    with pytest.raises((ModelFileError, ModelLoadError), match=r"not found: .*gone\.gguf"):
        measurer.measure(Path("/nowhere/gone.gguf"), SETTINGS)


def test_too_much_to_look_at(measurer: MemoryMeasurer, tiny_llama: Path) -> None:
    """The cells of a cache are counted even where it is not allocated."""
    with pytest.raises(ChildOutOfMemory):
        measurer.measure(tiny_llama, replace(SETTINGS, n_ctx=1 << 24))
    assert measurer.measure(tiny_llama, SETTINGS).n_ctx == 2048


def test_a_process_that_died_comes_back(measurer: MemoryMeasurer, tiny_llama: Path) -> None:
    measurer.warm_up()
    pid = _pid(measurer)
    process = psutil.Process(pid)
    process.kill()
    process.wait()
    assert measurer.measure(tiny_llama, SETTINGS).n_ctx == 2048
    assert _pid(measurer) != pid


def test_which_embeddings_are_kept_twice(measurer: MemoryMeasurer, tmp_path: Path) -> None:
    """As many rows as there are tokens must go together, and exact mode leaves all as it is."""
    path = make_model(tmp_path / "model.gguf", ModelRecipe(dtype="Q4_K", vocab=BpeVocab(size=2048)))
    even, odd = TiedEmbedding(Q4_K, 256, 2048), TiedEmbedding(Q4_K, 256, 2049)
    assert not measurer.measure(path, replace(SETTINGS, exact=True), even).rearranged
    assert not measurer.measure(path, SETTINGS, odd).rearranged
    assert not measurer.measure(path, SETTINGS).rearranged


LOADING = """
print_info: n_embd_k_gqa          = [256, 0, 512]
print_info: n_embd_v_gqa          = 256
load_tensors: layer   0 assigned to device CPU, is_swa = 0
load_tensors: layer   1 assigned to device CUDA0, is_swa = 0
load_tensors: layer   2 assigned to device CUDA0, is_swa = 1
load_tensors: layer   3 assigned to device CUDA1, is_swa = 0
model has unused tensor blk.3.nextn.eh_proj.weight (size = 4096 bytes) -- ignoring
"""
MAKING = """
llama_context:  CUDA_Host  output buffer size =     0.50 MiB
llama_kv_cache: layer   0: dev = CPU
llama_kv_cache: layer   1: filtered
llama_kv_cache:        CPU KV buffer size =     0.00 MiB
llama_kv_cache: size =   10.00 MiB (  1024 cells,   1 layers,  1/1 seqs), K (f16):    5.00 MiB, V (f16):    5.00 MiB
llama_kv_cache: layer   0: dev = CPU
llama_kv_cache: layer   2: dev = CUDA0
llama_kv_cache: size =   50.00 MiB (  1024 cells,   2 layers,  1/1 seqs), K (f16):   25.00 MiB, V (f16):   25.00 MiB
llama_memory_recurrent:      CUDA0 RS buffer size =     3.00 MiB
sched_reserve:      CUDA0 compute buffer size =   100.00 MiB
sched_reserve:     CUDA10 compute buffer size =     7.00 MiB
sched_reserve:  CUDA_Host compute buffer size =     8.00 MiB
"""


def test_reading_the_log_of_several_devices() -> None:
    places = parse_layer_placement(LOADING.splitlines())
    assert places.devices == ("CPU", "CUDA0", "CUDA0", "CUDA1")
    assert places.unused == ("blk.3.nextn.eh_proj.weight",)
    found = parse_context_log(MAKING.splitlines(), places, 9 * MIB, ["CPU", "CUDA0", "CUDA1", "CUDA10"])
    assert found == {
        "CPU": MemoryBreakdown(kv=30 * MIB, compute=8 * MIB, output=9 * MIB),
        "CUDA0": MemoryBreakdown(kv=33 * MIB, compute=100 * MIB),
        "CUDA10": MemoryBreakdown(compute=7 * MIB),
    }


def test_reading_the_log_of_a_real_load() -> None:
    log = """
load_tensors:   CPU_Mapped model buffer size =    70.00 MiB
load_tensors:   CPU_REPACK model buffer size =    30.00 MiB
load_tensors:        CUDA0 model buffer size =   400.00 MiB
llama_context:  CUDA_Host  output buffer size =     0.50 MiB
llama_kv_cache:        CPU KV buffer size =    12.00 MiB
llama_kv_cache:      CUDA0 KV buffer size =    13.00 MiB
llama_kv_cache: size =   25.00 MiB (  1024 cells,   2 layers,  1/1 seqs), K (f16):   12.50 MiB, V (f16):   12.50 MiB
sched_reserve:      CUDA0 compute buffer size =   100.00 MiB
~llama_context:      CUDA0 compute buffer size is  100.0000 MiB, matches expectation of  100.0000 MiB
"""
    assert parse_allocated_log(log.splitlines(), ["CPU", "CUDA0"], n_outputs=17) == {
        "CPU": MemoryBreakdown(weights=100 * MIB, kv=12 * MIB, output=17 * MIB // 2),
        "CUDA0": MemoryBreakdown(weights=400 * MIB, kv=13 * MIB, compute=100 * MIB),
    }


def _pid(measurer: MemoryMeasurer) -> int:
    pid = measurer._child.pid
    assert pid is not None
    return pid
