import json
from collections import Counter
from difflib import SequenceMatcher
from pathlib import Path

import contents
import pytest

from specchat.domain.errors import SettingError
from specchat.services.bench.workloads import workload_names, workload_prompts
from specchat.services.program.resources import resources

REFERENCES = Path(__file__).parents[2] / "benchmarks" / "references.jsonl"
EACH = 8


def test_what_ships() -> None:
    assert workload_names() == ("chat", "code", "edit", "quote", "summary", "translate", "maths", "list")
    prompts = workload_prompts(workload_names(), 100)
    assert Counter(prompt.workload for prompt in prompts) == dict.fromkeys(workload_names(), EACH)
    assert len({prompt.text for prompt in prompts}) == len(prompts)
    assert any(prompt.system for prompt in prompts)
    assert all(prompt.text == prompt.text.strip() for prompt in prompts)


def test_texts_are_long_enough_to_be_quoted() -> None:
    for prompt in workload_prompts(["quote", "summary"], EACH):
        assert 200 <= len(prompt.text.split()) <= 550
    for prompt in workload_prompts(["edit"], EACH):
        assert prompt.text.count("```") == 2
        assert 25 <= prompt.text.split("```")[1].count("\n") <= 65


def test_the_first_of_each_in_the_order_asked_for() -> None:
    found = workload_prompts(["maths", "chat", "maths"], 2)
    assert [prompt.workload for prompt in found] == ["maths", "maths", "chat", "chat"]
    assert found[2:] == workload_prompts(["chat"], EACH)[:2]
    assert workload_prompts([], 2) == ()


def test_one_that_there_is_not() -> None:
    with pytest.raises(SettingError) as raised:
        workload_prompts(["chat", "poems"], 1)
    assert raised.value.message == "Unknown workload: poems."
    assert raised.value.hint == f"Available workloads: {', '.join(workload_names())}."


def test_the_packaged_program_has_them() -> None:
    file = resources() / "workloads.jsonl"
    assert (str(file), str(Path("specchat/resources"))) in contents.resources(resources().parent)


def test_ideal_answers_copy_most_of_their_text_from_the_prompt() -> None:
    """In the order of the prompts, for models that are too small to copy."""
    references = [json.loads(line) for line in REFERENCES.read_text(encoding="utf-8").splitlines()]
    prompts = workload_prompts(["edit", "quote"], EACH)
    assert [each["workload"] for each in references] == [prompt.workload for prompt in prompts]
    for prompt, each in zip(prompts, references, strict=True):
        said, answer = prompt.text.split(), each["reference"].split()
        blocks = SequenceMatcher(None, said, answer, autojunk=False).get_matching_blocks()
        assert sum(block.size for block in blocks) > len(answer) / 2
