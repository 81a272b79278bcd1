"""The dialog for writing, renaming and deleting prompts."""

from collections.abc import Sequence
from itertools import pairwise

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLineEdit, QListWidget, QVBoxLayout, QWidget

from specchat.domain.stored_prompt import StoredPrompt
from specchat.services.chat.prompt_library import LONGEST_NAME
from specchat.ui.settings.prompt_edit import PromptEdit
from specchat.ui.widgets.accessibility import announce
from specchat.ui.widgets.controls import TextButton
from specchat.ui.widgets.form_dialog import message_label
from specchat.ui.widgets.form_fields import FIELD_HEIGHT, describe_field, labelled_field, muted_label
from specchat.ui.widgets.theme import GRID
from specchat.ui.widgets.window_geometry import fit_on_screen

_LIST_WIDTH = 24 * GRID


class LibraryDialog(QDialog):
    """Saves a prompt when a field loses the focus."""

    saved = Signal(str, str, str)
    """The name, the text, and the old name, which is empty for a new prompt."""
    deleted = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._prompts: Sequence[StoredPrompt] = ()
        self._edited: StoredPrompt | None = None
        """The prompt in the fields; None: a new one."""
        self._list, self._name, self._text = QListWidget(self), QLineEdit(self), PromptEdit(self)
        self._new = TextButton(self.tr("New prompt"), self)
        self._delete = TextButton(self.tr("Delete"), self)
        self._close = TextButton(self.tr("Close"), self, primary=True)
        self._problem = message_label("danger", "promptProblem", self, lines=1)
        self._name_parts()
        self._arrange()
        self._list.currentRowChanged.connect(self._choose)
        self._text.edited.connect(self.commit)
        self._text.textChanged.connect(self._problem.clear)
        self._name.installEventFilter(self)
        self._new.clicked.connect(self.begin_new)
        self._delete.clicked.connect(self._remove)
        self._close.clicked.connect(self.accept)

    def show_prompts(self, prompts: Sequence[StoredPrompt], current: str = "") -> None:
        """`current`: the prompt to edit. By default, the edited one, or the first."""
        self._prompts = prompts
        with QSignalBlocker(self._list):
            self._list.clear()
            self._list.addItems([prompt.name for prompt in prompts])
        wanted = current or (self._edited.name if self._edited is not None else "")
        if not current and self._is_unsaved:
            self._select(wanted)
        elif prompts:
            self._select(wanted if wanted in self._names else prompts[0].name)
            self._show(prompts[self._list.currentRow()])
        else:
            self.begin_new()

    def begin_new(self) -> None:
        if not self._may_leave():
            return
        self._select("")
        self._show(None)
        self._name.setFocus(Qt.FocusReason.OtherFocusReason)

    def commit(self) -> None:
        """What couldn't be saved stays in the fields, and is tried again."""
        if self._is_unsaved:
            replaced = self._edited.name if self._edited is not None else ""
            self.saved.emit(self._name.text().strip(), self._text.toPlainText(), replaced)

    @property
    def _is_unsaved(self) -> bool:
        """A prompt without text can't be saved."""
        return self._is_changed and not self._lacks_text

    @property
    def _is_changed(self) -> bool:
        before = self._edited or StoredPrompt("", "")
        return (self._name.text().strip(), self._text.toPlainText()) != (before.name, before.text)

    @property
    def _lacks_text(self) -> bool:
        return not self._text.toPlainText().strip()

    def _may_leave(self) -> bool:
        """False: something can't be saved. That the text is missing is told once; then the changes are dropped."""
        self.commit()
        if self._is_unsaved:
            return False
        if not self._is_changed or self._problem.text():
            return True
        self._problem.setText(self.tr("A prompt needs a text. Changes without one aren't saved."))
        announce(self._text, self._problem.text())
        self._text.setFocus(Qt.FocusReason.OtherFocusReason)
        return False

    @property
    def _names(self) -> list[str]:
        return [prompt.name for prompt in self._prompts]

    def _select(self, name: str) -> None:
        """Selects a row without showing its prompt."""
        with QSignalBlocker(self._list):
            self._list.setCurrentRow(self._names.index(name) if name in self._names else -1)

    def done(self, result: int) -> None:
        """What a full disk keeps from being saved can wait in the fields of the closed dialog."""
        if self._may_leave() or self._is_unsaved:
            super().done(result)

    def closeEvent(self, event: QCloseEvent) -> None:
        """The end of the program is not held up."""
        if event.spontaneous():
            super().closeEvent(event)
        else:
            self.commit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.FocusOut:
            self.commit()
        return False

    def _choose(self, row: int) -> None:
        chosen = self._prompts[row].name if row >= 0 else ""
        may_leave = self._may_leave()
        found = next((prompt for prompt in self._prompts if prompt.name == chosen), None)
        if not may_leave:
            self._select(self._edited.name if self._edited is not None else "")
        elif found is not None:
            self._select(chosen)
            self._show(found)

    def _show(self, prompt: StoredPrompt | None) -> None:
        self._edited = prompt
        self._problem.clear()
        self._name.setText(prompt.name if prompt is not None else "")
        self._text.show_text(prompt.text if prompt is not None else "")
        self._delete.setEnabled(prompt is not None)

    def _remove(self) -> None:
        if self._edited is not None:
            removed, self._edited = self._edited.name, None
            self._name.clear()
            self._text.show_text("")
            self.deleted.emit(removed)

    def _name_parts(self) -> None:
        self.setObjectName("promptLibrary")
        self.setWindowTitle(self.tr("Prompts"))
        fit_on_screen(self, QSize(88 * GRID, 56 * GRID))
        describe_field(self._list, "storedPrompts", self.tr("Prompts"))
        describe_field(self._name, "promptNameField", self.tr("Name"))
        describe_field(self._text, "promptTextField", self.tr("Text"))
        self._name.setMaxLength(LONGEST_NAME)
        self._name.setFixedHeight(FIELD_HEIGHT)
        self._text.setMinimumHeight(16 * GRID)
        self._text.setMaximumHeight(1 << 16)
        self._text.setPlaceholderText(self.tr("For example: Translate this into {{language}}: {{text}}"))
        self._new.setObjectName("newPromptButton")
        self._delete.setObjectName("deletePromptButton")
        self._close.setObjectName("closePromptsButton")

    def _arrange(self) -> None:
        words = self.tr("Type / in an empty message to insert a prompt. Fill in what is in {{double braces}} there.")
        right = QVBoxLayout()
        right.setSpacing(GRID)
        right.addWidget(labelled_field(self._name.accessibleName(), self._name, self))
        right.addWidget(labelled_field(self._text.accessibleName(), self._text, self), 1)
        right.addWidget(self._problem)
        self._list.setFixedWidth(_LIST_WIDTH)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        parts = QHBoxLayout()
        parts.setSpacing(2 * GRID)
        parts.addWidget(self._list)
        parts.addLayout(right, 1)
        buttons = QHBoxLayout()
        buttons.setSpacing(GRID)
        buttons.addWidget(self._new)
        buttons.addWidget(self._delete)
        buttons.addStretch(1)
        buttons.addWidget(self._close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * GRID, 2 * GRID, 2 * GRID, 2 * GRID)
        layout.setSpacing(2 * GRID)
        layout.addWidget(muted_label(words, self))
        layout.addLayout(parts, 1)
        layout.addLayout(buttons)
        for before, after in pairwise((self._list, self._name, self._text, self._new, self._delete, self._close)):
            self.setTabOrder(before, after)
