"""The part of the form that selects the prompts: built-in, recent or from a file."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QVBoxLayout, QWidget

from specchat.ui.benchmark.bench_config import DEFAULT_WORKLOAD_COUNT, PromptKind
from specchat.ui.benchmark.check_list import CheckItem, CheckList
from specchat.ui.benchmark.workload_labels import workload_explanation, workload_name
from specchat.ui.widgets.controls import ElidedLabel, TextButton
from specchat.ui.widgets.form_fields import ChoiceBox, describe_field, muted_label
from specchat.ui.widgets.last_folder import FolderPurpose, open_in_last_folder
from specchat.ui.widgets.theme import GRID


class PromptsBox(QWidget):
    changed = Signal()
    filled = Signal()
    """There are other prompts to choose from."""
    file_chosen = Signal(Path)
    """Now it is to be read, see `show_file`."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kind = ChoiceBox(self)
        self._workloads = CheckList("benchWorkloads", self)
        self._recent = muted_label("", self)
        self._own = QWidget(self)
        self._file_name = ElidedLabel(self._own)
        self._choose = TextButton(self.tr("Choose a file…"), self._own)
        self._arrange()
        self._kind.currentIndexChanged.connect(self._show_kind)
        self._workloads.changed.connect(self.changed)
        self._workloads.filled.connect(self.filled)
        self._choose.clicked.connect(self._ask_for_a_file)
        self._show_kind()

    @property
    def prompt_kind(self) -> PromptKind:
        return PromptKind(self._kind.currentData())

    @property
    def workloads(self) -> tuple[str, ...]:
        return tuple(str(key) for key in self._workloads.chosen)

    @property
    def tab_stops(self) -> Sequence[QWidget]:
        return (self._kind, *self._workloads.boxes, self._choose)

    def show_workloads(self, names: Sequence[str]) -> None:
        items = [CheckItem(name, workload_name(name), workload_explanation(name)) for name in names]
        self._workloads.show_items(items, names[:DEFAULT_WORKLOAD_COUNT])

    def show_selection(self, asked: PromptKind, workloads: Sequence[str]) -> None:
        """What was asked last. A file is read anew when somebody chooses it."""
        self._kind.setCurrentIndex(self._kind.findData(PromptKind.WORKLOADS if asked is PromptKind.FILE else asked))
        self._workloads.choose(workloads)

    def show_recent(self, count: int) -> None:
        """How many questions there are to take."""
        words = self.tr("Your last {n} questions, each without its chat history.").format(n=count)
        if count == 1:
            words = self.tr("Your last question, without its chat history.")
        self._recent.setText(words if count else self.tr("Your chats contain no questions yet."))

    def show_file(self, path: Path, count: int) -> None:
        """How many prompts it holds."""
        words = self.tr("{name} · 1 prompt") if count == 1 else self.tr("{name} · {n} prompts")
        self._file_name.setText(words.format(name=path.name, n=count))
        self._file_name.show()
        self.changed.emit()

    def _show_kind(self) -> None:
        self._workloads.setVisible(self.prompt_kind is PromptKind.WORKLOADS)
        self._recent.setVisible(self.prompt_kind is PromptKind.RECENT)
        self._own.setVisible(self.prompt_kind is PromptKind.FILE)
        self.changed.emit()

    def _ask_for_a_file(self) -> None:
        dialog = QFileDialog(self, self.tr("Choose a prompt file"))
        dialog.setObjectName("benchPromptsDialog")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters([self.tr("Prompts (*.jsonl *.txt *.md)"), self.tr("All files (*)")])
        open_in_last_folder(dialog, FolderPurpose.PROMPTS)
        dialog.fileSelected.connect(self._file_selected)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _file_selected(self, path: str) -> None:
        self.file_chosen.emit(Path(path))

    def _arrange(self) -> None:
        describe_field(self._kind, "benchPrompts", self.tr("Prompts"))
        self._choose.setObjectName("benchPromptsFile")
        kinds = (
            (self.tr("Built-in prompts"), PromptKind.WORKLOADS),
            (self.tr("My recent questions"), PromptKind.RECENT),
            (self.tr("Prompt file"), PromptKind.FILE),
        )
        self._kind.set_items(kinds, PromptKind.WORKLOADS)
        self.show_recent(0)
        own = QVBoxLayout(self._own)
        own.setContentsMargins(0, 0, 0, 0)
        own.setSpacing(GRID)
        self._file_name.hide()
        own.addWidget(self._file_name)
        own.addWidget(self._choose)
        own.addWidget(muted_label(self.tr("A text file with one prompt per line, or JSONL."), self._own))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID * 3 // 2)
        for part in (self._kind, self._workloads, self._recent, self._own):
            layout.addWidget(part)
