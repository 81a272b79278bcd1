from pathlib import Path

import numpy as np
import pytest
from services.models.library.shelves import Facts, drafts, models_among, write
from support.choices import choice_of
from support.gguf_bytes import TOKENS
from support.measured import measured
from support.medusa import write_safetensors

from specchat.domain.model_ref import ModelFile
from specchat.services.bench.measured_pairs import ObservedSpeed
from specchat.services.models.model_library import ModelLibrary
from specchat.services.models.pair_fit import DraftOption, DraftVerdict
from specchat.store.json_file import JsonFile

OTHER_TOKENS = [*TOKENS[:-1], "xyz"]


def auto(library: ModelLibrary, target: Path) -> DraftOption:
    return library.draft_options(target)[0]


def test_drafts_in_the_order_of_their_use(library: ModelLibrary, folder: Path) -> None:
    target = write(folder / "target.gguf", 20_000)
    write(folder / "half.gguf", 10_000)
    write(folder / "tenth.gguf", 2_000)
    write(folder / "larger.gguf", 30_000)
    write(folder / "same.gguf", 20_000)
    write(folder / "stranger.gguf", 2_000, {"tokenizer.ggml.tokens": OTHER_TOKENS})
    (folder / "broken.gguf").write_bytes(b"GGUF")
    assert drafts(library, target) == [
        ("tenth", "identical"),
        ("half", "identical"),
        ("stranger", "translatable"),
        ("larger", "too large"),
        ("same", "too large"),
        ("broken", "unusable"),
    ]
    options = library.draft_options(target)
    assert [option.draft_type for option in options[:6]] == ["auto", "model", "model", "model", "ngram", "none"]
    assert [option.selectable for option in options] == [True] * 6 + [False] * 3
    assert "different vocabulary" in options[3].reason


def test_a_draft_may_be_less_than_identical(library: ModelLibrary, folder: Path) -> None:
    target = write(folder / "target.gguf", 20_000)
    write(folder / "draft.gguf", 2_000, {"tokenizer.ggml.bos_token_id": 0, "tokenizer.ggml.add_bos_token": False})
    write(target, 20_000, {"tokenizer.ggml.add_bos_token": False})
    (option,) = models_among(library.draft_options(target))
    assert (option.verdict, option.selectable) == (DraftVerdict.COMPATIBLE, True)


def test_verdicts_are_found_once(library: ModelLibrary, folder: Path, verdicts: Facts) -> None:
    target = write(folder / "target.gguf", 2_000)
    draft = write(folder / "draft.gguf")
    found = library.draft_options(target)
    assert library.draft_options(target) == found
    assert verdicts.written == 1
    write(draft, 33, {"tokenizer.ggml.tokens": OTHER_TOKENS})
    assert drafts(library, target) == [("draft", "translatable")]


def test_tokens_are_compared_once_however_many_files_have_them(
    library: ModelLibrary, folder: Path, verdicts: Facts
) -> None:
    same = [write(folder / f"{n}.gguf", 1000 * n) for n in range(1, 6)]
    other = [write(folder / f"o{n}.gguf", 500 * n, {"tokenizer.ggml.tokens": OTHER_TOKENS}) for n in range(1, 4)]
    for target in (*same, *other):
        options = models_among(library.draft_options(target))
        smaller = [each for each in (*same, *other) if each.stat().st_size < target.stat().st_size]
        strangers = {o.model.path for o in options if o.verdict is DraftVerdict.TRANSLATABLE and o.model is not None}
        assert strangers == {each for each in smaller if (each in same) != (target in same)}
    assert verdicts.written == 4  # each of the two with itself, and with the other


def test_auto_takes_the_best_draft_there_is(library: ModelLibrary, folder: Path) -> None:
    target = write(folder / "target.gguf", 20_000)
    choice = choice_of(target, draft_max=4)
    assert auto(library, target).model is None
    assert library.with_best_draft(choice) == choice_of(target, draft_type="ngram", draft_max=4)
    draft = write(folder / "draft.gguf", 2_000)
    best = auto(library, target).model
    assert best is not None
    assert best.path == draft
    assert library.with_best_draft(choice) == choice_of(target, draft, draft_max=4)


def test_models_that_write_no_text_neither_draft_nor_have_drafts(library: ModelLibrary, folder: Path) -> None:
    target = write(folder / "target.gguf", 20_000)
    embedder = write(folder / "embedder.gguf", 4_000, {"llama.pooling_type": 3})
    assert auto(library, target).model is None
    draft = write(folder / "draft.gguf", 2_000)
    assert drafts(library, target) == [("draft", "identical")]
    assert drafts(library, embedder) == []
    assert library.with_best_draft(choice_of(embedder)).draft is None
    assert auto(library, target).model == library.find_model(draft)


def test_what_packages_add_is_offered(
    library: ModelLibrary, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "phrases-1.0.dist-info"
    package.mkdir()
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: phrases\nVersion: 1.0\n")
    (package / "entry_points.txt").write_text("[specchat.drafters]\nphrases = phrases:make_drafter\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    options = library.draft_options(write(folder / "target.gguf", 20_000))
    assert [option.draft_type for option in options] == ["auto", "ngram", "phrases", "none"]


def test_what_was_measured_counts_more_than_sizes(tmp_path: Path, folder: Path, facts: Facts, verdicts: Facts) -> None:
    target = write(folder / "target.gguf", 20_000)
    half, tenth, other = (write(folder / f"{n}.gguf", s) for n, s in (("half", 10_000), ("tenth", 2_000), ("o", 3_000)))

    def library(speedups: dict[Path | None, float]) -> ModelLibrary:
        pairs = measured(tmp_path / "measured.json", target, speedups)
        return ModelLibrary(JsonFile(tmp_path / "added.json"), folder, facts, verdicts, measured_here=pairs.get_speed)

    by_speed = library({half: 1.3, tenth: 0.88})
    found = models_among(by_speed.draft_options(target))
    assert [(o.model.name, o.speedup) for o in found if o.model] == [("half", 1.3), ("o", None), ("tenth", 0.88)]
    assert by_speed.with_best_draft(choice_of(target)).draft == ModelFile(half)
    with_ngrams = library({None: 1.4, other: 1.2})
    assert next(o.speedup for o in with_ngrams.draft_options(target) if o.draft_type == "ngram") == 1.4
    assert with_ngrams.with_best_draft(choice_of(target)) == choice_of(target, draft_type="ngram")
    all_lose = library({None: 0.97, half: 0.9, other: 0.95})
    assert auto(all_lose, target).model is None


def test_a_benchmark_counts_more_than_chats(tmp_path: Path, folder: Path, facts: Facts, verdicts: Facts) -> None:
    target = write(folder / "target.gguf", 20_000)
    half, tenth, slow = (write(folder / f"{n}.gguf", s) for n, s in (("half", 10_000), ("tenth", 2_000), ("s", 900)))
    write(folder / "unknown.gguf", 3_000)
    pairs = measured(tmp_path / "measured.json", target, {half: 1.3, slow: 0.9})
    for draft in (tenth, slow):
        pairs.record_observed(choice_of(target, draft), ObservedSpeed(8.4, 0.8, 100.0))
    library = ModelLibrary(JsonFile(tmp_path / "added.json"), folder, facts, verdicts, measured_here=pairs.get_speed)
    found = models_among(library.draft_options(target))
    assert [o.model.name for o in found if o.model] == ["half", "tenth", "unknown", "s"]
    assert library.with_best_draft(choice_of(target)).draft == ModelFile(half)


def test_one_with_which_chats_hardly_gained_goes_before_none_that_was_not_tried(
    tmp_path: Path, folder: Path, facts: Facts, verdicts: Facts
) -> None:
    target = write(folder / "target.gguf", 20_000)
    half, tenth = write(folder / "half.gguf", 10_000), write(folder / "tenth.gguf", 2_000)
    for speedup, best in ((1.1, tenth), (1.5, half)):
        pairs = measured(tmp_path / f"measured {speedup}.json", target, {})
        pairs.record_observed(choice_of(target, half), ObservedSpeed(speedup, 0.3, 50.0))
        library = ModelLibrary(
            JsonFile(tmp_path / "added.json"), folder, facts, verdicts, measured_here=pairs.get_speed
        )
        assert library.with_best_draft(choice_of(target)).draft == ModelFile(best)


def test_what_was_chosen_stays(library: ModelLibrary, folder: Path) -> None:
    target = write(folder / "target.gguf", 20_000)
    draft = write(folder / "draft.gguf", 2_000)
    for choice in (choice_of(target, draft), choice_of(target, draft_type="none")):
        assert library.with_best_draft(choice) == choice


def test_a_target_that_is_gone_has_no_drafts(tmp_path: Path, library: ModelLibrary, folder: Path) -> None:
    write(folder / "draft.gguf")
    (option,) = models_among(library.draft_options(tmp_path / "gone.gguf"))
    assert option.verdict is DraftVerdict.UNUSABLE


def test_a_draft_with_another_vocabulary_is_taken_unasked_where_it_was_faster(
    tmp_path: Path, folder: Path, facts: Facts, verdicts: Facts
) -> None:
    target = write(folder / "target.gguf", 20_000)
    draft = write(folder / "stranger.gguf", 2_000, {"tokenizer.ggml.tokens": OTHER_TOKENS})
    for speedup, best in ((None, None), (0.9, None), (1.2, draft)):
        pairs = measured(tmp_path / f"measured {speedup}.json", target, {draft: speedup} if speedup else {})
        library = ModelLibrary(
            JsonFile(tmp_path / "added.json"), folder, facts, verdicts, measured_here=pairs.get_speed
        )
        found = auto(library, target).model
        assert (found and found.path) == best


def test_medusa_heads_are_taken_unasked_where_they_were_faster(
    tmp_path: Path, folder: Path, facts: Facts, verdicts: Facts
) -> None:
    """Their file does not say which model of this size they are for."""
    target = write(folder / "target.gguf", 20_000)
    matrix = np.zeros((len(TOKENS), 32), dtype=np.float16)
    heads = write_safetensors(folder / "medusa_lm_head.safetensors", {"0.0.weight": matrix, "1.0.weight": matrix})
    for speedup, best in ((None, None), (0.9, None), (1.2, heads)):
        pairs = measured(tmp_path / f"measured {speedup}.json", target, {heads: speedup} if speedup else {})
        library = ModelLibrary(
            JsonFile(tmp_path / "added.json"), folder, facts, verdicts, measured_here=pairs.get_speed
        )
        assert drafts(library, target) == [("medusa_lm_head", "compatible")]
        found = auto(library, target).model
        assert (found and found.path) == best
