"""The search for an early exit in a process of its own."""

import logging
import sys
from pathlib import Path

import pytest
from support.ggufs import ModelRecipe, make_model

from specchat.container import Container
from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import Cancelled, ComputeError, MemoryShortageError, StorageBusyError, UserError
from specchat.domain.types import ModelSettings
from specchat.services.drafts import early_exit_process
from specchat.services.drafts.early_exit_process import EarlyExitProcess
from specchat.store.paths import Paths


@pytest.fixture
def parts(tmp_path: Path) -> Container:
    return Container(Paths(*(tmp_path / name for name in ("data", "config", "cache", "logs"))))


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return make_model(tmp_path / "target.gguf", ModelRecipe(n_layer=2))


@pytest.fixture
def process(parts: Container) -> EarlyExitProcess:
    return EarlyExitProcess(parts.places, parts.early_exits)


def test_it_reports_what_it_found(parts: Container, process: EarlyExitProcess, target: Path) -> None:
    offer = process.offer(str(target))
    assert offer is not None
    seen: list[tuple[int, float]] = []
    report = process.run(offer, CancelToken(), lambda n_layers, part: seen.append((n_layers, part)))
    assert [trial.n_layers for trial in report.trials] == [1]
    assert {n_layers for n_layers, _ in seen} == {1}
    parts_done = [part for _, part in seen]
    assert parts_done == sorted(parts_done)
    assert 0 <= parts_done[0] < 0.1 < 0.75 < parts_done[-1] <= 1
    assert report == parts.early_exit_search().finding(target)
    assert (report.kept is None) == (parts.early_exits().find(target) is None)


def test_stopping_ends_it_and_leaves_nothing(parts: Container, process: EarlyExitProcess, target: Path) -> None:
    offer, cancel = process.offer(str(target)), CancelToken()
    assert offer is not None
    with pytest.raises(Cancelled):
        process.run(offer, cancel, lambda *_: cancel.cancel())
    assert list(parts.early_exits().folder.glob("*/*")) == []


def test_what_is_wrong_is_told(process: EarlyExitProcess, target: Path) -> None:
    offer = process.offer(str(target))
    assert offer is not None
    target.write_bytes(b"no model any more")
    with pytest.raises(UserError) as told:
        process.run(offer, CancelToken(), lambda *_: None)
    assert "target.gguf" in str(told.value.message)


def test_another_search_is_left_alone(parts: Container, process: EarlyExitProcess, target: Path) -> None:
    offer, store = process.offer(str(target)), parts.early_exits()
    assert offer is not None
    with store.attempt(target) as attempt:
        attempt.path_for(1).write_bytes(b"half")
        with pytest.raises(StorageBusyError, match="already running"):
            process.run(offer, CancelToken(), lambda *_: None)
        assert attempt.path_for(1).exists()


def test_remedies_depend_on_what_kind_of_error_it_is(process: EarlyExitProcess, target: Path) -> None:
    offer = process.offer(str(target))
    assert offer is not None
    with pytest.raises(MemoryShortageError):
        process.run(offer, CancelToken(), lambda *_: None, ModelSettings(n_ctx=1 << 30))


def test_what_goes_wrong_in_it_unexpectedly_is_told_and_logged(
    process: EarlyExitProcess, target: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    failing = """
from specchat import early_exit_child

def fail(*_):
    raise RuntimeError("no such layer")

early_exit_child._search = fail
early_exit_child.main()
"""
    caplog.set_level(logging.INFO)
    with pytest.raises(UserError, match="internal error: RuntimeError: no such layer") as told:
        _run_instead(failing, process, target, monkeypatch)
    assert type(told.value) is UserError
    assert "in fail" in caplog.text


@pytest.mark.parametrize(
    "said",
    ['{"progress": [1', "[]", "x", "3", '{"report": {}}', '{"progress": 1}', '{"failed": {}}', '{"failed": []}', "{}"],
)
def test_a_process_that_dies_while_it_writes_has_stopped(
    process: EarlyExitProcess, target: Path, monkeypatch: pytest.MonkeyPatch, said: str
) -> None:
    with pytest.raises(ComputeError, match="stopped during the early exit test"):
        _run_instead(f"print({said!r})", process, target, monkeypatch)


def test_a_process_that_crashes_has_stopped_and_its_last_words_are_logged(
    process: EarlyExitProcess, target: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    with pytest.raises(ComputeError, match="stopped during the early exit test"):
        _run_instead("raise SystemExit('GGML_ASSERT failed')", process, target, monkeypatch)
    assert "GGML_ASSERT failed" in caplog.text


def test_a_process_that_cannot_be_started_is_told(
    process: EarlyExitProcess, target: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    offer = process.offer(str(target))
    assert offer is not None
    monkeypatch.setattr(early_exit_process, "child_command", lambda name: [str(tmp_path / "missing")])
    with pytest.raises(ComputeError, match="couldn't be started"):
        process.run(offer, CancelToken(), lambda *_: None)


def _run_instead(code: str, process: EarlyExitProcess, target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Code of Python's in place of the search."""
    offer = process.offer(str(target))
    assert offer is not None
    monkeypatch.setattr(early_exit_process, "child_command", lambda name: [sys.executable, "-c", code])
    process.run(offer, CancelToken(), lambda *_: None)


def test_what_is_not_here_or_has_no_such_layers_is_no_offer(process: EarlyExitProcess, tmp_path: Path) -> None:
    recurrent = make_model(tmp_path / "mamba.gguf", ModelRecipe(arch="mamba"))
    assert [process.offer(each) for each in (str(recurrent), "nobody/nothing:Q8_0", "missing.gguf")] == [None] * 3
