"""What happens to the process that renders templates is not the template's fault."""

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime

import psutil
import pytest

from specchat.backends.child import Child
from specchat.backends.template_renderer import RenderLimits, TemplateRenderer
from specchat.domain.errors import NotReadyError, TemplateError

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals")

NOW = datetime(2030, 1, 2)
ENDLESS = "{% for a in range(9999) %}{% for b in range(9999) %}{% endfor %}{% endfor %}"
BUSY = "The chat template failed: The helper process was suspended, or this computer is too busy."
DIED = "The chat template failed: The helper process crashed."
STOPPED_AT_START = "import os, signal; os.kill(os.getpid(), signal.SIGSTOP)"
KILLS_ITSELF = (
    "import os\nfrom specchat.backends.child_loop import serve\nserve(lambda request: os.kill(os.getpid(), {number}))"
)


@pytest.fixture
def renderer() -> Iterator[TemplateRenderer]:
    with closing(TemplateRenderer(RenderLimits(seconds=0.2))) as renderer:
        yield renderer


def render(renderer: TemplateRenderer, template: str = "fine") -> str:
    return renderer.render(template, [], {}, NOW)


def process_of(renderer: TemplateRenderer) -> psutil.Process:
    render(renderer)
    return psutil.Process(renderer._child.pid)


def given(renderer: TemplateRenderer, script: str) -> None:
    renderer._child = Child([sys.executable, "-c", script], start_seconds=0.2)


def refusal(renderer: TemplateRenderer, template: str = "fine") -> str:
    with pytest.raises(NotReadyError) as refused:
        render(renderer, template)
    assert refused.value.hint == "Try again."
    return refused.value.message


def test_stopped(renderer: TemplateRenderer) -> None:
    process = process_of(renderer)
    process.suspend()
    assert refusal(renderer) == BUSY
    assert render(renderer) == "fine"
    assert not process.is_running()


def test_stopped_before_it_was_ready(renderer: TemplateRenderer) -> None:
    given(renderer, STOPPED_AT_START)
    assert "failed to start: The helper process was suspended" in refusal(renderer)


def test_killed_meanwhile() -> None:
    with closing(TemplateRenderer(RenderLimits(seconds=60))) as renderer:
        process = process_of(renderer)
        before = process.cpu_times().user

        def kill() -> None:
            while process.cpu_times().user == before:
                pass
            process.kill()

        killer = threading.Thread(target=kill)
        killer.start()
        assert refusal(renderer, ENDLESS) == DIED
        killer.join()
        assert render(renderer) == "fine"


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP])
def test_ended_from_outside(renderer: TemplateRenderer, number: signal.Signals) -> None:
    given(renderer, KILLS_ITSELF.format(number=int(number)))
    assert refusal(renderer) == DIED


def test_that_cannot_be_started(renderer: TemplateRenderer) -> None:
    renderer._child = Child(["/nowhere/python"])
    assert "failed to start: " in refusal(renderer)


@pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGABRT])
def test_a_template_that_crashes_it_is_to_blame(renderer: TemplateRenderer, number: signal.Signals) -> None:
    given(renderer, KILLS_ITSELF.format(number=int(number)))
    with pytest.raises(TemplateError, match="Couldn't render"):
        render(renderer)


def test_a_template_that_computes_for_ever_is_to_blame(renderer: TemplateRenderer) -> None:
    with pytest.raises(TemplateError, match="ran too long"):
        render(renderer, ENDLESS)
