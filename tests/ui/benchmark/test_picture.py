"""The picture, with and without a window."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication
from support import bench_reports

from specchat.domain.errors import UserError
from specchat.ui.benchmark.report_picture import save_picture

ROOT = Path(__file__).parents[3]
SCRIPT = """
import sys
from pathlib import Path
from support import bench_reports
from specchat.ui.benchmark.report_picture import save_picture
for name in sys.argv[1:]:
    save_picture(bench_reports.report(), Path(name))
"""


def test_the_picture_has_twice_the_pixels(qapp: QApplication, tmp_path: Path) -> None:
    save_picture(bench_reports.report(), tmp_path / "report.png")
    image = QImage(str(tmp_path / "report.png"))
    assert image.width() == 2000
    assert image.height() > 1500
    assert [file.name for file in tmp_path.iterdir()] == ["report.png"]


def test_a_report_without_figures_is_a_picture_too(qapp: QApplication, tmp_path: Path) -> None:
    save_picture(bench_reports.report(share=0.0), tmp_path / "report.png")
    assert not QImage(str(tmp_path / "report.png")).isNull()


def test_it_is_made_without_a_display_as_often_as_one_likes(tmp_path: Path) -> None:
    hidden = {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}
    environment = {key: value for key, value in os.environ.items() if key not in hidden}
    environment["PYTHONPATH"] = str(ROOT / "tests")
    files = [tmp_path / "one.png", tmp_path / "two.png"]
    subprocess.run([sys.executable, "-W", "error", "-c", SCRIPT, *files], env=environment, check=True)
    one, two = (QImage(str(file)) for file in files)
    assert not one.isNull()
    assert one == two


def test_where_nothing_can_be_written_it_says_so(qapp: QApplication, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="Can't write .*report.png: "):
        save_picture(bench_reports.report(), tmp_path / "nowhere" / "report.png")
    assert list(tmp_path.iterdir()) == []
