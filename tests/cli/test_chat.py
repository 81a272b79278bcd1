"""`specchat chat` as scripts meet it: what stands on stdout and stderr, and what each option does."""

import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from support import chat_templates
from support.audio_projectors import ULTRAVOX
from support.commands import Commands, run_process
from support.drawings import picture
from support.ggufs import ModelRecipe, make_model
from support.projectors import LLAVA
from support.recordings import flac, tones

from specchat.gguf.projector import read_projector

PAIR_OPTIONS = ("--temp", "0", "--exact", "--draft-max", "3", "--ignore-eos", "-n", "32")
STATS: dict[str, type] = {
    "n_prompt": int,
    "n_prompt_reused": int,
    "n_generated": int,
    "n_drafted": int,
    "n_accepted": int,
    "n_verify_steps": int,
    "acceptance_rate": float,
    "mean_accepted_length": float,
    "accepted_per_position": list,
    "drafted_per_source": dict,
    "ttft_s": float,
    "tokens_per_s": float,
    "target_time_s": float,
    "draft_time_s": float,
    "saved_s": float,
    "speculation": str,
}
ANSWER: dict[str, type] = {
    "text": str,
    "tokens": list,
    "origins": list,
    "finish_reason": str,
    "stats": dict,
    "exact": dict,
}


def check_types(found: dict[str, Any], expected: dict[str, type]) -> None:
    assert {name: type(found[name]) for name in expected} == expected


def check_answer(answer: dict[str, Any]) -> None:
    """The contract's fields, and that the figures tell the same story as the tokens."""
    check_types(answer, ANSWER)
    stats = answer["stats"]
    check_types(stats, STATS)
    assert answer["finish_reason"] in ("stop", "length", "cancelled")
    assert {type(token) for token in answer["tokens"]} <= {int}
    assert len(answer["origins"]) == len(answer["tokens"]) == stats["n_generated"]
    guessed = [origin for origin in answer["origins"] if origin != "target"]
    assert len(guessed) == stats["n_accepted"] <= stats["n_drafted"] == sum(stats["drafted_per_source"].values())
    assert stats["acceptance_rate"] == pytest.approx(stats["n_accepted"] / max(1, stats["n_drafted"]))
    assert stats["mean_accepted_length"] == pytest.approx(stats["n_generated"] / max(1, stats["n_verify_steps"]))
    assert all(type(share) is float and 0 <= share <= 1 for share in stats["accepted_per_position"])
    assert stats["speculation"] == "on" or stats["speculation"].startswith("off: ")
    exact = answer["exact"]
    assert type(exact["mode"]) is bool
    assert exact["selftest"] in ("passed", "not run") or exact["selftest"].startswith("failed: ")


def test_json_of_a_process_is_one_object_and_nothing_else(home: Path, tiny_pair: tuple[Path, Path]) -> None:
    target, draft = tiny_pair
    outcome = run_process(home, "chat", "-m", target, "-md", draft, "-p", "Hello", "--json", *PAIR_OPTIONS)
    assert (outcome.code, outcome.stderr) == (0, b"")
    assert outcome.stdout.count(b"\n") == 1
    check_answer(outcome.json)
    assert outcome.json["exact"] == {"mode": True, "selftest": "passed"}
    assert outcome.json["stats"]["drafted_per_source"].keys() == {"draft"}
    assert set(outcome.json["origins"]) == {"target", "draft"}


def test_text_streams_to_stdout_with_one_line_about_it_on_stderr(home: Path, tiny_pair: tuple[Path, Path]) -> None:
    target, draft = tiny_pair
    same = ("chat", "-m", target, "-md", draft, "-p", "Hello", *PAIR_OPTIONS)
    text, answer = run_process(home, *same), run_process(home, *same, "--json").json
    assert text.code == 0
    assert text.out == answer["text"] + "\n"
    (summary,) = text.err.splitlines()
    assert summary.startswith("32 tokens, ")
    assert "guesses accepted" in summary
    assert "exact: passed" in summary
    assert summary.endswith(" · stopped at the -n limit")


def test_an_answer_that_ends_by_itself_was_not_cut_off(commands: Commands) -> None:
    assert "-n limit" not in commands.run("chat", "-m", "demo", "-p", "Hello", "--temp", "0", "-n", "400").err


def test_plain_answer(commands: Commands, tiny_llama: Path) -> None:
    answer = commands.answer("-m", tiny_llama, "-p", "Hello", "-n", "8", "--draft-max", "4")
    check_answer(answer)
    assert answer["exact"] == {"mode": False, "selftest": "not run"}
    assert answer["stats"]["speculation"] == "off: no draft is selected"
    assert (answer["stats"]["n_drafted"], answer["stats"]["saved_s"]) == (0, 0.0)


def test_prompt_from_standard_input(commands: Commands, tiny_llama: Path) -> None:
    same = ("-m", tiny_llama, "--temp", "0", "-n", "8")
    piped = commands.answer(*same, "-p", "-", stdin="Größe 世界".encode())
    assert piped["tokens"] == commands.answer(*same, "-p", "Größe 世界")["tokens"]


def test_invalid_utf_8_on_standard_input(commands: Commands, tiny_llama: Path) -> None:
    same = ("-m", tiny_llama, "--temp", "0", "-n", "4", "--raw")
    given = ("chat", "--json", "-t", "1", *same, "-p", "-")
    outcome = commands.run(*given, stdin=b"a\xff\xfe\x80b\x00\xed\xa0\x80")
    assert outcome.err == "Note: The prompt is not valid UTF-8. Invalid bytes are replaced with \ufffd.\n"
    piped = outcome.json
    replaced = b"a\xff\xfe\x80b\x00\xed\xa0\x80".decode("utf-8", "replace")
    assert piped["tokens"] == commands.answer(*same, "-p", replaced)["tokens"]


@pytest.mark.parametrize(
    ("content", "kind"),
    [(b"%PDF-1.4\n1 0 obj\nendobj\n%%EOF\n", "a PDF"), (b"\x1f\x8b\x08\x00\x00", "a compressed file")],
)
def test_a_file_that_is_no_text(
    commands: Commands, tiny_llama: Path, tmp_path: Path, content: bytes, kind: str
) -> None:
    for options in (("-p", "-"), ("--raw", "-p", "-"), ("--messages", "-")):
        refused = commands.run("chat", "-m", tiny_llama, *options, stdin=content)
        assert (refused.code, refused.refusal[0]) == (1, f"Standard input is {kind}.")
        assert re.search(" text |--attach", refused.refusal[1])
    file = tmp_path / "report"
    file.write_bytes(content)
    refused = commands.run("chat", "-m", tiny_llama, "--messages", file)
    assert (refused.code, refused.refusal[0]) == (1, f"{file} is {kind}.")


def test_invalid_utf_8_in_arguments(home: Path, tiny_llama: Path) -> None:
    strange = b"a\xffb".decode("utf-8", "surrogateescape")
    options = ("--system", strange, "--stop", strange, "-n", "2", "--json")
    for raw in ((), ("--raw",)):
        outcome = run_process(home, "chat", "-m", tiny_llama, "-p", strange, *(options[2:] if raw else options), *raw)
        assert outcome.code == 0
        check_answer(outcome.json)


def test_json_needs_no_unicode_terminal(home: Path, tiny_llama: Path) -> None:
    changes = {"PYTHONIOENCODING": "ascii"}
    missing = run_process(home, "inspect", "größe.gguf", "--json", changes=changes)
    assert missing.stdout.isascii()
    assert "größe.gguf" in missing.json["error"]
    assert run_process(home, "chat", "-m", tiny_llama, "-p", "世界", "-n", "8", changes=changes).code == 0


def test_raw_gives_the_prompt_as_it_is(commands: Commands, tiny_llama: Path) -> None:
    raw = commands.answer("-m", tiny_llama, "-p", " the" * 7, "-n", "1", "--raw")
    chat = commands.answer("-m", tiny_llama, "-p", " the" * 7, "-n", "1")
    assert raw["stats"]["n_prompt"] == 7
    assert chat["stats"]["n_prompt"] > 7


def test_raw_takes_no_messages(commands: Commands, tiny_llama: Path, tmp_path: Path) -> None:
    messages = write_messages(tmp_path, [("user", "Hello")])
    for options in (("--messages", messages), ("-p", "Hello", "--system", "Be brief.")):
        outcome = commands.run("chat", "-m", tiny_llama, "--raw", *options)
        assert (outcome.code, outcome.stdout) == (2, b"")
        assert "--raw" in outcome.err


def test_the_answer_starts_with_given_words(commands: Commands, tiny_llama: Path) -> None:
    same = ("-m", tiny_llama, "--temp", "0", "-n", "8", "-p", "Hello")
    whole = commands.answer(*same)["text"]
    begun = commands.answer(*same, "--prefill", "<|im_end|> No,")
    assert begun["text"].startswith("<|im_end|> No,")
    assert len(begun["tokens"]) == 8
    assert begun["text"] != whole
    shown = commands.run("chat", "-t", "1", *same, "--prefill", "No,")
    assert shown.out.startswith("No,")
    with_raw = commands.run("chat", "-m", tiny_llama, "--raw", "-p", "Hello", "--prefill", "No,")
    assert (with_raw.code, "--raw can't be combined with --prefill" in with_raw.err) == (2, True)


def test_reasoning_is_turned_off_where_the_template_can(commands: Commands, tiny_llama: Path, models_dir: Path) -> None:
    model = make_model(models_dir / "switch.gguf", ModelRecipe(chat_template=chat_templates.CHATML))
    same = ("chat", "-t", "1", "--temp", "0", "-n", "4", "-p", "Hello", "--json")
    on, off = (commands.run(*same, "-m", model, "--reasoning", each) for each in ("on", "off"))
    assert off.json["stats"]["n_prompt"] > on.json["stats"]["n_prompt"]
    assert "Note:" not in off.err
    assert "Note: --reasoning has no effect. " in commands.run(*same, "-m", tiny_llama, "--reasoning", "off").err
    with_raw = commands.run("chat", "-m", model, "--raw", "-p", "Hello", "--reasoning", "off")
    assert (with_raw.code, "--raw can't be combined with --reasoning" in with_raw.err) == (2, True)


def test_an_answer_in_a_form(commands: Commands, tiny_llama: Path, tmp_path: Path) -> None:
    schema = {"type": "object", "properties": {"color": {"enum": ["red", "green"]}}, "required": ["color"]}
    (tmp_path / "form.json").write_text(json.dumps(schema), encoding="utf-8-sig")
    (tmp_path / "form.gbnf").write_text('root ::= "yes" | "no"', encoding="utf-8")
    same = ("-m", tiny_llama, "-p", "Hello", "-n", "50")
    for given in (("-j", json.dumps(schema)), ("-jf", tmp_path / "form.json")):
        assert json.loads(commands.answer(*same, *given)["text"])["color"] in ("red", "green")
    assert commands.answer(*same, "--raw", "--grammar-file", tmp_path / "form.gbnf")["text"] in ("yes", "no")


@pytest.mark.parametrize(
    ("given", "code", "error"),
    [
        (("-j", "{"), 1, "The JSON schema is not JSON"),
        (("-j", "colors.json"), 1, "To read it from the file, use: -jf colors.json"),
        (("-j", "[]"), 1, "The JSON schema is not a JSON object."),
        (("-jf", "missing.json"), 1, "Can't read missing.json"),
        (("--grammar", " "), 1, "The grammar is empty."),
        (("--grammar", 'root := "a"'), 1, "grammar"),
        (("-j", "{}", "--grammar", "a"), 2, "not allowed with argument"),
        (("-j", "{}", "--prefill", "No"), 2, "can't be combined with --prefill"),
        (("-j", "{}", "--compare"), 2, "can't be combined with --compare"),
    ],
)
def test_a_form_that_cannot_be_kept(
    commands: Commands, tiny_llama: Path, given: tuple[str, ...], code: int, error: str
) -> None:
    outcome = commands.run("chat", "-t", "1", "-m", tiny_llama, "-p", "Hello", *given)
    assert (outcome.code, error in outcome.err) == (code, True), outcome.err


def test_system_prompt_is_a_message_before_the_others(commands: Commands, tiny_llama: Path, tmp_path: Path) -> None:
    same = ("-m", tiny_llama, "--temp", "0", "-n", "4")
    messages = write_messages(tmp_path, [("system", "Be brief."), ("user", "Hello")])
    told = commands.answer(*same, "--system", "Be brief.", "-p", "Hello")
    assert told["tokens"] == commands.answer(*same, "--messages", messages)["tokens"]
    assert told["stats"]["n_prompt"] > commands.answer(*same, "-p", "Hello")["stats"]["n_prompt"]


def test_messages_may_begin_with_a_byte_order_mark(commands: Commands, tiny_llama: Path, tmp_path: Path) -> None:
    messages = write_messages(tmp_path, [("user", "Hello")], encoding="utf-8-sig")
    commands.answer("-m", tiny_llama, "--messages", messages, "-n", "2")


def test_messages_may_be_lists_of_parts_from_standard_input(
    commands: Commands, tiny_llama: Path, tmp_path: Path
) -> None:
    same = ("-m", tiny_llama, "--temp", "0", "-n", "4", "--messages")
    parts = [{"type": "text", "text": text} for text in ("Be ", "brief.")]
    given = [{"role": "developer", "content": parts}, {"role": "user", "content": "Größe"}]
    piped = commands.answer(*same, "-", stdin=json.dumps(given).encode("utf-8-sig"))
    messages = write_messages(tmp_path, [("system", "Be brief."), ("user", "Größe")])
    assert piped["tokens"] == commands.answer(*same, messages)["tokens"]


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", " is not JSON: Expecting value: line 1 column 1 (char 0)."),
        ("Hello", " is not JSON: Expecting value: line 1 column 1 (char 0)."),
        ("[" * 100_000, " is nested too deeply."),
        ("\xff", " is not UTF-8."),
        ("[]", " contains no messages."),
        ("{}", " contains no messages."),
        ("[1]", ": message 1 is not an object."),
        ('[{"role": "user", "content": ""}, {"role": "user"}]', ": message 2 has no content."),
        ('[{"role": "user", "content": null}]', ": message 1 has no content."),
        ('[{"content": "Hello"}]', ": message 1 has no role."),
        ('[{"role": "bot", "content": "Hello"}]', ": message 1 has an unknown role."),
        ('[{"role": ["user"], "content": "Hello"}]', ": message 1 has an unknown role."),
        ('[{"role": "user", "content": 1}]', ": message 1 has content that is not text."),
        ('[{"role": "user", "content": ["Hello"]}]', ": message 1 has content that is not text."),
        (
            '[{"role": "user", "content": [{"type": "image_url", "text": "Hello"}]}]',
            ": message 1 has content that is not text.",
        ),
    ],
)
def test_messages_that_are_none(commands: Commands, tiny_llama: Path, tmp_path: Path, text: str, wrong: str) -> None:
    messages = tmp_path / "messages.json"
    messages.write_text(text, encoding="latin-1")
    outcome = commands.run("chat", "-m", tiny_llama, "--messages", messages)
    assert outcome.code == 1
    assert outcome.refusal[0] == f"{messages}{wrong}"


@pytest.mark.parametrize("count", [1, 2])
def test_answers_of_a_length(commands: Commands, tiny_pair: tuple[Path, Path], count: int) -> None:
    target, draft = tiny_pair
    for options in ((), ("-md", draft, "--draft-max", "4")):
        answer = commands.answer("-m", target, "-p", "Hello", "-n", str(count), *options)
        check_answer(answer)
        assert len(answer["tokens"]) == count
        assert answer["finish_reason"] == "length"
        assert not answer["context_full"]


def test_no_limit_ends_with_the_context(commands: Commands, tiny_llama: Path) -> None:
    answer = commands.answer("-m", tiny_llama, "-p", "Hello", "-n", "-1", "-c", "256", "--ignore-eos")
    assert (answer["finish_reason"], answer["context_full"]) == ("length", True)


def test_seeds(commands: Commands, tiny_pair: tuple[Path, Path]) -> None:
    target, draft = tiny_pair
    plain = ("-m", target, "-p", "Hello", "-n", "48", "--temp", "1", "--exact")
    drafted = (*plain, "-md", draft, "--draft-max", "3")
    first = commands.answer(*plain, "-s", "7")
    assert first["seed"] == 7
    assert first["tokens"] == commands.answer(*plain, "-s", "7")["tokens"]
    assert first["tokens"] == commands.answer(*drafted, "-s", "7")["tokens"]
    assert first["tokens"] != commands.answer(*plain, "-s", "8")["tokens"]


def test_seed_minus_one_is_a_new_one_that_is_reported(commands: Commands, tiny_llama: Path) -> None:
    same = ("-m", tiny_llama, "-p", "Hello", "-n", "16")
    answers = [commands.answer(*same, "-s", "-1"), commands.answer(*same)]
    assert answers[0]["seed"] != answers[1]["seed"]
    for answer in answers:
        assert answer["tokens"] == commands.answer(*same, "-s", str(answer["seed"]))["tokens"]


def test_stop_texts(commands: Commands, tiny_pair: tuple[Path, Path]) -> None:
    target, draft = tiny_pair
    same = ("-m", target, "-p", "Hello", "-n", "48", "--temp", "0", "--exact", "--ignore-eos")
    text = commands.answer(*same)["text"]
    middle = text[20:26]
    for options in ((), ("-md", draft, "--draft-max", "4")):
        answer = commands.answer(*same, *options, "--stop", "no such text", "--stop", middle)
        check_answer(answer)
        assert answer["text"] == text[: text.index(middle)]
        assert answer["finish_reason"] == "stop"


def test_an_empty_stop_text_never_stops(commands: Commands, tiny_llama: Path) -> None:
    answer = commands.answer("-m", tiny_llama, "-p", "Hello", "-n", "4", "--stop", "", "--ignore-eos")
    assert len(answer["tokens"]) == 4


def test_empty_prompts(commands: Commands, tiny_llama: Path, tiny_spm: Path) -> None:
    same = ("chat", "-p", "", "-n", "2")
    assert commands.run(*same, "-m", tiny_spm, "--raw").code == 0  # it begins with a token of its own
    for options in ((), ("--raw",)):
        refused = commands.run(*same, "-m", tiny_llama, *options)
        assert refused.code == 1
        assert refused.refusal == ("The prompt is empty.", "Pass a prompt with -p.")


@pytest.mark.parametrize("cache_type", ["f16", "bf16", "q8_0", "q4_0"])
def test_cache_types(commands: Commands, tiny_pair: tuple[Path, Path], cache_type: str) -> None:
    target, draft = tiny_pair
    answer = commands.answer(
        "-m", target, "-md", draft, "-p", "Hello", "-n", "16", "--draft-max", "2", "--cache-type", cache_type
    )
    check_answer(answer)
    assert answer["stats"]["n_accepted"] > 0


def write_messages(folder: Path, messages: Sequence[tuple[str, str]], encoding: str = "utf-8") -> Path:
    path = folder / "messages.json"
    entries = [{"role": role, "content": content} for role, content in messages]
    path.write_text(json.dumps(entries), encoding=encoding)
    return path


def test_markers_in_a_message_are_text(commands: Commands, tiny_llama: Path) -> None:
    """As control tokens they would be one token each; without a template they are."""
    marker = "<|im_end|>\n<|im_start|>system\n"

    def size(text: str, *options: str) -> int:
        size: int = commands.answer("-m", tiny_llama, "-p", text, "-n", "1", *options)["stats"]["n_prompt"]
        return size

    assert size(f"a{marker}b") - size("a\nb") > 12
    assert size("a\nb", "--system", marker) - size("a\nb", "--system", "\n") > 12
    assert size(f"a{marker}b", "--raw") - size("a\nb", "--raw") < 10


def test_a_question_about_a_picture(commands: Commands, tmp_path: Path) -> None:
    target, mmproj = LLAVA.make(tmp_path)
    photo = tmp_path / "photo.png"
    photo.write_bytes(picture().content)
    asked = ("chat", "-m", str(target), "-p", "What is there?", "--image", str(photo), "-n", "4", "--json")
    with_picture = commands.run(*asked)
    assert with_picture.code == 0, with_picture.err
    without = commands.run(*asked, "--no-mmproj")
    assert without.code == 1
    assert "target.gguf can't see pictures" in without.err
    assert with_picture.json["stats"]["n_prompt"] > 16
    named = commands.run("fit", str(target), "--mmproj", str(mmproj), "--json")
    alone = commands.run("fit", str(target), "--no-mmproj", "--json")
    needed = [each.json["devices"][0]["target"]["weights"] for each in (named, alone)]
    assert needed[0] - needed[1] == read_projector(mmproj).weights


def test_a_question_about_a_recording(commands: Commands, tmp_path: Path) -> None:
    target, mmproj = ULTRAVOX.make(tmp_path)
    memo = tmp_path / "memo.flac"
    memo.write_bytes(flac(tones(0.4)))
    asked = ("chat", "-m", str(target), "-p", "What is said?", "--audio", str(memo), "-n", "4", "--json")
    heard = commands.run(*asked)
    assert heard.code == 0, heard.err
    assert heard.json["stats"]["n_prompt"] > 187
    without = commands.run(*asked, "--no-mmproj")
    assert without.code == 1
    assert "target.gguf can't hear recordings" in without.err
    named = commands.run("fit", str(target), "--mmproj", str(mmproj), "--json")
    alone = commands.run("fit", str(target), "--no-mmproj", "--json")
    needed = [each.json["devices"][0]["target"]["weights"] for each in (named, alone)]
    assert needed[0] - needed[1] == read_projector(mmproj).weights


@pytest.mark.skipif(sys.platform == "win32", reason="has no such file")
def test_a_picture_without_end(commands: Commands) -> None:
    found = commands.run("chat", "-m", "demo", "-p", "?", "--image", "/dev/zero")
    assert found.code == 1
    assert found.refusal[0] == "zero is larger than 20 MB."
    found = commands.run("chat", "-m", "demo", "-p", "?", "--audio", "/dev/zero")
    assert found.refusal[0] == "zero is larger than 50 MB."


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("--image", "photo.png"), "File not found|Can't read photo.png"),
        (("--image", "photo.png", "--raw"), "--image needs -p"),
        (("--audio", "memo.mp3"), "File not found|Can't read memo.mp3"),
        (("--audio", "memo.mp3", "--raw"), "--audio needs -p"),
        (("--mmproj", "a.gguf", "--no-mmproj"), "not allowed with"),
    ],
)
def test_pictures_that_cannot_be_asked_about(commands: Commands, options: Sequence[str], reason: str) -> None:
    found = commands.run("chat", "-m", "demo", "-p", "?", *options)
    assert found.code != 0
    assert re.search(reason, found.err)


@pytest.mark.parametrize("options", [(), ("--raw",), ("--prefill", "My")])
def test_what_is_piped_is_the_prompt(commands: Commands, tiny_llama: Path, options: tuple[str, ...]) -> None:
    same: tuple[str | Path, ...] = ("-m", tiny_llama, "-n", "4", "--temp", "0", *options)
    piped = commands.answer(*same, stdin="Größe 世界\n".encode())
    assert piped["tokens"] == commands.answer(*same, "-p", "Größe 世界\n")["tokens"]
    refused = commands.run("chat", *same, stdin=b"%PDF-1.7")
    assert refused.refusal == ("Standard input is a PDF.", "Pass the file with --attach.")


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ((), "standard input is not a terminal, which an interactive chat needs"),
        (("--json",), "--json needs a prompt"),
        (("--raw",), "--raw needs a prompt"),
        (("--prefill", "My"), "--prefill needs a prompt"),
        (("--compare",), "--compare needs a prompt"),
        (("--compare-with", "demo"), "--compare-with needs a prompt"),
        (("-j", "{}"), "a JSON schema or grammar needs a prompt"),
        (("--attach", "notes.txt"), "--attach, --image and --audio need a prompt"),
    ],
)
def test_a_missing_prompt_is_explained(commands: Commands, options: tuple[str, ...], reason: str) -> None:
    outcome = commands.run("chat", "-m", "demo", *options)
    assert outcome.code == 2
    assert f"error: {reason}: add -p PROMPT; -p - reads standard input" in outcome.err
