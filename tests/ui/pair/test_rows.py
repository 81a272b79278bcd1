from dataclasses import replace
from pathlib import Path

from PySide6.QtWidgets import QApplication

from specchat.domain.media import Senses
from specchat.services.models.pair_fit import DraftOption, DraftVerdict, LocalModel
from specchat.ui.pair.choice_rows import ChoiceRowBuilder, draft_rows, target_rows, unique_model_names

SEA = LocalModel(Path("sea.gguf"), "Sea", quantization="Q8_0")


def test_files_of_one_name_are_told_apart() -> None:
    finer = replace(SEA, path=Path("sea-f16.gguf"), quantization="F16")
    copy = replace(finer, path=Path("copy.gguf"))
    other = LocalModel(Path("lake.gguf"), "Lake", quantization="Q8_0")
    assert list(unique_model_names([SEA, other]).values()) == ["Sea", "Lake"]
    assert list(unique_model_names([SEA, finer, other]).values()) == ["Sea Q8_0", "Sea F16", "Lake"]
    assert list(unique_model_names([SEA, finer, copy]).values()) == [
        "Sea Q8_0",
        "Sea (sea-f16.gguf)",
        "Sea (copy.gguf)",
    ]


def test_what_is_gone_needs_no_name_apart() -> None:
    gone = replace(SEA, path=Path("sea-f16.gguf"), quantization="F16", missing=True)
    assert unique_model_names([SEA, gone]) == {SEA.path: "Sea"}


def test_a_draft_with_another_vocabulary_says_so(qapp: QApplication) -> None:
    options = [DraftOption("model", SEA, verdict) for verdict in (DraftVerdict.IDENTICAL, DraftVerdict.TRANSLATABLE)]
    same, other = draft_rows(options, ChoiceRowBuilder(qapp))
    assert (same.selectable, "vocabulary" in same.line) == (True, False)
    assert (other.selectable, other.line.endswith(" · different vocabulary (guesses are translated)")) == (True, True)


def test_the_first_layers_of_a_target_are_called_that(qapp: QApplication) -> None:
    made = [replace(SEA, early_exit_of=Path("t.gguf"), n_layer=n) for n in (1, 8)]
    first, eight = draft_rows(
        [DraftOption("model", model, speedup=1.25, is_estimate=True) for model in made], ChoiceRowBuilder(qapp)
    )
    assert (first.title, eight.title) == ("Early exit (first layer)", "Early exit (first 8 layers)")
    assert eight.line.startswith("estimate: 1.3× · ")
    assert target_rows(made, ChoiceRowBuilder(qapp)) == ()


def test_a_target_that_sees_and_hears_says_so(qapp: QApplication) -> None:
    seeing = replace(
        SEA,
        size=3_000_000_000,
        mmproj=Path("mmproj-F16.gguf"),
        mmproj_size=1_000_000_000,
        senses=Senses(sees=True, hears=True),
    )
    row, blind = target_rows([seeing, replace(SEA, path=Path("lake.gguf"))], ChoiceRowBuilder())
    assert (row.badges, blind.badges) == (("Vision", "Audio"), ())
    assert row.line.startswith("4")
