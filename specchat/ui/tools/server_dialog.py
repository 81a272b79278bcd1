"""The dialog for adding or editing a server."""

import re
from collections.abc import Mapping

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QLineEdit, QWidget

from specchat.domain.errors import UserError
from specchat.domain.shell_quoting import quote_command, split_command
from specchat.domain.tool_servers import ToolServerConfig
from specchat.services.tools.server_file import expand_home, make_config
from specchat.ui.settings.prompt_edit import PromptEdit
from specchat.ui.widgets.controls import TextButton
from specchat.ui.widgets.form_dialog import arrange_form, message_label
from specchat.ui.widgets.form_fields import FIELD_HEIGHT, describe_field, labelled_field, muted_label
from specchat.ui.widgets.theme import GRID
from specchat.ui.words.message_translation import translate_text


class ServerDialog(QDialog):
    """Stays open until `accept`, or shows why the server could not be saved."""

    entered = Signal(ToolServerConfig)

    def __init__(self, config: ToolServerConfig | None, parent: QWidget | None = None) -> None:
        """None: for a new one."""
        super().__init__(parent)
        self.setObjectName("toolServerDialog")
        self.setWindowTitle(self.tr("Add a server") if config is None else self.tr("Edit server"))
        self._name, self._command, self._folder = (QLineEdit(self) for _ in range(3))
        self._settings = PromptEdit(self)
        self._problem = message_label("danger", "toolServerProblem", self, lines=1)
        self._save = TextButton(self.tr("Save"), self, primary=True)
        self._cancel = TextButton(self.tr("Cancel"), self)
        self._arrange()
        if config is not None:
            self._show(config)
        self._save.clicked.connect(self._enter)
        self._cancel.clicked.connect(self.reject)

    def show_problem(self, error: UserError) -> None:
        self._problem.setText(f"{translate_text(error.message)} {translate_text(error.hint)}")

    def _show(self, config: ToolServerConfig) -> None:
        self._name.setText(config.name)
        self._command.setText(config.url or quote_command(config.command, *config.args))
        self._folder.setText(config.cwd)
        values = config.headers if config.url else config.env
        sign = ": " if config.url else "="
        self._settings.setPlainText("\n".join(f"{name}{sign}{value}" for name, value in values.items()))
        if config.problem is not None:
            self._problem.setText(translate_text(config.problem))

    def _enter(self) -> None:
        config = self._entered_config()
        if config is not None and config.problem is not None:
            self._problem.setText(translate_text(config.problem))
        elif config is not None:
            self.entered.emit(config)

    def _entered_config(self) -> ToolServerConfig | None:
        """None, and why, if it can't be read."""
        name, command, values = self._name.text().strip(), self._command.text().strip(), self._values()
        if values is None:
            self._problem.setText(
                self.tr("Write one {sample} per line.").format(sample=self._settings.placeholderText())
            )
            return None
        if _is_address(command):
            return make_config(name, url=command, headers=values)
        try:
            words = split_command(command)
        except ValueError:
            self._problem.setText(self.tr("A quotation mark in the command is not closed."))
            return None
        program, *arguments = map(expand_home, words or [""])
        return make_config(name, command=program, args=tuple(arguments), env=values, cwd=self._folder.text().strip())

    def _values(self) -> Mapping[str, str] | None:
        """Of headers, `Name: value` as well: no name of a header contains either sign."""
        signs = re.compile("[:=]" if _is_address(self._command.text().strip()) else "=")
        lines = [line for line in self._settings.toPlainText().splitlines() if line.strip()]
        pairs = [signs.split(line, maxsplit=1) for line in lines]
        if not all(len(pair) == 2 and pair[0].strip() for pair in pairs):
            return None
        return {name.strip(): value.strip() for name, value in pairs}

    def _show_sample(self, command: str) -> None:
        self._settings.setPlaceholderText(
            self.tr("Name: value") if _is_address(command.strip()) else self.tr("NAME=value")
        )

    def _arrange(self) -> None:
        describe_field(self._name, "toolServerName", self.tr("Name"))
        describe_field(self._command, "toolServerCommand", self.tr("Command or address"))
        describe_field(self._folder, "toolServerFolder", self.tr("Folder (optional)"))
        describe_field(self._settings, "toolServerSettings", self.tr("Environment variables or headers (optional)"))
        self._command.setPlaceholderText("npx -y @modelcontextprotocol/server-filesystem ~/Documents")
        self._show_sample("")
        self._command.textChanged.connect(self._show_sample)
        self._settings.setFixedHeight(9 * GRID)
        self._save.setObjectName("saveToolServer")
        for field in (self._name, self._command, self._folder):
            field.setFixedHeight(FIELD_HEIGHT)
        fields = (self._name, self._command, self._folder, self._settings)
        rows = (labelled_field(field.accessibleName(), field, self) for field in fields)
        note = muted_label(self.tr("The server is started only after you enable it."), self)
        arrange_form(self, 70, (note, *rows, self._problem), (self._cancel, self._save))


def _is_address(command: str) -> bool:
    return "://" in command and " " not in command
