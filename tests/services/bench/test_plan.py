"""Which ways are compared, and what is loaded for them."""

from dataclasses import replace
from pathlib import Path

import pytest
from support.benches import DRAFT, PROMPTS, TARGET
from support.peer_server import make_server

from specchat.domain.benchmarking import BenchPlan, Way
from specchat.domain.errors import SettingError, UserError
from specchat.services.bench.names import full_name, way_name
from specchat.services.bench.plan import DEFAULT_LENGTHS, find_server, require_usable, resolve_pairs, ways
from specchat.services.bench.room import together
from specchat.services.bench.specs import host_specs, pair_choice
from specchat.services.models.demo_pair import demo_files

SERVER = Path("llama-server")


def names(found: tuple[Way, ...]) -> list[str]:
    return [way_name(way) for way in found]


def test_names() -> None:
    assert names(ways([(TARGET, DRAFT)], DEFAULT_LENGTHS)) == ["plain", "K=2", "K=4", "K=8", "auto"]
    assert names(ways([(TARGET, None)], (4, None))) == ["plain", "ngram K=4", "ngram auto"]
    assert names(ways([(TARGET, DRAFT)], (0, 3), "phrases")) == ["plain", "phrases K=3"]
    assert names(ways([(TARGET, DRAFT)], DEFAULT_LENGTHS, "none")) == ["plain"]
    peers = ["llama-server", "llama-server default", "llama-server K=3"]
    assert names(ways([(TARGET, DRAFT)], (0, 3, None), peer=SERVER)) == ["plain", "K=3", "auto", *peers]
    assert names(ways([(TARGET, None)], (3,), peer=SERVER)) == ["plain", "ngram K=3", "llama-server"]
    assert full_name(Way(TARGET, DRAFT, "auto", 4)) == "up to 4 guesses (target + draft)"


def test_nothing_twice() -> None:
    found = ways([(TARGET, DRAFT), (TARGET, None)], (0, 4), "ngram", SERVER)
    assert names(found) == ["plain", "ngram K=4", "llama-server", "llama-server default", "llama-server K=4"]


def test_the_demo_brings_its_draft_along() -> None:
    target, draft = demo_files()
    assert resolve_pairs(["demo"], []) == [(target, draft)]
    assert resolve_pairs(["demo", "demo-target"], ["none", "demo-draft"]) == [(target, None), (target, draft)] * 2


def test_one_pair_answers_in_all_ways_that_it_can() -> None:
    second = DRAFT.with_name("second.gguf")
    found = ways([(TARGET, DRAFT), (TARGET, second), (TARGET, None)], (2, None), peer=SERVER)
    specs = host_specs(BenchPlan(found, PROMPTS))
    assert [(spec.draft, spec.peer, len(spec.ways)) for spec in specs[:2]] == [(DRAFT, None, 5), (second, None, 2)]
    assert {spec.peer for spec in specs[2:]} == {SERVER}
    assert [len(spec.ways) for spec in specs[2:]] == [1] * 5


@pytest.mark.parametrize(
    ("lengths", "longest"), [((0, 2, 8), 8), ((0, 2, None), None), ((24, None), 24), ((16, None), None), ((0,), 0)]
)
def test_a_pair_has_room_for_its_longest_draft(lengths: tuple[int | None, ...], longest: int | None) -> None:
    plan = BenchPlan(ways([(TARGET, DRAFT)], lengths), PROMPTS, n_ctx=512, threads=3)
    (spec,) = host_specs(plan)
    choice = pair_choice(spec, plan)
    assert choice.draft_max == longest
    assert choice.draft_type == ("none" if lengths == (0,) else "auto")
    assert (choice.target_settings.n_ctx, choice.draft_settings.threads) == (512, 3)


def test_memory_decides_who_is_loaded_together(tmp_path: Path) -> None:
    targets = [tmp_path / f"{number}.gguf" for number in range(3)]
    for target in targets:
        target.write_bytes(b"")
    specs = host_specs(BenchPlan(ways([(target, None) for target in targets], (0,)), PROMPTS))
    assert [len(group) for group in together(specs, 1 << 30)] == [3]
    assert [len(group) for group in together(specs, 600 << 20)] == [2, 1]
    assert [len(group) for group in together(specs, 0)] == [1, 1, 1]


def test_the_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    server = make_server(tmp_path)
    assert find_server(str(server)) == server
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_server(server.name) == server
    with pytest.raises(SettingError, match="There is no nowhere"):
        find_server("nowhere")
    server.chmod(0o644)
    with pytest.raises(SettingError, match="is not a program"):
        find_server(str(server))


def test_what_cannot_be_used(tiny_pair: tuple[Path, Path], tiny_spm: Path) -> None:
    target, draft = tiny_pair
    plan = BenchPlan(ways([(target, draft)], (4,)), PROMPTS)
    require_usable(plan)
    for unusable in (
        replace(plan, prompts=()),
        replace(plan, ways=ways([(target, tiny_spm)], (4,))),
        replace(plan, ways=ways([(target, draft)], (4,), "unheard-of")),
        replace(plan, ways=ways([(target.with_name("absent.gguf"), None)], (4,))),
    ):
        with pytest.raises(UserError):
            require_usable(unusable)
