"""A topic of the help as it is shown: its look, its links and its pictures."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import (
    QColor,
    QDesktopServices,
    QFontInfo,
    QFontMetricsF,
    QGuiApplication,
    QImage,
    QTextBlock,
    QTextCursor,
    QTextTable,
)
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QMessageBox
from pytestqt.qtbot import QtBot

from specchat.services.program import help_topics
from specchat.services.program.help_topics import TOPICS, heading_anchors, read_topics
from specchat.ui.help import help_text
from specchat.ui.help.document_style import blocks
from specchat.ui.help.help_text import HelpText
from specchat.ui.widgets.theme import DARK, LIGHT, Theme
from specchat.ui.widgets.theme_service import set_current_theme
from specchat.ui.words.installed_languages import install_translation

FILLING = "Words.\n\n" * 80
WINDOW = f"""# The window

Press `Enter`, see [how fast](benchmark.md#how-fast-is-it) or [elsewhere](https://example.org/a?b=c).

```
specchat chat -m demo

specchat models
```

## Keys

| Key | Does |
| --- | --- |
| `Enter` | sends |

![inside](../pictures/inside.png) ![outside](../../outside.png) ![net](https://example.org/net.png)

{FILLING}
"""
BENCHMARK = f"# Benchmark\n\n{FILLING}## How fast is it?\n\n[Keys](window.md#keys) [Top](#benchmark)\n\n{FILLING}"
LEISTUNGSTEST = f"""# Leistungstest

[Größe](#größe)

{FILLING}## Wie schnell läuft es?

[Tasten](window.md#keys)

{FILLING}## Größe

![Bild](../../pictures/inside.png)

{FILLING}"""
COMMANDS = """# Commands

Add `--exact-mode` or `-m FILE`, 95 % of them.

```
specchat chat -m demo --json
```

Then `drafts-for`, or `chat [-md DRAFT] -p PROMPT`.
"""
LICENCE = "[The license](../../LICENSE)"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "resources"
    for name in ("docs", "pictures"):
        (root / name).mkdir(parents=True)
    (root / "docs" / "window.md").write_text(WINDOW, encoding="utf-8")
    (root / "docs" / "benchmark.md").write_text(BENCHMARK, encoding="utf-8")
    (root / "docs" / "commands.md").write_text(COMMANDS, encoding="utf-8")
    (root / "docs" / "models.md").write_text(f"# Models\n\n{LICENCE}\n", encoding="utf-8")
    save_picture(root / "pictures" / "inside.png")
    save_picture(tmp_path / "outside.png")
    for module in (help_text, help_topics):
        monkeypatch.setattr(module, "resources", lambda: root)
    return root


def save_picture(file: Path) -> None:
    picture = QImage(3000, 20, QImage.Format.Format_RGB32)
    picture.fill(QColor("red"))
    assert picture.save(str(file))


@pytest.fixture
def text(qtbot: QtBot, folder: Path) -> HelpText:
    made = HelpText(None)  # type: ignore[arg-type]
    qtbot.addWidget(made)
    made.resize(500, 400)
    made.show()
    made.show_topic("window.md")
    return made


def block(text: HelpText, words: str) -> QTextBlock:
    return next(each for each in blocks(text.document()) if words in each.text())


def lines_of(block: QTextBlock) -> list[str]:
    """As they are broken."""
    lines = [block.layout().lineAt(at) for at in range(block.layout().lineCount())]
    parts = [block.text()[line.textStart() : line.textStart() + line.textLength()] for line in lines]
    return [part.replace("\u2060", "").strip() for part in parts]


def cursor_at(text: HelpText, words: str) -> QTextCursor:
    found = text.document().find(words)
    assert not found.isNull()
    return found


def click(text: HelpText, words: str) -> None:
    cursor = cursor_at(text, words)
    cursor.setPosition(cursor.selectionStart() + 1)
    text.setTextCursor(cursor)
    text.ensureCursorVisible()
    place = text.cursorRect(cursor).center() + QPoint(1, 0)
    QTest.mouseClick(text.viewport(), Qt.MouseButton.LeftButton, pos=place)


def red_is_seen(text: HelpText) -> bool:
    pixels, red = text.viewport().grab().toImage(), QColor("red").rgb()
    return any(pixels.pixel(x, y) == red for x in range(0, pixels.width(), 8) for y in range(pixels.height()))


def top_words(text: HelpText) -> str:
    return text.cursorForPosition(QPoint(30, 12)).block().text()


def test_headings_code_and_tables_have_the_look_of_the_window(text: HelpText) -> None:
    title, code = block(text, "The window"), cursor_at(text, "specchat models")
    fonts = [cursor.charFormat().font() for cursor in (QTextCursor(title), cursor_at(text, "Words"))]
    title_cursor = QTextCursor(title)
    title_cursor.movePosition(QTextCursor.MoveOperation.NextCharacter)
    assert title_cursor.charFormat().font().pixelSize() > QFontInfo(fonts[1]).pixelSize()
    widths = QFontMetricsF(code.charFormat().font())
    assert widths.horizontalAdvance("iii") == widths.horizontalAdvance("mmm")
    frame = code.currentFrame()
    assert frame.frameFormat().background().color() == LIGHT.sunken
    assert cursor_at(text, "specchat chat").currentFrame() == frame
    table = next(each for each in text.document().rootFrame().childFrames() if isinstance(each, QTextTable))
    assert table.format().cellPadding() > 0
    assert table.format().borderBrush().color() == LIGHT.line


@pytest.mark.parametrize("width", [150, 180, 200, 220, 240, 260, 280, 300, 320])
def test_no_line_ends_amid_an_option_or_before_a_unit(text: HelpText, width: int) -> None:
    text.resize(width, 400)
    text.show_topic("commands.md")
    lines = lines_of(block(text, "exact"))
    assert len(lines) > 1
    assert not any(shown.endswith((" -", "--", "95")) or shown in ("-", "--") for shown in lines)


@pytest.mark.parametrize("width", range(150, 330, 10))
def test_no_line_of_code_ends_amid_a_name_or_before_an_argument(text: HelpText, width: int) -> None:
    text.resize(width, 400)
    text.show_topic("commands.md")
    lines = lines_of(block(text, "Then"))
    assert len(lines) > 1
    assert not any(shown.endswith(("drafts-", "-md", "-p")) for shown in lines)


def test_what_is_copied_can_be_typed_and_found(text: HelpText) -> None:
    text.show_topic("commands.md")
    text.selectAll()
    copied = text.createMimeDataFromSelection().text()
    assert "--exact-mode" in copied
    assert "specchat chat -m demo --json" in copied
    assert "drafts-for, or chat [-md DRAFT] -p PROMPT." in copied
    for word in ("--exact", "exact", "-m"):
        text.mark_words([word])
        assert text.extraSelections(), word


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_colors_follow_the_theme(text: HelpText, theme: Theme) -> None:
    set_current_theme(theme)
    assert cursor_at(text, "how fast").charFormat().foreground().color() == theme.accent
    inline = text.document().find("Enter").charFormat()
    assert inline.background().color() == theme.sunken
    assert cursor_at(text, "specchat models").currentFrame().frameFormat().background().color() == theme.sunken


def test_a_new_size_of_text_leaves_what_is_read_in_sight(
    text: HelpText, choose_text_size: Callable[[int], None]
) -> None:
    bar = text.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    before = block(text, "The window").layout().lineAt(0).height()
    choose_text_size(21)
    set_current_theme(LIGHT)
    assert block(text, "The window").layout().lineAt(0).height() > before
    assert bar.value() == pytest.approx(bar.maximum() / 2, rel=0.05)


def test_nothing_is_wider_than_the_page(text: HelpText) -> None:
    """Pictures, code and tables neither."""
    text.resize(380, 300)
    assert text.horizontalScrollBar().maximum() == 0
    text.resize(1600, 300)
    assert text.document().size().width() < 900


def test_a_table_is_not_wider_than_the_page(text: HelpText, folder: Path) -> None:
    """Qt rounds the widths of its columns."""
    row = "| a word of it | of long words that | in each such | cell of this very | table here too |\n"
    (folder / "docs" / "server.md").write_text(f"# Server\n\n{row}{'| --- ' * 5}|\n{row * 9}")
    for width in range(330, 335):
        text.resize(width, 300)
        text.show_topic("window.md")
        text.show_topic("server.md")
        assert text.horizontalScrollBar().maximum() == 0, width


def test_a_link_leads_to_a_heading_of_another_page_and_back(qtbot: QtBot, text: HelpText) -> None:
    with qtbot.waitSignal(text.topic_changed) as told:
        click(text, "how fast")
    assert told.args == ["benchmark.md"]
    qtbot.waitUntil(lambda: top_words(text) == "How fast is it?")
    click(text, "Top")
    qtbot.waitUntil(lambda: text.verticalScrollBar().value() < 20)
    with qtbot.waitSignals([text.topic_changed] * 2):
        QTest.keyClick(text, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
        QTest.keyClick(text, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert text.toPlainText().startswith("The window")


def test_a_heading_that_is_not_there_leads_to_the_page(text: HelpText) -> None:
    text.show_topic("benchmark.md#nowhere")
    assert text.toPlainText().startswith("Benchmark")
    assert text.verticalScrollBar().value() == 0


@pytest.mark.parametrize(("button", "opened"), [("Open", ["https://example.org/a?b=c"]), ("Cancel", [])])
def test_a_web_page_is_opened_only_after_a_question(
    text: HelpText, monkeypatch: pytest.MonkeyPatch, button: str, opened: list[str]
) -> None:
    seen: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: seen.append(url.toString()))
    QTimer.singleShot(0, lambda: answer(button, "https://example.org/a?b=c"))
    click(text, "elsewhere")
    assert seen == opened
    assert text.toPlainText().startswith("The window")


def answer(button: str, address: str) -> None:
    box = QApplication.activeModalWidget()
    assert isinstance(box, QMessageBox)
    assert box.informativeText() == address
    next(each for each in box.findChildren(QAbstractButton) if each.text().strip("&") == button).click()


def test_no_other_file_is_opened(text: HelpText, folder: Path) -> None:
    (folder / "LICENSE").write_text("Secret")
    text.show_topic("models.md")
    refused: list[str] = []

    def refuse() -> None:
        box = QApplication.activeModalWidget()
        assert isinstance(box, QMessageBox)
        refused.append(box.text())
        box.reject()

    QTimer.singleShot(0, refuse)
    click(text, "The license")
    assert refused == ["Can't open this link."]
    assert text.toPlainText().startswith("Models")


def test_pictures_come_from_the_resources_only(text: HelpText, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder / "docs")  # Qt looks for pictures beside the program, too
    outside = folder.parent / "outside.png"
    for name, shown in [
        ("../pictures/inside.png", True),
        ("../../outside.png", False),
        ("..%2f..%2foutside.png", False),
        (outside.as_posix(), False),
        (outside.as_uri(), False),
        ("https://example.org/net.png", False),
    ]:
        (folder / "docs" / "server.md").write_text(f"# Server\n\n![picture]({name})\n")
        text.show_topic("window.md")
        text.show_topic("server.md")
        assert red_is_seen(text) is shown, name


def test_text_can_be_selected_and_copied(text: HelpText) -> None:
    flags = Qt.TextInteractionFlag
    assert text.textInteractionFlags() & flags.TextSelectableByMouse
    assert text.textInteractionFlags() & flags.LinksAccessibleByKeyboard
    text.selectAll()
    text.copy()
    assert "specchat chat -m demo\n\nspecchat models" in QGuiApplication.clipboard().text()


@pytest.mark.parametrize(
    ("words", "anchor"),
    [("The overlay", "the-overlay"), ("How fast is it?", "how-fast-is-it"), ("`--json`, and more", "--json-and-more")],
)
def test_anchors_are_those_of_github(words: str, anchor: str) -> None:
    assert heading_anchors([words, words]) == [anchor, f"{anchor}-1"]


@pytest.mark.parametrize("language", ["", "de"])
@pytest.mark.parametrize("name", TOPICS)
def test_links_between_the_pages_lead_to_what_is_there(name: str, language: str) -> None:
    topics = {topic.name: topic for topic in read_topics(language)}
    links = re.findall(r"(?<!!)\[[^]]*\]\((?!https?://|mailto:)([^)\s]+)\)", topics[name].text)
    for link in links:
        file, _, anchor = link.partition("#")
        assert (file or name) in topics
        assert not anchor or anchor in topics[file or name].anchors, link


@pytest.fixture
def german(folder: Path, untranslated: QApplication) -> None:
    install_translation(untranslated, "de")
    (folder / "docs" / "de").mkdir()
    (folder / "docs" / "de" / "benchmark.md").write_text(LEISTUNGSTEST, encoding="utf-8")


@pytest.mark.usefixtures("german")
def test_pages_are_shown_in_the_language_of_the_window(qtbot: QtBot, text: HelpText) -> None:
    """Those that are not translated are shown in English, and their links lead to translated headings."""
    click(text, "how fast")
    qtbot.waitUntil(lambda: top_words(text) == "Wie schnell läuft es?")
    click(text, "Tasten")
    qtbot.waitUntil(lambda: top_words(text) == "Keys")
    text.show_topic("benchmark.md")
    click(text, "Größe")
    qtbot.waitUntil(lambda: top_words(text) == "Größe")
    assert red_is_seen(text)
