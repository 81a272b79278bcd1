"""The models on this computer, by the places where they live."""

from collections.abc import Collection, Iterator, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from specchat.domain.errors import UserError
from specchat.domain.model_ref import ModelRef
from specchat.services.models.pair_values import Origin, ShelfModel
from specchat.ui.manager.filtered_list import FilteredList
from specchat.ui.manager.here_card import HereCard, Wish
from specchat.ui.manager.here_words import Group, HereWords, grouped
from specchat.ui.manager.note import Note
from specchat.ui.manager.question import whether_to_delete, whether_to_take_off
from specchat.ui.widgets.controls import IconButton, TextButton
from specchat.ui.widgets.fields import heading, muted
from specchat.ui.widgets.last_folder import Purpose, begin_in_last_folder
from specchat.ui.widgets.theme import GRID, Theme
from specchat.ui.widgets.tooltip import tooltip


class HerePane(QWidget):
    targetWanted = Signal(str)
    """A path."""
    draftWanted = Signal(str)
    checkWanted = Signal(object)
    """A ShelfModel, as for the others."""
    checkStopped = Signal(object)
    showWanted = Signal(object)
    """In its folder."""
    copyWanted = Signal(object)
    """Of its reference."""
    removeWanted = Signal(object)
    """From the disk where it is ours, else from the list; to what can go, the user has agreed."""
    fileAdded = Signal(object)
    """A Path, as for folders."""
    folderAdded = Signal(object)
    folderRemoved = Signal(object)
    refreshWanted = Signal()
    hubWanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._words = HereWords(self)
        self._models: Sequence[ShelfModel] = ()
        self._folders: Sequence[Path] = ()
        self._loaded: Collection[ModelRef] = ()
        self._listed = False
        self._shown = FilteredList(theme, self)
        self._find = TextButton(self.tr("Find models on Hugging Face"), self, primary=True)
        self._add_file = TextButton(self.tr("Add a GGUF file…"), self)
        self._add_folder = TextButton(self.tr("Add a folder…"), self)
        self._arrange()
        self._shown.filtered.connect(self._show)
        self._shown.retryWanted.connect(self.refreshWanted)
        self._find.clicked.connect(self.hubWanted)
        self._add_file.clicked.connect(self._ask_for_a_file)
        self._add_folder.clicked.connect(self._ask_for_a_folder)

    def show_loading(self) -> None:
        """What is shown already stays meanwhile."""
        if not self._listed:
            self._shown.show_nothing(self.tr("Looking for models…"), "")

    def show_models(self, models: Sequence[ShelfModel], folders: Sequence[Path] = ()) -> None:
        """`folders`: those that the user named."""
        self._models, self._folders, self._listed = models, folders, True
        self._shown.forget_notes({model.path for model in models})
        self._show()

    @property
    def loaded(self) -> Collection[ModelRef]:
        return self._loaded

    def show_loaded(self, models: Collection[ModelRef]) -> None:
        """Of the pair that chats now."""
        self._loaded = models
        self._show()

    def show_problem(self, error: UserError, *, can_retry: bool = False) -> None:
        if can_retry and not self._listed:
            self._shown.show_nothing("", "")
        self._shown.show_problem(error, can_retry=can_retry)

    def show_note(self, path: Path, note: Note) -> None:
        self._shown.show_note(path, note)

    def point_at(self, path: Path) -> None:
        """What was added just now."""
        self._shown.filter.clear()
        self._shown.go_to(path)

    def focus_search(self) -> None:
        self._shown.filter.seek()

    def clear_problem(self) -> None:
        self._shown.problem.dismiss()

    def rest(self) -> None:
        self._shown.rest()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._shown.set_theme(theme)
        self._show()

    def _show(self) -> None:
        if not self._listed:
            return
        wanted = [model for model in self._models if self._is_wanted(model)]
        if not self._models and not self._folders:
            self._shown.show_nothing(
                self.tr("There is no model on this computer yet"),
                self.tr("Find one on Hugging Face, or add a GGUF file or a folder of them: nothing is copied."),
                self._find,
            )
        elif not wanted and self._shown.filter.query:
            self._shown.show_nothing(self.tr("No model here has such a name"), "")
        else:
            self._show_groups(grouped(wanted, () if self._shown.filter.query else self._folders), len(wanted))

    def _is_wanted(self, model: ShelfModel) -> bool:
        return self._shown.shows(model.name, model.quantization, model.path.name, model.reference)

    def _show_groups(self, groups: Sequence[Group], count: int) -> None:
        self._shown.show_cards(self._widgets(groups), self._words.summary(self._models, count))

    def _widgets(self, groups: Sequence[Group]) -> Iterator[QWidget]:
        for group in groups:
            yield self._heading(group)
            if not group.models:
                yield self._no_models()
            yield from map(self._card, group.models)

    def _heading(self, group: Group) -> QWidget:
        line = QWidget(self)
        layout = QHBoxLayout(line)
        line.setMinimumHeight(5 * GRID)
        layout.setContentsMargins(GRID * 3 // 2 + 1, GRID, GRID + 1, 0)
        words = heading(self._words.heading(group), line)
        words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        layout.addWidget(words, 1)
        if group.folder is not None:
            words.setToolTip(tooltip(str(group.folder)))
            remove = IconButton("close", self.tr("Take this folder off the list"), self._theme, line)
            remove.setObjectName("removeFolderButton")
            remove.clicked.connect(partial(self.folderRemoved.emit, group.folder))
            layout.addWidget(remove)
        return line

    def _no_models(self) -> QWidget:
        words = muted(self.tr("There are no further models in this folder."), self)
        words.setContentsMargins(GRID * 3 // 2 + 1, 0, 0, GRID)
        return words

    def _card(self, model: ShelfModel) -> HereCard:
        card = HereCard(model, self._words, self._theme, self, is_loaded=model.ref in self._loaded)
        card.wished.connect(partial(self._wish, model))
        return card

    def _wish(self, model: ShelfModel, wish: Wish) -> None:
        match wish:
            case Wish.TARGET:
                self.targetWanted.emit(str(model.path))
            case Wish.DRAFT:
                self.draftWanted.emit(str(model.path))
            case Wish.CHECK:
                self.checkWanted.emit(model)
            case Wish.STOP_CHECK:
                self.checkStopped.emit(model)
            case Wish.SHOW:
                self.showWanted.emit(model)
            case Wish.COPY:
                self.copyWanted.emit(model)
            case Wish.REMOVE:
                self._ask_to_remove(model)

    def _ask_to_remove(self, model: ShelfModel) -> None:
        if model.ours:
            question = whether_to_delete(model, self, is_loaded=model.ref in self._loaded)
        elif model.origin is Origin.ADDED:
            stays = "" if model.missing else self.tr("The file stays where it is.")
            question = whether_to_take_off(model.name, stays, self)
        else:
            self.removeWanted.emit(model)
            return
        question.agreed.connect(partial(self.removeWanted.emit, model))
        question.open()

    def _ask_for_a_file(self) -> None:
        dialog = self._dialog("addFileDialog", self.tr("Add a GGUF file"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters([self.tr("Models (*.gguf)"), self.tr("All files (*)")])
        dialog.fileSelected.connect(lambda path: self.fileAdded.emit(Path(path)))
        dialog.open()

    def _ask_for_a_folder(self) -> None:
        dialog = self._dialog("addFolderDialog", self.tr("Add a folder with models"))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.fileSelected.connect(lambda path: self.folderAdded.emit(Path(path)))
        dialog.open()

    def _dialog(self, object_name: str, title: str) -> QFileDialog:
        dialog = QFileDialog(self, title)
        dialog.setObjectName(object_name)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        begin_in_last_folder(dialog, Purpose.MODELS)
        return dialog

    def _arrange(self) -> None:
        self.setObjectName("herePane")
        self.setAccessibleName(self.tr("Models on this computer"))
        self._shown.list.setObjectName("hereList")
        self._shown.list.setAccessibleName(self.tr("Models on this computer"))
        self._shown.filter.setObjectName("hereFilter")
        self._shown.filter.setAccessibleName(self.tr("Filter the models on this computer"))
        self._find.setObjectName("findModelsButton")
        self._add_file.setObjectName("addFileButton")
        self._add_folder.setObjectName("addFolderButton")
        self._find.hide()
        buttons = QHBoxLayout()
        buttons.setSpacing(GRID)
        buttons.addWidget(self._add_file)
        buttons.addWidget(self._add_folder)
        buttons.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID)
        layout.addWidget(self._shown, 1)
        layout.addLayout(buttons)
