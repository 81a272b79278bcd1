"""A real model with a vision encoder, shown a picture in the window."""

from pathlib import Path

import pytest
from support.choices import choice_of
from support.desks import Person
from support.pictures import picture
from support.projectors import LLAVA

from specchat.domain.types import ModelSettings, PairChoice


@pytest.fixture
def choice(tmp_path: Path) -> PairChoice:
    target, _ = LLAVA.make(tmp_path / "seeing")
    return choice_of(target, None, ModelSettings(n_ctx=1024, threads=1), draft_type="none")


def test_it_answers_what_it_sees(person: Person, tmp_path: Path) -> None:
    seen = picture(width=60, height=40)
    (tmp_path / seen.name).write_bytes(seen.content)
    person.keep_short(8)
    person.window.composer.attaching.load_files([tmp_path / seen.name])
    person.qtbot.waitUntil(lambda: person.window.composer.attachments == (seen,))
    answer = person.ask("What is there?")
    with_picture = person.controller.services.messages.answer(answer.id)
    assert with_picture is not None
    assert with_picture.stats.n_generated == 8
    answer = person.ask("And now?")
    later = person.controller.services.messages.answer(answer.id)
    assert later is not None
    assert later.stats.n_prompt_reused >= with_picture.stats.n_prompt, "the picture is not read again"
