"""Prompts of the user's own, one JSON object in each line."""

from pathlib import Path

import pytest

from specchat.domain.benchmark import BenchPrompt
from specchat.domain.errors import SettingError
from specchat.services.bench.json_prompts import read_json_prompts


def written(folder: Path, *lines: str) -> Path:
    path = folder / "prompts.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_all_spellings(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        '\ufeff{"prompt": "Hello"}',
        "",
        '{"workload": "code", "prompt": "A loop", "system": "Be brief."}',
        '{"text": "Bonjour", "category": "translation"}',
        '{"question_id": 81, "category": "writing", "turns": ["A post.", "Shorter."]}',
    )
    assert read_json_prompts(path) == (
        BenchPrompt("own", "Hello"),
        BenchPrompt("code", "A loop", "Be brief."),
        BenchPrompt("translation", "Bonjour"),
        BenchPrompt("writing", "A post."),
    )


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "Line 2 of prompts.jsonl is not a JSON object."),
        ("[1]", "Line 2 of prompts.jsonl is not a JSON object."),
        ('{"workload": "code"}', "Line 2 of prompts.jsonl contains no prompt."),
        ('{"prompt": ""}', "Line 2 of prompts.jsonl contains no prompt."),
        ('{"turns": []}', "Line 2 of prompts.jsonl contains no prompt."),
        ('{"prompt": 7}', "Line 2 of prompts.jsonl contains no prompt."),
        ('{"prompt": "a", "workload": 7}', "Line 2 of prompts.jsonl contains no prompt."),
        ('{"prompt": "a", "system": null}', "Line 2 of prompts.jsonl contains no prompt."),
    ],
)
def test_a_line_that_is_none(tmp_path: Path, line: str, message: str) -> None:
    with pytest.raises(SettingError) as caught:
        read_json_prompts(written(tmp_path, '{"prompt": "Hello"}', line))
    assert caught.value.message == message
    assert '{"workload": "code", "prompt": "Write a loop."}' in caught.value.hint


def test_no_prompts(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match=r"prompts\.jsonl contains no prompts"):
        read_json_prompts(written(tmp_path, "", " "))
    with pytest.raises(SettingError, match=r"Can't read .*absent\.jsonl"):
        read_json_prompts(tmp_path / "absent.jsonl")
    binary = tmp_path / "binary.jsonl"
    binary.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SettingError, match="is not a text file"):
        read_json_prompts(binary)
