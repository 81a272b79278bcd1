"""The settings page for appearance, language and unloading of idle models."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from specchat.domain.embeddings import Purpose
from specchat.services.models.pair_fit import LocalModel
from specchat.services.settings.application_settings import ApplicationSettings, TextSize, ThemeChoice
from specchat.ui.pair.choice_rows import unique_model_names
from specchat.ui.settings.settings_model import SettingsModel
from specchat.ui.widgets.controls import Separator
from specchat.ui.widgets.form_fields import (
    FIELD_HEIGHT,
    CheckBox,
    ChoiceBox,
    describe_field,
    labelled_field,
    muted_label,
)
from specchat.ui.widgets.theme import GRID
from specchat.ui.words.installed_languages import available_languages

T = TypeVar("T")


class ApplicationPage(QWidget):
    def __init__(self, settings: SettingsModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        self._theme_choice = ChoiceBox(self)
        self._text_size = ChoiceBox(self)
        self._language = ChoiceBox(self)
        installed = [(name, code) for code, name in available_languages().items()]
        self._languages = [(self.tr("System default"), ""), *installed]
        self._idle_unload = ChoiceBox(self)
        self._embedding_model = ChoiceBox(self)
        self._embedding_models: list[tuple[str, str]] = []
        self._overlay = CheckBox(self.tr("Live stats overlay"), self)
        self._colours = CheckBox(self.tr("Highlight draft tokens"), self)
        describe_field(self._theme_choice, "themeChoice", self.tr("Theme"))
        describe_field(self._text_size, "textSize", self.tr("Text size"))
        describe_field(
            self._language, "language", self.tr("Language"), self.tr("Takes effect the next time specchat starts.")
        )
        describe_field(self._idle_unload, "idleUnload", self.tr("Unload idle models"))
        describe_field(
            self._embedding_model,
            "embeddingModel",
            self.tr("Search documents by meaning"),
            self.tr("Finds passages in other words, too. Needs a model such as nomic-embed-text."),
        )
        describe_field(self._overlay, "showOverlay", self._overlay.text())
        describe_field(self._colours, "colourTokens", self._colours.text())
        self.setFocusProxy(self._theme_choice)
        self._arrange()
        for box in (
            *(self._theme_choice, self._text_size, self._language),
            *(self._idle_unload, self._embedding_model),
        ):
            box.activated.connect(self._change)
        for check in (self._overlay, self._colours):
            check.clicked.connect(self._change)
        settings.changed.connect(self._show)
        self._show(settings.value)

    def show_models(self, models: Sequence[LocalModel]) -> None:
        """Those that make vectors are on offer."""
        usable = [each for each in models if each.purpose is Purpose.EMBEDDINGS and not each.problems]
        names = unique_model_names(usable)
        self._embedding_models = [(names[each.path], str(each.path)) for each in usable]
        self._show(self._settings.value)

    def _show(self, settings: ApplicationSettings) -> None:
        self._theme_choice.set_items(self._themes(), settings.theme)
        self._text_size.set_items(self._text_sizes(), settings.text_size)
        self._language.set_items(self._languages, settings.language)
        self._idle_unload.set_items(self._idle_times(), settings.idle_unload_minutes)
        self._embedding_model.set_items(self._searching_models(settings.embedding_model), settings.embedding_model)
        self._overlay.setChecked(settings.show_overlay)
        self._colours.setChecked(settings.colour_tokens)

    def _change(self) -> None:
        before = self._settings.value
        settings = replace(
            before,
            theme=ThemeChoice(self._theme_choice.currentData()),
            text_size=TextSize(self._text_size.currentData()),
            language=_chosen(self._language, before.language),
            idle_unload_minutes=_chosen(self._idle_unload, before.idle_unload_minutes),
            embedding_model=_chosen(self._embedding_model, before.embedding_model),
            show_overlay=self._overlay.isChecked(),
            colour_tokens=self._colours.isChecked(),
        )
        self._settings.change(settings)

    def _themes(self) -> list[tuple[str, ThemeChoice]]:
        return [
            (self.tr("System default"), ThemeChoice.SYSTEM),
            (self.tr("Light"), ThemeChoice.LIGHT),
            (self.tr("Dark"), ThemeChoice.DARK),
        ]

    def _text_sizes(self) -> list[tuple[str, TextSize]]:
        return [
            (self.tr("Small"), TextSize.SMALL),
            (self.tr("Normal"), TextSize.NORMAL),
            (self.tr("Large"), TextSize.LARGE),
        ]

    def _idle_times(self) -> list[tuple[str, int]]:
        return [
            (self.tr("Never"), 0),
            (self.tr("After 5 minutes"), 5),
            (self.tr("After 15 minutes"), 15),
            (self.tr("After 1 hour"), 60),
        ]

    def _searching_models(self, chosen: str) -> list[tuple[str, str]]:
        """What is chosen stays on offer, even if it isn't on this computer any more."""
        offered = [(self.tr("Off"), ""), *self._embedding_models]
        return offered if chosen in (path for _, path in offered) else [*offered, (Path(chosen).name, chosen)]

    def _arrange(self) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(2 * GRID)
        grid.setVerticalSpacing(2 * GRID)
        for number, field in enumerate((self._theme_choice, self._text_size, self._language)):
            grid.addWidget(labelled_field(field.accessibleName(), field, self), number // 2, number % 2)
        note = muted_label(self.tr("Takes effect the next time specchat starts."), self)
        note.setMinimumHeight(FIELD_HEIGHT)
        grid.addWidget(note, 1, 1, Qt.AlignmentFlag.AlignBottom)
        idle = self._idle_unload
        grid.addWidget(labelled_field(idle.accessibleName(), idle, self), 2, 0)
        idle_note = muted_label(self.tr("Unloading frees memory. Your next message reloads the models."), self)
        idle_note.setMinimumHeight(FIELD_HEIGHT)
        grid.addWidget(idle_note, 2, 1, Qt.AlignmentFlag.AlignBottom)
        searching = self._embedding_model
        grid.addWidget(labelled_field(searching.accessibleName(), searching, self), 3, 0)
        searching_note = muted_label(searching.accessibleDescription(), self)
        searching_note.setMinimumHeight(FIELD_HEIGHT)
        grid.addWidget(searching_note, 3, 1, Qt.AlignmentFlag.AlignBottom)
        grid.setColumnStretch(0, 1)
        grid.setColumnStretch(1, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2 * GRID)
        layout.addLayout(grid)
        layout.addWidget(Separator(self))
        layout.addWidget(self._overlay)
        layout.addWidget(self._colours)
        layout.addStretch()


def _chosen(box: ChoiceBox, before: T) -> T:
    """What is not on offer here stays."""
    return before if box.currentIndex() < 0 else box.currentData()
