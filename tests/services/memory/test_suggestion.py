from dataclasses import dataclass, replace
from pathlib import Path

from support.choices import choice_of

from specchat.domain.memory import CPU, MemoryBreakdown
from specchat.domain.types import CacheType, ModelSettings, PairChoice
from specchat.services.memory.settings_suggestion import suggest_context, suggest_settings
from specchat.services.models.pair_fit import DeviceFit, Fit, PairFit

PAIR = choice_of(Path("target.gguf"), Path("draft.gguf"), ModelSettings(n_ctx=32768))
TARGET_LAYERS, DRAFT_LAYERS = 33, 17
KV = {CacheType.F16: 16, CacheType.BF16: 16, CacheType.Q8_0: 8, CacheType.Q4_0: 4}


@dataclass
class Machine:
    """A layer of the target takes 100 and of the draft 20, a token 16 or less, wherever the layers are."""

    ram: int
    gpu: int = 0

    def fit(self, choice: PairChoice) -> PairFit:
        target, draft = choice.target_settings, choice.draft_settings
        n_ctx = target.n_ctx or 4096
        on_gpu = [
            (most if settings.gpu_layers is None else settings.gpu_layers) if self.gpu else 0
            for settings, most in ((target, TARGET_LAYERS), (draft, DRAFT_LAYERS))
        ]
        on_cpu = [TARGET_LAYERS - on_gpu[0], DRAFT_LAYERS - on_gpu[1]]
        kv = n_ctx * KV[target.cache_type] * (target.n_slots if target.exact else 1)
        devices = [_device(CPU, self.ram, on_cpu, kv * on_cpu[0] // TARGET_LAYERS)]
        if self.gpu:
            devices.append(_device("GPU", self.gpu, on_gpu, kv * on_gpu[0] // TARGET_LAYERS))
        layers = (TARGET_LAYERS, DRAFT_LAYERS)
        return PairFit(tuple(devices), n_ctx=n_ctx, target_layers=layers[0], draft_layers=layers[1])


def _device(name: str, size: int, layers: list[int], kv: int) -> DeviceFit:
    target, draft = MemoryBreakdown(weights=100 * layers[0], kv=kv), MemoryBreakdown(weights=20 * layers[1])
    needed = target.total + draft.total
    verdict = Fit.DOES_NOT_FIT if needed > size else Fit.TIGHT if needed > 0.9 * size else Fit.FITS
    return DeviceFit(name, size, size, target, draft, verdict)


WEIGHTS = 100 * TARGET_LAYERS + 20 * DRAFT_LAYERS


def room(kv: float) -> int:
    return round((WEIGHTS + kv) / 0.9) + 1


def settings(found: PairChoice | None) -> tuple[CacheType, int | None, int | None, int | None]:
    assert found is not None
    assert found.target_settings.cache_type is found.draft_settings.cache_type
    target = found.target_settings
    return target.cache_type, target.n_ctx, target.gpu_layers, found.draft_settings.gpu_layers


def test_first_the_precision_of_the_cache() -> None:
    assert settings(suggest_settings(PAIR, Machine(room(32768 * 8)).fit)) == (CacheType.Q8_0, 32768, None, None)


def test_then_answers_at_once_where_each_has_its_own_cache() -> None:
    exact = replace(PAIR, target_settings=ModelSettings(n_ctx=32768, slots=8, exact=True))
    found = suggest_settings(exact, Machine(room(2 * 32768 * 8)).fit)
    assert settings(found) == (CacheType.Q8_0, 32768, None, None)
    assert found is not None
    assert found.target_settings.slots == 2
    shared = replace(PAIR, target_settings=ModelSettings(n_ctx=32768, slots=8))
    found = suggest_settings(shared, Machine(room(16384 * 8)).fit)
    assert settings(found) == (CacheType.Q8_0, 16384, None, None)
    assert found is not None
    assert found.target_settings.slots == 8


def test_then_the_context_down_to_a_long_conversation() -> None:
    assert settings(suggest_settings(PAIR, Machine(room(16384 * 8)).fit)) == (CacheType.Q8_0, 16384, None, None)
    odd = replace(PAIR, target_settings=ModelSettings(n_ctx=20000))
    assert settings(suggest_settings(odd, Machine(room(8192 * 8)).fit)) == (CacheType.Q8_0, 8192, None, None)


def test_then_layers_of_the_target() -> None:
    machine = Machine(10**6, room(0) + 8192 * 8 // 2)
    cache, n_ctx, target, draft = settings(suggest_settings(PAIR, machine.fit))
    assert (cache, n_ctx, draft) == (CacheType.Q8_0, 8192, None)
    assert target is not None
    assert 0 < target < TARGET_LAYERS
    found = suggest_settings(PAIR, machine.fit)
    assert found is not None
    one_more = replace(found, target_settings=replace(found.target_settings, gpu_layers=target + 1))
    assert machine.fit(one_more).verdict is not Fit.FITS


def test_then_layers_of_the_draft() -> None:
    assert settings(suggest_settings(PAIR, Machine(10**6, 200).fit)) == (CacheType.Q8_0, 8192, 0, 9)


def test_then_a_short_context() -> None:
    assert settings(suggest_settings(PAIR, Machine(room(2048 * 8)).fit)) == (CacheType.Q8_0, 2048, None, None)


def test_last_the_precision_of_the_cache_again() -> None:
    assert settings(suggest_settings(PAIR, Machine(room(2048 * 4)).fit)) == (CacheType.Q4_0, 2048, None, None)


def test_a_smaller_context_alone_where_that_is_what_is_wanted() -> None:
    smaller = suggest_context(PAIR, Machine(room(8192 * 16)).fit)
    assert settings(smaller) == (CacheType.F16, 8192, None, None)
    assert settings(suggest_context(PAIR, Machine(10**9).fit))[1] == 16384, "also where it seemed to fit"
    assert settings(suggest_context(PAIR, Machine(WEIGHTS // 2).fit))[1] == 512, "nothing fits"


def test_nothing_helps_against_weights() -> None:
    assert suggest_settings(PAIR, Machine(WEIGHTS).fit) is None
    assert suggest_settings(PAIR, Machine(WEIGHTS // 2, WEIGHTS // 3).fit) is None


def test_tight_is_better_than_nothing() -> None:
    found = suggest_settings(PAIR, Machine(WEIGHTS + 8192 * 8).fit)
    assert settings(found) == (CacheType.Q8_0, 4096, None, None)
    narrow = Machine(WEIGHTS + 2048 * 4)
    assert settings(suggest_settings(PAIR, narrow.fit)) == (CacheType.Q4_0, 2048, None, None)


def test_what_was_small_stays_small() -> None:
    """Neither more context nor more layers than were asked for."""
    asked = replace(
        PAIR, target_settings=ModelSettings(n_ctx=1024, gpu_layers=5), draft_settings=ModelSettings(gpu_layers=3)
    )
    found = settings(suggest_settings(asked, Machine(10**6, 300).fit))
    assert found == (CacheType.Q8_0, 1024, 0, 3)
