"""Who waits, who is turned away, and what becomes of them when somebody leaves or the server ends."""

import json
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path

import pytest
from support.api_servers import ANSWER_S, HOST, Api, Response, received
from support.choices import choice_of
from support.gated_engine import PAIR, GatedEngine

from specchat.domain.cancel_token import CancelToken
from specchat.domain.completions import ServerSettings
from specchat.server import answer_response, body_limiter, http_server
from specchat.server.http_server import Server
from specchat.services.engines.engine_queue import EngineQueue, Lane
from specchat.services.engines.pair_session import PairSession
from specchat.services.engines.queued_completions import MAX_WAITING, QueuedCompletions

ASKED = [{"role": "user", "content": "hello"}]
SETTINGS = ServerSettings(port=0)


class Place:
    """A server with an engine that speaks when it is let."""

    def __init__(
        self,
        logs: Path,
        settings: ServerSettings = SETTINGS,
        *,
        sees_pictures: bool = False,
        hears_recordings: bool = False,
    ) -> None:
        self.engine = GatedEngine(sees_pictures=sees_pictures, hears_recordings=hears_recordings)
        self.turns = EngineQueue({Lane.SERVER: MAX_WAITING})
        self.session = PairSession(lambda: self.engine)
        self.session.load(choice_of(Path(PAIR.target)), CancelToken())
        self.completions = QueuedCompletions(self.turns, self.session, logs)
        self.server = Server(settings, self.completions)
        self.api = Api(self.server.url)
        self.clients = ThreadPoolExecutor(MAX_WAITING + 8)
        look_up = partial(self.turns.run, lookups_only=True)
        self._threads = [threading.Thread(target=target) for target in (self.server.run, self.turns.run, look_up)]
        self.server_thread = self._threads[0]

    @contextmanager
    def running(self) -> Iterator["Place"]:
        for thread in self._threads:
            thread.start()
        try:
            yield self
        finally:
            self.server.stop()
            self._threads[0].join()
            self.turns.close()
            for thread in self._threads[1:]:
                thread.join()
            self.clients.shutdown()

    def ask(self, name: str, words: int = 1) -> Future[Response]:
        return self.clients.submit(self.api.complete, name, max_tokens=words)

    def wait_until(self, waiting: int, running: int = 1) -> None:
        while True:
            metrics = self.api.metrics()
            if (metrics["requests_waiting"], metrics["requests_running"]) == (waiting, running):
                return

    @contextmanager
    def streaming(self, name: str, path: str = "/v1/completions", **more: object) -> Iterator[HTTPResponse]:
        """Until this is left, which is when the client goes away."""
        connection = HTTPConnection(HOST, self.api.port, timeout=ANSWER_S)
        try:
            asked = {"prompt": name, "stream": True, "max_tokens": -1, **more}
            connection.request("POST", path, json.dumps(asked))
            with connection.getresponse() as response:
                yield response
        finally:
            connection.close()


STREAMS: list[tuple[str, dict[str, object], str]] = [
    ("/v1/chat/completions", {"messages": ASKED}, "data: {"),
    ("/v1/responses", {"input": ASKED, "prompt": None}, "event: response.failed"),
    ("/v1/messages", {"messages": ASKED, "max_tokens": 100}, "event: error"),
    ("/completion", {}, "error: {"),
    ("/infill", {"input_prefix": "a", "input_suffix": "b"}, "error: {"),
    ("/api/chat", {"messages": ASKED}, '{"error":'),
    ("/api/generate", {}, '{"error":'),
]
"""Of each API, with how it tells an error."""


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    with Place(tmp_path).running() as place:
        yield place


PINGS = {"/v1/messages": "event: ping", "/api/chat": '"content":""', "/api/generate": '"response":""'}
"""Of the others, a comment."""


@pytest.mark.parametrize(("path", "asked"), [each[:2] for each in STREAMS])
def test_a_silent_stream_shows_that_it_lives(
    place: Place, monkeypatch: pytest.MonkeyPatch, path: str, asked: dict[str, object]
) -> None:
    monkeypatch.setattr(answer_response, "PING_S", 0.02)
    with place.streaming("a", path, **asked) as response:
        ping = PINGS.get(path, ": ping")
        while ping not in response.readline().decode():
            pass
        place.engine.let()
        assert any("1 " in line.decode() for line in response)


def test_answers_come_in_the_order_of_requests(place: Place) -> None:
    answers = []
    for number, name in enumerate("abcd"):
        answers.append(place.ask(name, words=2))
        place.wait_until(waiting=number)
    place.engine.let(8)
    assert [answer.result().json["choices"][0]["text"] for answer in answers] == ["1 2 "] * 4
    assert place.engine.asked == list("abcd")


def test_the_window_has_its_turn_between_requests(place: Place) -> None:
    first = place.ask("first")
    place.wait_until(waiting=0)
    others = [place.ask("other") for _ in range(5)]
    place.wait_until(waiting=5)
    place.turns.add(Lane.WINDOW, lambda _: place.engine.asked.append("window"))
    place.engine.let(6)
    assert {answer.result().status for answer in [first, *others]} == {200}
    assert place.engine.asked.index("window") == 1


def test_a_full_queue_turns_clients_away(place: Place) -> None:
    running = place.ask("running")
    place.wait_until(waiting=0)
    waiting = [place.ask("waiting") for _ in range(MAX_WAITING)]
    place.wait_until(waiting=MAX_WAITING)
    for stream in (False, True):
        refused = place.api.complete("one too many", stream=stream)
        assert (refused.status, refused.error["code"], refused.headers["retry-after"]) == (429, "queue_full", "1")
    place.engine.let(MAX_WAITING + 1)
    assert {answer.result().status for answer in [running, *waiting]} == {200}


def test_too_much_at_once(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was asked counts until it is answered."""
    monkeypatch.setattr(body_limiter, "ALL_BYTES", 2000)
    place.engine.let()
    assert place.ask("x" * 1500).result().status == 200
    running = place.ask("y" * 1500)
    place.wait_until(waiting=0)
    refused = place.api.complete("z" * 1500)
    assert (refused.status, refused.error["code"], refused.headers["retry-after"]) == (503, "too_busy", "1")
    place.engine.let()
    assert running.result().status == 200


def test_a_client_that_leaves_after_a_second_question(place: Place) -> None:
    """Asked before the first is answered, on the same connection."""
    asked = json.dumps({"prompt": "hello", "max_tokens": 3})
    lines = ("POST /v1/completions HTTP/1.1", "Host: localhost", f"Content-Length: {len(asked)}", "", asked)
    question = "\r\n".join(lines).encode()
    with place.api.connection() as connection:
        connection.sendall(question)
        place.wait_until(waiting=0)
        connection.sendall(question)
    place.wait_until(waiting=0, running=0)
    assert place.api.metrics()['answers_total{finish_reason="cancelled"}'] == 1


def test_what_needs_no_pass_is_answered_beside_an_answer(place: Place) -> None:
    answers = [place.ask("running"), place.ask("waiting")]
    place.wait_until(waiting=1)
    assert place.api.post("/detokenize", {"tokens": [1]}).json == {"content": "looked up"}
    place.wait_until(waiting=1)
    place.engine.let(2)
    assert [answer.result().status for answer in answers] == [200, 200]


def test_who_leaves_makes_room_at_once(place: Place) -> None:
    with place.streaming("leaves while it is answered") as response:
        place.engine.let(3)
        assert b"1 " in response.readline()
        staying = place.ask("stays")
        connection = HTTPConnection(HOST, place.api.port, timeout=ANSWER_S)
        connection.request("POST", "/v1/completions", json.dumps({"prompt": "leaves while it waits"}))
        place.wait_until(waiting=2)
        connection.close()
        place.wait_until(waiting=1)
    place.wait_until(waiting=0)
    place.engine.let()
    assert staying.result().status == 200
    assert place.engine.asked == ["leaves while it is answered", "stays"]
    metrics = place.api.metrics()
    assert metrics['answers_total{finish_reason="cancelled"}'] == 1
    assert not any("503" in name for name in metrics)


@pytest.mark.parametrize(("path", "asked", "error"), STREAMS)
def test_who_leaves_a_stream_of_any_api(place: Place, path: str, asked: dict[str, object], error: str) -> None:
    with place.streaming("leaves", path, **asked) as response:
        place.engine.let(3)
        while b"1 " not in response.readline():
            pass
        (slot,) = json.loads(place.api.get("/slots").body)
        assert slot["is_processing"]
    place.wait_until(waiting=0, running=0)
    (slot,) = json.loads(place.api.get("/slots").body)
    assert not slot["is_processing"]
    assert place.api.metrics()['answers_total{finish_reason="cancelled"}'] == 1


@pytest.mark.parametrize(("path", "asked", "error"), STREAMS)
def test_a_stream_of_any_api_that_fails(
    place: Place, monkeypatch: pytest.MonkeyPatch, path: str, asked: dict[str, object], error: str
) -> None:
    monkeypatch.setattr(http_server, "FINISHING_S", 0.1)
    with place.streaming("endless", path, **asked) as response:
        place.engine.let(2)
        while b"1 " not in response.readline():
            pass
        place.server.stop()
        last = response.read().decode().rstrip().split("\n\n")[-1].split("\n{")
    failed = last[0] if len(last) == 1 else "{" + last[-1]
    assert failed.startswith(error)
    assert "The server is shutting down." in failed


def test_the_end_lets_the_answer_finish_and_turns_the_others_away(place: Place) -> None:
    running = place.ask("running", words=3)
    place.wait_until(waiting=0)
    waiting = place.ask("waiting")
    place.wait_until(waiting=1)
    place.server.stop()
    assert (waiting.result().status, waiting.result().error["code"]) == (503, "not_ready")
    assert place.api.get("/health").status == 503
    assert place.api.complete("late").status == 503
    place.engine.let(3)
    answer = running.result()
    assert (answer.status, answer.json["choices"][0]["text"]) == (200, "1 2 3 ")


def test_an_answer_that_does_not_end_in_time_fails(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """As long as it was asked for is what it is not."""
    monkeypatch.setattr(http_server, "FINISHING_S", 0.1)
    answer = place.ask("endless", words=50)
    place.engine.let(2)
    while not place.api.metrics()["tokens_total"]:
        pass
    place.server.stop()
    assert (answer.result().status, answer.result().error["code"]) == (503, "not_ready")
    assert answer.result().error["message"].startswith("The server is shutting down.")


def test_a_stream_that_does_not_end_in_time_ends_with_an_error(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_server, "FINISHING_S", 0.1)
    with place.streaming("endless") as response:
        place.engine.let(2)
        assert b"1 " in response.readline()
        place.server.stop()
        events = response.read().decode().split("\n\n")
    assert events[-1] == ""
    assert json.loads(events[-2].removeprefix("data: "))["error"]["message"].startswith("The server is shutting down.")


def test_models_that_are_taken_away(place: Place) -> None:
    """As when the window has something else to do with the memory."""
    running = place.ask("running", words=3)
    place.engine.let()
    while not place.api.metrics()["tokens_total"]:
        pass
    waiting = place.ask("waiting")
    place.wait_until(waiting=1)
    place.session.is_loading = True
    assert place.api.complete("late").status == 503
    place.turns.cancel()
    for answer in (running, waiting):
        assert (answer.result().status, answer.result().error["code"]) == (503, "not_ready")


def test_models_that_are_measured(place: Place) -> None:
    place.completions.is_measuring = True
    refused = place.api.complete("late")
    assert (refused.status, refused.error["code"]) == (503, "not_ready")
    assert refused.error["message"] == "A benchmark is running. Try again when it has finished."


def test_models_that_are_changed(place: Place) -> None:
    """Who waits is answered by the new ones, and told so."""
    running = place.ask("running")
    place.wait_until(waiting=0)
    waiting = place.ask("waiting")
    place.wait_until(waiting=1)
    place.turns.cancel(waiting_in=[Lane.WINDOW])
    place.session.pair = replace(PAIR, target="other.gguf")
    place.engine.let()
    assert (running.result().status, running.result().error["code"]) == (503, "not_ready")
    assert running.result().headers["retry-after"] == "1"
    assert (waiting.result().status, waiting.result().json["model"]) == (200, "other.gguf")


@pytest.mark.parametrize("stream", [False, True])
def test_an_answer_that_was_given_up_before_its_first_token(
    place: Place, stream: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_server, "FINISHING_S", 0.1)
    refused = place.clients.submit(place.api.complete, "hello", stream=stream)
    place.wait_until(waiting=0)
    place.server.stop()
    answer = refused.result()
    body = answer.body.removeprefix(b"data: ")
    assert answer.status == (200 if stream else 503)
    assert json.loads(body)["error"]["message"].startswith("The server is shutting down.")


def test_a_client_that_does_not_read_holds_up_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_server, "_LAST_STEP_S", 3600.0)
    place = Place(tmp_path)
    with place.running(), socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.connect((HOST, place.api.port))
        asked = json.dumps({"prompt": "hello", "stream": True, "max_tokens": -1})
        lines = ("POST /v1/completions HTTP/1.1", "Host: localhost", f"Content-Length: {len(asked)}", "", asked)
        client.sendall("\r\n".join(lines).encode())
        place.engine.let(10_000)
        while place.api.metrics()["tokens_total"] < 10_000:
            pass
        place.server.stop()
        place.server.stop()
        place.server_thread.join()
        with suppress(ConnectionError):
            assert b"[DONE]" not in received(client)


def test_keys(tmp_path: Path) -> None:
    with Place(tmp_path, replace(SETTINGS, api_key="a secret, wïth more")).running() as place:
        api = place.api
        assert api.get("/health").status == 200
        right = "Bearer a secret, wïth more".encode().decode("latin-1")
        assert api.get("/metrics", Authorization=right).status == 200
        assert api.get("/metrics", Authorization=right.replace("Bearer", "bearer")).status == 200
        key = right.removeprefix("Bearer ")
        assert api.send("GET", "/metrics", headers={"x-api-key": key}).status == 200
        assert api.send("GET", "/metrics", headers={"x-api-key": key[:-1]}).status == 401
        for wrong in ("", "Bearer", "Bearer a secret", right + "x", right.removeprefix("Bearer "), "Basic " + right):
            refused = api.get("/v1/models", Authorization=wrong)
            assert (refused.status, refused.error["code"]) == (401, "invalid_api_key")
            assert refused.headers["www-authenticate"] == "Bearer"
        assert api.complete("hello").status == 401
        asked = {"model": "any", "messages": ASKED, "max_tokens": 1}
        assert api.post("/v1/messages", asked).json["error"]["type"] == "authentication_error"
        assert api.post("/api/chat", asked).json["error"].startswith("The API key is missing or wrong")
        assert api.post("/infill", asked).error["code"] == "invalid_api_key"
        with api.client("a wrong key") as client, pytest.raises(Exception, match="401"):
            client.models.list()


def test_a_page_that_may_ask_lets_no_other_in(tmp_path: Path) -> None:
    page = "https://chat.example"
    with Place(tmp_path, replace(SETTINGS, origins=(page,))).running() as place:
        place.engine.let(2)
        asked = json.dumps({"prompt": "hello", "max_tokens": 1, "stream": True}).encode()
        allowed = [
            place.api.send("POST", "/v1/completions", asked, headers).headers.get("access-control-allow-origin")
            for headers in ({"Origin": page}, {})
        ]
    assert allowed == [page, None]
