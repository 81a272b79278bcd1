"""The dialog for the name, system prompt, files and models of a project."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from specchat.domain.conversations import Attachment
from specchat.domain.projects import Project, ProjectPair, ProjectSettings
from specchat.services.chat.titles import MAX_TITLE_LENGTH, make_unique_name
from specchat.ui.composer.attachment_chips import AttachmentChips
from specchat.ui.composer.attachment_loader import AttachmentLoader
from specchat.ui.composer.file_drop_filter import FileDropFilter
from specchat.ui.composer.reading_line import ReadingLine
from specchat.ui.documents.document_queue import DocumentQueue
from specchat.ui.pictures.thumbnails import Thumbnails
from specchat.ui.settings.prompt_edit import PromptEdit
from specchat.ui.widgets.controls import TextButton
from specchat.ui.widgets.form_dialog import arrange_form, message_label
from specchat.ui.widgets.form_fields import FIELD_HEIGHT, ChoiceBox, describe_field, labelled_field, muted_label
from specchat.ui.widgets.theme import GRID

_WIDTH = 64


@dataclass(frozen=True, slots=True)
class ProjectEdits:
    name: str
    settings: ProjectSettings
    files: tuple[Attachment, ...]


class ProjectDialog(QDialog):
    """Stays open until its edits are saved."""

    save_requested = Signal(ProjectEdits)

    def __init__(
        self,
        project: Project,
        files: Sequence[Attachment],
        pairs: Sequence[tuple[str, ProjectPair]],
        documents: DocumentQueue,
        parent: QWidget,
    ) -> None:
        """`pairs`: the project's own and the loaded one, with their names."""
        super().__init__(parent)
        self._project = project
        self._name, self._prompt = QLineEdit(project.name, self), PromptEdit(self)
        self._chips, self._reading = AttachmentChips(self, Thumbnails(self)), ReadingLine(self)
        self._add = TextButton(self.tr("Add files…"), self)
        self._pair = ChoiceBox(self)
        self._problem = message_label("danger", "projectDialogProblem", self)
        self._save = TextButton(self.tr("Save"), self, primary=True)
        self._cancel = TextButton(self.tr("Cancel"), self)
        self._loader, self._drop = AttachmentLoader(self), FileDropFilter(self)
        self._name_parts()
        self._prompt.show_text(project.settings.system_prompt)
        self._pair.set_items([(self.tr("Whatever is loaded"), None), *pairs], project.settings.pair)
        self._arrange()
        self._connect(documents)
        self._chips.set_attachments(files)
        self._name.selectAll()
        self._update()

    def _connect(self, documents: DocumentQueue) -> None:
        self._loader.enable_documents(documents)
        self._loader.started.connect(self._problem.clear)
        self._loader.attached.connect(self._attach)
        self._loader.rejected.connect(self._reject)
        self._loader.pictures_refused.connect(self._refuse_picture)
        self._loader.reading_changed.connect(self._show_reading)
        self._reading.cancelled.connect(self._loader.stop_reading)
        self._drop.install_on(self)
        self._drop.dropped.connect(self._loader.load_files)
        self._drop.image_dropped.connect(self._refuse_picture)
        self._add.clicked.connect(self._loader.choose_files)
        self._name.textChanged.connect(self._update)
        self._save.clicked.connect(self._enter)
        self._cancel.clicked.connect(self.reject)
        self.finished.connect(documents.cancel)

    def _enter(self) -> None:
        settings = replace(
            self._project.settings, system_prompt=self._prompt.toPlainText().strip(), pair=self._pair.currentData()
        )
        files = tuple(file for file in self._chips.attachments if isinstance(file, Attachment))
        self.save_requested.emit(ProjectEdits(self._name.text(), settings, files))

    def _attach(self, file: object) -> None:
        """Renames a file with a known name, because documents are cited by name."""
        known = self._chips.attachments
        if isinstance(file, Attachment) and file not in known:
            name = make_unique_name(file.name, [each.name for each in known])
            self._chips.set_attachments((*known, replace(file, name=name)))

    def _reject(self, name: str, reason: str) -> None:
        self.show_problem(self.tr("Couldn't add {name}. {reason}").format(name=name, reason=reason))

    def _refuse_picture(self) -> None:
        self.show_problem(self.tr("Pictures can't be added to a project. Attach them to a message."))

    def show_problem(self, words: str) -> None:
        self._problem.setText(words)
        self._update()

    def _show_reading(self, names: tuple[str, ...]) -> None:
        self._reading.show_documents(names)
        self._update()

    def _update(self) -> None:
        self._problem.setVisible(bool(self._problem.text()))
        self._save.setEnabled(bool(self._name.text().strip()) and not self._loader.is_reading)

    def showEvent(self, event: QShowEvent) -> None:
        """Shrinks the dialog once the rows of files are known."""
        super().showEvent(event)
        QTimer.singleShot(0, self, self.adjustSize)

    def _name_parts(self) -> None:
        self.setObjectName("projectDialog")
        self.setWindowTitle(self.tr("Project settings"))
        describe_field(self._name, "projectNameField", self.tr("Name"))
        describe_field(self._prompt, "projectPromptField", self.tr("System prompt"))
        describe_field(self._pair, "projectPairField", self.tr("Models"))
        self._name.setMaxLength(MAX_TITLE_LENGTH)
        self._prompt.setPlaceholderText(self.tr("Comes before the system prompt of each chat."))
        self._add.setObjectName("addProjectFilesButton")
        self._save.setObjectName("saveProjectButton")

    def _arrange(self) -> None:
        self._name.setFixedHeight(FIELD_HEIGHT)
        fields = (self._name, self._prompt)
        rows = [labelled_field(field.accessibleName(), field, self) for field in fields]
        models = labelled_field(self._pair.accessibleName(), self._pair, self)
        offered = muted_label(self.tr("Offered when you open a chat of this project."), self)
        arrange_form(
            self, _WIDTH, (*rows, self._file_rows(), models, offered, self._problem), (self._cancel, self._save)
        )

    def _file_rows(self) -> QWidget:
        inside = QVBoxLayout()
        inside.setSpacing(GRID)
        for widget in (self._chips, self._reading):
            inside.addWidget(widget)
        add = QHBoxLayout()
        add.setSpacing(GRID)
        add.addWidget(self._add)
        add.addWidget(muted_label(self.tr("Every chat of the project reads them."), self), 1)
        inside.addLayout(add)
        return labelled_field(self.tr("Files"), inside, self)
