"""Lines that are read while something goes on, and the amounts in them."""

import argparse
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from specchat.cli.models_progress import DownloadProgressLine, fit_line
from specchat.cli.quantities import format_duration, format_parameters, format_partial_size, format_size, parse_amount
from specchat.cli.text_table import format_entries, format_table, wrap_text
from specchat.domain.hub import HubFileKind, RemoteFile, RemoteModel, RetryPause
from specchat.domain.translatable_text import TranslatableText
from specchat.services.hub.download_jobs import DownloadJob, DownloadStatus

GIGABYTE = 10**9


def shown(
    done: int, pace: float, *, is_checking: bool = False, again: TranslatableText | None = None
) -> DownloadStatus:
    file = RemoteFile("a/b", "0" * 40, "Q8_0/model\n.gguf", 4 * GIGABYTE, None)
    job = DownloadJob(1, (RemoteModel((file,), HubFileKind.MODEL, "Q8_0"),), "main")
    return DownloadStatus(job, done, done, pace, is_checking, again)


def test_a_line_now_and_then(capsys: pytest.CaptureFixture[str]) -> None:
    now = [100.0]
    line = DownloadProgressLine(lambda: now[0])
    for seconds, state in (
        (0, shown(0, 0)),
        (4, shown(GIGABYTE, 10**8)),
        (1, shown(2 * GIGABYTE, 10**8)),
        (4, shown(3 * GIGABYTE, 10**8)),
        (2, shown(3 * GIGABYTE, 0)),
        (5, shown(4 * GIGABYTE, 0, is_checking=True)),
        (5, shown(4 * GIGABYTE, 10**8, again=TranslatableText("It is damaged."))),
    ):
        now[0] += seconds
        line.show(state)
    line.close()
    assert capsys.readouterr().err.splitlines() == [
        "model\ufffd.gguf: 2.0 GB of 4.0 GB, 100 MB/s, 20 s left",
        "model\ufffd.gguf: 3.0 GB of 4.0 GB",
        "model\ufffd.gguf: 4.0 GB of 4.0 GB, checking existing files",
        "model\ufffd.gguf: 4.0 GB of 4.0 GB, 100 MB/s (It is damaged.)",
    ]


def test_a_pause_is_told_once(capsys: pytest.CaptureFixture[str]) -> None:
    now, noon = [100.0], datetime(2026, 5, 1, 12)
    line = DownloadProgressLine(lambda: now[0])
    again = TranslatableText("It is closed.")
    for seconds in (0.5, 4, 8):
        pause = RetryPause(seconds, noon + timedelta(seconds=seconds), noon + timedelta(minutes=10))
        for _ in range(4):
            now[0] += 5
            line.show(replace(shown(GIGABYTE, 10**8, again=again), pause=pause))
    assert capsys.readouterr().err.splitlines() == [
        "model\ufffd.gguf: 1.0 GB of 4.0 GB, retrying at 12:00:04, giving up at 12:10:00 (It is closed.)",
        "model\ufffd.gguf: 1.0 GB of 4.0 GB, retrying at 12:00:08, giving up at 12:10:00 (It is closed.)",
    ]


def test_a_line_that_is_too_long() -> None:
    assert fit_line("target.gguf", "1 MB", 20) == "target.gguf: 1 MB"
    assert fit_line("a very long name", "1 MB", 20) == "a very long n…: 1 MB"
    assert fit_line("name", "1.0 GB of 2.0 GB", 5) == "…: 1."


def test_what_is_not_whole_does_not_look_whole(capsys: pytest.CaptureFixture[str]) -> None:
    now = [0.0]
    line = DownloadProgressLine(lambda: now[0])
    for done in (4 * GIGABYTE - 1, 4 * GIGABYTE):
        now[0] += 5
        line.show(shown(done, 0))
    assert capsys.readouterr().err.splitlines() == [
        "model\ufffd.gguf: 3.9 GB of 4.0 GB",
        "model\ufffd.gguf: 4.0 GB of 4.0 GB",
    ]
    assert [
        format_partial_size(done, 12_000_000) for done in (0, 999, 1999, 999_999, 9_960_000, 11_999_999, 12_000_000)
    ] == [
        "0 B of 12 MB",
        "999 B of 12 MB",
        "1.9 kB of 12 MB",
        "999 kB of 12 MB",
        "9.9 MB of 12 MB",
        "11 MB of 12 MB",
        "12 MB of 12 MB",
    ]


def test_amounts() -> None:
    assert [format_size(n) for n in (0, 999, 1000, 1_049_000, 99_960_000, 4_700_000_000, 999_600_000_000)] == [
        "0 B",
        "999 B",
        "1.0 kB",
        "1.0 MB",
        "100 MB",
        "4.7 GB",
        "1.0 TB",
    ]
    assert [format_parameters(n) for n in (0, 494_032_768, 7_620_000_000, 32_800_000_000)] == [
        "",
        "494M",
        "7.6B",
        "33B",
    ]
    assert [format_duration(s) for s in (0.2, 59, 61, 3540, 3600, 7300)] == [
        "1 s",
        "59 s",
        "1 min 1 s",
        "59 min",
        "1 h 0 min",
        "2 h 1 min",
    ]
    assert [parse_amount(text) for text in ("8B", "1.5g", "500M", "64k", "7")] == [
        8 * 10**9,
        15 * 10**8,
        5 * 10**8,
        64000,
        7,
    ]
    for text in ("", "B", "-1", "8X", "nan", "0.2"):
        with pytest.raises(argparse.ArgumentTypeError):
            parse_amount(text)


def test_columns() -> None:
    rows = [("a\x1b[2J", "1", ""), ("bcdef", "100", "")]
    assert format_table(("name", "n", "empty"), rows, right=("n",)) == ["NAME     N", "a\ufffd       1", "bcdef  100"]
    assert format_table(("name",), []) == []


def test_entries() -> None:
    words = "It is " + "long " * 20
    lines = format_entries(format_table(("name",), [("a",), ("b",)]), [["a path  with\nspaces"], wrap_text(words)])
    assert lines[:3] == ["NAME", "a", "  a path  with\ufffdspaces"]
    assert " ".join(line.strip() for line in lines[4:]) == words.strip()
    assert max(map(len, lines)) <= 80
    assert format_entries([], []) == []
