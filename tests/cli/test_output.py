"""What stands between the lines of an answer."""

import logging
from pathlib import Path

import pytest

from specchat.cli.output import logs_after
from specchat.store.logs import logging_to


@pytest.mark.parametrize("level", ["WARNING", "ERROR"])
def test_what_is_logged_waits_for_the_end_of_the_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, level: str
) -> None:
    monkeypatch.setenv("SPECCHAT_LOG", level)
    log = logging.getLogger("part")
    with logging_to(tmp_path):
        with logs_after():
            log.warning("nothing is kept")
            log.error("much is lost")
            assert capsys.readouterr().err == ""
        lines = ["WARNING part: nothing is kept", "ERROR part: much is lost"]
        assert capsys.readouterr().err.splitlines() == lines[level == "ERROR" :]
        log.error("at once")
        assert capsys.readouterr().err == "ERROR part: at once\n"


def test_who_asked_for_more_sees_it_at_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPECCHAT_LOG", "INFO")
    with logging_to(tmp_path), logs_after():
        logging.getLogger("part").info("going on")
        assert capsys.readouterr().err == "INFO part: going on\n"


def test_what_is_logged_is_shown_though_the_answer_failed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def answer() -> None:
        with logs_after():
            logging.getLogger("part").warning("why")
            raise RuntimeError

    with logging_to(tmp_path), pytest.raises(RuntimeError):
        answer()
    assert capsys.readouterr().err == "WARNING part: why\n"
