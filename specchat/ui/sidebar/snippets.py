"""Builds the one-line snippets of search hits, without markup."""

import re
from dataclasses import dataclass
from functools import lru_cache

from specchat.domain.conversations import SearchHit
from specchat.services.answers.reasoning import EDGE_MARKER_PATTERN
from specchat.ui.transcript.markdown import LineBuilder
from specchat.ui.transcript.markdown_parser import References, block_tokens
from specchat.ui.transcript.rendered_lines import RenderedLine, clean_text

BEFORE_SEEN, BEFORE_HEARD = 12, 60
"""Characters before the first match."""
_LONGEST = 200
_REASONING = re.compile(EDGE_MARKER_PATTERN, re.MULTILINE | re.IGNORECASE)
_TO_SPACES = str.maketrans("\n\r\t\u2028\u2029", " " * 5)


@dataclass(frozen=True, slots=True)
class Snippet:
    text: str
    matches: tuple[tuple[int, int], ...] = ()


@lru_cache(maxsize=256)
def build_snippet(hit: SearchHit, before: int = BEFORE_SEEN) -> Snippet:
    """Builds a snippet that shows the first match."""
    if hit.message is None:
        return Snippet((hit.snippet or hit.title).translate(_TO_SPACES), hit.matches)
    whole = _without_markup(hit)
    first = min((start for start, _ in whole.matches), default=0)
    begin = _word_start(whole.text, first - before, before)
    end = len(whole.text)
    if end - begin > _LONGEST:
        end = max(whole.text.rfind(" ", begin, begin + _LONGEST), begin + _LONGEST // 2)
    opening, closing = "…" if begin else "", "…" if end < len(whole.text) else ""
    shift = len(opening) - begin
    matches = ((start + shift, stop + shift) for start, stop in whole.matches if start >= begin and stop <= end)
    return Snippet(opening + whole.text[begin:end] + closing, tuple(matches))


def _without_markup(hit: SearchHit) -> Snippet:
    source = _REASONING.sub(lambda tag: "\n" * len(tag[0]), clean_text(hit.snippet))
    references: References = {}
    tokens = block_tokens(source, references)
    text, matches = "", []
    for line in LineBuilder(source, 0, references, None).build_lines(tokens):
        line = _with_latex(line, source)
        words = line.text.strip()
        if words:
            shift = len(text) - line.text.index(words)
            shown = filter(None, (line.visible_range(start, end) for start, end in hit.matches))
            matches += [(start + shift, end + shift) for start, end in shown]
            text += words + " "
    text = text.translate(_TO_SPACES).rstrip()
    if not text:  # such as the definition of a link
        text = " ".join(source[start:end] for start, end in hit.matches)
    return Snippet(text, tuple(matches))


def _with_latex(line: RenderedLine, source: str) -> RenderedLine:
    """Shows formulas as LaTeX."""
    if not line.has_drawn_formula:
        return line
    written = RenderedLine()
    for run in line.runs:
        if run.style.formula is not None:
            written.append_text(source[run.source : run.source_end].replace("\n", " "), run.source)
        else:
            length = None if run.literal else run.source_end - run.source
            written.append_text(line.run_text(run), run.source, length=length)
    return written


def _word_start(text: str, at: int, within: int) -> int:
    if at <= 0:
        return 0
    space = text.find(" ", at, at + within)
    return at if space < 0 else space + 1
