"""Files that change, models that crash llama.cpp or compute nonsense: a reason, a hint, and no harm done."""

import struct
from pathlib import Path

from support.choices import choice_of
from support.commands import Commands, run_process
from support.ggufs import ModelRecipe, make_model
from support.pairs import load_pair
from support.vocabularies import NORMAL, BpeVocab, SpmVocab

from specchat.domain.cancel_token import CancelToken
from specchat.domain.types import GenerationFinished, GenerationRequest, Message, ModelSettings, Role, SamplingParams

PROMPT = ("-p", "Hello")


def test_a_file_deleted_while_it_is_used(tmp_path: Path, tiny_pair: tuple[Path, Path]) -> None:
    target, draft = (tmp_path / path.name for path in tiny_pair)
    for path, copy in zip(tiny_pair, (target, draft), strict=True):
        copy.write_bytes(path.read_bytes())
    choice = choice_of(target, draft, ModelSettings(n_ctx=512, threads=1), draft_max=3)
    pair = load_pair(tmp_path, choice, raw=False)
    try:
        target.unlink()
        draft.unlink()
        request = GenerationRequest(pair.prompts.tokenize("Hello"), SamplingParams(temperature=0), 40, ignore_eos=True)
        *_, end = pair.generate(request, CancelToken())
    finally:
        pair.close()
    assert isinstance(end, GenerationFinished)
    assert end.stats.n_generated == 40


def test_a_file_replaced_by_another_is_tried_anew(tmp_path: Path, home: Path, tiny_llama: Path) -> None:
    """Were it not, the second would take the program with it."""
    path = tmp_path / "model.gguf"
    path.write_bytes(tiny_llama.read_bytes())
    assert run_process(home, "chat", "-m", path, *PROMPT, "-n", "2").code == 0
    make_model(path, ModelRecipe(arch="lfm2", n_layer=1))
    assert run_process(home, "chat", "-m", path, *PROMPT, "-n", "2").code == 1
    path.write_bytes(tiny_llama.read_bytes())
    assert run_process(home, "chat", "-m", path, *PROMPT, "-n", "2").code == 0


def test_the_reason_is_the_error_rather_than_a_warning_before_it(
    commands: Commands, models_dir: Path, tiny_llama: Path
) -> None:
    """The end of an answer being no control token is what llama.cpp warns of, and goes on."""
    data = bytearray(tiny_llama.read_bytes())
    types = data.index(b"tokenizer.ggml.token_type") + len("tokenizer.ggml.token_type") + 16
    data[types + 4 * 1023 : types + 4 * 1024] = struct.pack("<i", NORMAL)
    n_ff = data.index(b"llama.feed_forward_length") + len("llama.feed_forward_length") + 4
    data[n_ff : n_ff + 4] = struct.pack("<I", 300)
    path = models_dir / "wrong-shape.gguf"
    path.write_bytes(data)
    outcome = commands.run("chat", "-m", path, *PROMPT)
    assert outcome.code == 1
    assert "wrong shape" in outcome.refusal[0]


def test_a_vocabulary_that_lacks_a_byte(commands: Commands, models_dir: Path) -> None:
    """llama.cpp ends the program over it, but only when somebody writes such a character."""
    vocab = SpmVocab(replaced=((3 + 0xE4, "no byte"),))
    path = make_model(models_dir / "byteless.gguf", ModelRecipe(n_layer=1, vocab=vocab))
    for text in ("Hello", "世界"):
        outcome = commands.run("chat", "-m", path, "-p", text, "-n", "2")
        assert outcome.code == 1
        assert outcome.refusal[0].startswith("byteless.gguf crashes llama.cpp: ")


def test_a_model_that_aborts_llama_cpp(commands: Commands, models_dir: Path) -> None:
    path = make_model(models_dir / "aborts.gguf", ModelRecipe(arch="lfm2", n_layer=1))
    for _ in range(2):  # what failed is not remembered as passed
        outcome = commands.run("chat", "-m", path, *PROMPT, "--json")
        assert outcome.code == 1
        message, hint = outcome.refusal
        assert message.startswith("aborts.gguf crashes llama.cpp: ggml-backend.cpp:")
        assert "GGML_ASSERT" in message
        assert "damaged" in hint


def test_weights_that_are_not_numbers(commands: Commands, models_dir: Path, tiny_llama: Path) -> None:
    """In halves of two bytes: scales of blocks become not-a-number, and with them all that is computed."""
    data = bytearray(tiny_llama.read_bytes())
    start = len(data) // 2
    data[start:] = b"\xff\x7f" * ((len(data) - start) // 2) + data[len(data) - (len(data) - start) % 2 :]
    path = models_dir / "nan.gguf"
    path.write_bytes(data[: tiny_llama.stat().st_size])
    for options in (("--temp", "0"), ("--temp", "1"), ("--temp", "1", "--top-k", "0"), ("-md", tiny_llama)):
        outcome = commands.run("chat", "-m", path, *PROMPT, *options)
        assert (outcome.code, outcome.stdout) == (1, b"")
        assert outcome.refusal[0] == "The model produced invalid values (NaN)."
        assert "damaged" in outcome.refusal[1]
    draft = commands.run("chat", "-m", tiny_llama, "-md", path, *PROMPT, "-n", "8", "--draft-max", "3", "--json")
    assert draft.code == 0
    assert len(draft.json["tokens"]) == 8
    assert "invalid values (NaN)" in draft.json["stats"]["speculation"]


def test_letters_without_end(home: Path, models_dir: Path) -> None:
    """llama.cpp splits text with recursive regular expressions, which may use up the stack."""
    path = make_model(models_dir / "tekken.gguf", ModelRecipe(n_layer=1, vocab=BpeVocab(pre="tekken")))
    for text in ("a", " ", "世", "!", "<", "a1"):
        outcome = run_process(home, "chat", "-m", path, "-p", "-", "--raw", stdin=text.encode() * 300_000)
        assert outcome.code == 1
        assert "context" in outcome.refusal[0]


def test_long_words_leave_the_markers_beside_them_whole(tmp_path: Path, models_dir: Path) -> None:
    path = make_model(models_dir / "tekken-markers.gguf", ModelRecipe(n_layer=1, vocab=BpeVocab(pre="tekken")))
    settings = ModelSettings(n_ctx=256, threads=1)
    pair = load_pair(tmp_path, choice_of(path, target_settings=settings), raw=False)
    try:
        lengths = range(1960, 2030)
        extra = {len(pair.prompts.build([Message(Role.USER, "z" * n)])) - n for n in lengths}
    finally:
        pair.close()
    assert len(extra) == 1
