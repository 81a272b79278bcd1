"""Applies the exact-mode default to pairs loaded outside the picker; draft length is per pair."""

from dataclasses import replace

from specchat.domain.types import PairChoice
from specchat.services.models.demo_pair import DEMO_GUESSES, demo_choice, is_demo


def with_default_settings(choice: PairChoice, usual: PairChoice | None) -> PairChoice:
    """`usual`: what was used last. The demo goes its own way, to show what it is for."""
    if is_demo(choice.target):
        return replace(choice, draft_max=DEMO_GUESSES if choice.draft_max is None else choice.draft_max)
    if usual is None or usual == demo_choice():  # which nobody wished for
        return choice
    exact = usual.target_settings.exact
    return replace(
        choice,
        target_settings=replace(choice.target_settings, exact=exact),
        draft_settings=replace(choice.draft_settings, exact=exact),
    )
