"""What goes wrong between two programs, and what is said of it: one sentence and a hint each."""

import gzip
import socket
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from support.certificates import make_certificate, needs_openssl
from support.scripted_engine import (
    DONE,
    EVENTS,
    Reply,
    ScriptedEngine,
    delta,
    event,
    events,
    reply,
    scripted_engine,
    usage,
)

from specchat.domain.cancel_token import CancelToken
from specchat.domain.engine import ChatTask, EngineEvent
from specchat.domain.errors import (
    ContextFullError,
    EngineBusyError,
    EngineKeyError,
    EngineUnreachableError,
    RemoteEngineError,
    SettingError,
    UserError,
)
from specchat.domain.http_client import HttpRequest
from specchat.domain.model_ref import ServedModel
from specchat.domain.types import FinishReason, GenerationFinished, Message, PairChoice, Role, TokenEvent, ToolCall
from specchat.services.connections.remote_engine import RemoteEngine
from specchat.sources.engine_http import EngineHttp

ASKED = (Message(Role.USER, "Is it warm?"),)
MODELS = {"data": [{"id": "small", "owned_by": "llamacpp", "meta": {"n_ctx": 4096}}]}
CHAT = "/v1/chat/completions"
KEY = "sk-very-secret"
GOOD = (delta("It"), delta(" is.", "stop"))


@pytest.fixture
def loaded(server: ScriptedEngine) -> RemoteEngine:
    server.replies["/v1/models"] = reply(MODELS)
    engine = RemoteEngine(EngineHttp(), lambda _: KEY)
    load(engine, server.url)
    return engine


def load(engine: RemoteEngine, url: str) -> None:
    engine.load(PairChoice(ServedModel(url)), CancelToken(), lambda *_: None)


def load_and_ask(engine: RemoteEngine, url: str) -> None:
    load(engine, url)
    list(engine.generate(ChatTask(ASKED), CancelToken()))


def told_before(engine: RemoteEngine) -> tuple[str, UserError | None]:
    """The text that came, and what ended it."""
    text, ended = "", None
    try:
        for each in engine.generate(ChatTask(ASKED), CancelToken()):
            text += each.text if isinstance(each, TokenEvent | GenerationFinished) else ""
    except UserError as error:
        ended = error
    if ended is not None:
        assert ended.hint
        assert KEY not in ended.message + ended.hint
    return text, ended


HTML = Reply(b"<html>Please log in</html>", kind="text/html")
BEGUN = (delta("It"), delta(" is"))
BEGINNING = event(BEGUN[0])
AMID = events(*BEGUN, end=b"")
FAULTS: dict[str, tuple[Reply, type[UserError], str]] = {
    "key": (reply({"error": {"message": f"no {KEY}"}}, status=401), EngineKeyError, "rejected the key"),
    "forbidden": (reply({}, status=403), EngineKeyError, "rejected the key"),
    "model gone": (reply({"error": {"message": "no model small"}}, status=404), RemoteEngineError, "no model small"),
    "not there": (Reply(b"", 404), RemoteEngineError, "no longer has this model"),
    "bad request": (reply({"detail": "top_k is odd"}, status=400), RemoteEngineError, "top_k is odd"),
    "too long": (
        reply({"error": {"type": "exceed_context_size_error", "message": "5000 tokens"}}, status=400),
        ContextFullError,
        "5000 tokens",
    ),
    "too long elsewhere": (
        reply({"object": "error", "message": "maximum context length is 10 tokens"}, status=400),
        ContextFullError,
        "maximum context length",
    ),
    "problem": (reply({"error": "out of memory"}, status=500), RemoteEngineError, "out of memory"),
    "problem of few words": (Reply(b"", 502), RemoteEngineError, r"has a problem \(error 502\)"),
    "busy": (Reply(b"", 429, {"Retry-After": "30"}), EngineBusyError, "is busy"),
    "unavailable": (Reply(b"", 503, {"Retry-After": "soon"}), EngineBusyError, "is busy"),
    "odd status": (Reply(b"", 199 + 99), RemoteEngineError, "is invalid"),
    "teapot": (Reply(b"\xff" * 100, 418), RemoteEngineError, r"rejected the request \(error 418\)"),
    "web page": (HTML, RemoteEngineError, "sent a web page"),
    "no stream": (reply({"choices": []}), RemoteEngineError, "is invalid"),
    "error instead": (reply({"error": {"message": "no slot"}}), RemoteEngineError, "no slot"),
    "no JSON": (events(b"{", end=DONE), RemoteEngineError, "is invalid"),
    "no object": (events([1, 2]), RemoteEngineError, "is invalid"),
    "deep": (events(b"[" * 100_000), RemoteEngineError, "is invalid"),
    "long number": (events(b'{"a": ' + b"9" * 5000 + b"}"), RemoteEngineError, "is invalid"),
    "no UTF-8": (events(b'{"a": "\xff"}'), RemoteEngineError, "is invalid"),
    "nothing": (events(end=b""), RemoteEngineError, "was cut off"),
    "endless line": (Reply(b"data: " + b"x" * 100_000, kind=EVENTS, repeats=True), RemoteEngineError, "too much data"),
    "endless lines": (Reply(b"data: x\n" * 10_000, kind=EVENTS, repeats=True), RemoteEngineError, "too much data"),
    "endless comments": (Reply(b": x\n" * 10_000, kind=EVENTS, repeats=True), RemoteEngineError, "too much data"),
    "endless nothing": (Reply(event({}) * 1000, kind=EVENTS, repeats=True), RemoteEngineError, "too much data"),
    "endless refusal": (Reply(b"x" * 100_000, 500, repeats=True), RemoteEngineError, "too much data"),
    "bomb": (
        Reply(gzip.compress(b"x" * 1_000_000), 200, {"Content-Encoding": "gzip"}, EVENTS),
        RemoteEngineError,
        "compressed data",
    ),
    "cut off": (AMID, RemoteEngineError, "was cut off"),
    "fewer bytes": (events(*BEGUN, end=b"", breaks=True), RemoteEngineError, "was lost"),
    "half an event": (events(*BEGUN, end=b'data: {"choi'), RemoteEngineError, "is invalid"),
    "error": (
        events(*BEGUN, {"error": {"message": f"crash {KEY}"}}),
        RemoteEngineError,
        "stopped answering: crash",
    ),
    "error as text": (events(*BEGUN, {"error": "crash"}), RemoteEngineError, "stopped answering: crash"),
    "error of another shape": (events(*BEGUN, {"error": [1]}), RemoteEngineError, "stopped answering"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_came_of_an_answer_is_kept(server: ScriptedEngine, loaded: RemoteEngine, fault: str) -> None:
    """Nothing, or its beginning; the next answer is as good as any."""
    answer, kind, words = FAULTS[fault]
    server.replies[CHAT] = answer
    text, error = told_before(loaded)
    assert text == ("It is" if BEGINNING in answer.body else "")
    assert isinstance(error, kind)
    with pytest.raises(kind, match=words):
        raise error
    assert loaded.is_loaded
    server.replies[CHAT] = events(*GOOD)
    assert told_before(loaded) == ("It is.", None)


def test_it_can_be_continued_then(server: ScriptedEngine, loaded: RemoteEngine) -> None:
    server.replies[CHAT] = AMID
    text, _ = told_before(loaded)
    server.replies[CHAT] = events(delta(" warm.", "stop"))
    *_, end = loaded.generate(ChatTask(ASKED, begun=text), CancelToken())
    assert isinstance(end, GenerationFinished)
    assert server.last(CHAT)["messages"][-1] == {"role": "assistant", "content": "It is"}


@pytest.mark.parametrize("end", [DONE, b""])
def test_ends_that_are_one(server: ScriptedEngine, loaded: RemoteEngine, end: bytes) -> None:
    """Without a reason, or without what marks the end."""
    chunks = (delta("It"), delta(" is.")) if end else GOOD
    server.replies[CHAT] = events(*chunks, end=end)
    assert told_before(loaded) == ("It is.", None)


ODD: dict[str, object] = {
    "no choices": {},
    "null": {"choices": None},
    "text": {"choices": "x"},
    "numbers": {"choices": [1]},
    "no delta": {"choices": [{"delta": 3}]},
    "null text": {"choices": [{"delta": {"content": None}}]},
    "parts": {"choices": [{"delta": {"content": [{"text": "x"}]}}]},
    "calls": {"choices": [{"delta": {"tool_calls": [{"index": -1, "function": 3}, 4]}}]},
    "figures": {"timings": [], "usage": 3, "prompt_progress": {"processed": 9, "total": 1}},
    "logprobs": {"choices": [{"delta": {"content": ""}, "logprobs": {"content": [{"logprob": "x"}, 1]}}]},
}


@pytest.mark.parametrize("odd", ODD)
def test_odd_pieces_are_passed_over(server: ScriptedEngine, loaded: RemoteEngine, odd: str) -> None:
    server.replies[CHAT] = events(GOOD[0], ODD[odd], GOOD[1])
    assert told_before(loaded) == ("It is.", None)


LIES: list[Any] = [-1, 1.5, "7", None, True, [], {}, 1 << 60, 10**300, float("nan"), float("inf")]


@pytest.mark.parametrize("lie", LIES, ids=lambda lie: str(lie)[:20])
def test_figures_that_cannot_be_true_are_none(server: ScriptedEngine, loaded: RemoteEngine, lie: Any) -> None:
    timings = {"draft_n": lie, "draft_n_accepted": lie, "predicted_per_second": lie}
    server.replies[CHAT] = events(delta("It", Timings=timings), delta(" is.", "stop"), usage(lie, lie, timings=timings))
    *_, end = loaded.generate(ChatTask(ASKED), CancelToken())
    assert isinstance(end, GenerationFinished)
    stats = end.stats
    assert (stats.n_generated, stats.n_prompt, stats.n_drafted, stats.speculation) == (2, 0, 0, "not reported")
    assert {"n_prompt", "n_drafted", "acceptance_rate"} <= set(stats.unreported)
    assert 0 < stats.tokens_per_s < 1e9


@pytest.mark.parametrize("counts", [(2, 3), (5, 9), (3, 3)])
def test_more_accepted_than_drafted_or_written(
    server: ScriptedEngine, loaded: RemoteEngine, counts: tuple[int, int]
) -> None:
    timings = {"draft_n": counts[0], "draft_n_accepted": counts[1]}
    server.replies[CHAT] = events(delta("It"), delta(" is.", "stop"), usage(7, 2, timings=timings))
    *_, end = loaded.generate(ChatTask(ASKED), CancelToken())
    assert isinstance(end, GenerationFinished)
    assert "acceptance_rate" in end.stats.unreported


def test_more_tokens_than_were_asked_for(server: ScriptedEngine, loaded: RemoteEngine) -> None:
    server.replies[CHAT] = events(*GOOD, usage(7, 900))
    *_, end = loaded.generate(ChatTask(ASKED, max_tokens=5), CancelToken())
    assert isinstance(end, GenerationFinished)
    assert end.stats.n_generated == 2


LISTS: dict[str, tuple[Reply, str]] = {
    "web page": (HTML, "sent a web page"),
    "no JSON": (Reply(b"hello"), "is invalid"),
    "list": (reply([]), "is invalid"),
    "nothing": (reply({}), "has no models"),
    "odd": (reply({"data": [1, {"id": 3}, {"id": ""}]}), "has no models"),
    "many": (reply({"data": [{"id": f"m{n}"} for n in range(20_000)]}), "has several models"),
    "endless": (Reply(b"[" * 1_000_000, repeats=True), "too much data"),
    "bomb": (Reply(b"x", headers={"Content-Encoding": "br"}), "compressed data"),
    "too few bytes": (Reply(b"{}", breaks=True), "was lost"),
}


@pytest.mark.parametrize("fault", LISTS)
def test_no_models(server: ScriptedEngine, engine: RemoteEngine, fault: str) -> None:
    server.replies["/v1/models"], words = LISTS[fault]
    with pytest.raises(UserError, match=words):
        load(engine, server.url)
    assert not engine.is_loaded


@pytest.mark.parametrize("path", ["/v1/models", CHAT])
@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_redirects_are_not_followed(server: ScriptedEngine, status: int, path: str) -> None:
    """The key goes nowhere else, and neither does what was asked."""
    engine = RemoteEngine(EngineHttp(), lambda _: KEY)
    server.replies |= {"/v1/models": reply(MODELS), "/elsewhere": events(*GOOD)}
    if path == CHAT:
        load(engine, server.url)
    for target, hint in (
        (f"http://localhost:9/elsewhere?{KEY}", "elsewhere?..."),
        ("/elsewhere", "didn't follow"),
    ):
        server.replies[path] = Reply(b"", status, {"Location": target})
        with pytest.raises(RemoteEngineError, match="redirects to another address") as refused:
            load_and_ask(engine, server.url)
        assert hint in refused.value.hint
    assert not [asked for asked in server.asked if asked.line.endswith("/elsewhere")]


def test_nobody_listens(engine: RemoteEngine) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(EngineUnreachableError, match=f"Can't reach http://127.0.0.1:{port}"):
        load(engine, f"http://127.0.0.1:{port}")


def test_a_name_that_nobody_has(engine: RemoteEngine) -> None:
    with pytest.raises(EngineUnreachableError, match=r"Can't (find|reach) http://nobody\.invalid"):
        load(engine, "http://nobody.invalid")


@pytest.mark.parametrize(
    ("said", "words"),
    [(b"220 mail.example.org\r\n\r\n", "is not HTTP"), (b"", "was lost"), (b"HTTP/1.1 200 OK\r\nX: ", "was lost")],
)
def test_another_program_listens(engine: RemoteEngine, said: bytes, words: str) -> None:
    with speaking(said) as url, pytest.raises(RemoteEngineError, match=words):
        load(engine, url)


def test_interim_responses_without_end() -> None:
    """Something comes all the time, but no reply."""
    request = HttpRequest("GET", "", "", None, 0.5)
    with closing(socket.create_server(("127.0.0.1", 0))) as listening:

        def speak() -> None:
            connection, _ = listening.accept()
            with closing(connection), suppress(OSError):
                while True:
                    connection.sendall(b"HTTP/1.1 103 Early Hints\r\nA: b\r\n\r\n")
                    time.sleep(0.01)

        thread = Thread(target=speak)
        thread.start()
        url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        with (
            pytest.raises(RemoteEngineError, match="isn't responding"),
            EngineHttp().open(replace(request, url=url), CancelToken()),
        ):
            pass
        thread.join()


def test_no_encryption_where_some_is_wanted(engine: RemoteEngine, server: ScriptedEngine) -> None:
    with pytest.raises(EngineUnreachableError, match="Couldn't establish a secure connection"):
        load(engine, server.url.replace("http://", "https://"))


@needs_openssl
def test_a_certificate_that_nobody_knows(engine: RemoteEngine, tmp_path: Path) -> None:
    with (
        scripted_engine(make_certificate(tmp_path)) as server,
        pytest.raises(EngineUnreachableError, match=f"The certificate for {server.url} is not trusted"),
    ):
        load(engine, server.url)


def test_a_stop_while_the_first_token_is_awaited(server: ScriptedEngine, loaded: RemoteEngine) -> None:
    """The engine notices, and need not go on."""
    cancel = CancelToken()
    server.replies[CHAT] = Reply(b"", kind=EVENTS, holds=True)
    told: list[EngineEvent] = []
    thread = Thread(target=lambda: told.extend(loaded.generate(ChatTask(ASKED), cancel)))
    thread.start()
    while not [asked for asked in server.asked if asked.line.endswith(CHAT)]:
        cancel.wait(0.01)
    cancel.cancel()
    thread.join()
    assert isinstance(told[-1], GenerationFinished)
    assert told[-1].reason is FinishReason.CANCELLED
    assert server.hung_up.wait(30)


def test_a_stop_amid_an_answer(server: ScriptedEngine, loaded: RemoteEngine) -> None:
    cancel = CancelToken()
    server.replies[CHAT] = events(delta("It"), end=b"", holds=True)
    told = []
    for each in loaded.generate(ChatTask(ASKED), cancel):
        told.append(each)
        if isinstance(each, TokenEvent):
            cancel.cancel()
    assert isinstance(told[-1], GenerationFinished)
    assert told[-1].reason is FinishReason.CANCELLED
    assert server.hung_up.wait(30)


def test_an_answer_that_nobody_reads_on_is_hung_up_on(server: ScriptedEngine, loaded: RemoteEngine) -> None:
    server.replies[CHAT] = events(delta("It"), end=b"", holds=True)
    told = loaded.generate(ChatTask(ASKED), CancelToken())
    while not isinstance(next(told), TokenEvent):
        pass
    told.close()
    assert server.hung_up.wait(30)


def test_a_model_that_was_there_before(server: ScriptedEngine, loaded: RemoteEngine) -> None:
    with pytest.raises(SettingError, match="has no model other"):
        loaded.load(PairChoice(ServedModel(server.url, "other")), CancelToken(), lambda *_: None)
    assert not loaded.is_loaded


@contextmanager
def speaking(said: bytes) -> Iterator[str]:
    """Something else that listens: it says this, and hangs up."""
    with closing(socket.create_server(("127.0.0.1", 0))) as listening:

        def speak() -> None:
            connection, _ = listening.accept()
            with closing(connection):
                connection.sendall(said)
                connection.shutdown(socket.SHUT_WR)
                while connection.recv(1 << 16):
                    pass

        thread = Thread(target=speak)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        thread.join()


def test_results_of_earlier_calls_are_sent_as_text(server: ScriptedEngine, loaded: RemoteEngine) -> None:
    """It gets no tools: without these, engines refuse calls, and templates that know none refuse results."""
    server.replies[CHAT] = events(*GOOD)
    call = ToolCall("call00001", "raw__look", "{}")
    result = Message(Role.TOOL, "blue", tool_call_id=call.id, name=call.name)
    again = Message(Role.ASSISTANT, "Once more.", (call,))
    list(
        loaded.generate(ChatTask((*ASKED, Message(Role.ASSISTANT, "", (call,)), result, again, result)), CancelToken())
    )
    assert server.last(CHAT)["messages"] == [
        {"role": "user", "content": "Is it warm?\n\nResult of raw__look:\nblue"},
        {"role": "assistant", "content": "Once more."},
        {"role": "user", "content": "Result of raw__look:\nblue"},
    ]
