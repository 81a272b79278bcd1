"""Documents of all kinds, cut off and with bytes changed: each is read, or there is a reason why not."""

import random
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from support.documents import make_docx, make_epub, make_odt, make_pdf, make_xlsx, write_file

from specchat.backends.child import Child, child_command

WORDS = "Some words that are about as long as words usually are. " * 8
MAKERS: dict[str, Callable[[], bytes]] = {
    "pdf": lambda: make_pdf([WORDS] * 5),
    "docx": lambda: make_docx([("berschrift1", "Results"), *[WORDS] * 20], [["a", "b"], ["1", "2"]]),
    "odt": lambda: make_odt(f"<text:h>Results</text:h><text:p>{WORDS}</text:p>" * 10),
    "xlsx": lambda: make_xlsx({"One": '<row><c t="s"><v>0</v></c><c><v>1</v></c></row>' * 20}, [f"<t>{WORDS}</t>"]),
    "epub": lambda: make_epub([f"<h1>One</h1><p>{WORDS}</p>"] * 5),
    "html": lambda: f"<html><body><h1>One</h1><table><tr><td>{WORDS}</table><pre>{WORDS}</pre>".encode(),
    "table": lambda: ("a,b\n" + f'1,"{WORDS}"\n' * 20).encode(),
}


@pytest.fixture(scope="module")
def child() -> Iterator[Child]:
    with closing(Child(child_command("document"), memory=512 << 20)) as made:
        yield made


@pytest.mark.parametrize("kind", MAKERS)
def test_damage_has_a_reason(tmp_path: Path, child: Child, kind: str) -> None:
    rng, whole = random.Random(kind), MAKERS[kind]()
    damaged = [whole[: len(whole) * part // 7] for part in range(1, 7)]
    for n_changed in (1, 1, 3, 10, 30, 100):
        changed = bytearray(whole)
        for _ in range(n_changed):
            changed[rng.randrange(len(changed))] = rng.randrange(256)
        damaged.append(bytes(changed))
    for content in damaged:
        path = write_file(tmp_path / "file", content)
        reply = child.request({"path": str(path), "kind": kind}, seconds=20.0, patience=3.0)
        assert reply.keys() <= {"text", "fault", "values"}
        assert reply.get("text") or reply["fault"]
