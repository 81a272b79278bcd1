import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import psutil
import pytest
from support.choices import choice_of, files_of
from support.ggufs import ModelRecipe, make_model, quieten
from support.medusa import make_medusa

from specchat.domain.errors import ModelFileError
from specchat.domain.memory import MemoryBreakdown
from specchat.domain.types import Device, ModelSettings, PairChoice
from specchat.gguf.memory import estimate_memory
from specchat.gguf.shape import read_shape
from specchat.services.memory.device_memory import known_devices, list_devices
from specchat.services.memory.fit_estimator import FitEstimator
from specchat.services.memory.header_fit import fit_from_headers
from specchat.services.models.pair_fit import DeviceFit, Fit, PairFit

MIB = 2**20
RAM = Device("CPU", "", "cpu", 8192 * MIB, 4096 * MIB)
GPU = Device("CUDA0", "A card", "gpu", 1024 * MIB, 512 * MIB)
SECOND = replace(GPU, name="CUDA1")
INTEGRATED = replace(GPU, name="Vulkan0", kind="igpu")


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> PairChoice:
    folder = tmp_path_factory.mktemp("pair")
    target = make_model(folder / "target.gguf", ModelRecipe(n_layer=4))
    return choice_of(target, make_model(folder / "draft.gguf", ModelRecipe(n_layer=2)), draft_type="model")


def test_both_models_count(pair: PairChoice) -> None:
    (ram,) = fit_from_headers(pair, [RAM]).devices
    target, draft = files_of(pair)
    assert ram.target == estimate_memory(read_shape(target), ModelSettings(max_draft=16)).cpu
    assert ram.draft == estimate_memory(read_shape(draft), ModelSettings(max_draft=15, guesses=True)).cpu
    assert ram.needed == ram.target.total + ram.draft.total
    assert (ram.name, ram.total, ram.free, ram.verdict) == ("CPU", RAM.total, RAM.free, Fit.FITS)


@pytest.mark.parametrize("draft_type", ["none", "ngram"])
def test_a_draft_that_does_not_guess_needs_nothing(pair: PairChoice, draft_type: str) -> None:
    (ram,) = fit_from_headers(replace(pair, draft_type=draft_type), [RAM]).devices
    assert ram.draft == MemoryBreakdown()


def test_the_draft_has_the_context_of_the_target(pair: PairChoice) -> None:
    (small,) = fit_from_headers(pair, [RAM]).devices
    (large,) = fit_from_headers(replace(pair, target_settings=ModelSettings(n_ctx=8192)), [RAM]).devices
    assert large.target.kv == 4 * small.target.kv
    assert large.draft.kv == 4 * small.draft.kv


@pytest.mark.parametrize(
    ("free", "verdict"),
    [(2.0, Fit.FITS), (1.12, Fit.FITS), (1.1, Fit.TIGHT), (1.0, Fit.TIGHT), (0.99, Fit.DOES_NOT_FIT)],
)
def test_verdicts(pair: PairChoice, free: float, verdict: Fit) -> None:
    needed = fit_from_headers(pair, [RAM]).devices[0].needed
    found = fit_from_headers(pair, [replace(RAM, free=round(needed * free))])
    assert (found.verdict, found.devices[0].verdict) == (verdict, verdict)


def test_a_gpu_takes_all_it_may(pair: PairChoice) -> None:
    ram, gpu = fit_from_headers(pair, [RAM, GPU]).devices
    assert (gpu.name, gpu.free) == ("CUDA0", 512 * MIB)
    assert min(gpu.target.weights, gpu.target.kv, gpu.draft.weights, gpu.draft.kv) > 0
    assert (ram.target.kv, ram.draft.kv) == (0, 0)
    assert ram.target.weights > 0


def test_nothing_on_the_gpu(pair: PairChoice) -> None:
    none = ModelSettings(gpu_layers=0)
    assert len(fit_from_headers(replace(pair, target_settings=none, draft_settings=none), [RAM, GPU]).devices) == 1
    on_cpu = ModelSettings(device="CPU")
    assert len(fit_from_headers(replace(pair, target_settings=on_cpu, draft_settings=on_cpu), [RAM, GPU]).devices) == 1


@pytest.mark.parametrize("device", [None, "CUDA0"])
def test_medusa_heads_without_gpu_layers_are_on_the_cpu(device: str | None, tmp_path: Path) -> None:
    recipe = quieten(ModelRecipe(), 0, 0.05)
    files = make_model(tmp_path / "target.gguf", recipe), make_medusa(tmp_path / "heads", recipe)
    choice = choice_of(*files, draft_type="medusa")
    _, gpu = fit_from_headers(choice, [RAM, GPU]).devices
    assert gpu.draft.weights > 0
    choice = replace(choice, draft_settings=ModelSettings(device=device, gpu_layers=0))
    ram, gpu = fit_from_headers(choice, [RAM, GPU]).devices
    assert (ram.draft.weights > 0, gpu.draft.weights) == (True, 0)


def test_several_gpus_count_as_one_unless_one_is_named(pair: PairChoice) -> None:
    _, both = fit_from_headers(pair, [RAM, GPU, SECOND]).devices
    assert (both.name, both.free) == ("2 GPUs", 1024 * MIB)
    apart = replace(pair, target_settings=ModelSettings(device="cuda0"), draft_settings=ModelSettings(device="CUDA1"))
    _, first, second = fit_from_headers(apart, [RAM, GPU, SECOND]).devices
    assert (first.name, first.draft, second.name, second.target) == (
        "CUDA0",
        MemoryBreakdown(),
        "CUDA1",
        MemoryBreakdown(),
    )


def test_an_integrated_gpu_counts_where_there_is_no_other(pair: PairChoice) -> None:
    assert [device.name for device in fit_from_headers(pair, [RAM, INTEGRATED]).devices] == ["CPU", "Vulkan0"]
    assert [device.name for device in fit_from_headers(pair, [RAM, INTEGRATED, GPU]).devices] == ["CPU", "CUDA0"]


def test_the_worst_device_decides(pair: PairChoice) -> None:
    assert fit_from_headers(pair, [RAM, replace(GPU, free=MIB)]).verdict is Fit.DOES_NOT_FIT
    fits = DeviceFit("CPU", 9, 9, MemoryBreakdown(1), MemoryBreakdown(1), Fit.FITS)
    assert PairFit((fits, replace(fits, verdict=Fit.TIGHT))).verdict is Fit.TIGHT
    assert PairFit(()).verdict is Fit.FITS


def test_the_loaded_pair_makes_room(pair: PairChoice) -> None:
    """Weights in the computer's own memory are mapped: the system counts them as free already."""
    devices = [RAM, GPU]
    needs = fit_from_headers(pair, devices).devices
    ram, gpu = fit_from_headers(pair, devices, loaded=pair).devices
    assert gpu.free == GPU.free + needs[1].needed
    assert ram.free == RAM.free + needs[0].needed - needs[0].target.weights - needs[0].draft.weights
    assert fit_from_headers(pair, [replace(RAM, free=RAM.total)], loaded=pair).devices[0].free == RAM.total


def test_a_loaded_pair_whose_files_are_gone_is_left_out(pair: PairChoice) -> None:
    gone = choice_of(Path("/nowhere/gone.gguf"))
    assert fit_from_headers(pair, [RAM], loaded=gone) == fit_from_headers(pair, [RAM])
    assert FitEstimator().fit(pair, [RAM], loaded=gone) == FitEstimator().fit(pair, [RAM])


def test_a_file_that_is_gone(pair: PairChoice) -> None:
    with pytest.raises(ModelFileError):
        fit_from_headers(choice_of(Path("/nowhere/gone.gguf")), [RAM])


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    path = make_model(tmp_path / "model.gguf", ModelRecipe(n_layer=2))
    small = fit_from_headers(choice_of(path), [RAM]).devices[0].target
    make_model(path, ModelRecipe(n_layer=4))
    assert fit_from_headers(choice_of(path), [RAM]).devices[0].target.kv == 2 * small.kv


def test_this_computer() -> None:
    assert known_devices()[0].total == psutil.virtual_memory().total
    assert [device.name for device in known_devices()] == [device.name for device in list_devices()]


def test_importing_costs_nothing() -> None:
    script = """
import sys
import specchat.services.memory.fit_estimator, specchat.services.models.model_library
import specchat.services.settings.pair_settings
print({"llama_cpp", "numpy"} & set(sys.modules))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


def test_it_costs_no_library(pair: PairChoice) -> None:
    script = f"""
import sys
from pathlib import Path
from specchat.domain.model_ref import ModelFile
from specchat.domain.types import PairChoice
from specchat.services.memory.fit_estimator import FitEstimator
choice = PairChoice(ModelFile(Path({str(pair.target)!r})))
print(FitEstimator().fit(choice).verdict, "llama_cpp" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "fits False\n"
