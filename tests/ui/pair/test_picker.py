import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QComboBox, QPushButton, QSpinBox, QWidget
from pytestqt.qtbot import QtBot
from support.choices import choice_of
from ui.pair.examples import AUTO, DRAFTS, GONE, MODEL, MODELS, OTHER, SMALL, STRANGER, TARGET, fit_of
from ui.pair.pickers import CHOICE, considered, dialog_of, find, pick, titles

from specchat.domain.model_ref import ModelRef
from specchat.services.models.pair_fit import NOT_SMALLER, DraftOption, DraftVerdict, Fit, LocalModel
from specchat.ui.pair.choice_list import ChoiceList
from specchat.ui.pair.choice_rows import DraftKey
from specchat.ui.pair.memory_bar import MemoryBar
from specchat.ui.pair.pair_picker import PairPicker
from specchat.ui.widgets.content_scroll_area import ContentScrollArea
from specchat.ui.widgets.form_fields import ChoiceBox
from specchat.ui.widgets.rounded_popup import rounded_region
from specchat.ui.widgets.theme import DARK
from specchat.ui.widgets.theme_service import set_current_theme

LARGE = replace(OTHER, path=Path("/models/sea-70b.gguf"), name="Sea 70B")


def test_models_and_drafts_are_listed(picker: PairPicker) -> None:
    assert titles(picker, "targetList") == ["Lake 3B", "Sea 1B", "Sea 7B Instruct", "gone"]
    assert titles(picker, "draftList") == ["Automatic", "Sea 1B", "Earlier text", "No speculation", "Lake 3B"]
    lines = [row.line for row in find(picker, ChoiceList, "targetList").rows]
    assert lines[2:] == ["4.7\u00a0GB · Q4_K_M · context up to 131,072 tokens", "The file is not there."]
    drafts = find(picker, ChoiceList, "draftList").rows
    assert (drafts[0].line, drafts[-1].line) == (
        "Best draft for this target: Sea 1B",
        "Token 9 is 'a' in the target, 'b' in the draft.",
    )
    assert [row.selectable for row in drafts] == [True] * 4 + [False]


def test_models_of_the_same_name_are_told_apart(picker: PairPicker) -> None:
    """By their files' names, else by their folders."""
    copy = replace(TARGET, path=TARGET.path.with_name("copy.gguf"))
    elsewhere = replace(TARGET, path=Path("/elsewhere") / TARGET.path.name)
    drafts = [replace(MODEL, model=replace(SMALL, path=path)) for path in (SMALL.path, Path("/elsewhere/small.gguf"))]
    picker.show_models((OTHER, TARGET, copy, elsewhere))
    picker.show_choice(CHOICE, (AUTO, *drafts))
    places = [row.place for row in find(picker, ChoiceList, "targetList").rows]
    assert places == ["", str(TARGET.path.parent), "copy.gguf", str(elsewhere.path.parent)]
    auto, *others = find(picker, ChoiceList, "draftList").rows
    assert auto.line == "Best draft for this target: Sea 1B (sea-1b.gguf)"
    assert [row.place for row in others] == ["sea-1b.gguf", "small.gguf"]


def test_what_tells_them_apart_is_told_where_they_cannot_be_chosen_too(picker: PairPicker) -> None:
    """A folder's last name is enough in the line of the automatic choice, which has little room."""
    paths = [Path(f"/models/of/{folder}/sea.gguf") for folder in ("first", "second")]
    drafts = [replace(STRANGER, model=replace(OTHER, path=path)) for path in paths]
    picker.show_choice(CHOICE, (replace(AUTO, model=drafts[1].model), *drafts))
    drafts_shown = find(picker, ChoiceList, "draftList")
    auto, *others = drafts_shown.rows
    assert auto.line == "Best draft for this target: Lake 3B (second)"
    assert [(row.selectable, row.place) for row in others] == [(False, str(path.parent)) for path in paths]
    spoken = drafts_shown.model().index(1, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken.startswith("Lake 3B, /models/of/first, not available: Token 9")


def test_it_is_as_high_as_its_contents_at_once(window: QWidget) -> None:
    """Models, drafts and figures came while it was hidden."""
    made = PairPicker(window)
    made.show_models(MODELS[:1])
    made.sizeHint()
    made.show_choice(CHOICE, DRAFTS)
    made.show_fit(CHOICE, fit_of(Fit.FITS))
    made.open_below(window)
    (view,) = made.findChildren(ContentScrollArea)
    assert view.height() >= view.sizeHint().height()


def test_lists_are_short_where_the_screen_is_low(window: QWidget, monkeypatch: pytest.MonkeyPatch) -> None:
    made = PairPicker(window)
    made.show_models([replace(MODELS[0], path=Path(f"/models/{n}.gguf")) for n in range(9)])
    made.show_choice(CHOICE, DRAFTS)
    rows = made.findChild(QWidget, "targetList")
    assert rows is not None
    heights = []
    for room in (2000, 600, 2000):
        monkeypatch.setattr(PairPicker, "_room", room)
        made.open_below(window)
        heights.append(rows.height())
    assert heights[0] == heights[2] > heights[1]


def test_auto_says_when_there_is_no_draft(picker: PairPicker) -> None:
    picker.show_choice(CHOICE, [replace(DRAFTS[0], model=None)])
    assert (
        find(picker, ChoiceList, "draftList").rows[0].line
        == "Guesses from earlier text: no draft on this computer is faster"
    )


def test_what_was_measured_here_stands_first(picker: PairPicker) -> None:
    speedups = (None, 1.62, 0.88, None, None)
    picker.show_choice(CHOICE, [replace(o, speedup=speedup) for o, speedup in zip(DRAFTS, speedups, strict=True)])
    _, model, ngrams, *_ = find(picker, ChoiceList, "draftList").rows
    assert model.line == "measured here: 1.6× · 700\u00a0MB · Q8_0 · context up to 8,192 tokens"
    assert ngrams.line.startswith("measured here: 12\xa0% slower · Copies from earlier text")
    for guesses, words in ((4, "up to 4 guesses"), (1, "up to 1 guess")):
        picker.show_choice(CHOICE, [AUTO, replace(MODEL, speedup=1.62, guesses=guesses)])
        assert find(picker, ChoiceList, "draftList").rows[1].line.startswith(f"measured here: 1.6× with {words} · ")


def test_what_chats_here_showed_is_told_as_such(picker: PairPicker) -> None:
    for speedup, words in ((1.62, "1.6× in your chats · "), (1.0, "no faster in your chats · ")):
        picker.show_choice(CHOICE, [AUTO, replace(MODEL, speedup=speedup, in_chats=True)])
        assert find(picker, ChoiceList, "draftList").rows[1].line.startswith(words)


def test_a_popup_is_cut_where_nothing_is_transparent(picker: PairPicker) -> None:
    place = QRect(0, 0, 200, 100)
    corners = (place.topLeft(), place.topRight(), place.bottomLeft(), place.bottomRight())
    cut = rounded_region(place)
    assert not any(cut.contains(corner) for corner in corners)
    assert cut.boundingRect() == place
    assert picker.mask().isEmpty()


def test_showing_a_choice_asks_for_its_figures(qtbot: QtBot, picker: PairPicker) -> None:
    choice = replace(CHOICE, draft=SMALL.ref)
    assert considered(qtbot, picker, lambda: picker.show_choice(choice, DRAFTS)) == choice
    drafts = find(picker, ChoiceList, "draftList")
    assert [drafts.rows[index.row()].title for index in drafts.selectedIndexes()] == ["Sea 1B"]


def test_another_target_waits_for_its_drafts(qtbot: QtBot, picker: PairPicker) -> None:
    load = find(picker, QPushButton, "loadButton")
    with qtbot.waitSignal(picker.target_picked) as picked, qtbot.assertNotEmitted(picker.choice_changed):
        pick(picker, "targetList", OTHER.ref)
    assert picked.args == [OTHER.ref]
    assert not load.isEnabled()
    assert not find(picker, ChoiceList, "draftList").isEnabled()
    assert find(picker, MemoryBar, "fitBar").words() == "Looking for drafts…"
    picker.show_choice(choice_of(OTHER.path), DRAFTS[:1])
    assert load.isEnabled()
    assert titles(picker, "draftList") == ["Automatic"]


def test_an_added_file_may_become_the_target(picker: PairPicker) -> None:
    picker.show_choice(choice_of(OTHER.path), DRAFTS[:1])
    targets = find(picker, ChoiceList, "targetList")
    assert [targets.rows[index.row()].title for index in targets.selectedIndexes()] == ["Lake 3B"]


@pytest.mark.parametrize(
    ("key", "draft", "draft_type"),
    [
        (DraftKey("auto", SMALL.ref), SMALL.ref, "auto"),
        (DraftKey("ngram"), None, "ngram"),
        (DraftKey("none"), None, "none"),
    ],
)
def test_picking_a_draft(
    qtbot: QtBot, picker: PairPicker, key: DraftKey, draft: ModelRef | None, draft_type: str
) -> None:
    expected = replace(CHOICE, draft=draft, draft_type=draft_type)
    with qtbot.waitSignal(picker.draft_picked) as picked:
        pick(picker, "draftList", key)
    assert picked.args == [expected]
    assert considered(qtbot, picker, lambda: picker.show_settings(expected)) == expected


def test_a_way_of_guessing_that_was_installed(qtbot: QtBot, picker: PairPicker) -> None:
    picker.show_choice(CHOICE, [*DRAFTS, DraftOption("phrases")])
    row = find(picker, ChoiceList, "draftList").rows[-1]
    assert (row.title, row.line) == ("phrases", "A drafter from an installed package")
    with qtbot.waitSignal(picker.draft_picked) as picked:
        pick(picker, "draftList", DraftKey("phrases"))
    assert picked.args == [replace(CHOICE, draft_type="phrases")]


def test_loading(qtbot: QtBot, picker: PairPicker) -> None:
    with qtbot.waitSignal(picker.load_requested) as chosen:
        find(picker, QPushButton, "loadButton").click()
    assert chosen.args == [CHOICE]
    assert not picker.isVisible()


def test_the_keyboard_alone_is_enough(qtbot: QtBot, picker: PairPicker) -> None:
    targets = find(picker, ChoiceList, "targetList")
    assert targets.hasFocus()
    with qtbot.waitSignal(picker.load_requested):
        QTest.keyClick(targets, Qt.Key.Key_Return)
    picker.show()
    QTest.keyClick(targets, Qt.Key.Key_Escape)
    assert not picker.isVisible()


def test_enter_keeps_what_is_loaded(qtbot: QtBot, picker: PairPicker) -> None:
    picker.show_loaded(CHOICE)
    with qtbot.assertNotEmitted(picker.load_requested):
        QTest.keyClick(find(picker, ChoiceList, "targetList"), Qt.Key.Key_Return)
    assert not picker.isVisible()
    with qtbot.waitSignal(picker.load_requested):
        find(picker, QPushButton, "loadButton").click()


def test_the_enter_that_chooses_from_a_list_loads_nothing(qtbot: QtBot, picker: PairPicker) -> None:
    box = picker.findChildren(ChoiceBox)[0]
    box.showPopup()
    box.hidePopup()
    with qtbot.assertNotEmitted(picker.load_requested):
        QTest.keyClick(box, Qt.Key.Key_Return)
    qtbot.wait(1)
    with qtbot.waitSignal(picker.load_requested):
        QTest.keyClick(box, Qt.Key.Key_Return)


def test_enter_loads_nothing_while_drafts_are_looked_for(qtbot: QtBot, picker: PairPicker) -> None:
    pick(picker, "targetList", OTHER.ref)
    with qtbot.assertNotEmitted(picker.load_requested):
        QTest.keyClick(find(picker, ChoiceList, "targetList"), Qt.Key.Key_Return)


def test_without_models(picker: PairPicker) -> None:
    picker.show_models(())
    assert not find(picker, ChoiceList, "targetList").isVisible()
    assert not find(picker, QPushButton, "loadButton").isVisible()
    search = find(picker, QPushButton, "findModelsButton")
    assert (search.isVisible(), search.property("primary")) == (True, True)
    picker.show_models(MODELS)
    assert search.property("primary") is False
    assert not find(picker, QPushButton, "loadButton").isEnabled()


def test_a_target_that_is_gone_is_no_longer_chosen(qtbot: QtBot, picker: PairPicker) -> None:
    picker.show_models((OTHER, GONE))
    assert not find(picker, QPushButton, "loadButton").isEnabled()
    assert not find(picker, ChoiceList, "draftList").isVisible()


def test_adding_a_file(qtbot: QtBot, picker: PairPicker, tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    path.touch()
    QTest.mouseClick(find(picker, QPushButton, "addModelButton"), Qt.MouseButton.LeftButton)
    assert not picker.isVisible()
    dialog = dialog_of(picker)
    assert dialog is not None
    dialog.setDirectory(str(tmp_path))
    dialog.selectFile(str(path))
    with qtbot.waitSignal(picker.add_file_requested) as added:
        dialog.accept()
    assert added.args == [path]
    assert picker.isVisible()
    qtbot.waitUntil(lambda: dialog_of(picker) is None)


def test_not_adding_a_file(qtbot: QtBot, picker: PairPicker) -> None:
    find(picker, QPushButton, "addModelButton").click()
    dialog = dialog_of(picker)
    assert dialog is not None
    with qtbot.assertNotEmitted(picker.add_file_requested):
        dialog.reject()
    assert picker.isVisible()


def test_a_file_is_asked_for_without_the_picker(qtbot: QtBot, picker: PairPicker) -> None:
    picker.close()
    picker.open_file_dialog()
    dialog = dialog_of(picker)
    assert dialog is not None
    dialog.reject()
    assert not picker.isVisible()


def test_removing_a_file(qtbot: QtBot, picker: PairPicker) -> None:
    targets = find(picker, ChoiceList, "targetList")
    with qtbot.waitSignal(picker.remove_file_requested) as removed:
        QTest.keyClick(targets, Qt.Key.Key_Delete)
    assert removed.args == [TARGET.path]


def test_everything_has_a_name(picker: PairPicker) -> None:
    for kind, name in [
        (ChoiceList, "targetList"),
        (ChoiceList, "draftList"),
        (QComboBox, "contextSize"),
        (QComboBox, "cacheType"),
        (QComboBox, "guessesPerPass"),
        (QSpinBox, "threads"),
        (QComboBox, "targetDevice"),
        (QSpinBox, "gpuLayers"),
        (QComboBox, "draftDevice"),
        (QSpinBox, "draftGpuLayers"),
        (QCheckBox, "exactMode"),
        (QComboBox, "answersAtOnce"),
        (MemoryBar, "fitBar"),
    ]:
        assert find(picker, kind, name).accessibleName()
    assert picker.accessibleName()


def test_it_stays_on_the_screen(qtbot: QtBot, picker: PairPicker) -> None:
    corner = QWidget()
    qtbot.addWidget(corner)
    screen = corner.screen().availableGeometry()
    corner.setGeometry(screen.right() - 40, screen.bottom() - 40, 40, 40)
    corner.show()
    picker.open_below(corner)
    assert screen.contains(picker.geometry())


def test_it_stays_on_the_screen_when_its_models_arrive(qtbot: QtBot, window: QWidget) -> None:
    """They are looked for while it opens."""
    screen = window.screen().availableGeometry()
    window.setGeometry(screen.left(), screen.top() + screen.height() // 2, 400, 40)
    made = PairPicker(window)
    made.open_below(window)
    qtbot.waitExposed(made)
    assert made.y() > window.geometry().bottom()
    made.show_models(MODELS)
    made.show_choice(CHOICE, DRAFTS)
    assert screen.contains(made.geometry())


def test_themes(picker: PairPicker) -> None:
    picker.show_fit(CHOICE, fit_of(Fit.DOES_NOT_FIT))
    light = picker.grab().toImage()
    set_current_theme(DARK)
    assert picker.grab().toImage() != light


def test_it_costs_nothing_to_import() -> None:
    script = "import sys, specchat.ui.pair.pair_picker; print({'llama_cpp', 'numpy', 'jinja2'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


@pytest.mark.parametrize("draft", [TARGET, LARGE])
def test_a_draft_that_was_chosen_elsewhere_is_marked(picker: PairPicker, draft: LocalModel) -> None:
    """The target itself, or a larger model."""
    picker.show_models([*MODELS, LARGE])
    too_large = DraftOption("model", LARGE, DraftVerdict.TOO_LARGE, NOT_SMALLER)
    picker.show_choice(choice_of(TARGET.path, draft.path), [*DRAFTS, too_large])
    drafts = find(picker, ChoiceList, "draftList")
    assert [index.data() for index in drafts.selectedIndexes()] == [draft.name]
    assert titles(picker, "draftList").count(LARGE.name) == 1
    picker.show_choice(CHOICE, [*DRAFTS, too_large])
    assert TARGET.name not in titles(picker, "draftList")
