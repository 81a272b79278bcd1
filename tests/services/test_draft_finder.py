from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from huggingface_hub import close_session
from support.ggufs import ModelRecipe, make_model
from support.hub import Fault, LocalHub
from support.measured import measured
from support.sparse import SHAPES, make_sparse
from support.vocabularies import BpeVocab, SpmVocab

from specchat.backends.measure import Measurer
from specchat.domain.cancel import CancelToken
from specchat.domain.errors import Cancelled, HubOfflineError, ModelFileError
from specchat.domain.memory import CPU
from specchat.domain.types import Device, PairChoice
from specchat.services.bench.measured import MeasuredHere, never_measured
from specchat.services.demo_pair import demo_files
from specchat.services.draft_facts import facts_of
from specchat.services.draft_finder import DraftFinder
from specchat.services.draft_values import DraftCandidate, FoundDrafts, Where
from specchat.services.estimates import Estimates
from specchat.services.fit import Fits
from specchat.services.hub import Hub
from specchat.services.known_pairs import KnownModel, KnownPair, KnownPairs, Remark, shipped_pairs
from specchat.services.model_shelf import ModelShelf
from specchat.services.pair_values import DraftVerdict, Fit, PairFit
from specchat.sources.hugging_face import HuggingFace
from specchat.sources.web import Patience
from specchat.store.json_file import JsonFile
from specchat.store.remembered import Remembered

TARGET = ModelRecipe(n_layer=16, name="Sea 8B Instruct")
SMALL = replace(TARGET, n_layer=1, n_ff=64, name="Sea 1B Instruct")
MEDIUM = replace(TARGET, n_layer=6, name="Sea 3B Instruct")
STRANGER = replace(SMALL, vocab=SpmVocab(), name="Lake 1B")
COUSIN = replace(SMALL, vocab=BpeVocab(pre="gpt-2"), name="Pond 1B")


Files = Callable[[ModelRecipe], Path]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    folder = tmp_path_factory.mktemp("drafts")

    def made(recipe: ModelRecipe) -> Path:
        path = folder / f"{recipe.name.replace(' ', '-')}-Q8_0.gguf"
        return path if path.exists() else make_model(path, recipe)

    return made


@pytest.fixture(scope="module")
def fits(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fits]:
    facts = Remembered(tmp_path_factory.mktemp("fits") / "estimates.json")
    with closing(Fits(Measurer(), Estimates(facts))) as made:
        yield made


@pytest.fixture
def local(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[LocalHub]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    with LocalHub() as hub:
        yield hub
    close_session()


@dataclass
class Bench:
    """A finder with what it looks at."""

    folder: Path
    known: KnownPairs
    endpoint: str
    fit: Callable[[PairChoice], PairFit]
    demo: Sequence[Path] = ()
    measured_here: MeasuredHere = never_measured

    def find(self, target: str | Path, found: Callable[[Sequence[DraftCandidate]], None] | None = None) -> FoundDrafts:
        return self.finder.find(str(target), CancelToken(), *([found] if found else []))

    @property
    def finder(self) -> DraftFinder:
        cache = self.folder.parent
        facts, verdicts = (Remembered(cache / f"{name}.json") for name in ("facts", "verdicts"))
        shelf = ModelShelf(JsonFile(cache / "added.json"), self.folder, facts, verdicts, self.demo)
        patience = Patience(tries=1, silence=5)
        source = HuggingFace(lambda: None, self.endpoint, cache / "headers", patience)
        return DraftFinder(shelf, self.known, lambda: Hub(source), self.fit, self.measured_here)

    def here(self, path: Path) -> Path:
        link = self.folder / path.name
        link.hardlink_to(path)
        return link


@pytest.fixture
def bench(local: LocalHub, tmp_path: Path, fits: Fits) -> Bench:
    folder = tmp_path / "models"
    folder.mkdir()
    known = KnownPairs(shipped_pairs(), JsonFile(tmp_path / "own.json"))
    return Bench(folder, known, local.endpoint, fits.fit)


def names(found: FoundDrafts) -> list[str]:
    return [draft.name for draft in found.drafts]


def test_what_is_here(bench: Bench, files: Files) -> None:
    target = bench.here(files(TARGET))
    for recipe in (MEDIUM, SMALL, STRANGER, COUSIN, replace(TARGET, n_layer=20, name="Sea 9B")):
        bench.here(files(recipe))
    (bench.folder / "broken.gguf").write_bytes(b"GGUF")
    found = bench.find(target)
    assert found.hub_problem is None
    assert [(draft.name, draft.verdict) for draft in found.drafts] == [
        ("Sea 1B Instruct", DraftVerdict.IDENTICAL),
        ("Pond 1B", DraftVerdict.COMPATIBLE),
        ("Sea 3B Instruct", DraftVerdict.IDENTICAL),
        ("Sea 9B", DraftVerdict.TOO_LARGE),
        ("Lake 1B", DraftVerdict.INCOMPATIBLE),
        ("broken", DraftVerdict.UNUSABLE),
    ]
    best, *_, lake, broken = found.drafts
    assert (best.where, best.known, best.quantization) == (Where.HERE, False, "Q8_0")
    assert (best.reference, best.size) == (str(bench.folder / "Sea-1B-Instruct-Q8_0.gguf"), files(SMALL).stat().st_size)
    assert best.expected is not None
    assert best.expected.speedup > 1.3
    assert (best.fit, best.left is not None) == (Fit.FITS, True)
    assert lake.reason == "The tokenizers are of different kinds: gpt2 (bpe) and llama (spm)."
    assert "truncated" in broken.reason
    assert all((draft.expected, draft.fit, draft.left) == (None, None, None) for draft in (lake, broken))


def test_the_reasoning_in_a_sentence(bench: Bench, files: Files) -> None:
    target = bench.here(files(TARGET))
    for recipe in (SMALL, COUSIN):
        bench.here(files(recipe))
    sea, pond = bench.find(target).drafts
    assert sea.expected is not None
    times = facts_of(target).size / sea.size
    percent, speed = round(100 * sea.expected.acceptance), sea.expected.speedup
    assert sea.reason == (
        f"{times:.1f} times smaller, identical tokens, about {percent} % accepted, as related models usually are: "
        f"about {speed:.1f} times as fast."
    )
    assert "tokens that fit, perhaps" in pond.reason
    assert "% accepted, as it is of another family: " in pond.reason


def test_what_was_measured_here_counts(bench: Bench, files: Files) -> None:
    """More than what was published, and more than what is usual."""
    target = bench.here(files(TARGET))
    small, medium = (bench.here(files(recipe)) for recipe in (SMALL, MEDIUM))
    bench.known.add(KnownPair(KnownModel(file=str(target)), KnownModel(file=str(small)), acceptance=0.9))
    bench.measured_here = measured(bench.folder.parent / "measured.json", target, {small: 0.88, medium: 1.62}).of
    best, slower = bench.find(target).drafts
    assert (best.name, slower.name) == ("Sea 3B Instruct", "Sea 1B Instruct")
    for draft, speedup in ((best, 1.62), (slower, 0.88)):
        assert draft.expected is not None
        assert (draft.expected.speedup, draft.expected.acceptance) == (speedup, 0.7)
        assert (draft.expected.is_known, draft.expected.measured) == (True, True)
    assert best.reason.endswith(", identical tokens, 70 % accepted; measured here: 1.6x.")
    assert slower.reason.endswith(", identical tokens, 70 % accepted; measured here: 12 % slower.")


def test_found_on_the_hub(bench: Bench, local: LocalHub, files: Files) -> None:
    """Once each, whoever published it; neither what is as large as the target nor what has another name."""
    target = bench.here(files(TARGET))

    def publish(repo: str, recipe: ModelRecipe, downloads: int) -> None:
        held: dict[str, Path | bytes] = {"sea-Q8_0.gguf": files(recipe), "mmproj-f16.gguf": b"GGUF"}
        local.add(repo, held, gguf=_said(recipe, files), downloads=downloads)

    publish("copies/Sea-1B-Instruct-GGUF", SMALL, 5)
    publish("someone/Sea-1B-Instruct-GGUF", SMALL, 9)
    publish("someone/Sea-3B-Instruct-GGUF", MEDIUM, 99)
    publish("someone/Sea-8B-Instruct-GGUF", TARGET, 999)
    publish("someone/River-1B-GGUF", SMALL, 999)
    found = bench.find(target)
    assert [draft.reference for draft in found.drafts] == [
        "someone/Sea-1B-Instruct-GGUF:sea-Q8_0.gguf",
        "someone/Sea-3B-Instruct-GGUF:sea-Q8_0.gguf",
    ]
    best = found.drafts[0]
    assert (best.where, best.name, best.size) == (Where.HUB, "sea-Q8_0", files(SMALL).stat().st_size)
    assert (best.verdict, best.fit, best.known) == (DraftVerdict.IDENTICAL, Fit.FITS, False)


def _said(recipe: ModelRecipe, files: Files) -> dict[str, object]:
    return {"architecture": recipe.arch, "total": facts_of(files(recipe)).side.parameters}


def test_few_requests_and_no_weights(bench: Bench, local: LocalHub, files: Files) -> None:
    target = bench.here(files(TARGET))
    for number in range(40):
        said = _said(SMALL, files)
        local.add(f"someone/Sea-{number + 1}M-GGUF", {f"sea-{number}-Q8_0.gguf": files(SMALL)}, gguf=said)
    found = bench.find(target)
    assert len(found.drafts) == 5
    assert len(local.requests) <= 3 + 5 * 5
    assert local.bytes_sent("/repos/*") < 5 * files(SMALL).stat().st_size / 2 + 5 * 2**17


def test_known_pairs_go_before_a_search(bench: Bench, local: LocalHub, files: Files) -> None:
    """What was published of a pair counts, and another quantisation of what is here is not offered."""
    target = bench.here(files(TARGET))
    local.add("lake/Drop-GGUF", {"drop-Q4_0.gguf": files(MEDIUM), "drop-Q8_0.gguf": files(SMALL)})
    draft = KnownModel("lake/Drop-GGUF", "drop-Q8_0.gguf", "Drop")
    target_model = KnownModel("someone/Sea-8B-Instruct-GGUF")
    bench.known.add(KnownPair(target_model, draft, acceptance=0.9))
    bench.known.add(KnownPair(target_model, KnownModel("gone/Gone-GGUF"), remark=Remark.MADE_FOR_IT))
    bench.known.add(KnownPair(target_model, KnownModel("someone/Sea-1B-Instruct-GGUF")))
    bench.here(files(SMALL))
    here, remote = sorted(bench.find(target).drafts, key=lambda draft: draft.where)
    assert (here.name, here.where, here.known) == ("Sea 1B Instruct", Where.HERE, True)
    assert (remote.name, remote.where, remote.known) == ("Drop", Where.HUB, True)
    assert remote.expected is not None
    assert (remote.expected.acceptance, remote.expected.is_known) == (0.9, True)
    assert "identical tokens, 90 % accepted: about" in remote.reason
    assert not any("Sea-1B" in request.path for request in local.requests)


def test_a_draft_made_for_the_target(bench: Bench, local: LocalHub, files: Files) -> None:
    target = bench.here(files(TARGET))
    local.add("sea/Sea-DRAFT-GGUF", {"draft.gguf": files(SMALL)})
    made = KnownPair(KnownModel("sea/Sea-8B-Instruct"), KnownModel("sea/Sea-DRAFT-GGUF"), remark=Remark.MADE_FOR_IT)
    bench.known.add(made)
    (draft,) = bench.find(target).drafts
    assert "as it was made for this target" in draft.reason


def test_an_own_draft_anywhere_on_this_computer(bench: Bench, files: Files) -> None:
    target, draft = files(TARGET), files(SMALL)
    bench.known.add(KnownPair(KnownModel(file=str(target)), KnownModel(file=str(draft))))
    (found,) = bench.find(target).drafts
    assert (found.reference, found.where, found.known) == (str(draft), Where.HERE, True)


def test_what_is_here_comes_first_and_grows(bench: Bench, local: LocalHub, files: Files) -> None:
    target = bench.here(files(TARGET))
    bench.here(files(MEDIUM))
    local.add("someone/Sea-1B-GGUF", {"sea-Q8_0.gguf": files(SMALL)}, gguf=_said(SMALL, files))
    heard: list[Sequence[DraftCandidate]] = []
    asked: list[int] = []

    def hear(candidates: Sequence[DraftCandidate]) -> None:
        heard.append(candidates)
        asked.append(len(local.requests))

    found = bench.find(target, hear)
    assert [len(each) for each in heard] == [1, 1, 2]
    assert [each[0].fit for each in heard] == [None, Fit.FITS, Fit.FITS]
    assert asked[:2] == [0, 0]
    assert tuple(heard[-1]) == found.drafts
    assert names(found) == ["sea-Q8_0", "Sea 3B Instruct"]


def test_a_target_on_the_hub(bench: Bench, local: LocalHub, files: Files) -> None:
    local.add("someone/Sea-8B-Instruct-GGUF", {"sea-8b-Q8_0.gguf": files(TARGET)}, gguf=_said(TARGET, files))
    local.add("someone/Sea-1B-GGUF", {"sea-Q8_0.gguf": files(SMALL)}, gguf=_said(SMALL, files))
    bench.here(files(MEDIUM))
    found = bench.find("someone/Sea-8B-Instruct-GGUF:sea-8b-Q8_0.gguf")
    assert names(found) == ["sea-Q8_0", "Sea 3B Instruct"]
    assert all(draft.fit is Fit.FITS for draft in found.drafts)
    assert local.bytes_sent("/repos/*") < files(TARGET).stat().st_size


def test_one_repository_with_target_and_draft(bench: Bench, local: LocalHub, files: Files) -> None:
    held = {"sea-8b-Q8_0.gguf": files(TARGET), "sea-1b-Q8_0.gguf": files(SMALL)}
    local.add("someone/Sea-pair-GGUF", held)
    target, draft = (KnownModel("someone/Sea-pair-GGUF", name) for name in held)
    bench.known.add(KnownPair(target, draft))
    (found,) = bench.find(target.reference).drafts
    assert found.reference == draft.reference
    assert bench.find(draft.reference).drafts == ()


def test_without_the_hub(bench: Bench, files: Files) -> None:
    target = bench.here(files(TARGET))
    bench.here(files(SMALL))
    bench.endpoint = "http://127.0.0.1:9"
    found = bench.find(target)
    assert names(found) == ["Sea 1B Instruct"]
    assert found.hub_problem == "The Hub could not be asked: 127.0.0.1 cannot be reached."
    with pytest.raises(HubOfflineError):
        bench.find("someone/sea:sea.gguf")


def test_a_hub_in_trouble(bench: Bench, local: LocalHub, files: Files) -> None:
    target = bench.here(files(TARGET))
    local.add("someone/Sea-1B-GGUF", {"sea-Q8_0.gguf": files(SMALL)}, gguf=_said(SMALL, files))
    local.fault("/api/models/*", Fault(status=503), times=None)
    found = bench.find(target)
    assert found.drafts == ()
    assert found.hub_problem is not None
    assert "(error 503)" in found.hub_problem


def test_drafts_that_may_not_be_read(bench: Bench, local: LocalHub, files: Files) -> None:
    target = bench.here(files(TARGET))
    said = _said(SMALL, files)
    local.add("someone/Sea-1B-GGUF", {"sea-Q8_0.gguf": files(SMALL)}, gguf=said, gating="auto")
    local.add("someone/Sea-2B-GGUF", {"sea-Q8_0.gguf": b"<html>Please log in</html>"}, gguf=said)
    found = bench.find(target)
    reasons = {draft.reference.partition(":")[0]: (draft.verdict, draft.reason) for draft in found.drafts}
    gated = "someone/Sea-1B-GGUF is not open to everyone, and you have given no token."
    assert reasons["someone/Sea-1B-GGUF"] == (DraftVerdict.UNUSABLE, gated)
    assert "web page" in reasons["someone/Sea-2B-GGUF"][1]
    assert found.hub_problem is None


def test_what_does_not_fit_goes_below_what_does(bench: Bench, files: Files, fits: Fits) -> None:
    target = bench.here(files(TARGET))
    for recipe in (SMALL, MEDIUM):
        bench.here(files(recipe))
    small = bench.folder / files(SMALL).name

    def fit(choice: PairChoice) -> PairFit:
        free = 1 if choice.draft == small else 2**40
        return fits.fit(choice, [Device(CPU, "", "cpu", 2**40, free)])

    bench.fit = fit
    medium, too_much = bench.find(target).drafts
    assert (medium.name, medium.fit) == ("Sea 3B Instruct", Fit.FITS)
    assert (too_much.name, too_much.fit) == ("Sea 1B Instruct", Fit.DOES_NOT_FIT)
    assert too_much.left is not None
    assert too_much.left < 0


def test_models_as_large_as_real_ones(bench: Bench, tmp_path: Path) -> None:
    target = make_sparse(bench.folder / "llama-8b.gguf", SHAPES["llama-8b"])
    make_sparse(bench.folder / "llama-1b.gguf", SHAPES["llama-1b"])
    make_sparse(bench.folder / "qwen2-0.5b.gguf", SHAPES["qwen2-0.5b"])
    good, other = bench.find(target).drafts
    assert (good.name, good.verdict) == ("llama-1b", DraftVerdict.IDENTICAL)
    assert good.expected is not None
    assert 1.5 < good.expected.speedup < 2.5
    assert other.verdict is DraftVerdict.INCOMPATIBLE


def test_cancelling(bench: Bench, local: LocalHub, files: Files) -> None:
    target = bench.here(files(TARGET))
    bench.here(files(SMALL))
    cancel = CancelToken()
    with pytest.raises(Cancelled):
        bench.finder.find(str(target), cancel, lambda candidates: cancel.cancel())
    assert local.requests == []


def test_a_target_that_is_not_there(bench: Bench, tmp_path: Path) -> None:
    with pytest.raises(ModelFileError):
        bench.find(tmp_path / "gone.gguf")


def test_the_demo(bench: Bench) -> None:
    found = bench.find("demo")
    assert found.hub_problem is None
    assert found.drafts == ()


def test_the_demo_is_offered_where_it_suits(bench: Bench, files: Files) -> None:
    bench.demo = demo_files()
    assert [draft.reference for draft in bench.find("demo").drafts] == ["demo-draft"]
    assert bench.find(bench.here(files(TARGET))).drafts == ()


def test_what_is_read_of_experts(tmp_path: Path) -> None:
    dense, mixture = (facts_of(make_sparse(tmp_path / f"{n}.gguf", SHAPES[n])) for n in ("llama-7b", "moe-7b"))
    assert 0.9 < dense.side.read / dense.size < 1
    assert mixture.side.read / mixture.size < 0.3
