"""Documents that pandoc converts from Markdown."""

# ruff: noqa: E501

import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

from support.pictures import png
from support.real_documents.samples import (
    Make,
    trees,
)

MARKDOWN = """# The efficient office

The **af**fluent staff found five difficult waffles[^one] at the fjord flow; 3.5 % were "offline".

Naïve Größe, façade & señor: l'œuvre coûte 12,50 €.

## Lists

- Assam
- Ceylon
    - Nuwara
    - Dimbula

1. boil
2. pour

Term
:   its definition

> quoted words

``` python
def steep(minutes):
    return minutes
```

| Tea | Price |
| --- | ---: |
| Darjeeling | 4.20 |
| Sencha green | 5.80 |

Inline $x^2$ math and ~~struck~~ H~2~O, `code words`, [linked words](https://example.org/).

![picture caption](p.png)

[^one]: Foot remark
"""
MARKDOWN_TEXT = (
    "The efficient office The affluent staff found five difficult waffles at the fjord flow; 3.5 % were offline. Naïve Größe, "
    "façade & señor: l’œuvre coûte 12,50 €. Lists Assam Ceylon Nuwara Dimbula boil pour Term its definition quoted words "
    "def steep(minutes): return minutes Tea Price Darjeeling 4.20 Sencha green 5.80 Inline x2 math and struck H2O, code words, "
    "linked words. picture caption Foot remark"
)
PANDOC_CHANGES = (
    'Kept [inserted]{.insertion author="A" date="2026-01-01T00:00:00Z"} [deletedword]{.deletion author="A" date="2026-01-01T00:00:00Z"} words '
    '[Doubtful remark]{.comment-start id="1" author="C" date="2026-01-01T00:00:00Z"}remain[]{.comment-end id="1"}.\n'
)
CHAPTERS = "".join(f"# Chapter{n}\n\n" + "\n\n".join(trees(3 * n - 2, 3 * n)) + "\n\n" for n in range(1, 6))
CJK_MARKDOWN = (
    "# 第一章\n\n北京是中华人民共和国的首都。\n\n東京タワーは[とても]{.underline}高いです。\n\n# 第二章\n\n終わり。\n"
)


def pandoc(source: str, put_in: str, *arguments: str) -> Make:
    def make(path: Path) -> str:
        with TemporaryDirectory() as folder:
            Path(folder, "p.png").write_bytes(png())
            Path(folder, "s.md").write_text(source, "utf-8")
            command = ["pandoc", "s.md", "-s", "--metadata", "title=Titled", *arguments, "-o", str(path.absolute())]
            subprocess.run(command, check=True, capture_output=True, cwd=folder, timeout=300)
        return put_in

    return make
