"""The pane that lists the models on this computer, grouped by where they come from."""

from collections.abc import Collection, Iterator, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QSizePolicy, QWidget

from specchat.domain.errors import UserError
from specchat.domain.model_ref import ModelRef
from specchat.services.models.pair_fit import LocalModel
from specchat.ui.models.filtered_pane import FilteredPane
from specchat.ui.models.local_model_card import LocalModelCard
from specchat.ui.models.local_models_text import LocalModelText, ModelGroup, group_models
from specchat.ui.models.manager_requests import ManagerRequests
from specchat.ui.models.manager_view import ManagerSection
from specchat.ui.widgets.controls import IconButton, TextButton
from specchat.ui.widgets.form_fields import heading_label, muted_label
from specchat.ui.widgets.last_folder import FolderPurpose, chosen_folder, open_in_last_folder
from specchat.ui.widgets.theme import GRID
from specchat.ui.widgets.tooltip import tooltip_text


class LocalModelsPane(FilteredPane):
    def __init__(self, requests: ManagerRequests, parent: QWidget | None = None) -> None:
        super().__init__(requests, requests.local_refresh_requested.emit, parent)
        self._words = LocalModelText(self)
        self._models: Sequence[LocalModel] = ()
        self._folders: Sequence[Path] = ()
        self._loaded: Collection[ModelRef] = ()
        self._listed = False
        self._find = TextButton(self.tr("Find models on Hugging Face"), self, primary=True)
        self._add_file = TextButton(self.tr("Add a GGUF file…"), self)
        self._add_folder = TextButton(self.tr("Add a folder…"), self)
        self._arrange()
        self._find.clicked.connect(lambda: requests.pane_requested.emit(ManagerSection.HUB))
        self._add_file.clicked.connect(self._ask_for_a_file)
        self._add_folder.clicked.connect(self._ask_for_a_folder)

    def show_loading(self) -> None:
        """What is shown already stays meanwhile."""
        if not self._listed:
            self.show_empty_state(self.tr("Looking for models…"), "")

    def show_models(self, models: Sequence[LocalModel], folders: Sequence[Path] = ()) -> None:
        """`folders`: those that the user named."""
        self._models, self._folders, self._listed = models, folders, True
        self.retain_notes({model.path for model in models})
        self.fill()

    @property
    def loaded_models(self) -> Collection[ModelRef]:
        return self._loaded

    def set_loaded_models(self, models: Collection[ModelRef]) -> None:
        """Of the pair that chats now."""
        self._loaded = models
        self.fill()

    def show_problem(self, error: UserError, *, can_retry: bool = False) -> None:
        if can_retry and not self._listed:
            self.show_empty_state("", "")
        super().show_problem(error, can_retry=can_retry)

    def reveal_model(self, path: Path) -> None:
        """What was added just now."""
        self.filter.clear()
        self.focus_card(path)

    def fill(self) -> None:
        if not self._listed:
            return
        wanted = [model for model in self._models if self._is_wanted(model)]
        if not self._models and not self._folders:
            self.show_empty_state(
                self.tr("No models on this computer yet"),
                self.tr(
                    "Find one on Hugging Face, or add a GGUF file or folder. specchat uses files in place, without "
                    "copying them."
                ),
                self._find,
            )
        elif not wanted and self.filter.query:
            self.show_empty_state(self.tr("No matching models"), "")
        else:
            self._show_groups(group_models(wanted, () if self.filter.query else self._folders), len(wanted))

    def _is_wanted(self, model: LocalModel) -> bool:
        return self.matches_filter(model.name, model.quantization, model.path.name, model.reference)

    def _show_groups(self, groups: Sequence[ModelGroup], count: int) -> None:
        self.show_cards(self._widgets(groups), self._words.summary(self._models, count))

    def _widgets(self, groups: Sequence[ModelGroup]) -> Iterator[QWidget]:
        for group in groups:
            yield self._heading(group)
            if not group.models:
                yield self._no_models()
            yield from map(self._card, group.models)

    def _heading(self, group: ModelGroup) -> QWidget:
        line = QWidget(self)
        layout = QHBoxLayout(line)
        line.setMinimumHeight(5 * GRID)
        layout.setContentsMargins(GRID * 3 // 2 + 1, GRID, GRID + 1, 0)
        words = heading_label(self._words.heading(group), line)
        words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        layout.addWidget(words, 1)
        if group.folder is not None:
            words.setToolTip(tooltip_text(str(group.folder)))
            remove = IconButton("close", self.tr("Remove folder from list"), line)
            remove.setObjectName("removeFolderButton")
            remove.clicked.connect(partial(self.requests.remove_folder_requested.emit, group.folder))
            layout.addWidget(remove)
        return line

    def _no_models(self) -> QWidget:
        words = muted_label(self.tr("No other models in this folder."), self)
        words.setContentsMargins(GRID * 3 // 2 + 1, 0, 0, GRID)
        return words

    def _card(self, model: LocalModel) -> LocalModelCard:
        return LocalModelCard(model, self._words, self.requests, self, is_loaded=model.ref in self._loaded)

    def _ask_for_a_file(self) -> None:
        dialog = self._dialog("addFileDialog", self.tr("Add a GGUF file"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters([self.tr("Models (*.gguf *.safetensors)"), self.tr("All files (*)")])
        dialog.fileSelected.connect(lambda path: self.requests.add_file_requested.emit(Path(path)))
        dialog.open()

    def _ask_for_a_folder(self) -> None:
        dialog = self._dialog("addFolderDialog", self.tr("Add a folder with models"))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.filesSelected.connect(lambda names: self.requests.add_folder_requested.emit(chosen_folder(names)))
        dialog.open()

    def _dialog(self, object_name: str, title: str) -> QFileDialog:
        dialog = QFileDialog(self, title)
        dialog.setObjectName(object_name)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        open_in_last_folder(dialog, FolderPurpose.MODELS)
        return dialog

    def _arrange(self) -> None:
        self.setObjectName("herePane")
        self.setAccessibleName(self.tr("Models on this computer"))
        self.list.setObjectName("hereList")
        self.list.setAccessibleName(self.tr("Models on this computer"))
        self.filter.setObjectName("hereFilter")
        self.filter.setAccessibleName(self.tr("Filter models on this computer"))
        self._find.setObjectName("findModelsButton")
        self._add_file.setObjectName("addFileButton")
        self._add_folder.setObjectName("addFolderButton")
        self._find.hide()
        buttons = QHBoxLayout()
        buttons.setSpacing(GRID)
        buttons.addWidget(self._add_file)
        buttons.addWidget(self._add_folder)
        buttons.addStretch(1)
        self.rows.addLayout(buttons)
