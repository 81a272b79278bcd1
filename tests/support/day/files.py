"""Files: attached, exported, imported."""

from collections.abc import Sequence
from pathlib import Path

from support.day.hands import Hands
from support.documents import make_docx, make_pdf, write_file
from support.pictures import png
from support.windows import wait_until

_PAGES = 150
"""Of a book, for which no context has room: it is searched."""


class Files:
    def __init__(self, hands: Hands, folder: Path) -> None:
        self._hands, self._folder = hands, folder
        self._desk, self._composer = hands.desk, hands.window.composer

    def ask_about_documents(self, number: int) -> None:
        """A few short ones, then one that has to be searched."""
        self._ask_about("read documents", self._short_ones(number))
        page = "\n".join(self._hands.words(12) for _ in range(30))
        book = write_file(self._folder / "book.pdf", make_pdf([f"{number}.{n}\n{page}" for n in range(_PAGES)]))
        self._ask_about("read a long document", [book])
        answer = self._desk.services.messages.answer(self._desk.session.path[-1].id)
        assert answer is not None
        assert answer.sources, "it was not searched"

    def _short_ones(self, number: int) -> Sequence[Path]:
        folder = self._folder / "code"
        for n in range(4):
            write_file(folder / f"part_{n}.py", f'"""{self._hands.words(6)}"""\n\nVALUE = {number}\n')
        return (
            write_file(self._folder / "report.pdf", make_pdf([self._hands.words(20), self._hands.words(20)])),
            write_file(self._folder / "letter.docx", make_docx([self._hands.words(20), self._hands.words(20)])),
            folder,
        )

    def _ask_about(self, what: str, files: Sequence[Path]) -> None:
        self._hands.new_chat()
        with self._hands.noting(what):
            self._attach(files)
        self._hands.ask(f"first token after: {what}")

    def ask_about_picture(self, number: int) -> None:
        self._hands.new_chat()
        colour = (number % 256, self._hands.random.randrange(256), 30)
        self._attach([write_file(self._folder / "picture.png", png(320, 240, colour))])
        self._hands.ask("first token after a picture")

    def _attach(self, files: Sequence[Path]) -> None:
        self._composer.attaching.load_files(files)
        wait_until(lambda: len(self._composer.attachments) == len(files), "they are not attached")

    def export_and_import(self) -> None:
        """The open chat under another name, since it exists already; what is imported is opened."""
        exported = self._hands.open_chat
        self._export_to("chat.md", [exported])
        self._export_to("chat.json", [exported])
        file = self._folder / "chat.json"
        title = f'"title": "{self._hands.words(6)} '
        write_file(file, file.read_bytes().replace(b'"title": "', title.encode(), 1))
        self._desk.chat_files.import_from(file)
        self._finish()
        assert not self._desk.session.is_open(exported)

    def export_all(self) -> None:
        with self._hands.noting("export all chats"):
            self._export_to("all.json", None)

    def _export_to(self, name: str, chats: Sequence[int] | None) -> None:
        self._desk.chat_files.export_to(self._folder / name, chats)
        self._finish()

    def _finish(self) -> None:
        wait_until(lambda: not self._desk.chat_files.is_busy, "the file does not end")
