from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from services.drafts.finder.finding import MEDIUM, SMALL, TARGET, Bench, Files, names
from support.ggufs import ModelRecipe
from support.heads import make_dflash, make_eagle3
from support.hub import Fault, LocalHub

from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import Cancelled, HubOfflineError
from specchat.services.drafts.draft_candidates import DraftCandidate, ModelLocation
from specchat.services.drafts.draft_facts import read_draft_facts
from specchat.services.drafts.known_pairs import KnownModel, KnownPair, Remark
from specchat.services.models.pair_fit import DraftVerdict, Fit


def test_found_on_the_hub(bench: Bench, local: LocalHub, files: Files) -> None:
    """Once each, whoever published it; neither what is as large as the target nor what has another name."""
    target = bench.here(files(TARGET))

    def publish(repo: str, recipe: ModelRecipe, downloads: int) -> None:
        held: dict[str, Path | bytes] = {"sea-Q8_0.gguf": files(recipe), "mmproj-f16.gguf": b"GGUF"}
        local.add(repo, held, gguf=_said(recipe, files), downloads=downloads)

    publish("copies/Sea-1B-Instruct-GGUF", SMALL, 5)
    publish("someone/Sea-1B-Instruct-GGUF", SMALL, 9)
    publish("someone/Sea-3B-Instruct-GGUF", MEDIUM, 99)
    publish("someone/Sea-8B-Instruct-GGUF", TARGET, 999)
    publish("someone/River-1B-GGUF", SMALL, 999)
    found = bench.find(target)
    assert [draft.reference for draft in found.drafts] == [
        "someone/Sea-1B-Instruct-GGUF:sea-Q8_0.gguf",
        "someone/Sea-3B-Instruct-GGUF:sea-Q8_0.gguf",
    ]
    best = found.drafts[0]
    assert (best.where, best.name, best.size) == (ModelLocation.HUB, "sea-Q8_0", files(SMALL).stat().st_size)
    assert (best.verdict, best.fit, best.known) == (DraftVerdict.IDENTICAL, Fit.FITS, False)


def test_heads_in_the_target_s_own_repository(bench: Bench, local: LocalHub, files: Files, tmp_path: Path) -> None:
    """Judged by their headers, like all others."""
    wide = replace(TARGET, n_embd=2 * TARGET.dims().n_embd)
    heads = {
        "eagle3-sea-Q8_0.gguf": make_eagle3(tmp_path / "eagle3.gguf", TARGET),
        "dflash-sea-Q8_0.gguf": make_dflash(tmp_path / "dflash.gguf", wide),
    }
    repo = "someone/Sea-8B-Instruct-GGUF"
    local.add(repo, {"sea-Q8_0.gguf": files(TARGET), **heads}, gguf=_said(TARGET, files))
    found = {draft.reference: draft for draft in bench.find(f"{repo}:sea-Q8_0.gguf").drafts}
    eagle3, dflash = (found[f"{repo}:{name}"] for name in heads)
    assert eagle3.verdict is DraftVerdict.IDENTICAL
    assert "made for this target" in eagle3.reason
    assert dflash.verdict is DraftVerdict.INCOMPATIBLE
    assert "hidden size of 256" in dflash.reason


def _said(recipe: ModelRecipe, files: Files) -> dict[str, object]:
    return {"architecture": recipe.arch, "total": read_draft_facts(files(recipe)).side.parameters}


def test_few_requests_and_no_weights(bench: Bench, local: LocalHub, files: Files) -> None:
    target = bench.here(files(TARGET))
    for number in range(40):
        said = _said(SMALL, files)
        local.add(f"someone/Sea-{number + 1}M-GGUF", {f"sea-{number}-Q8_0.gguf": files(SMALL)}, gguf=said)
    found = bench.find(target)
    assert len(found.drafts) == 5
    assert len(local.requests) <= 3 + 5 * 5
    assert local.bytes_sent("/repos/*") < 5 * files(SMALL).stat().st_size / 2 + 5 * 2**17


def test_known_pairs_go_before_a_search(bench: Bench, local: LocalHub, files: Files) -> None:
    """What was published of a pair counts, and another quantisation of what is here is not offered."""
    target = bench.here(files(TARGET))
    local.add("lake/Drop-GGUF", {"drop-Q4_0.gguf": files(MEDIUM), "drop-Q8_0.gguf": files(SMALL)})
    draft = KnownModel("lake/Drop-GGUF", "drop-Q8_0.gguf", "Drop")
    target_model = KnownModel("someone/Sea-8B-Instruct-GGUF")
    bench.known.add(KnownPair(target_model, draft, acceptance=0.9))
    bench.known.add(KnownPair(target_model, KnownModel("gone/Gone-GGUF"), remark=Remark.MADE_FOR_IT))
    bench.known.add(KnownPair(target_model, KnownModel("someone/Sea-1B-Instruct-GGUF")))
    bench.here(files(SMALL))
    here, remote = sorted(bench.find(target).drafts, key=lambda draft: draft.where)
    assert (here.name, here.where, here.known) == ("Sea 1B Instruct", ModelLocation.HERE, True)
    assert (remote.name, remote.where, remote.known) == ("Drop", ModelLocation.HUB, True)
    assert remote.expected is not None
    assert (remote.expected.acceptance, remote.expected.is_known) == (0.9, True)
    assert "same vocabulary, 90 % accepted. Run a benchmark" in remote.reason
    assert not any("Sea-1B" in request.path for request in local.requests)


def test_a_draft_made_for_the_target(bench: Bench, local: LocalHub, files: Files) -> None:
    target = bench.here(files(TARGET))
    local.add("sea/Sea-DRAFT-GGUF", {"draft.gguf": files(SMALL)})
    made = KnownPair(KnownModel("sea/Sea-8B-Instruct"), KnownModel("sea/Sea-DRAFT-GGUF"), remark=Remark.MADE_FOR_IT)
    bench.known.add(made)
    (draft,) = bench.find(target).drafts
    assert "(made for this target)" in draft.reason


def test_what_is_here_comes_first_and_grows(bench: Bench, local: LocalHub, files: Files) -> None:
    target = bench.here(files(TARGET))
    bench.here(files(MEDIUM))
    local.add("someone/Sea-1B-GGUF", {"sea-Q8_0.gguf": files(SMALL)}, gguf=_said(SMALL, files))
    heard: list[Sequence[DraftCandidate]] = []
    asked: list[int] = []

    def hear(candidates: Sequence[DraftCandidate]) -> None:
        heard.append(candidates)
        asked.append(len(local.requests))

    found = bench.find(target, hear)
    assert [len(each) for each in heard] == [1, 1, 2]
    assert [each[0].fit for each in heard] == [None, Fit.FITS, Fit.FITS]
    assert asked[:2] == [0, 0]
    assert tuple(heard[-1]) == found.drafts
    assert names(found) == ["sea-Q8_0", "Sea 3B Instruct"]


def test_a_target_on_the_hub(bench: Bench, local: LocalHub, files: Files) -> None:
    local.add("someone/Sea-8B-Instruct-GGUF", {"sea-8b-Q8_0.gguf": files(TARGET)}, gguf=_said(TARGET, files))
    local.add("someone/Sea-1B-GGUF", {"sea-Q8_0.gguf": files(SMALL)}, gguf=_said(SMALL, files))
    bench.here(files(MEDIUM))
    found = bench.find("someone/Sea-8B-Instruct-GGUF:sea-8b-Q8_0.gguf")
    assert names(found) == ["sea-Q8_0", "Sea 3B Instruct"]
    assert all(draft.fit is Fit.FITS for draft in found.drafts)
    assert local.bytes_sent("/repos/*") < files(TARGET).stat().st_size


def test_one_repository_with_target_and_draft(bench: Bench, local: LocalHub, files: Files) -> None:
    held = {"sea-8b-Q8_0.gguf": files(TARGET), "sea-1b-Q8_0.gguf": files(SMALL)}
    local.add("someone/Sea-pair-GGUF", held)
    target, draft = (KnownModel("someone/Sea-pair-GGUF", name) for name in held)
    bench.known.add(KnownPair(target, draft))
    (found,) = bench.find(target.reference).drafts
    assert found.reference == draft.reference
    assert bench.find(draft.reference).drafts == ()


def test_without_the_hub(bench: Bench, files: Files) -> None:
    target = bench.here(files(TARGET))
    bench.here(files(SMALL))
    bench.endpoint = "http://127.0.0.1:9"
    found = bench.find(target)
    assert names(found) == ["Sea 1B Instruct"]
    assert found.hub_problem == "Couldn't query the Hub: Can't reach 127.0.0.1."
    with pytest.raises(HubOfflineError):
        bench.find("someone/sea:sea.gguf")


def test_a_hub_in_trouble(bench: Bench, local: LocalHub, files: Files) -> None:
    target = bench.here(files(TARGET))
    local.add("someone/Sea-1B-GGUF", {"sea-Q8_0.gguf": files(SMALL)}, gguf=_said(SMALL, files))
    local.fault("/api/models/*", Fault(status=503), times=None)
    found = bench.find(target)
    assert found.drafts == ()
    assert found.hub_problem is not None
    assert "(error 503)" in found.hub_problem


def test_drafts_that_may_not_be_read(bench: Bench, local: LocalHub, files: Files) -> None:
    target = bench.here(files(TARGET))
    said = _said(SMALL, files)
    local.add("someone/Sea-1B-GGUF", {"sea-Q8_0.gguf": files(SMALL)}, gguf=said, gating="auto")
    local.add("someone/Sea-2B-GGUF", {"sea-Q8_0.gguf": b"<html>Please log in</html>"}, gguf=said)
    found = bench.find(target)
    reasons = {draft.reference.partition(":")[0]: (draft.verdict, draft.reason) for draft in found.drafts}
    gated = "someone/Sea-1B-GGUF is not public, and no Hugging Face access token is set."
    assert reasons["someone/Sea-1B-GGUF"] == (DraftVerdict.UNUSABLE, gated)
    assert "web page" in reasons["someone/Sea-2B-GGUF"][1]
    assert found.hub_problem is None


def test_cancelling(bench: Bench, local: LocalHub, files: Files) -> None:
    target = bench.here(files(TARGET))
    bench.here(files(SMALL))
    cancel = CancelToken()
    with pytest.raises(Cancelled):
        bench.finder.find(str(target), cancel, lambda candidates: cancel.cancel())
    assert local.requests == []
