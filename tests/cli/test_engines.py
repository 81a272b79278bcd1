"""Other engines from the command line; scripted ones, since real ones have tests of their own."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.commands import Commands
from support.keyrings import LockedKeyring, MemoryKeyring, using
from support.pictures import png
from support.scripted_dialects import make_ollama
from support.scripted_engine import Reply, ScriptedEngine, delta, events, reply, scripted_engine, usage

KEY = "sk-very-secret"
MODELS = {"object": "list", "data": [{"id": "org/small", "owned_by": "vllm", "max_model_len": 4096}]}
ANSWER = (delta("It"), delta(" is.", "stop"), usage(7, 2))


@pytest.fixture
def server() -> Iterator[ScriptedEngine]:
    with scripted_engine() as server:
        server.replies = {"/v1/models": reply(MODELS), "/v1/chat/completions": events(*ANSWER)}
        yield server


@pytest.fixture(autouse=True)
def keyring(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, commands: Commands) -> Iterator[MemoryKeyring]:
    monkeypatch.delenv("SPECCHAT_ENGINE_KEY", raising=False)
    commands.home = tmp_path / "home"
    backend = MemoryKeyring()
    with using(backend):
        yield backend


def test_a_question(commands: Commands, server: ScriptedEngine) -> None:
    outcome = commands.run("chat", "--engine", server.url, "-p", "Is it warm?", "-n", "5", "-s", "7")
    assert (outcome.code, outcome.out) == (0, "It is.\n")
    assert "guesses not reported" in outcome.err
    body = server.last("/v1/chat/completions")
    assert (body["model"], body["messages"]) == ("org/small", [{"role": "user", "content": "Is it warm?"}])
    assert (body["max_tokens"], body["seed"], body["stream"]) == (5, 7, True)


def test_a_question_about_a_picture(commands: Commands, server: ScriptedEngine, tmp_path: Path) -> None:
    photo = tmp_path / "photo.png"
    photo.write_bytes(png(8, 8))
    asked = ("chat", "--engine", server.url, "-p", "What is there?", "--image", photo)
    assert commands.run(*asked).out == "It is.\n"
    shown, _ = server.last("/v1/chat/completions")["messages"][0]["content"]
    assert shown["image_url"]["url"].startswith("data:image/png;base64,")
    make_ollama(server)
    server.replies["/api/show"] = reply({"capabilities": ["completion"]})
    server.asked.clear()
    message, hint = commands.run(*asked).refusal
    assert message.endswith(" can't see pictures.")
    assert hint == "Choose another model of the engine."
    assert not any(each.line.endswith("/v1/chat/completions") for each in server.asked)


def test_first_words_are_sent_for_it_to_go_on_with(commands: Commands, server: ScriptedEngine) -> None:
    outcome = commands.run("chat", "--engine", server.url, "-p", "Is it warm?", "--prefill", "Well, ")
    assert outcome.out == "Well, It is.\n"
    body = server.last("/v1/chat/completions")
    assert body["messages"][-1] == {"role": "assistant", "content": "Well, "}
    assert body["continue_final_message"]


def test_what_is_not_reported_is_null(commands: Commands, server: ScriptedEngine) -> None:
    answer = commands.run("chat", "--engine", server.url, "-p", "Hello", "--json").json
    assert (answer["text"], answer["finish_reason"]) == ("It is.", "stop")
    assert (answer["engine"], answer["model"], answer["tokens"]) == ("vLLM", "small", None)
    assert answer["origins"] == ["unknown", "unknown"]
    stats = answer["stats"]
    assert (stats["acceptance_rate"], stats["n_drafted"], stats["saved_s"]) == (None, None, None)
    assert (stats["n_prompt"], stats["n_generated"], stats["speculation"]) == (7, 2, "not reported")
    assert stats["tokens_per_s"] > 0


def test_what_came_before_the_connection_was_lost(commands: Commands, server: ScriptedEngine) -> None:
    server.replies["/v1/chat/completions"] = events(delta("It"), delta(" is"), end=b"")
    outcome = commands.run("chat", "--engine", server.url, "-p", "Is it warm?")
    assert (outcome.code, outcome.out) == (1, "It is\n")
    assert outcome.refusal[0] == f"The answer from {server.url} was cut off."


def test_a_json_object_of_what_came_before(commands: Commands, server: ScriptedEngine) -> None:
    server.replies["/v1/chat/completions"] = events(delta("It"), delta(" is"), end=b"")
    outcome = commands.run("chat", "--engine", server.url, "-p", "Is it warm?", "--json")
    assert (outcome.code, outcome.json["text"], outcome.json["finish_reason"]) == (1, "It is", "error")
    assert "was cut off" in outcome.json["error"]
    assert "was cut off" in outcome.err


def test_a_conversation_drops_the_oldest(commands: Commands, server: ScriptedEngine, tmp_path: Path) -> None:
    said = [{"role": role, "content": "rain " * 2000} for role in ("user", "assistant", "user", "assistant")]
    file = tmp_path / "talk.json"
    file.write_text(json.dumps([*said, {"role": "user", "content": "And now?"}]))
    outcome = commands.run("chat", "--engine", server.url, "--messages", file, "--drop-oldest")
    assert outcome.code == 0
    assert len(server.last("/v1/chat/completions")["messages"]) == 1


def test_a_text_without_a_template(commands: Commands, server: ScriptedEngine) -> None:
    server.replies["/v1/completions"] = events({"choices": [{"text": " time", "finish_reason": "length"}]})
    outcome = commands.run("chat", "--engine", server.url, "-p", "Once upon a", "--raw", "--stop", "x", "--ignore-eos")
    assert outcome.out == " time\n"
    body = server.last("/v1/completions")
    assert (body["prompt"], body["stop"], body["ignore_eos"]) == ("Once upon a", ["x"], True)


def test_engines_go_by_name(commands: Commands, server: ScriptedEngine) -> None:
    assert commands.run("engines").err.startswith("No saved engines.")
    added = commands.run("engines", "add", "big box", f"{server.url}/v1/")
    assert added.out == f"big box  {server.url}\n"
    assert commands.run("engines", "list", "--json").json == {"engines": [{"name": "big box", "url": server.url}]}
    assert "big box" in commands.run("engines").out
    assert commands.run("chat", "--engine", "Big Box", "-p", "Hello").out == "It is.\n"
    tested = commands.run("engines", "test", "big box")
    assert tested.out == f"vLLM at {server.url}\n  org/small  (context 4,096)\n"
    report = commands.run("engines", "test", server.url, "--json").json
    assert report["models"] == [{"id": "org/small", "loaded": True, "n_ctx": 4096}]
    assert set(report["lacks"]) == {"penalty_last_n", "grammar"}
    assert commands.run("engines", "rm", "big box").code == 0
    refusal = commands.run("engines", "rm", "big box").refusal
    assert refusal == ("Unknown engine: big box.", "There are no saved engines.")
    assert commands.run("chat", "--engine", "box", "-p", "Hello").refusal == (
        "Unknown engine: box.",
        "Add it: specchat engines add box URL",
    )


def test_what_it_counted_for_everyone(commands: Commands, server: ScriptedEngine) -> None:
    counts = (("draft", 1200), ("accepted", 900))
    metrics = "".join(f"vllm:spec_decode_num_{name}_tokens_total {count}.0\n" for name, count in counts)
    server.replies["/metrics"] = Reply(metrics.encode(), kind="text/plain")
    assert (
        "since startup, for all clients: 900 of 1,200 guesses accepted"
        in commands.run("engines", "test", server.url).out
    )
    of_both = commands.run("engines", "test", server.url, "--json").json["totals"]
    assert of_both == {"drafted": 1200, "accepted": 900, "mean_length": None}


def test_a_key_is_kept_in_the_keyring_alone(
    commands: Commands, server: ScriptedEngine, keyring: MemoryKeyring, caplog: pytest.LogCaptureFixture
) -> None:
    assert commands.run("engines", "add", "box", server.url, "--key", stdin=f"{KEY}\n".encode()).code == 0
    assert list(keyring.kept.values()) == [KEY]
    commands.run("chat", "--engine", "box", "-p", "Hello")
    assert {asked.headers.get("authorization") for asked in server.asked} == {f"Bearer {KEY}"}
    server.replies["/v1/chat/completions"] = reply({"error": {"message": f"Bad key {KEY}!"}}, status=418)
    refused = commands.run("chat", "--engine", "box", "-p", "Hello")
    assert KEY not in refused.err + refused.out + caplog.text
    assert "Bad key ..." in refused.err
    for file in filter(Path.is_file, commands.home.rglob("*")):
        assert KEY.encode() not in file.read_bytes(), file
    assert commands.run("engines", "rm", "box").code == 0
    assert not keyring.kept


def test_a_key_without_a_keyring(commands: Commands, server: ScriptedEngine) -> None:
    with using(LockedKeyring()):
        outcome = commands.run("engines", "add", "box", server.url, "--key", stdin=f"{KEY}\n".encode())
        assert outcome.refusal[1] == "Set SPECCHAT_ENGINE_KEY instead."
    assert KEY not in outcome.err


def test_a_key_of_the_environment(
    commands: Commands, server: ScriptedEngine, keyring: MemoryKeyring, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPECCHAT_ENGINE_KEY", KEY)
    assert commands.run("engines", "test", server.url).code == 0
    assert server.asked[-1].headers["authorization"] == f"Bearer {KEY}"
    monkeypatch.setenv("SPECCHAT_ENGINE_KEY", "two words")
    assert commands.run("engines", "test", server.url).refusal[0].startswith("Not a valid key")


def test_a_key_that_others_could_read(commands: Commands) -> None:
    added = commands.run("engines", "add", "far", "http://192.0.2.1:8080", "--key", stdin=KEY.encode())
    assert added.code == 0
    assert added.err.startswith("Note: The connection to http://192.0.2.1:8080 is not encrypted")


def test_it_looks_for_engines_only_when_asked(
    commands: Commands, server: ScriptedEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPECCHAT_ENGINE_KEY", KEY)
    monkeypatch.setattr(
        "specchat.services.connections.connections.Connections.find_here.__defaults__", (server.server_address[1:],)
    )
    assert commands.run("engines").code == 0
    assert not server.asked
    found = commands.run("engines", "--find", "--json").json
    assert [each["engine"] for each in found["found"]] == ["vLLM"]
    assert "authorization" not in server.asked[-1].headers
    assert "vLLM at" in commands.run("engines", "list", "--find").out


@pytest.mark.parametrize(
    "option",
    [
        ("-c", "512"),
        ("-md", "x"),
        ("--exact",),
        ("--draft-max", "4"),
        ("--draft-max", "auto"),
        ("-ngl", "0"),
        ("--draft-type", "none"),
        ("--rpc", "den"),
        ("-ts", "3,1"),
    ],
)
def test_what_is_for_models_here(commands: Commands, server: ScriptedEngine, option: tuple[str, ...]) -> None:
    outcome = commands.run("chat", "--engine", server.url, "-p", "Hello", *option)
    assert outcome.code == 2
    assert f"{option[0]} can't be combined with --engine" in outcome.err
    assert not server.asked


def test_one_of_them_answers(commands: Commands) -> None:
    outcome = commands.run("chat", "-p", "Hello")
    assert outcome.code == 2
    assert "one of the arguments -m/--model --engine is required" in outcome.err


def test_several_models(commands: Commands, server: ScriptedEngine) -> None:
    server.replies["/v1/models"] = reply({"data": [{"id": "org/a", "owned_by": "x"}, {"id": "org/b"}]})
    refused = commands.run("chat", "--engine", server.url, "-p", "Hello").refusal
    assert refused == (f"{server.url} has several models.", "Choose one with -m: org/a, org/b")
    assert commands.run("chat", "--engine", server.url, "-m", "b", "-p", "Hello").code == 0
    assert server.last("/v1/chat/completions")["model"] == "org/b"


@pytest.mark.parametrize("name", ["127.0.0.1:8791", "[::1]:8080"])
def test_an_address_may_be_a_name(commands: Commands, name: str) -> None:
    assert commands.run("engines", "add", name, name).code == 0
    assert name in commands.run("engines", "list").out


@pytest.mark.parametrize("name", ["", "a/b", "x" * 61, "http://x"])
def test_names_that_are_none(commands: Commands, name: str) -> None:
    assert "is not a valid engine name" in commands.run("engines", "add", name, "localhost:1").refusal[0]


NO_ADDRESS = '{"engines": [{"name": "box", "url": "a box"}]}'


@pytest.mark.parametrize(
    "content", ["[]", "{", '{"engines": 3}', '{"engines": [{"name": 1}]}', '{"engines": [[]]}', NO_ADDRESS]
)
def test_a_file_that_was_damaged(commands: Commands, content: str) -> None:
    assert commands.run("engines", "add", "box", "localhost:1").code == 0
    (file,) = commands.home.rglob("engines.json")
    file.write_text(content)
    assert commands.run("engines", "list", "--json").json == {"engines": []}
    assert (file.parent / "engines.damaged.json").read_text() == content


def test_a_benchmark(commands: Commands, server: ScriptedEngine, tmp_path: Path) -> None:
    server.replies["/v1/chat/completions"] = events(*[delta("a ")] * 19, delta("a", "length"), usage(5, 20))
    options = ("--workload", "chat", "--per-workload", "1", "--repeat", "1", "-n", "20", "--out", tmp_path / "a.csv")
    commands.run("engines", "add", "box", server.url)
    outcome = commands.run("bench", "--engine", "box", "--engine", f"{server.url}#small", *options)
    assert outcome.code == 0, outcome.err
    assert f"{server.url}#small" in outcome.out
    assert "0%" not in outcome.out
    assert len((tmp_path / "a.csv").read_text().splitlines()) == 3


@pytest.mark.parametrize("option", [(), ("--engine", "localhost:1", "--peer", "x"), ("--engine", "x:1", "-md", "y")])
def test_a_benchmark_of_nothing(commands: Commands, option: tuple[str, ...]) -> None:
    assert commands.run("bench", *option).code == 2
