"""Which methods are compared, and what is loaded for them."""

from dataclasses import replace
from pathlib import Path

import pytest
from support.benches import DRAFT, PROMPTS, TARGET
from support.peer_server import make_server

from specchat.domain.benchmark import BenchMethod, BenchPlan
from specchat.domain.errors import SettingError, UserError
from specchat.services.bench.host_specs import build_host_specs, build_pair_choice
from specchat.services.bench.memory_groups import group_hosts
from specchat.services.bench.method_names import full_method_name, method_name
from specchat.services.bench.plan import DEFAULT_LENGTHS, find_server, plan_methods, require_usable, resolve_pairs
from specchat.services.models.demo_pair import demo_files

SERVER = Path("llama-server")


def names(found: tuple[BenchMethod, ...]) -> list[str]:
    return [method_name(method) for method in found]


def test_names() -> None:
    assert names(plan_methods([(TARGET, DRAFT)], DEFAULT_LENGTHS)) == ["plain", "K=2", "K=4", "K=8", "auto"]
    assert names(plan_methods([(TARGET, None)], (4, None))) == ["plain", "ngram K=4", "ngram auto"]
    assert names(plan_methods([(TARGET, DRAFT)], (0, 3), "phrases")) == ["plain", "phrases K=3"]
    assert names(plan_methods([(TARGET, DRAFT)], DEFAULT_LENGTHS, "none")) == ["plain"]
    found = plan_methods([(TARGET, DRAFT)], (15, None), "lookahead")
    assert names(found) == ["plain", "lookahead K=15", "lookahead auto"]
    assert {method.draft for method in found} == {None}
    peers = ["llama-server", "llama-server default", "llama-server K=3"]
    assert names(plan_methods([(TARGET, DRAFT)], (0, 3, None), peer=SERVER)) == ["plain", "K=3", "auto", *peers]
    assert names(plan_methods([(TARGET, None)], (3,), peer=SERVER)) == ["plain", "ngram K=3", "llama-server"]
    assert full_method_name(BenchMethod(TARGET, DRAFT, "auto", 4)) == "up to 4 guesses (target + draft)"


def test_trees_beside_chains() -> None:
    found = plan_methods([(TARGET, DRAFT)], (4, None), policies=("auto", "chain", "tree"))
    assert names(found) == ["plain", "K=4", "K=4 tree", "auto", "chain"]
    assert full_method_name(found[2]) == "up to 4 guesses, as a tree (target + draft)"
    assert [method.is_offered for method in found] == [True, True, False, True, False]
    (spec,) = build_host_specs(BenchPlan(found[:3], PROMPTS))
    choice = build_pair_choice(spec, BenchPlan(found[:3], PROMPTS))
    assert (choice.draft_max, choice.target_settings.branches) == (8, 8)


def test_auto_makes_trees_by_itself() -> None:
    for policies in (("tree",), ("tree", "auto")):
        assert names(plan_methods([(TARGET, DRAFT)], (None,), policies=policies)) == ["plain", "auto"]
    found = plan_methods([(TARGET, DRAFT)], (4, None), policies=("chain", "tree"))
    assert names(found) == ["plain", "K=4", "K=4 tree", "chain", "auto"]


def test_nothing_twice() -> None:
    found = plan_methods([(TARGET, DRAFT), (TARGET, None)], (0, 4), "ngram", SERVER)
    assert names(found) == ["plain", "ngram K=4", "llama-server", "llama-server default", "llama-server K=4"]


def test_the_demo_brings_its_draft_along() -> None:
    target, draft = demo_files()
    assert resolve_pairs(["demo"], []) == [(target, draft)]
    assert resolve_pairs(["demo", "demo-target"], ["none", "demo-draft"]) == [(target, None), (target, draft)] * 2


def test_one_pair_answers_with_all_methods_that_it_can() -> None:
    second = DRAFT.with_name("second.gguf")
    found = plan_methods([(TARGET, DRAFT), (TARGET, second), (TARGET, None)], (2, None), peer=SERVER)
    specs = build_host_specs(BenchPlan(found, PROMPTS))
    assert [(spec.draft, spec.peer, len(spec.methods)) for spec in specs[:2]] == [(DRAFT, None, 5), (second, None, 2)]
    assert {spec.peer for spec in specs[2:]} == {SERVER}
    assert [len(spec.methods) for spec in specs[2:]] == [1] * 5


@pytest.mark.parametrize(
    ("lengths", "longest"), [((0, 2, 8), 8), ((0, 2, None), None), ((24, None), 24), ((16, None), None), ((0,), 0)]
)
def test_a_pair_has_room_for_its_longest_draft(lengths: tuple[int | None, ...], longest: int | None) -> None:
    plan = BenchPlan(plan_methods([(TARGET, DRAFT)], lengths), PROMPTS, n_ctx=512, threads=3)
    (spec,) = build_host_specs(plan)
    choice = build_pair_choice(spec, plan)
    assert choice.draft_max == longest
    assert choice.draft_type == ("none" if lengths == (0,) else "auto")
    assert (choice.target_settings.n_ctx, choice.draft_settings.threads) == (512, 3)


def test_memory_decides_who_is_loaded_together(tmp_path: Path) -> None:
    targets = [tmp_path / f"{number}.gguf" for number in range(3)]
    for target in targets:
        target.write_bytes(b"")
    specs = build_host_specs(BenchPlan(plan_methods([(target, None) for target in targets], (0,)), PROMPTS))
    assert [len(group) for group in group_hosts(specs, 1 << 30)] == [3]
    assert [len(group) for group in group_hosts(specs, 600 << 20)] == [2, 1]
    assert [len(group) for group in group_hosts(specs, 0)] == [1, 1, 1]


def test_the_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    server = make_server(tmp_path)
    assert find_server(str(server)) == server
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_server(server.name) == server
    with pytest.raises(SettingError, match="Can't find nowhere"):
        find_server("nowhere")
    server.chmod(0o644)
    with pytest.raises(SettingError, match="is not a program"):
        find_server(str(server))


def test_what_cannot_be_used(tiny_pair: tuple[Path, Path], tiny_t5: Path) -> None:
    target, draft = tiny_pair
    plan = BenchPlan(plan_methods([(target, draft)], (4,)), PROMPTS)
    require_usable(plan)
    for unusable in (
        replace(plan, prompts=()),
        replace(plan, methods=plan_methods([(target, tiny_t5)], (4,))),
        replace(plan, methods=plan_methods([(target, draft)], (4,), "unheard-of")),
        replace(plan, methods=plan_methods([(target.with_name("absent.gguf"), None)], (4,))),
    ):
        with pytest.raises(UserError):
            require_usable(unusable)
