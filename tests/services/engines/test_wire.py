import io
import pickle
import struct
from dataclasses import dataclass
from pathlib import Path, PurePath

import pytest

from specchat.backends.template_renderer import ConversationRefused
from specchat.domain.answer_tasks import PairInfo
from specchat.domain.completions import CompletionTask
from specchat.domain.connections import Capability
from specchat.domain.engine import ChatTask, PromptPrepared
from specchat.domain.errors import (
    BugError,
    Cancelled,
    ContextFullError,
    ModelLoadError,
    TemplateError,
    UserError,
)
from specchat.domain.hub import HubReference
from specchat.domain.loading import LoadStage
from specchat.domain.model_ref import ModelFile, ServedModel
from specchat.domain.speculation_status import SpeculationOff
from specchat.domain.translatable_text import TranslatableText
from specchat.domain.types import (
    CacheType,
    FinishReason,
    GenerationFinished,
    GenerationStats,
    Message,
    ModelSettings,
    PairChoice,
    Role,
    ScoredToken,
    StepStats,
    TokenEvent,
    TokenLogprobs,
    ToolCall,
)
from specchat.services.engines import wire

CHOICE = PairChoice(
    ModelFile(Path("a.gguf")),
    HubReference("a/b", "c.gguf"),
    ModelSettings(cache_type=CacheType.Q8_0),
    drafter_options={"n": 3},
)
MESSAGE = Message(Role.ASSISTANT, "a\udcff\n", (ToolCall("1", "f", "{}"),))
LOGPROBS = TokenLogprobs(ScoredToken(7, b"\xff", -0.5), (ScoredToken(8, b"x", -1.5),))
STEP = StepStats(2, 1, 2, 0.1, 0.2, 0.3, ("draft",), 0.4, True, SpeculationOff.COSTS_MORE)
VALUES = (
    wire.Load(CHOICE),
    wire.Generate(ChatTask((MESSAGE,), begun="So")),
    wire.Generate(CompletionTask((1, 2), tools=({"type": "function", "function": {"name": "f"}},))),
    wire.Events((PromptPrepared(3, 0), TokenEvent(7, "x", "draft", 0, 0.5, STEP, LOGPROBS))),
    wire.Events((GenerationFinished(FinishReason.STOP, "", GenerationStats(drafted_per_source={"draft": 2})),)),
    wire.LoadingUpdate(LoadStage.LOADING_TARGET, 0.5),
    wire.Load(PairChoice(ServedModel("http://localhost:8080", "a#b"))),
    wire.Done(PairInfo("a.gguf", None, 512, "on", "", lacks={Capability.COUNT: TranslatableText("No {n}.", n=1)})),
    wire.Cancel(closing=True),
)


def through(value: object) -> object:
    stream = io.BytesIO()
    wire.write(stream, value)
    stream.seek(0)
    return wire.read(stream)


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_values_arrive_as_they_were(value: object) -> None:
    assert through(value) == value


def test_an_error_keeps_its_words_in_all_languages() -> None:
    error = ModelLoadError("{name} is broken.", "Download {name} again.", name="a.gguf")
    arrived = wire.to_error(through(wire.to_failure(error)))  # type: ignore[arg-type]
    assert type(arrived) is ModelLoadError
    assert (arrived.message, arrived.hint) == (error.message, error.hint)
    assert (arrived.message.template, arrived.message.values) == ("{name} is broken.", {"name": "a.gguf"})


def test_cancelled_and_our_own_mistakes_arrive_too() -> None:
    assert isinstance(wire.to_error(wire.to_failure(Cancelled())), Cancelled)
    mistake = UserError("specchat hit an internal error.", "Report it.")
    mistake.__cause__ = ZeroDivisionError("secret")
    arrived = wire.to_error(through(wire.to_failure(mistake)))  # type: ignore[arg-type]
    assert isinstance(arrived.__cause__, BugError)
    assert str(arrived.__cause__) == "ZeroDivisionError"


def test_a_kind_of_error_that_only_its_layer_knows_is_the_nearest_known_one() -> None:
    refused = ConversationRefused("The template refused.", "Try another.")
    arrived = wire.to_error(through(wire.to_failure(refused)))  # type: ignore[arg-type]
    assert type(arrived) is TemplateError
    assert (arrived.message, arrived.hint) == (refused.message, refused.hint)


@pytest.mark.parametrize(
    "said",
    [
        TranslatableText("Gone."),
        TranslatableText("{all}"),
        TranslatableText("{n} of {all}", n=3, all=TranslatableText("many")),
    ],
)
def test_what_is_said_arrives_with_what_it_was_made_of(said: TranslatableText) -> None:
    arrived = through(said)
    assert isinstance(arrived, TranslatableText)
    assert (arrived.template, arrived.values) == (said.template, said.values)


@pytest.mark.parametrize("target", [PurePath, Path, TranslatableText, CacheType, PairChoice, Message])
def test_no_class_is_changed(target: type) -> None:
    """A pickle may say which attributes its object is to have, and the object may be a class."""
    before = dict(vars(target))
    content = (
        b"\x80\x04c"
        + f"{target.__module__}\n{target.__name__}\n".encode()
        + b"(N}(X\x04\x00\x00\x00_strX\x01\x00\x00\x00xutb."
    )
    with pytest.raises(ValueError, match=r"\w"):
        wire.read(io.BytesIO(struct.pack(">I", len(content)) + content))
    assert dict(vars(target)) == before


def test_an_unknown_error_is_one_for_the_user() -> None:
    arrived = wire.to_error(wire.RequestFailed("os", TranslatableText("Gone."), TranslatableText("Wait.")))
    assert type(arrived) is UserError
    assert isinstance(wire.to_error(wire.RequestFailed(ContextFullError.__name__)), ContextFullError)


@dataclass
class Foreign:
    x: int = 1


@pytest.mark.parametrize("value", [Foreign(), print, ValueError("x"), io.BytesIO, Path.cwd, object()])
def test_nothing_but_values_of_the_domain_is_made(value: object) -> None:
    stream = io.BytesIO()
    content = pickle.dumps(value)
    stream.write(struct.pack(">I", len(content)) + content)
    stream.seek(0)
    with pytest.raises(ValueError, match="Unpickling"):
        wire.read(stream)


def test_what_is_too_long_is_not_read() -> None:
    with pytest.raises(ValueError, match="at once"):
        wire.read(io.BytesIO(b"\xff\xff\xff\xff" + bytes(8)))


@pytest.mark.parametrize("content", [b"", b"\x00\x00", b"\x00\x00\x00\x09abc"])
def test_where_nothing_more_comes_it_is_the_end(content: bytes) -> None:
    with pytest.raises(EOFError):
        wire.read(io.BytesIO(content))


def test_garbage_is_no_value() -> None:
    with pytest.raises(ValueError, match=r"\w"):
        wire.read(io.BytesIO(b"\x00\x00\x00\x03abc"))
