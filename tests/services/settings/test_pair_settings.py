import json
from dataclasses import replace
from pathlib import Path

import pytest
from support.model_homes import REPO, put_into_hub_cache, small_model

from specchat.domain.hub import HubReference
from specchat.domain.model_ref import ModelFile, ServedModel
from specchat.domain.types import CacheType, ModelSettings, PairChoice
from specchat.services.models.model_refs import path_for_ref, ref_for_path
from specchat.services.settings import pair_settings
from specchat.services.settings.pair_settings import PairSettings
from specchat.store.json_file import JsonFile

TARGET, DRAFT = ModelFile(Path("/models/target.gguf")), ModelFile(Path("/models/draft.gguf"))
CHOICE = PairChoice(
    target=TARGET,
    draft=DRAFT,
    target_settings=ModelSettings(
        n_ctx=8192, gpu_layers=20, device="GPU1", threads=3, cache_type=CacheType.Q8_0, exact=True, slots=3
    ),
    draft_settings=ModelSettings(gpu_layers=4, device="CPU", threads=3, cache_type=CacheType.Q8_0, exact=True),
    draft_max=5,
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "pairs.json"


@pytest.fixture
def pairs(path: Path) -> PairSettings:
    return PairSettings(JsonFile(path))


def test_nothing_is_known_at_first(pairs: PairSettings) -> None:
    assert pairs.last_pair() is None
    assert pairs.for_target(TARGET) == PairChoice(TARGET)
    assert pairs.for_pair(TARGET, DRAFT, "model") is None


def test_a_choice_comes_back_whole(pairs: PairSettings) -> None:
    pairs.save(CHOICE)
    assert pairs.last_pair() == pairs.for_target(TARGET) == pairs.for_pair(TARGET, DRAFT, "model") == CHOICE


def test_a_model_of_another_engine(pairs: PairSettings) -> None:
    served = PairChoice(ServedModel("http://localhost:8080", "models/small.gguf"))
    pairs.save(served)
    assert pairs.last_pair() == pairs.for_target(served.target) == served


def test_each_pair_has_its_own(pairs: PairSettings) -> None:
    alone = PairChoice(TARGET, target_settings=ModelSettings(n_ctx=2048), draft_type="ngram")
    other = PairChoice(ModelFile(Path("/models/other.gguf")), draft_type="none")
    for choice in (CHOICE, alone, other):
        pairs.save(choice)
    assert pairs.last_pair() == other
    assert pairs.recent(2) == [other, alone]
    assert pairs.for_target(TARGET) == alone
    assert pairs.for_pair(TARGET, DRAFT, "model") == CHOICE
    assert pairs.for_pair(TARGET, None, "ngram") == alone
    assert pairs.for_pair(TARGET, None, "none") is None


def test_the_newest_of_a_pair_counts(pairs: PairSettings, path: Path) -> None:
    pairs.save(PairChoice(TARGET, DRAFT, ModelSettings(n_ctx=1024)))
    pairs.save(CHOICE)
    assert pairs.for_pair(TARGET, DRAFT, "auto") == CHOICE
    assert len(json.loads(path.read_text())["pairs"]) == 1


def test_a_draft_chosen_before_the_text_guessed_too_is_joined_by_it(pairs: PairSettings) -> None:
    pairs.save(replace(CHOICE, draft_type="model"))
    assert pairs.last_pair() == pairs.for_pair(TARGET, DRAFT, "auto") == CHOICE


def test_old_pairs_are_forgotten(pairs: PairSettings, path: Path) -> None:
    records = [{"target": f"/models/{number}.gguf"} for number in range(pair_settings._MOST)]
    path.write_text(json.dumps({"pairs": records, "later": 1}))
    pairs.save(CHOICE)
    kept = json.loads(path.read_text())
    assert (len(kept["pairs"]), kept["version"], kept["later"]) == (pair_settings._MOST, 1, 1)
    assert [kept["pairs"][number]["target"] for number in (0, -1)] == ["/models/1.gguf", str(TARGET)]


def test_after_an_update_on_the_hub_they_still_hold(
    pairs: PairSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    old = put_into_hub_cache(tmp_path, "small.gguf", small_model("Old"))
    choice = replace(CHOICE, target=ref_for_path(old))
    pairs.save(choice)
    new = put_into_hub_cache(tmp_path, "small.gguf", small_model("New"), commit="d" * 40)
    assert (
        pairs.last_pair()
        == pairs.for_target(ref_for_path(new))
        == pairs.for_pair(ref_for_path(new), DRAFT, "model")
        == choice
    )
    assert path_for_ref(choice.target) == new


def test_what_earlier_versions_kept_of_files_of_the_hub_still_holds(
    pairs: PairSettings, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    place = put_into_hub_cache(tmp_path, "small.gguf", small_model())
    path.write_text(json.dumps({"pairs": [{"target": str(place), "draft": str(DRAFT), "n_ctx": 512}]}))
    used = pairs.for_target(ref_for_path(place))
    assert (used.target, used.draft, used.target_settings.n_ctx) == (HubReference(REPO, "small.gguf"), DRAFT, 512)
    pairs.save(used)
    assert [kept["target"] for kept in json.loads(path.read_text())["pairs"]] == [f"{REPO}:small.gguf"]


@pytest.mark.parametrize("content", ["no JSON", '{"pairs": 5}', '{"pairs": [{"target": 1}]}', '{"pairs": [{}]}'])
def test_a_damaged_file_is_kept_and_defaults_are_used(pairs: PairSettings, path: Path, content: str) -> None:
    path.write_text(content)
    assert pairs.last_pair() is None
    assert path.with_name("pairs.damaged.json").read_text() == content
    pairs.save(CHOICE)
    assert pairs.last_pair() == CHOICE


@pytest.mark.parametrize(
    "odd", [{"n_ctx": -5}, {"threads": 100_000}, {"draft_max": -1}, {"slots": 1000}, {"rpc": ["\n"]}, {"rpc": [""]}]
)
def test_settings_that_nobody_can_have_chosen_are_defaults(
    pairs: PairSettings, path: Path, odd: dict[str, object]
) -> None:
    path.write_text(json.dumps({"version": 1, "pairs": [{"target": str(TARGET), "gpu_layers": 20, **odd}]}))
    assert pairs.last_pair() == PairChoice(TARGET, target_settings=ModelSettings(gpu_layers=20))


def test_another_draft_begins_without_the_settings_of_the_one_before(pairs: PairSettings) -> None:
    other = ModelFile(Path("/models/other.gguf"))
    assert pairs.recall(TARGET, other, "auto") == PairChoice(TARGET, other)
    pairs.save(CHOICE)
    assert pairs.recall(TARGET, DRAFT, "auto") == CHOICE
    begun = pairs.recall(TARGET, other, "auto")
    assert (begun.target_settings, begun.draft, begun.draft_max) == (CHOICE.target_settings, other, None)
    assert begun.draft_settings == replace(CHOICE.draft_settings, gpu_layers=None, device=None)
