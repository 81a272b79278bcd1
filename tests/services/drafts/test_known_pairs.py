import json
import logging
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from specchat.domain.errors import SettingError
from specchat.services.drafts.known_pairs import (
    KnownModel,
    KnownPair,
    KnownPairs,
    Remark,
    make_known_model,
    shipped_pairs_path,
)
from specchat.services.program.resources import resources
from specchat.store.json_file import JsonFile

SCHEMA = json.loads((resources() / "known_pairs.schema.json").read_text(encoding="utf-8"))
KINDS: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "null": (type(None),),
}
OWN = KnownPair(
    KnownModel("me/Sea-8B-GGUF", None, "Sea 8B", 8_000_000_000),
    KnownModel("me/Sea-1B-GGUF", "Sea-1B-Q8_0.gguf", parameters=1_000_000_000, quantization="Q8_0"),
    acceptance=0.75,
    note="Good at German.",
    own=True,
)


@pytest.fixture
def known(tmp_path: Path) -> KnownPairs:
    return KnownPairs(shipped_pairs_path(), JsonFile(tmp_path / "known-pairs.json"))


def mistakes(value: Any, schema: Any, place: str = "$") -> list[str]:
    """As much of JSON Schema as ours uses."""
    if "$ref" in schema:
        schema = SCHEMA["$defs"][schema["$ref"].rpartition("/")[2]]
    kinds = schema.get("type", [])
    found = [] if not kinds or _is_one_of(value, kinds) else [f"{place}: {value!r} is no {kinds}"]
    if "enum" in schema and value not in schema["enum"]:
        found.append(f"{place}: {value!r}")
    if value != schema.get("const", value):
        found.append(f"{place}: {value!r}")
    match value:
        case dict():
            found += _mistakes_of_parts(value, schema, place)
        case list():
            found += [each for i, item in enumerate(value) for each in mistakes(item, schema["items"], f"{place}[{i}]")]
            found += [f"{place}: too long"] * (len(value) > schema.get("maxItems", len(value)))
        case str():
            found += [f"{place}: too long"] * (len(value) > schema.get("maxLength", len(value)))
            found += [f"{place}: {value}"] * (re.search(schema.get("pattern", ""), value) is None)
        case int() | float():
            is_within = schema.get("minimum", value) <= value <= schema.get("maximum", value)
            found += [] if is_within and value > schema.get("exclusiveMinimum", value - 1) else [f"{place}: {value}"]
    return found


def _is_one_of(value: object, kinds: str | list[str]) -> bool:
    return any(isinstance(value, KINDS[kind]) for kind in ([kinds] if isinstance(kinds, str) else kinds))


def _mistakes_of_parts(value: dict[str, Any], schema: Any, place: str) -> list[str]:
    parts = schema["properties"]
    found = [f"{place} lacks {name}" for name in schema.get("required", []) if name not in value]
    if "anyOf" in schema and not any(set(choice["required"]) <= value.keys() for choice in schema["anyOf"]):
        found.append(f"{place} lacks one of several")
    if schema.get("additionalProperties") is False:
        found += [f"{place}.{name} is unknown" for name in value.keys() - parts.keys()]
    for name in value.keys() & parts.keys():
        found += mistakes(value[name], parts[name], f"{place}.{name}")
    return found


def test_what_ships_is_as_the_schema_says() -> None:
    shipped = json.loads(shipped_pairs_path().read_text(encoding="utf-8"))
    assert mistakes(shipped, SCHEMA) == []
    assert len(shipped["pairs"]) > 20


@pytest.mark.parametrize(
    "spoilt",
    [
        {"version": 2, "pairs": []},
        {"version": 1},
        {"version": 1, "pairs": [{"target": {"repo": "a/b"}}]},
        {"version": 1, "pairs": [{"target": {"repo": "a/b"}, "draft": {"repo": "b"}}]},
        {"version": 1, "pairs": [{"target": {"repo": "a/b"}, "draft": {"name": "b"}}]},
        {"version": 1, "pairs": [{"target": {"repo": "a/b"}, "draft": {"repo": "a/c"}, "acceptance": 0}]},
        {"version": 1, "pairs": [{"target": {"repo": "a/b"}, "draft": {"repo": "a/c"}, "remark": "nice"}]},
        {"version": 1, "pairs": [{"target": {"repo": "a/b", "size": 1}, "draft": {"repo": "a/c"}}]},
    ],
)
def test_the_schema_refuses(spoilt: dict[str, Any]) -> None:
    assert mistakes(spoilt, SCHEMA)


def test_the_schema_names_what_the_program_reads() -> None:
    properties = {name: set(part["properties"]) for name, part in SCHEMA["$defs"].items()}
    assert properties["model"] == set(KnownModel.__dataclass_fields__)
    assert properties["pair"] == set(KnownPair.__dataclass_fields__) - {"own"}
    assert SCHEMA["$defs"]["pair"]["properties"]["remark"]["enum"] == list(Remark)


def test_pairs_that_ship(known: KnownPairs) -> None:
    pairs = known.pairs()
    assert len({pair.key for pair in pairs}) == len(pairs)
    assert not any(pair.own for pair in pairs)
    for pair in pairs:
        sizes = pair.target.parameters, pair.draft.parameters
        assert sizes[0] > 3 * sizes[1] > 0
        assert pair.target.name
        assert pair.draft.name
        assert all((model.active_parameters or 0) < model.parameters for model in (pair.target, pair.draft))


@pytest.mark.parametrize(
    ("reference", "name"),
    [
        ("bartowski/Meta-Llama-3.1-8B-Instruct-GGUF:Meta-Llama-3.1-8B-Instruct-Q5_K_M.gguf", ""),
        ("BARTOWSKI/meta-llama-3.1-8b-instruct-gguf:whatever.gguf", ""),
        ("/hub/models--bartowski--Meta-Llama-3.1-8B-Instruct-GGUF/snapshots/0/x.gguf", ""),
        ("/home/me/Llama-3.1-8B-Instruct-UD-Q4_K_XL.gguf", ""),
        ("/ollama/blobs/sha256-0123", "Meta Llama 3.1 8B Instruct"),
    ],
)
def test_a_target_is_recognised(known: KnownPairs, reference: str, name: str) -> None:
    (pair,) = known.drafts_for(reference, name)
    assert pair.draft.reference == "bartowski/Llama-3.2-1B-Instruct-GGUF:Llama-3.2-1B-Instruct-Q4_K_M.gguf"


@pytest.mark.parametrize("reference", ["/models/Llama-3.1-8B-Q4_K_M.gguf", "demo", "model.gguf", "a/b:c.gguf", ""])
def test_others_are_not(known: KnownPairs, reference: str) -> None:
    assert known.drafts_for(reference) == []


def test_of_a_repository_with_both_the_file_counts(known: KnownPairs) -> None:
    repo = "ggml-org/Qwen2.5-Coder-1.5B-32B-speculative-GGUF"
    assert len(known.drafts_for(f"{repo}:qwen2.5-coder-32b-instruct-q4_k_m.gguf")) == 1
    assert known.drafts_for(f"{repo}:qwen2.5-coder-1.5b-instruct-q4_k_m.gguf") == []


def test_what_is_said_of_a_pair(known: KnownPairs) -> None:
    said = {str(pair.remark_text) for pair in known.pairs()}
    assert said == {
        "None",
        "The draft was trained for this target.",
        "For code completion in editors. Not trained to chat.",
    }
    assert replace(OWN, note="{name} % of it").remark_text == "{name} % of it"


# The user's own


def test_own_pairs_come_first_and_stay(known: KnownPairs, tmp_path: Path) -> None:
    known.add(OWN)
    file = tmp_path / "known-pairs.json"
    again = KnownPairs(shipped_pairs_path(), JsonFile(file))
    assert again.pairs()[0] == known.pairs()[0] == OWN
    assert again.drafts_for("somewhere/Sea-8B.gguf") == [OWN]
    written = json.loads(file.read_text(encoding="utf-8"))
    assert mistakes(written, SCHEMA) == []
    assert written["pairs"][0]["target"] == {"repo": "me/Sea-8B-GGUF", "name": "Sea 8B", "parameters": 8_000_000_000}
    again.remove(OWN)
    assert not any(pair.own for pair in again.pairs())


def test_an_own_pair_replaces_the_same_before(known: KnownPairs) -> None:
    shipped = known.pairs()[0]
    count = len(known.pairs())
    known.add(replace(shipped, acceptance=0.5))
    known.add(replace(shipped, acceptance=0.6))
    assert (known.pairs()[0].acceptance, known.pairs()[0].own) == (0.6, True)
    assert len(known.pairs()) == count
    known.remove(shipped)
    assert sorted(known.pairs(), key=lambda pair: pair.key)[0].own is False
    known.remove(shipped)
    assert len(known.pairs()) == count


def test_files_of_ones_own(known: KnownPairs, tmp_path: Path) -> None:
    target, draft = (str(tmp_path / name) for name in ("sea.gguf", "drop.gguf"))
    known.add(KnownPair(make_known_model(target), make_known_model(f"a/b:{'c.gguf'}", "C", 5, "Q8_0")))
    known.add(KnownPair(make_known_model("a/b:c.gguf"), make_known_model(draft)))
    (pair,) = known.drafts_for(target)
    assert pair.draft == KnownModel("a/b", "c.gguf", "C", 5, quantization="Q8_0")
    assert [pair.draft.reference for pair in known.drafts_for("a/b:c.gguf")] == [draft]


@pytest.mark.parametrize(
    "spoilt",
    [
        replace(OWN, draft=OWN.target),
        replace(OWN, acceptance=1.5),
        replace(OWN, note="a\nb"),
        replace(OWN, note="a" * 301),
        replace(OWN, draft=KnownModel("no-owner")),
        replace(OWN, draft=KnownModel()),
        replace(OWN, draft=KnownModel("a/b", "weights.bin")),
        replace(OWN, draft=replace(OWN.draft, parameters=-1)),
        replace(OWN, draft=replace(OWN.draft, active_parameters=10**15)),
        replace(OWN, draft=replace(OWN.draft, name="\x1b[2J")),
    ],
)
def test_what_cannot_be_a_pair_is_refused(known: KnownPairs, tmp_path: Path, spoilt: KnownPair) -> None:
    with pytest.raises(SettingError):
        known.add(spoilt)
    assert not (tmp_path / "known-pairs.json").exists()


def test_there_is_an_end_to_the_list(known: KnownPairs, tmp_path: Path) -> None:
    pairs = [{"target": {"repo": f"a/t{i}"}, "draft": {"repo": f"a/d{i}"}} for i in range(500)]
    (tmp_path / "known-pairs.json").write_text(json.dumps({"version": 1, "pairs": pairs}))
    with pytest.raises(SettingError, match="500 pairs"):
        known.add(OWN)
    known.remove(known.pairs()[7])
    known.add(OWN)
    assert sum(pair.own for pair in known.pairs()) == 500


@pytest.mark.parametrize(
    "content",
    [
        "{",
        "[]",
        '{"pairs": 5}',
        '{"pairs": [5]}',
        '{"pairs": [{"target": {"repo": "a/b"}}]}',
        '{"pairs": [{"target": {"repo": "a/b"}, "draft": {"repo": "../.."}, "acceptance": 2}]}',
        '{"pairs": [{"target": {"repo": "a/b"}, "draft": {"repo": 7}}]}',
        '{"pairs": [{"target": {"repo": "a/b"}, "draft": {"repo": "a/c"}, "remark": "nice"}]}',
    ],
)
def test_a_damaged_list_is_kept_aside(
    known: KnownPairs, tmp_path: Path, content: str, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "known-pairs.json").write_text(content)
    with caplog.at_level(logging.WARNING):
        assert not any(pair.own for pair in known.pairs())
    assert "known-pairs.damaged.json" in caplog.text
    assert (tmp_path / "known-pairs.damaged.json").read_text() == content
    known.add(OWN)
    assert known.pairs()[0] == OWN


@pytest.mark.parametrize("content", [None, "{", '{"pairs": [1]}'])
def test_an_installation_without_its_list(tmp_path: Path, content: str | None) -> None:
    shipped = tmp_path / "shipped.json"
    if content is not None:
        shipped.write_text(content)
    known = KnownPairs(shipped, JsonFile(tmp_path / "own.json"))
    known.add(OWN)
    assert known.pairs() == [OWN]
