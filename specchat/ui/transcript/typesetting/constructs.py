"""Handlers for LaTeX commands that arrange their arguments."""

import re
from collections.abc import Callable

from specchat.ui.transcript.tex import symbols
from specchat.ui.transcript.typesetting import arrangements
from specchat.ui.transcript.typesetting.alphabets import ALPHABETS
from specchat.ui.transcript.typesetting.arrangements import Source
from specchat.ui.transcript.typesetting.atoms import THICK, Atom, Kind, Style
from specchat.ui.transcript.typesetting.boxes import Box, line_up, space, stretched
from specchat.ui.transcript.typesetting.environments import read_environment, read_stack
from specchat.ui.transcript.typesetting.formula_setter import (
    FormulaSetter,
    UnknownLatexError,
    enclosed,
    text_box,
    words_box,
)
from specchat.ui.transcript.typesetting.math_font import EM

Handler = Callable[[FormulaSetter, Style, str, Source], Atom | None]
_BIG = {"big": 1.15, "Big": 1.65, "bigg": 2.35, "Bigg": 2.85}
_BIG_NAME = re.compile(r"([bB]igg?)([lrm]?)")
_BIG_KINDS = {"l": Kind.OPEN, "r": Kind.CLOSE, "m": Kind.RELATION, "": Kind.ORDINARY}
_KINDS = {"mathop": Kind.OPERATOR, "mathbin": Kind.BINARY, "mathrel": Kind.RELATION, "mathopen": Kind.OPEN}
_KINDS |= {"mathclose": Kind.CLOSE, "mathpunct": Kind.PUNCTUATION, "mathinner": Kind.INNER, "mathord": Kind.ORDINARY}
_WIDE = {"widehat": "hat", "widetilde": "tilde", "widecheck": "check"}
_OVER = {"overrightarrow": "→", "overleftarrow": "←", "overleftrightarrow": "↔", "overbrace": "⏞"}
_UNDER = {"underbrace": "⏟", "underrightarrow": "→", "underleftarrow": "←"}
_ARROWS = {"xrightarrow": "→", "xleftarrow": "←", "xleftrightarrow": "↔", "xRightarrow": "⇒", "xmapsto": "↦"}
_LENGTH = re.compile(r"(-?\d*\.?\d+)\s*(em|ex|pt|mu|cm|mm|in|px)")
_UNITS = {"em": 1.0, "ex": 0.45, "pt": 0.1, "mu": 1 / 18, "cm": 2.8, "mm": 0.28, "in": 7.2, "px": 0.07}
_WIDEST_SPACE = 10.0
_REACTIONS = {
    "->": r"\longrightarrow ",
    "<=>": r"\rightleftharpoons ",
    "<->": r"\leftrightarrow ",
    "<-": r"\leftarrow ",
}
_CHEMICAL = re.compile(
    r"(?P<arrow><=>|<->|->|<-)|(?P<charge>\^(?:\{[\d+-]+\}|\d*[+-]))|(?P<below>_\{?\d+\}?)"
    r"|(?P<after>(?<=[A-Za-z)\]])\d+)|(?P<sign>(?<=[A-Za-z\d)\]])[+-](?=\s|$))|(?P<word>[A-Za-z]+)|(?P<number>\d+)"
    r"|(?P<plus>[+=])|(?P<other>[()\[\].,*/ ])"
)


def _fraction(setter: FormulaSetter, style: Style, name: str, source: Source) -> Atom:
    style = {"dfrac": Style.DISPLAY, "cfrac": Style.DISPLAY, "tfrac": Style.TEXT}.get(name, style)
    above, below = setter.read_argument(style.in_fraction), setter.read_argument(style.in_fraction)
    return Atom(Kind.ORDINARY, arrangements.fraction(above, below, style))


def _binomial(setter: FormulaSetter, style: Style, name: str, source: Source) -> Atom:
    style = {"dbinom": Style.DISPLAY, "tbinom": Style.TEXT}.get(name, style)
    above, below = setter.read_argument(style.in_fraction), setter.read_argument(style.in_fraction)
    inside = arrangements.fraction(above, below, style, line=False)
    return Atom(Kind.ORDINARY, enclosed("(", inside, ")", style, (source, source)))


def _root(setter: FormulaSetter, style: Style, name: str, source: Source) -> Atom:
    degree = setter.read_option(Style.SMALLEST)
    return Atom(Kind.ORDINARY, arrangements.root(setter.read_argument(style), degree, style, source))


def _accent(setter: FormulaSetter, style: Style, name: str, source: Source) -> Atom:
    base = setter.read_argument(style)
    if name in ("overline", "underline"):
        return Atom(Kind.ORDINARY, arrangements.overlined(base, style, above=name == "overline"))
    mark = symbols.ACCENTS[_WIDE.get(name, name)]
    return Atom(Kind.ORDINARY, arrangements.accented(base, mark, style, source, wide=name in _WIDE))


def _stretched(setter: FormulaSetter, style: Style, name: str, source: Source) -> Atom:
    mark, above = (_OVER[name], True) if name in _OVER else (_UNDER[name], False)
    box = arrangements.stretched_over(setter.read_argument(style), mark, style, source, above=above)
    return Atom(Kind.ORDINARY, box, limits=name.endswith("brace"))


def _labeled(setter: FormulaSetter, style: Style, name: str, source: Source) -> Atom:
    """Sets `overset` and its like."""
    label, base = setter.read_argument(style.script), setter.read_base(style)
    above, below = (None, label) if name == "underset" else (label, None)
    kind = Kind.RELATION if name == "stackrel" else base.kind
    return Atom(kind, arrangements.with_limits(base.box, above, below, style))


def _arrow(setter: FormulaSetter, style: Style, name: str, source: Source) -> Atom:
    below = setter.read_option(style.script)
    above = setter.read_argument(style.script)
    return Atom(Kind.RELATION, arrangements.labeled_arrow(_ARROWS[name], above, below, style, source))


def _words(setter: FormulaSetter, style: Style, name: str, source: Source) -> Atom:
    begin, end = setter.skip_argument()
    alphabet = {"textbf": "bold", "textit": "italic", "emph": "italic", "texttt": "mono"}.get(name, "")
    return Atom(Kind.ORDINARY, text_box(setter, begin, end, style, alphabet))


def _operator(setter: FormulaSetter, style: Style, name: str, source: Source) -> Atom:
    words, place = setter.read_words()
    words = words.replace("\\,", "\u2009").replace("\\ ", " ")
    if "\\" in words or "{" in words:
        raise UnknownLatexError("a command within a name")
    limits = name.endswith("*") and style is Style.DISPLAY
    return Atom(Kind.OPERATOR, words_box(words.replace("-", "‐"), style, place), limits)


def _alphabet(setter: FormulaSetter, style: Style, name: str, source: Source) -> Atom:
    before, setter.alphabet = setter.alphabet, ALPHABETS[name]
    box = setter.read_argument(style)
    setter.alphabet = before
    return Atom(Kind.ORDINARY, box)


def _fenced(setter: FormulaSetter, style: Style, name: str, source: Source) -> Atom:
    return setter.read_fenced(style, source)


def _middle(setter: FormulaSetter, style: Style, name: str, source: Source) -> Atom:
    sign = setter.read_delimiter()
    return Atom(Kind.RELATION, setter.symbol(sign, style, source) if sign else Box(), delimiter=sign)


def _big(setter: FormulaSetter, style: Style, name: str, source: Source) -> Atom:
    found = _BIG_NAME.fullmatch(name)
    assert found
    sign = setter.read_delimiter()
    box = stretched(sign, _BIG[found[1]] * EM * style.scale, style.scale, source) if sign else Box()
    return Atom(_BIG_KINDS[found[2]], arrangements.on_axis(box, style))


def _negated(setter: FormulaSetter, style: Style, name: str, source: Source) -> Atom:
    atom = setter.read_nucleus(style)
    if atom is None:
        raise UnknownLatexError(name)
    stroke = setter.symbol("/", style, source)
    centre = (atom.box.width - stroke.width) / 2
    parts = line_up([space(centre), stroke, space(centre)])
    return Atom(atom.kind, Box(atom.box.width, atom.box.height, atom.box.depth, [(0, 0, atom.box), (0, 0, parts)]))


def _modulo(setter: FormulaSetter, style: Style, name: str, source: Source) -> Atom:
    """Sets `mod` far apart, and in parentheses but with `mod` itself."""
    inside = setter.read_argument(style)
    gap = space((EM if style is Style.DISPLAY else EM * 8 / 18) * style.scale)
    word = [] if name == "pod" else [words_box("mod", style, source), space(THICK * style.scale)]
    if name == "mod":
        return Atom(Kind.ORDINARY, line_up([gap, *word, inside]))
    signs = [setter.symbol(sign, style, source) for sign in "()"]
    return Atom(Kind.ORDINARY, line_up([gap, signs[0], *word, inside, signs[1]]))


def _boxed(setter: FormulaSetter, style: Style, name: str, source: Source) -> Atom:
    if name == "fbox":
        content = _words(setter, style, name, source).box
    else:
        content = setter.read_argument(Style.DISPLAY if style is Style.DISPLAY else style)
    return Atom(Kind.ORDINARY, arrangements.framed(content, style))


def _phantom(setter: FormulaSetter, style: Style, name: str, source: Source) -> Atom:
    box = setter.read_argument(style)
    width = 0.0 if name == "vphantom" else box.width
    height, depth = (0.0, 0.0) if name == "hphantom" else (box.height, box.depth)
    return Atom(Kind.ORDINARY, Box(width, height, depth))


def _space(setter: FormulaSetter, style: Style, name: str, source: Source) -> Atom:
    words, _ = setter.read_words()
    found = _LENGTH.fullmatch(words.strip())
    if not found:
        raise UnknownLatexError(name)
    length = max(-1.0, min(_WIDEST_SPACE, float(found[1][:8]) * _UNITS[found[2]]))
    return Atom(Kind.SPACE, space(length * EM))


def _tag(setter: FormulaSetter, style: Style, name: str, source: Source) -> Atom:
    words, place = setter.read_words()
    if "\\" in words:
        raise UnknownLatexError(name)
    return Atom(Kind.SPACE, line_up([space(2 * EM), words_box(f"({words.strip()})", style, place)]))


def _left_out(setter: FormulaSetter, style: Style, name: str, source: Source) -> None:
    setter.skip_argument()


def _colored(setter: FormulaSetter, style: Style, name: str, source: Source) -> Atom:
    setter.skip_argument()
    return Atom(Kind.ORDINARY, setter.read_argument(style))


def _kind(setter: FormulaSetter, style: Style, name: str, source: Source) -> Atom:
    kind = _KINDS.get(name, Kind.ORDINARY)
    return Atom(kind, setter.read_argument(style), limits=kind is Kind.OPERATOR and style is Style.DISPLAY)


def _chemistry(setter: FormulaSetter, style: Style, name: str, source: Source) -> Atom:
    words, place = setter.read_words()
    latex, at = "", 0
    for found in _CHEMICAL.finditer(words):
        if found.start() != at:
            break
        at = found.end()
        latex += _chemical(found)
    if at < len(words):
        raise UnknownLatexError("chemistry")
    box = FormulaSetter(latex).read_box((), style)
    return Atom(Kind.ORDINARY, _placed(box, place))


def _chemical(found: re.Match[str]) -> str:
    text = found[0]
    match found.lastgroup:
        case "arrow":
            return _REACTIONS[text]
        case "charge" | "sign":
            return f"^{{{text.strip('^{}')}}}"
        case "below" | "after":
            return f"_{{{text.strip('_{}')}}}"
        case "word":
            return f"\\mathrm{{{text}}}"
        case "other":
            return "" if text == " " else text.replace("*", r"\cdot ")
    return text


def _placed(box: Box, source: Source) -> Box:
    """Makes all of a box come from one place."""
    box.source = source
    for _, _, part in box.parts:
        _placed(part, source)
    return box


def _environment(setter: FormulaSetter, style: Style, name: str, source: Source) -> Atom:
    return read_environment(setter, style, source)


def _stack(setter: FormulaSetter, style: Style, name: str, source: Source) -> Atom:
    setter.expect("{")
    box = read_stack(setter, style)
    setter.expect("}")
    return Atom(Kind.ORDINARY, box)


_BY_HANDLER: dict[Handler, str] = {
    _fraction: "frac dfrac tfrac cfrac",
    _binomial: "binom dbinom tbinom",
    _root: "sqrt",
    _accent: "hat tilde bar breve dot ddot dddot mathring check acute grave vec overline underline "
    "widehat widetilde widecheck",
    _stretched: " ".join((*_OVER, *_UNDER)),
    _labeled: "overset underset stackrel",
    _arrow: " ".join(_ARROWS),
    _words: "text textrm textsf textup textnormal textbf textit texttt emph mbox hbox",
    _operator: "operatorname operatornamewithlimits",
    _alphabet: " ".join(ALPHABETS),
    _fenced: "left",
    _middle: "middle",
    _big: " ".join(name + side for name in _BIG for side in ("", "l", "r", "m")),
    _negated: "not",
    _modulo: "pmod pod mod",
    _boxed: "boxed fbox",
    _phantom: "phantom hphantom vphantom",
    _space: "hspace mspace kern hskip",
    _tag: "tag",
    _left_out: "label color",
    _colored: "textcolor",
    _kind: " ".join((*_KINDS, "smash", "mathclap")),
    _chemistry: "ce",
    _environment: "begin",
    _stack: "substack",
}
HANDLERS: dict[str, Handler] = {name: handler for handler, names in _BY_HANDLER.items() for name in names.split()}
