"""The characters of the mathematical alphabets: italic, bold, double-struck and so on."""

from specchat.ui.transcript.tex.symbols import alphabet_character

_LATIN = {"italic": 0x1D434, "bold": 0x1D400, "bold-italic": 0x1D468, "script": 0x1D49C, "fraktur": 0x1D504}
_LATIN |= {"double": 0x1D538, "sans": 0x1D5A0, "mono": 0x1D670}
_GREEK = {"italic": 0x1D6E2, "bold": 0x1D6A8, "bold-italic": 0x1D71C}
_DIGITS = {"bold": 0x1D7CE, "bold-italic": 0x1D7CE, "double": 0x1D7D8, "sans": 0x1D7E2, "mono": 0x1D7F6}
_LETTERLIKE = {"script": "mathcal", "fraktur": "mathfrak", "double": "mathbb"}
_LATE_GREEK = "∂ϵϑϰϕϱϖ"
_SINGLE = {("italic", "h"): "ℎ", ("script", "e"): "ℯ", ("script", "g"): "ℊ", ("script", "o"): "ℴ"}
_SINGLE |= {("italic", "ı"): "\U0001d6a4", ("italic", "ȷ"): "\U0001d6a5"}
ALPHABETS = {
    "mathrm": "",
    "mathup": "",
    "mathit": "italic",
    "mathnormal": "math",
    "mathbf": "bold",
    "boldsymbol": "bold-italic",
    "bm": "bold-italic",
    "pmb": "bold-italic",
    "mathbb": "double",
    "Bbb": "double",
    "mathcal": "script",
    "mathscr": "script",
    "mathfrak": "fraktur",
    "mathsf": "sans",
    "mathtt": "mono",
}


def styled_character(alphabet: str, character: str) -> str:
    """Returns the character of an alphabet; `math` slants letters, but not capital Greek ones."""
    if alphabet == "math":
        alphabet = "" if "Α" <= character <= "Ω" or character in "∂∇" or character.isdigit() else "italic"
    if not alphabet:
        return character
    if alphabet in _LETTERLIKE and (found := alphabet_character(_LETTERLIKE[alphabet], character)) != character:
        return found
    return _SINGLE.get((alphabet, character)) or _shifted(alphabet, character)


def _shifted(alphabet: str, character: str) -> str:
    if character.isascii() and character.isalpha():
        offset = ord(character) - (ord("a") - 26 if character.islower() else ord("A"))
        return chr(_LATIN[alphabet] + offset)
    if character.isascii() and character.isdigit() and alphabet in _DIGITS:
        return chr(_DIGITS[alphabet] + int(character))
    if alphabet in _GREEK:
        if "Α" <= character <= "Ω":
            return chr(_GREEK[alphabet] + ord(character) - 0x391)
        if "α" <= character <= "ω":
            return chr(_GREEK[alphabet] + 26 + ord(character) - 0x3B1)
        if character == "∇":
            return chr(_GREEK[alphabet] + 25)
        if character in _LATE_GREEK:
            return chr(_GREEK[alphabet] + 51 + _LATE_GREEK.index(character))
    return character
