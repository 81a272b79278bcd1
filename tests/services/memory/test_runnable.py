from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib.metadata import EntryPoints, entry_points
from pathlib import Path

import pytest
from huggingface_hub import close_session
from support.choices import choice_of
from support.ggufs import ModelRecipe, make_model
from support.hub import LocalHub
from support.measured import measured
from support.vocabularies import SpmVocab

from specchat import drafters
from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import Cancelled, HubNotFoundError
from specchat.domain.memory import CPU
from specchat.domain.types import Device, PairChoice
from specchat.services.bench.measured_pairs import ObservedSpeed
from specchat.services.drafts.draft_candidates import DraftCandidate, ModelLocation, PairOffers
from specchat.services.drafts.draft_evaluator import DraftEvaluator, DraftToCheck
from specchat.services.drafts.known_pairs import KnownModel, KnownPair, KnownPairs, shipped_pairs_path
from specchat.services.hub.hub import Hub
from specchat.services.memory import fit_estimator, offer_finder
from specchat.services.memory.header_fit import fit_from_headers
from specchat.services.memory.offer_finder import OfferFinder
from specchat.services.models.model_library import ModelLibrary
from specchat.services.models.pair_fit import Fit, PairFit
from specchat.sources.hugging_face import HuggingFace
from specchat.store.json_cache import JsonCache
from specchat.store.json_file import JsonFile

GIGA = 10**9
TARGET = ModelRecipe(n_layer=8, name="Sea 8B")
DRAFT = replace(TARGET, n_layer=1, name="Sea 1B")
MEDIUM = replace(TARGET, n_layer=4, name="Sea 4B")
STRANGER = replace(TARGET, n_layer=6, vocab=SpmVocab(), name="Lake 7B")
NO_PAIRS = "none.json"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "models"
    path.mkdir()
    return path


@pytest.fixture
def library(tmp_path: Path, folder: Path) -> ModelLibrary:
    facts, verdicts = (JsonCache(tmp_path / f"{name}.json") for name in ("facts", "verdicts"))
    return ModelLibrary(JsonFile(tmp_path / "added.json"), folder, facts, verdicts)


@pytest.fixture
def known(tmp_path: Path) -> KnownPairs:
    return KnownPairs(shipped_pairs_path(), JsonFile(tmp_path / "own.json"))


@pytest.fixture
def none_known(tmp_path: Path) -> KnownPairs:
    (tmp_path / NO_PAIRS).write_text('{"version": 1, "pairs": []}')
    return KnownPairs(tmp_path / NO_PAIRS, JsonFile(tmp_path / "own.json"))


@pytest.fixture
def local(monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalHub]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with LocalHub() as hub:
        yield hub
    close_session()


def machine(ram: float, gpu: float = 0) -> list[Device]:
    devices = [Device(CPU, "", "cpu", round(ram * GIGA), round(ram * GIGA))]
    return devices + [Device("CARD", "", "gpu", round(gpu * GIGA), round(gpu * GIGA))] * (gpu > 0)


def put(folder: Path, recipe: ModelRecipe) -> Path:
    return make_model(folder / f"{recipe.name.replace(' ', '-')}.gguf", recipe)


def offers(library: ModelLibrary, known: KnownPairs, *devices: Device) -> PairOffers:
    return OfferFinder(library, known).find_offers(CancelToken(), devices)


def shown(found: PairOffers) -> list[tuple[str, str]]:
    return [(pair.target.name, pair.draft.name) for pair in found.pairs]


def judged(target: Path, draft: Path, known: KnownPair | None = None) -> DraftCandidate:
    """As among the drafts for the target."""
    judge = DraftEvaluator(target, lambda _: PairFit(()))
    return judge.evaluate(
        DraftToCheck(str(draft), draft.stem, draft.stat().st_size, "", ModelLocation.HERE, known), draft
    )


def test_known_pairs_for_a_machine(library: ModelLibrary, known: KnownPairs) -> None:
    found = offers(library, known, *machine(16))
    assert len(found.pairs) == len(known.pairs())
    fits = [list(Fit).index(pair.fit) for pair in found.pairs]
    assert fits == sorted(fits)
    assert set(fits) >= {0, 2}
    fitting = [pair for pair in found.pairs if pair.fit is Fit.FITS]
    assert {pair.target.name for pair in fitting} >= {"Llama 3.1 8B Instruct", "Qwen3 8B"}
    assert "DeepSeek R1" not in {pair.target.name for pair in fitting}
    assert found.alone == ()


def test_a_pair_before_the_hub_was_asked(library: ModelLibrary, known: KnownPairs) -> None:
    found = offers(library, known, *machine(16))
    llama = next(pair for pair in found.pairs if pair.target.name == "Llama 3.1 8B Instruct")
    assert llama.target.reference == "bartowski/Meta-Llama-3.1-8B-Instruct-GGUF"
    assert (llama.target.quantization, llama.target.here) == ("Q4_K_M", False)
    assert llama.target.size == pytest.approx(4.92 * GIGA, rel=0.03)
    assert llama.draft.reference == "bartowski/Llama-3.2-1B-Instruct-GGUF:Llama-3.2-1B-Instruct-Q4_K_M.gguf"
    assert llama.to_download == llama.target.size + llama.draft.size < llama.needed < 8 * GIGA
    assert 1.5 < llama.expected.speedup < 2.5
    assert (llama.note, llama.own) == (None, False)


def test_of_a_mixture_of_experts_less_is_read(library: ModelLibrary, known: KnownPairs) -> None:
    gains = {pair.target.name: pair.expected.speedup for pair in offers(library, known, *machine(64)).pairs}
    assert gains["Qwen3 Coder 30B A3B Instruct"] < gains["Qwen3 32B"]


def test_without_a_graphics_card_what_runs_well_goes_first(library: ModelLibrary, known: KnownPairs) -> None:
    """Faster than one reads, and with room for other programs; then what is faster."""
    found = [pair for pair in offers(library, known, *machine(32)).pairs if pair.fit is Fit.FITS]
    runs_well = [(pair.tokens_per_s or 0.0) >= 10 and pair.needed <= 16 * GIGA for pair in found]
    assert set(runs_well) == {True, False}
    assert runs_well == sorted(runs_well, reverse=True)
    for is_well in (True, False):
        some = [pair for pair, well in zip(found, runs_well, strict=True) if well is is_well]
        assert [pair.chats for pair in some] == sorted((pair.chats for pair in some), reverse=True)
        chatting = [pair for pair in some if pair.chats]
        merits = [pair.target.parameters if is_well else pair.tokens_per_s or 0.0 for pair in chatting]
        assert merits == sorted(merits, reverse=True)


@pytest.mark.parametrize("cores", [1, 2, 4, 16])
@pytest.mark.parametrize("ram", [8, 16, 24, 64])
def test_the_first_pair_runs_well_on_any_processor(
    library: ModelLibrary, known: KnownPairs, cores: int, ram: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(offer_finder, "physical_cores", lambda: cores)
    monkeypatch.setattr(offer_finder, "known_devices", lambda: machine(ram))
    best = offers(library, known).pairs[0]
    assert (best.fit, best.expected.tiny, best.chats) == (Fit.FITS, False, True)
    assert best.tokens_per_s is not None
    assert best.tokens_per_s >= 10 or cores == 1
    assert best.needed <= ram * GIGA / 2


@pytest.mark.parametrize("gpu", [4, 8, 24])
def test_the_first_pair_is_the_largest_that_the_graphics_card_holds(
    library: ModelLibrary, known: KnownPairs, gpu: int
) -> None:
    found = [pair for pair in offers(library, known, *machine(32, gpu)).pairs if pair.fit is Fit.FITS]
    held = [pair.target.parameters for pair in found if pair.chats and pair.needed <= gpu * GIGA]
    assert found[0].target.parameters == max(held)
    assert found[0].needed <= gpu * GIGA


def test_what_a_graphics_card_holds_goes_first(library: ModelLibrary, known: KnownPairs) -> None:
    found = [pair for pair in offers(library, known, *machine(64, 12)).pairs if pair.fit is Fit.FITS]
    on_the_card = [pair.needed <= 12 * GIGA for pair in found]
    assert [pair.tokens_per_s is None for pair in found] == on_the_card
    assert on_the_card == sorted(on_the_card, reverse=True)
    assert set(on_the_card) == {True, False}


def test_pairs_of_models_that_are_here(library: ModelLibrary, none_known: KnownPairs, folder: Path) -> None:
    paths = [put(folder, recipe) for recipe in (TARGET, MEDIUM, DRAFT, STRANGER)]
    found = offers(library, none_known, *machine(4))
    assert shown(found) == [("Sea 8B", "Sea 1B"), ("Sea 4B", "Sea 1B")]
    best = found.pairs[0]
    assert (best.target.reference, best.draft.reference) == (str(paths[0]), str(paths[2]))
    assert best.target.size == paths[0].stat().st_size
    assert (best.fit, best.to_download) == (Fit.FITS, 0)
    candidate = judged(paths[0], paths[2])
    assert candidate.expected == best.expected
    assert [(offer.target.name, offer.fit) for offer in found.alone] == [("Lake 7B", Fit.FITS)]


def test_toys_come_after_what_answers(library: ModelLibrary, known: KnownPairs, folder: Path) -> None:
    for recipe in (TARGET, DRAFT):
        put(folder, recipe)
    fitting = [pair for pair in offers(library, known, *machine(32)).pairs if pair.fit is Fit.FITS]
    assert [pair.expected.tiny for pair in fitting] == [*[False] * (len(fitting) - 1), True]
    assert fitting[-1].target.name == "Sea 8B"


def test_what_is_here_needs_as_much_as_fit_says(library: ModelLibrary, none_known: KnownPairs, folder: Path) -> None:
    target, draft = put(folder, TARGET), put(folder, DRAFT)
    needs = [device.needed for device in fit_from_headers(choice_of(target, draft), machine(4)).devices]
    (found,) = offers(library, none_known, *machine(4)).pairs
    assert found.needed == sum(needs)
    none_known.add(KnownPair(KnownModel(file=str(target)), KnownModel(file=str(draft))))
    (found,) = offers(library, none_known, Device("CARD", "", "gpu", 4 * GIGA, 4 * GIGA)).pairs
    assert (found.own, found.fit) == (True, Fit.FITS)


def test_a_pair_that_was_measured(tmp_path: Path, library: ModelLibrary, none_known: KnownPairs, folder: Path) -> None:
    """Elsewhere it may be another one that is fastest."""
    target, medium, draft = (put(folder, recipe) for recipe in (TARGET, MEDIUM, DRAFT))
    pairs = measured(tmp_path / "measured.json", target, {draft: 0.9, medium: 1.4})

    def best(*machine: Device) -> tuple[str, bool]:
        offer = OfferFinder(library, none_known, pairs.get_speed).find_offers(CancelToken(), machine).pairs[0]
        return offer.draft.name, offer.expected.measured

    assert (best(), best(*machine(4))) == (("Sea 4B", True), ("Sea 1B", False))


def test_a_benchmark_counts_more_than_chats(
    tmp_path: Path, library: ModelLibrary, none_known: KnownPairs, folder: Path
) -> None:
    target, medium, draft = (put(folder, recipe) for recipe in (TARGET, MEDIUM, DRAFT))
    pairs = measured(tmp_path / "measured.json", target, {medium: 1.4})
    pairs.record_observed(choice_of(target, draft), ObservedSpeed(8.4, 0.8, 80.0))
    best = OfferFinder(library, none_known, pairs.get_speed).find_offers(CancelToken()).pairs[0]
    assert (best.draft.name, best.expected.speedup) == ("Sea 4B", 1.4)


def test_a_known_pair_of_which_one_is_here(library: ModelLibrary, none_known: KnownPairs, folder: Path) -> None:
    target = put(folder, TARGET)
    pair = KnownPair(
        KnownModel("someone/Sea-8B-GGUF", name="Sea", parameters=8 * GIGA),
        KnownModel("someone/Sea-1B-GGUF", name="Drop", parameters=GIGA),
        acceptance=0.8,
        note="Mine.",
    )
    none_known.add(pair)
    found = offers(library, none_known, *machine(4))
    (offer,) = found.pairs
    assert (offer.target.reference, offer.target.here, offer.draft.here) == (str(target), True, False)
    assert offer.to_download == offer.draft.size
    assert (offer.note, offer.own, offer.expected.acceptance) == ("Mine.", True, 0.8)
    assert found.alone == ()
    draft = put(folder, DRAFT)
    (offer,) = offers(library, none_known, *machine(4)).pairs
    assert (offer.draft.reference, offer.to_download, offer.own) == (str(draft), 0, True)
    assert offer.expected == judged(target, draft, pair).expected


def test_of_several_quantisations_the_usual(library: ModelLibrary, none_known: KnownPairs, folder: Path) -> None:
    for label, dtype in (("F16", "F16"), ("Q8_0", "Q8_0")):
        make_model(folder / f"Sea-1B-{label}.gguf", replace(DRAFT, dtype=dtype))
    draft = KnownModel("someone/Sea-1B-GGUF", parameters=GIGA // 2)
    none_known.add(KnownPair(KnownModel("someone/Sea-8B-GGUF", parameters=8 * GIGA), draft))
    pair = next(pair for pair in offers(library, none_known, *machine(9)).pairs if pair.own)
    assert (pair.draft.quantization, pair.draft.here) == ("Q8_0", True)


def test_a_target_with_mtp_layers_needs_no_draft(library: ModelLibrary, none_known: KnownPairs, folder: Path) -> None:
    for recipe in (ModelRecipe(arch="qwen35", mtp_layers=1, name="Sea 8B"), DRAFT):
        put(folder, recipe)
    found = offers(library, none_known, *machine(4))
    assert [offer.target.name for offer in found.alone if offer.has_mtp] == ["Sea 8B"]


def test_known_pairs_are_told_at_once(library: ModelLibrary, known: KnownPairs, folder: Path) -> None:
    for recipe in (TARGET, DRAFT):
        put(folder, recipe)
    heard: list[PairOffers] = []
    found = OfferFinder(library, known).find_offers(CancelToken(), machine(16), heard.append)
    assert [len(each.pairs) - len(known.pairs()) for each in (*heard, found)] == [0, 1]
    assert {offer.target.name for offer in heard[0].alone} == {"Sea 8B", "Sea 1B"}


def test_of_many_drafts_only_the_best_is_weighed(
    library: ModelLibrary, none_known: KnownPairs, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who has hundreds of models has thousands of pairs: nothing is read or looked for once more for each."""
    weighed: list[PairChoice] = []
    asked: list[str] = []

    def weigh(choice: PairChoice, devices: Sequence[Device], loaded: PairChoice | None) -> PairFit:
        weighed.append(choice)
        return fit_from_headers(choice, devices, loaded)

    def ask(group: str) -> EntryPoints:
        asked.append(group)
        return entry_points(group=group)

    for n_layer in range(1, 7):
        put(folder, replace(TARGET, n_layer=n_layer, name=f"Sea {n_layer}B"))
    monkeypatch.setattr(fit_estimator, "fit_from_headers", weigh)
    monkeypatch.setattr(drafters, "entry_points", ask)
    pairs = offers(library, none_known, *machine(4)).pairs
    assert sorted(str(choice.target) for choice in weighed) == sorted(pair.target.reference for pair in pairs)
    assert len(pairs) == 5
    assert asked == []


def test_cancelling(library: ModelLibrary, known: KnownPairs, folder: Path) -> None:
    put(folder, TARGET)
    cancel = CancelToken()
    with pytest.raises(Cancelled):
        OfferFinder(library, known).find_offers(cancel, machine(16), lambda offers: cancel.cancel())


def test_cancelling_amid_the_drafts_of_a_target(tmp_path: Path, known: KnownPairs, folder: Path) -> None:
    class Verdicts(JsonCache):
        def put(self, key: str, value: object) -> None:
            compared.append(key)
            cancel.cancel()

    cancel = CancelToken()
    compared: list[str] = []
    for recipe in (TARGET, DRAFT, MEDIUM):
        put(folder, recipe)
    added, facts, verdicts = (tmp_path / f"{name}.json" for name in ("added", "facts", "verdicts"))
    library = ModelLibrary(JsonFile(added), folder, JsonCache(facts), Verdicts(verdicts))
    with pytest.raises(Cancelled):
        OfferFinder(library, known).find_offers(cancel, machine(16))
    assert len(compared) == 1


def test_this_machine(library: ModelLibrary, known: KnownPairs) -> None:
    assert {pair.fit for pair in OfferFinder(library, known).find_offers(CancelToken()).pairs} >= {Fit.DOES_NOT_FIT}


def test_asking_the_hub(
    library: ModelLibrary, none_known: KnownPairs, folder: Path, local: LocalHub, tmp_path: Path
) -> None:
    target = put(tmp_path, TARGET)
    small = put(tmp_path, DRAFT)
    local.add("someone/Sea-8B-GGUF", {"sea-8b-Q4_K_M.gguf": target, "sea-8b-F16.gguf": b"GGUF"})
    local.add("someone/Sea-1B-GGUF", {"sea-1b-Q8_0.gguf": small, "sea-1b-Q2_K.gguf": b"GGUF"})
    known_target, known_draft = (KnownModel(f"someone/Sea-{n}B-GGUF", parameters=n * GIGA) for n in (8, 1))
    none_known.add(KnownPair(known_target, known_draft))
    hub = Hub(HuggingFace(lambda: None, local.endpoint))
    offer_finder = OfferFinder(library, none_known)
    (offer,) = offer_finder.find_offers(CancelToken(), machine(1)).pairs
    assert offer.fit is Fit.DOES_NOT_FIT
    asked = offer_finder.resolve_offer(offer, hub, CancelToken(), machine(2))
    assert asked.target.reference == "someone/Sea-8B-GGUF:sea-8b-Q4_K_M.gguf"
    assert asked.draft.reference == "someone/Sea-1B-GGUF:sea-1b-Q8_0.gguf"
    assert asked.to_download == target.stat().st_size + small.stat().st_size
    assert asked.fit is Fit.FITS
    local.add("someone/Sea-1B-GGUF", {"README.md": b""})
    with pytest.raises(HubNotFoundError, match="Sea-1B-GGUF no longer contains"):
        offer_finder.resolve_offer(offer, hub, CancelToken())
