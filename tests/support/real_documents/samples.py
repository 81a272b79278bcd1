"""What is put into the documents, and the text that is to be found in them."""

# ruff: noqa: E501

import html
import re
from collections.abc import Callable
from pathlib import Path

Make = Callable[[Path], str]
"""Writes the file, and returns what was put in."""

_INLINE = re.compile(r"</?(?:b|i|em|strong|a|span|code|u)\b[^>]*>")
_TAG = re.compile(r"<[^>]*>")

PROSE = (
    "<h1>The efficient office</h1><p>The <b>af</b>fluent staff found five difficult waffles at the "
    "fjord&nbsp;flow; 3.5&nbsp;% were “offline”.</p><p>Naïve Größe, façade &amp; señor: l’œuvre coûte 12,50&nbsp;€ "
    "— that’s <i>well-known</i>.</p><p>Donau&shy;dampf&shy;schiff fährt heute.</p>"
)
LONG = "".join(
    f"<p>Paragraph{n:02} begins with oak{n:02} and elm{n:02}, then ash{n:02} follows yew{n:02} until fir{n:02} ends "
    f"between larch{n:02}, birch{n:02}, alder{n:02}, maple{n:02} or cedar{n:02}.</p>"
    for n in range(1, 31)
)
LISTS = (
    "<h2>Lists</h2><ul><li>Assam</li><li>Ceylon<ul><li>Nuwara</li><li>Dimbula</li></ul></li></ul>"
    "<ol><li>boil</li><li>pour</li><li>wait</li></ol>"
)
TABLE = (
    "<h2>Prices</h2><table border='1'><tr><th>Tea</th><th>Price</th><th>Stock</th></tr>"
    "<tr><td>Darjeeling</td><td>4.20</td><td>17</td></tr><tr><td>Sencha green</td><td>5.80</td><td>9</td></tr>"
    "<tr><td colspan='2'>Keemun total</td><td>26</td></tr></table>"
)
RIGHT_TO_LEFT = (
    "<p dir='rtl'>مرحبا بالعالم هذا نص عربي للاختبار</p><p dir='rtl'>שלום עולם זהו טקסט בעברית</p><p>plain tail</p>"
)
CJK = "<p>北京是中华人民共和国的首都。</p><p>東京タワーはとても高いです。</p><p>한국어 문장 입니다</p>"
RICH = PROSE + LISTS + TABLE + LONG

FORM = (
    "<form><label>Name <input value='Ada'></label><textarea>long answer</textarea><select><option>red<option>blue</select>"
    "<button>Send form</button></form><script>no()</script><details><summary>More</summary>inside</details>"
    "<dl><dt>term</dt><dd>definition</dd></dl><p>H<sub>2</sub>O<wbr>!</p><ruby>漢<rt>かん</rt></ruby>"
)
FORM_TEXT = "Name long answer Send form More inside term definition H2O! 漢 かん"
ROWS = "id;name;price\n" + "".join(f'{n};"tea; {n:03}";{n},50 €\n' for n in range(1, 80))


def plain(markup: str) -> str:
    """The text of such markup; soft hyphens are no part of words."""
    return html.unescape(_TAG.sub(" ", _INLINE.sub("", markup))).replace("\u00ad", "")


def page(body: str, encoding: str = "utf-8", head: str = "") -> str:
    return (
        f"<!DOCTYPE html><html><head><meta charset='{encoding}'>{head}</head>"
        f"<body style='font-family: DejaVu Sans, Droid Sans Fallback'>{body}</body></html>"
    )


def trees(first: int, last: int) -> list[str]:
    return [plain(each).strip() for each in LONG.split("</p>")[first - 1 : last]]


def with_numbers(text: str) -> str:
    return text.replace("boil", "1. boil").replace("pour", "2. pour").replace("wait", "3. wait")
