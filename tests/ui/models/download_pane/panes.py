from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from specchat.domain.errors import HubAccessError, StorageFullError, UserError
from specchat.domain.hub import HubFileKind, RemoteFile, RemoteModel
from specchat.domain.translatable_text import TranslatableText
from specchat.services.hub.download_jobs import DownloadJob, DownloadProblem, DownloadStatus, JobState
from specchat.ui.models.download_pane import DownloadPane
from specchat.ui.models.download_row import DownloadRow

GIGA = 1_000_000_000
BUTTONS = (
    "moveDownloadUp",
    "moveDownloadDown",
    "pauseDownload",
    "cancelDownload",
    "chatWithDownload",
    "downloadAnew",
    "clearDownload",
    "tryDownloadAgain",
    "openLicence",
    "enterToken",
)
LICENCE = HubAccessError(
    "You haven't accepted the license for {repo} yet.",
    "Accept it at {page}, then try again.",
    repo="sea/fish-GGUF",
    page="https://hub.example/sea/fish-GGUF",
)
NO_TOKEN = HubAccessError(
    "{repo} is not open.", "Create a token at {tokens}.", repo="sea/fish-GGUF", tokens="https://x"
)
NO_REVISION = UserError("There is no such revision.", "Choose one from {page}.", page="https://hub.example/sea")
BUSY = TranslatableText("{host} is busy.", host="The Hub")
FULL = StorageFullError("There is no room.", "Free some space.")


def model(path: str, size: float, repo: str = "sea/fish-GGUF") -> RemoteModel:
    return RemoteModel((RemoteFile(repo, "c" * 40, path, round(size * GIGA), "a" * 64),), HubFileKind.MODEL, "Q4_K_M")


TARGET, DRAFT = model("Sea-7B-Q4_K_M.gguf", 4.7), model("folder/Sea-1B-Q8_0-00001-of-00002.gguf", 0.5)


def job(
    state: JobState,
    number: int = 1,
    part: float = 0.6,
    speed: float = 0.0,
    error: UserError | None = None,
    models: tuple[RemoteModel, ...] = (TARGET, DRAFT),
) -> DownloadStatus:
    made = DownloadJob(number, models, "main", state, problem=DownloadProblem.from_error(error) if error else None)
    done = round(part * made.size)
    return DownloadStatus(made, done, done, speed, is_checking=False)


def rows(pane: DownloadPane) -> list[DownloadRow]:
    return [pane._rows[number] for number in pane._rows]


def part(row: QWidget, name: str) -> QWidget:
    found = row.findChild(QWidget, name)
    assert isinstance(found, QWidget)
    return found


def press(row: QWidget, name: str) -> None:
    QTest.mouseClick(part(row, name), Qt.MouseButton.LeftButton)


def offered(row: DownloadRow) -> set[str]:
    """Buttons that can be pressed."""
    found = {name: part(row, name) for name in BUTTONS}
    return {name for name, button in found.items() if button.isVisibleTo(row) and button.isEnabled()}
