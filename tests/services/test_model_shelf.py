import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from support.gguf_bytes import TOKENS, Tensor, Value, gguf, model_metadata, model_tensors
from support.measured import measured
from support.model_homes import COMMIT, REPO, put_into_hub_cache, put_into_ollama, small_model

from specchat.domain.errors import ModelFileError
from specchat.domain.types import PairChoice
from specchat.services.demo_pair import demo_files
from specchat.services.found_models import in_hub_cache, in_lm_studio, in_ollama
from specchat.services.model_shelf import ModelShelf
from specchat.services.pair_values import DraftOption, DraftVerdict, Origin
from specchat.sources.hub_cache import HubCache
from specchat.store.json_file import JsonFile
from specchat.store.remembered import Remembered

OTHER_TOKENS = [*TOKENS[:-1], "xyz"]


class Facts(Remembered):
    """Counts what was found out anew."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.written = 0

    def put(self, key: str, value: object) -> None:
        self.written += 1
        super().put(key, value)


@pytest.fixture
def facts(tmp_path: Path) -> Facts:
    return Facts(tmp_path / "facts.json")


@pytest.fixture
def verdicts(tmp_path: Path) -> Facts:
    return Facts(tmp_path / "verdicts.json")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "models"
    path.mkdir()
    return path


@pytest.fixture
def shelf(tmp_path: Path, folder: Path, facts: Facts, verdicts: Facts) -> ModelShelf:
    return ModelShelf(JsonFile(tmp_path / "added.json"), folder, facts, verdicts)


def write(path: Path, rows: int = 32, changes: dict[str, Value | None] | None = None) -> Path:
    tensors = [*model_tensors(), Tensor("blk.0.ffn_up.weight", (32, rows), "F32")]
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(gguf(model_metadata(changes), tensors))
    return path


def test_an_empty_shelf(tmp_path: Path, facts: Facts, verdicts: Facts) -> None:
    shelf = ModelShelf(JsonFile(tmp_path / "added.json"), tmp_path / "none", facts, verdicts, demo=[tmp_path / "no"])
    assert shelf.models() == []


def test_what_is_said_of_a_model(shelf: ModelShelf, folder: Path) -> None:
    path = write(folder / "a.gguf", changes={"general.name": "Sea 1B Instruct"})
    (model,) = shelf.models()
    assert (model.path, model.name, model.origin) == (path, "Sea 1B Instruct", Origin.FOLDER)
    assert (model.size, model.parameters) == (path.stat().st_size, 320 + 32 + 1024 + 1024)
    assert (model.quantization, model.n_ctx_train, model.n_layer) == ("F16", 512, 2)
    assert (model.problems, model.missing) == ((), False)


@pytest.mark.parametrize("name", [None, "", "  "])
def test_a_model_without_a_name_is_called_as_its_file(shelf: ModelShelf, folder: Path, name: str | None) -> None:
    write(folder / "sea-1b.gguf", changes={"general.name": name})
    assert [model.name for model in shelf.models()] == ["sea-1b"]


def test_names_cannot_flood_a_window(shelf: ModelShelf, folder: Path) -> None:
    write(folder / "a.gguf", changes={"general.name": "line\nline " * 50})
    (model,) = shelf.models()
    assert len(model.name) <= 81
    assert "\n" not in model.name


def test_models_come_by_name_and_the_demo_last(tmp_path: Path, folder: Path, facts: Facts, verdicts: Facts) -> None:
    demo = write(tmp_path / "demo" / "a-demo.gguf")
    for name in ("c", "B", "sub/a"):
        write(folder / f"{name}.gguf")
    shelf = ModelShelf(JsonFile(tmp_path / "added.json"), folder, facts, verdicts, [demo])
    shelf.add(write(tmp_path / "elsewhere" / "bb.gguf"))
    assert [(model.name, model.origin) for model in shelf.models()] == [
        ("a", Origin.FOLDER),
        ("B", Origin.FOLDER),
        ("bb", Origin.ADDED),
        ("c", Origin.FOLDER),
        ("a-demo", Origin.DEMO),
    ]


def test_the_demo_is_looked_for_where_it_ships() -> None:
    assert [path.name for path in demo_files()] == ["demo-target.gguf", "demo-draft.gguf"]


def test_headers_are_read_once(shelf: ModelShelf, folder: Path, facts: Facts) -> None:
    path = write(folder / "a.gguf")
    first = shelf.models()
    assert shelf.models() == first
    assert facts.written == 1
    write(path, 64)
    assert shelf.models() != first
    assert facts.written == 2


def test_facts_of_another_version_are_read_again(tmp_path: Path, shelf: ModelShelf, folder: Path) -> None:
    write(folder / "a.gguf")
    found = shelf.models()
    path = tmp_path / "facts.json"
    path.write_text(json.dumps({key: {"name": 5} for key in json.loads(path.read_text())}))
    assert shelf.models() == found


def test_added_files_stay_on_the_list(tmp_path: Path, shelf: ModelShelf) -> None:
    first, second = write(tmp_path / "a.gguf"), write(tmp_path / "b.gguf")
    assert shelf.add(first).origin is Origin.ADDED
    shelf.add(second)
    shelf.add(first)
    assert [model.path for model in shelf.models()] == [first, second]
    shelf.remove(first)
    assert [model.path for model in shelf.models()] == [second]
    assert first.exists()


def test_an_added_file_that_is_gone_is_flagged(tmp_path: Path, shelf: ModelShelf) -> None:
    path = write(tmp_path / "a.gguf")
    shelf.add(path)
    path.unlink()
    (model,) = shelf.models()
    assert (model.name, model.missing, model.problems) == ("a", True, ("The file is not there any more.",))
    write(path)
    assert not shelf.models()[0].missing


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"GGUF\x03\x00"])
def test_what_is_no_model_is_not_added(tmp_path: Path, shelf: ModelShelf, content: bytes) -> None:
    path = tmp_path / "a.gguf"
    path.write_bytes(content)
    with pytest.raises(ModelFileError):
        shelf.add(path)
    with pytest.raises(ModelFileError):
        shelf.add(tmp_path / "gone.gguf")
    assert shelf.models() == []


def test_a_file_that_cannot_be_read_says_why(shelf: ModelShelf, folder: Path, facts: Facts) -> None:
    (folder / "a.gguf").write_bytes(b"GGUF\x03\x00")
    (model,) = shelf.models()
    assert "truncated" in model.problems[0]
    assert facts.written == 0


@pytest.mark.parametrize("content", ["{", '{"models": 5}', '{"models": [1]}'])
def test_a_damaged_list_is_kept_aside(tmp_path: Path, shelf: ModelShelf, content: str) -> None:
    (tmp_path / "added.json").write_text(content)
    assert shelf.models() == []
    assert (tmp_path / "added.damaged.json").read_text() == content


def test_a_model_in_parts_is_one(shelf: ModelShelf, folder: Path) -> None:
    first = write(folder / "big-00001-of-00002.gguf", changes={"split.no": 0, "split.count": 2})
    alone = first.stat().st_size
    assert shelf.models()[0].problems == ("The part big-00002-of-00002.gguf is missing.",)
    second = folder / "big-00002-of-00002.gguf"
    second.write_bytes(gguf({"split.no": 1, "split.count": 2}, [Tensor("blk.1.attn_q.weight", (32, 32))]))
    (model,) = shelf.models()
    assert (model.size, model.problems) == (alone + second.stat().st_size, ())


def test_missing_parts_cannot_flood_a_window(shelf: ModelShelf, folder: Path) -> None:
    first = small_model("Big", changes={"split.no": 0, "split.count": 99999})
    (folder / "big-00001-of-99999.gguf").write_bytes(first)
    (model,) = shelf.models()
    assert [str(problem) for problem in model.problems] == [
        f"The part big-0000{part}-of-99999.gguf is missing." for part in (2, 3, 4)
    ]


def test_a_head_for_one_model_is_no_model(shelf: ModelShelf, folder: Path) -> None:
    changes: dict[str, Value | None] = {"general.architecture": "eagle3", "eagle3.block_count": 1}
    changes |= {"eagle3.embedding_length": 32, "eagle3.context_length": 512}
    write(folder / "eagle.gguf", changes=changes)
    assert "one certain model only" in shelf.models()[0].problems[0]


# Drafts


def drafts(shelf: ModelShelf, target: Path) -> list[tuple[str, str]]:
    return [(o.model.name, str(o.verdict)) for o in models_among(shelf.draft_options(target)) if o.model is not None]


def models_among(options: list[DraftOption]) -> list[DraftOption]:
    return [option for option in options if option.draft_type == "model"]


def auto(shelf: ModelShelf, target: Path) -> DraftOption:
    return shelf.draft_options(target)[0]


def test_drafts_in_the_order_of_their_use(shelf: ModelShelf, folder: Path) -> None:
    target = write(folder / "target.gguf", 20_000)
    write(folder / "half.gguf", 10_000)
    write(folder / "tenth.gguf", 2_000)
    write(folder / "larger.gguf", 30_000)
    write(folder / "same.gguf", 20_000)
    write(folder / "stranger.gguf", 2_000, {"tokenizer.ggml.tokens": OTHER_TOKENS})
    (folder / "broken.gguf").write_bytes(b"GGUF")
    assert drafts(shelf, target) == [
        ("tenth", "identical"),
        ("half", "identical"),
        ("larger", "too large"),
        ("same", "too large"),
        ("stranger", "incompatible"),
        ("broken", "unusable"),
    ]
    options = shelf.draft_options(target)
    assert [option.draft_type for option in options[:5]] == ["auto", "model", "model", "ngram", "none"]
    assert [option.selectable for option in options] == [True] * 5 + [False] * 4
    stranger = options[-2]
    assert stranger.reason == "Token 9 is 'abc' in the target, 'xyz' in the draft."


def test_a_draft_may_be_less_than_identical(shelf: ModelShelf, folder: Path) -> None:
    target = write(folder / "target.gguf", 20_000)
    write(folder / "draft.gguf", 2_000, {"tokenizer.ggml.bos_token_id": 0, "tokenizer.ggml.add_bos_token": False})
    write(target, 20_000, {"tokenizer.ggml.add_bos_token": False})
    (option,) = models_among(shelf.draft_options(target))
    assert (option.verdict, option.selectable) == (DraftVerdict.COMPATIBLE, True)


def test_verdicts_are_found_once(shelf: ModelShelf, folder: Path, verdicts: Facts) -> None:
    target = write(folder / "target.gguf", 2_000)
    draft = write(folder / "draft.gguf")
    found = shelf.draft_options(target)
    assert shelf.draft_options(target) == found
    assert verdicts.written == 1
    write(draft, 33, {"tokenizer.ggml.tokens": OTHER_TOKENS})
    assert drafts(shelf, target) == [("draft", "incompatible")]


def test_auto_takes_the_best_draft_there_is(shelf: ModelShelf, folder: Path) -> None:
    target = write(folder / "target.gguf", 20_000)
    choice = PairChoice(target, draft_max=4)
    assert auto(shelf, target).model is None
    assert shelf.settled(choice) == PairChoice(target, draft_type="ngram", draft_max=4)
    draft = write(folder / "draft.gguf", 2_000)
    best = auto(shelf, target).model
    assert best is not None
    assert best.path == draft
    assert shelf.settled(choice) == PairChoice(target, draft, draft_max=4)


def test_what_packages_add_is_offered(
    shelf: ModelShelf, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "phrases-1.0.dist-info"
    package.mkdir()
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: phrases\nVersion: 1.0\n")
    (package / "entry_points.txt").write_text("[specchat.drafters]\nphrases = phrases:make_drafter\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    options = shelf.draft_options(write(folder / "target.gguf", 20_000))
    assert [option.draft_type for option in options] == ["auto", "ngram", "phrases", "none"]


def test_what_was_measured_counts_more_than_sizes(tmp_path: Path, folder: Path, facts: Facts, verdicts: Facts) -> None:
    target = write(folder / "target.gguf", 20_000)
    half, tenth, other = (write(folder / f"{n}.gguf", s) for n, s in (("half", 10_000), ("tenth", 2_000), ("o", 3_000)))

    def shelf(speedups: dict[Path | None, float]) -> ModelShelf:
        pairs = measured(tmp_path / "measured.json", target, speedups)
        return ModelShelf(JsonFile(tmp_path / "added.json"), folder, facts, verdicts, measured_here=pairs.of)

    by_speed = shelf({half: 1.3, tenth: 0.88})
    found = models_among(by_speed.draft_options(target))
    assert [(o.model.name, o.speedup) for o in found if o.model] == [("half", 1.3), ("o", None), ("tenth", 0.88)]
    assert by_speed.settled(PairChoice(target)).draft == half
    with_ngrams = shelf({None: 1.4, other: 1.2})
    assert next(o.speedup for o in with_ngrams.draft_options(target) if o.draft_type == "ngram") == 1.4
    assert with_ngrams.settled(PairChoice(target)) == PairChoice(target, draft_type="ngram")
    all_lose = shelf({None: 0.97, half: 0.9, other: 0.95})
    assert auto(all_lose, target).model is None


def test_what_was_chosen_stays(shelf: ModelShelf, folder: Path) -> None:
    target = write(folder / "target.gguf", 20_000)
    draft = write(folder / "draft.gguf", 2_000)
    for choice in (PairChoice(target, draft), PairChoice(target, draft_type="none")):
        assert shelf.settled(choice) == choice


def test_a_target_that_is_gone_has_no_drafts(tmp_path: Path, shelf: ModelShelf, folder: Path) -> None:
    write(folder / "draft.gguf")
    (option,) = models_among(shelf.draft_options(tmp_path / "gone.gguf"))
    assert option.verdict is DraftVerdict.UNUSABLE


# What others have


def shelf_of(tmp_path: Path, facts: Facts, verdicts: Facts, ours: Sequence[Path] = ()) -> ModelShelf:
    finders = (
        lambda: in_hub_cache(HubCache(tmp_path / "hub")),
        lambda: in_lm_studio(tmp_path / "home"),
        lambda: in_ollama(tmp_path / "home"),
    )
    added, folder = JsonFile(tmp_path / "added.json"), tmp_path / "models"
    return ModelShelf(added, folder, facts, verdicts, finders=finders, ours=lambda: ours)


@pytest.fixture
def wide_shelf(tmp_path: Path, facts: Facts, verdicts: Facts, monkeypatch: pytest.MonkeyPatch) -> ModelShelf:
    monkeypatch.delenv("OLLAMA_MODELS", raising=False)
    return shelf_of(tmp_path, facts, verdicts)


def lm_studio(tmp_path: Path, name: str) -> Path:
    path = tmp_path / "home" / ".lmstudio" / "models" / "someone" / "small" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def test_models_of_other_programs_stay_where_they_are(tmp_path: Path, wide_shelf: ModelShelf) -> None:
    in_cache = put_into_hub_cache(tmp_path / "hub", "Q8_0/a.gguf", small_model("Hub"))
    of_studio = write(lm_studio(tmp_path, "b.gguf"))
    of_ollama = put_into_ollama(
        tmp_path / "home" / ".ollama" / "models", "registry.ollama.ai/library/llama3.2/1b", small_model("L", 40)
    )
    assert [(model.path, model.name, model.origin, model.reference) for model in wide_shelf.models()] == [
        (of_studio, "b", Origin.LM_STUDIO, ""),
        (in_cache, "Hub", Origin.HUB, f"{REPO}:Q8_0/a.gguf"),
        (of_ollama, "llama3.2:1b", Origin.OLLAMA, "ollama:llama3.2:1b"),
    ]
    assert not any(model.problems or model.ours for model in wide_shelf.models())
    assert [drafts for drafts in wide_shelf.draft_options(of_ollama) if drafts.selectable][1].model is not None


def test_no_model_is_there_twice(tmp_path: Path, wide_shelf: ModelShelf, folder: Path) -> None:
    place = put_into_hub_cache(tmp_path / "hub", "a.gguf", small_model())
    put_into_hub_cache(tmp_path / "hub", "a.gguf", small_model(), commit="d" * 40)
    lm_studio(tmp_path, "b.gguf").symlink_to(place)
    (folder / "c.gguf").hardlink_to(place.resolve())
    (link := tmp_path / "d.gguf").symlink_to(place)
    (model,) = wide_shelf.models()
    assert (model.origin, model.reference) == (Origin.HUB, f"{REPO}:a.gguf")
    assert wide_shelf.at(link) == wide_shelf.add(link) == model
    assert not (tmp_path / "added.json").exists()
    assert models_among(wide_shelf.draft_options(link)) == []


def test_what_a_link_leads_to_is_as_large_as_it_is(tmp_path: Path, wide_shelf: ModelShelf, folder: Path) -> None:
    target = write(folder / "target.gguf", 20_000)
    (link := tmp_path / "link.gguf").symlink_to(target)
    write(folder / "draft.gguf", 2_000)
    assert drafts(wide_shelf, link) == [("draft", "identical")]


def test_revisions_that_differ_are_two(tmp_path: Path, wide_shelf: ModelShelf) -> None:
    put_into_hub_cache(tmp_path / "hub", "a.gguf", small_model("Old"))
    put_into_hub_cache(tmp_path / "hub", "a.gguf", small_model("New"), commit="d" * 40)
    assert [(model.name, model.reference) for model in wide_shelf.models()] == [
        ("New", f"{REPO}:a.gguf"),
        ("Old", f"{REPO}@{COMMIT}:a.gguf"),
    ]


def test_parts_and_sidecars_in_the_cache(tmp_path: Path, facts: Facts, verdicts: Facts) -> None:
    parts = [
        put_into_hub_cache(tmp_path / "hub", f"big-0000{number}-of-00002.gguf", data)
        for number, data in enumerate(
            (
                small_model(changes={"split.no": 0, "split.count": 2}),
                gguf({"split.no": 1, "split.count": 2}, [Tensor("blk.1.attn_q.weight", (32, 32))]),
            ),
            1,
        )
    ]
    put_into_hub_cache(tmp_path / "hub", "mmproj-big.gguf", b"GGUF")
    for ours, expected in ((parts, True), (parts[:1], False), (parts[1:], False)):
        (model,) = shelf_of(tmp_path, facts, verdicts, ours).models()
        assert (model.path, model.problems, model.ours) == (parts[0], (), expected)


def test_a_repository_without_an_owner_has_no_reference(tmp_path: Path, wide_shelf: ModelShelf) -> None:
    place = put_into_hub_cache(tmp_path / "hub", "a.gguf", small_model(), repo="small")
    assert [(model.path, model.reference) for model in wide_shelf.models()] == [(place, "")]


def test_a_cache_at_odds_with_itself(tmp_path: Path, wide_shelf: ModelShelf) -> None:
    place = put_into_hub_cache(tmp_path / "hub", "a.gguf", small_model())
    place.with_name("lost.gguf").symlink_to("../../blobs/nothing")
    place.with_name("self.gguf").symlink_to("self.gguf")
    place.with_name("loop").symlink_to(".")
    (tmp_path / "hub" / "models--a--file").write_bytes(b"")
    refs = tmp_path / "hub" / "models--someone--small-GGUF" / "refs" / "main"
    for content in (b"../../../..", b"\xff", b"\0", b""):
        refs.write_bytes(content)
        assert [model.path for model in wide_shelf.models()] == [place]


# Folders that the user named


def test_folders(tmp_path: Path, shelf: ModelShelf) -> None:
    path = write(tmp_path / "disk" / "a.gguf")
    shelf.add_folder(path.parent)
    shelf.add_folder(path.parent)
    added = shelf.add(write(tmp_path / "b.gguf"))
    assert shelf.folders() == [path.parent]
    assert [(model.path, model.origin) for model in shelf.models()] == [
        (path, Origin.FOLDER),
        (added.path, added.origin),
    ]
    path.unlink()
    path.parent.rmdir()
    assert (shelf.folders(), shelf.models()) == ([path.parent], [added])
    shelf.remove_folder(path.parent)
    assert shelf.folders() == []


def test_folders_of_ollama(tmp_path: Path, shelf: ModelShelf) -> None:
    put_into_ollama(tmp_path / "disk", "registry.ollama.ai/library/tiny/latest", small_model())
    shelf.add_folder(tmp_path / "disk")
    (model,) = shelf.models()
    assert (model.name, model.origin) == ("tiny:latest", Origin.OLLAMA)


@pytest.mark.parametrize("name", ["gone", "empty", "file.gguf"])
def test_folders_of_no_use(tmp_path: Path, shelf: ModelShelf, name: str) -> None:
    (tmp_path / "empty").mkdir()
    write(tmp_path / "file.gguf")
    with pytest.raises(ModelFileError, match="There (is no folder|are no models)") as refused:
        shelf.add_folder(tmp_path / name)
    assert refused.value.hint
    assert shelf.folders() == []


def test_a_list_of_what_cannot_be(tmp_path: Path, shelf: ModelShelf) -> None:
    names = ["/a\0b.gguf", "/\ud800.gguf", f"/{'a' * 5000}.gguf"]
    (tmp_path / "added.json").write_text(json.dumps({"models": names, "folders": names}))
    assert [model.missing for model in shelf.models()] == [True] * 3
    for path in shelf.folders():
        shelf.remove_folder(path)
    assert shelf.folders() == []
