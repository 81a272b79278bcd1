from specchat.services.drafts.draft_candidates import DraftCandidate, ModelLocation, SpeedupEstimate
from specchat.services.drafts.ranking import rank_candidates
from specchat.services.models.pair_fit import DraftVerdict, Fit

TARGET_SIZE = 1000


def candidate(name: str, size: int, speedup: float, *, measured: bool = False, left: int = 0) -> DraftCandidate:
    expected = SpeedupEstimate(speedup, 4, 0.7, is_known=False, measured=measured)
    return DraftCandidate(
        name, name, size, "Q8_0", ModelLocation.HERE, False, DraftVerdict.IDENTICAL, "", expected, Fit.FITS, left
    )


def ranked(*candidates: DraftCandidate) -> list[str]:
    return [each.name for each in rank_candidates(candidates, TARGET_SIZE)]


def test_equal_estimates_are_ranked_by_size_as_in_the_picker() -> None:
    """About a tenth of the target's is best."""
    assert ranked(
        candidate("a half", 500, 1.83, left=3), candidate("tiny", 1, 1.8, left=4), candidate("a tenth", 110, 1.78)
    ) == ["a tenth", "a half", "tiny"]


def test_what_was_measured_is_ranked_more_finely() -> None:
    assert ranked(candidate("a tenth", 100, 1.78, measured=True), candidate("a half", 500, 1.83, measured=True)) == [
        "a half",
        "a tenth",
    ]
