"""Unicode symbols for LaTeX commands."""


def _pairs(text: str) -> dict[str, str]:
    words = text.split()
    return dict(zip(words[::2], words[1::2], strict=True))


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


LETTERS = _pairs("""
    alpha α beta β gamma γ delta δ epsilon ϵ varepsilon ε zeta ζ eta η theta θ vartheta ϑ iota ι kappa κ lambda λ mu μ
    nu ν xi ξ omicron ο pi π varpi ϖ rho ρ varrho ϱ sigma σ varsigma ς tau τ upsilon υ phi ϕ varphi φ chi χ psi ψ
    omega ω imath ı jmath ȷ ell ℓ
""")
"""Slanted, as variables are."""

ORDINARY = _pairs("""
    Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π Sigma Σ Upsilon Υ Phi Φ Psi Ψ Omega Ω
    infty ∞ partial ∂ nabla ∇ hbar ℏ Re ℜ Im ℑ wp ℘ aleph ℵ beth ℶ forall ∀ exists ∃ nexists ∄ neg ¬ lnot ¬
    emptyset ∅ varnothing ∅ angle ∠ measuredangle ∡ triangle △ square □ Box □ blacksquare ■ qed ■ diamond ⋄ bigstar ★
    top ⊤ bot ⊥ prime ′ backslash \\ degree ° circledR ® checkmark ✓ dagger † ddagger ‡ S § P ¶ copyright © pounds £
    ldots … dots … dotsc … dotso … cdots ⋯ dotsb ⋯ dotsm ⋯ vdots ⋮ ddots ⋱ sharp ♯ flat ♭ natural ♮ clubsuit ♣
    diamondsuit ♢ heartsuit ♡ spadesuit ♠ surd √ complement ∁ eth ð mho ℧ lbrack [ rbrack ] vert | Vert ‖
    $ $ % % & & # # _ _ R ℝ N ℕ Z ℤ Q ℚ C ℂ
""")

BINARY = _pairs("""
    pm ± mp ∓ times × div ÷ cdot · ast ∗ star ⋆ circ ∘ bullet • cap ∩ cup ∪ uplus ⊎ sqcap ⊓ sqcup ⊔ vee ∨ lor ∨
    wedge ∧ land ∧ setminus ∖ smallsetminus ∖ wr ≀ oplus ⊕ ominus ⊖ otimes ⊗ oslash ⊘ odot ⊙ amalg ⨿ ltimes ⋉ rtimes ⋊
    bmod mod
""")

RELATIONS = _pairs("""
    leq ≤ le ≤ leqslant ⩽ geq ≥ ge ≥ geqslant ⩾ neq ≠ ne ≠ equiv ≡ approx ≈ cong ≅ sim ∼ simeq ≃ asymp ≍ doteq ≐
    propto ∝ ll ≪ gg ≫ prec ≺ succ ≻ preceq ⪯ succeq ⪰ lt < gt > subset ⊂ supset ⊃ subseteq ⊆ supseteq ⊇ subsetneq ⊊
    supsetneq ⊋ nsubseteq ⊈ sqsubseteq ⊑ sqsupseteq ⊒ in ∈ notin ∉ ni ∋ vdash ⊢ dashv ⊣ models ⊨ vDash ⊨ perp ⊥ mid ∣
    nmid ∤ parallel ∥ nparallel ∦ bowtie ⋈ smile ⌣ frown ⌢ triangleq ≜ coloneqq ≔ defeq ≔ coloneq ≔ eqqcolon ≕
    because ∵ therefore ∴ lesssim ≲ gtrsim ≳ leqq ≦ geqq ≧ nleq ≰ ngeq ≱ trianglelefteq ⊴ triangleleft ◁ models ⊨
    to → rightarrow → leftarrow ← gets ← leftrightarrow ↔ Rightarrow ⇒ Leftarrow ⇐ Leftrightarrow ⇔ implies ⟹
    impliedby ⟸ iff ⟺ mapsto ↦ longrightarrow ⟶ longleftarrow ⟵ longleftrightarrow ⟷ Longrightarrow ⟹
    Longleftarrow ⟸ Longleftrightarrow ⟺ longmapsto ⟼ hookrightarrow ↪ hookleftarrow ↩ uparrow ↑ downarrow ↓
    updownarrow ↕ Uparrow ⇑ Downarrow ⇓ nearrow ↗ searrow ↘ swarrow ↙ nwarrow ↖ rightharpoonup ⇀ leftharpoonup ↼
    rightleftharpoons ⇌ leadsto ⇝ rightsquigarrow ⇝ twoheadrightarrow ↠ nrightarrow ↛ upharpoonright ↾
""")

LARGE = _pairs("""
    sum ∑ prod ∏ coprod ∐ int ∫ iint ∬ iiint ∭ oint ∮ oiint ∯ bigcup ⋃ bigcap ⋂ bigsqcup ⨆ bigvee ⋁ bigwedge ⋀
    bigoplus ⨁ bigotimes ⨂ bigodot ⨀ biguplus ⨄
""")

OPENING = _pairs("langle ⟨ lfloor ⌊ lceil ⌈ lbrace { { { lvert | lVert ‖ lgroup ⟮ lmoustache ⎰ llbracket ⟦")
CLOSING = _pairs("rangle ⟩ rfloor ⌋ rceil ⌉ rbrace } } } rvert | rVert ‖ rgroup ⟯ rmoustache ⎱ rrbracket ⟧")

FUNCTIONS = frozenset(
    [
        "arccos",
        "arcsin",
        "arctan",
        "arg",
        "argmax",
        "argmin",
        "cos",
        "cosh",
        "cot",
        "coth",
        "csc",
        "deg",
        "det",
        "dim",
        "exp",
        "gcd",
        "hom",
        "inf",
        "ker",
        "lg",
        "lim",
        "liminf",
        "limsup",
        "ln",
        "log",
        "max",
        "min",
        "Pr",
        "sec",
        "sin",
        "sinh",
        "sup",
        "tan",
        "tanh",
        "rank",
        "tr",
        "Tr",
        "diag",
        "sgn",
        "sign",
        "span",
        "Var",
        "Cov",
        "lcm",
        "mod",
    ]
)

SPACES = {",": "\u2009", ":": " ", ";": " ", ">": " ", " ": " ", "!": "", "quad": "\u2003", "qquad": "\u2003\u2003"}
SPACES |= {"thinspace": "\u2009", "enspace": "\u2002", "space": " ", "hfill": "\u2003"}

INVISIBLE = frozenset(
    [
        "displaystyle",
        "textstyle",
        "scriptstyle",
        "scriptscriptstyle",
        "limits",
        "nolimits",
        "nonumber",
        "notag",
        "left",
        "right",
        "middle",
        "big",
        "Big",
        "bigg",
        "Bigg",
        "bigl",
        "bigr",
        "Bigl",
        "Bigr",
        "biggl",
        "biggr",
        "Biggl",
        "Biggr",
        "bigm",
        "Bigm",
        "biggm",
        "mathstrut",
        "strut",
        "hline",
        "allowbreak",
        "nobreak",
        "centering",
        "normalsize",
        "small",
        "large",
        "bf",
        "rm",
        "it",
        "cal",
        "mathop",
        "mathrel",
        "mathbin",
        "mathord",
        "mathopen",
        "mathclose",
        "mathinner",
        "mathpunct",
        "smash",
        "boldmath",
        "unboldmath",
        "relax",
    ]
)
"""Commands for size and position, which plain text can't show."""

ACCENTS = {
    name: chr(int(code, 16))
    for name, code in _pairs("""
    hat 302 widehat 302 tilde 303 widetilde 303 bar 304 overline 305 breve 306 dot 307 ddot 308 dddot 20db mathring 30a
    check 30c widecheck 30c acute 301 grave 300 vec 20d7 overrightarrow 20d7 overleftarrow 20d6 underline 332 cancel 336
    bcancel 336 not 338 sout 336
""").items()
}
SPANNING = frozenset(("overline", "underline", "cancel", "bcancel", "sout"))
"""Accents that each letter takes."""

_LETTERLIKE = {
    "mathbb": _pairs("C ℂ H ℍ N ℕ P ℙ Q ℚ R ℝ Z ℤ"),
    "mathcal": _pairs("B ℬ E ℰ F ℱ H ℋ I ℐ L ℒ M ℳ R ℛ"),
    "mathfrak": _pairs("C ℭ H ℌ I ℑ R ℜ Z ℨ"),
}
_LETTERLIKE["mathscr"] = _LETTERLIKE["mathcal"]
_DOUBLE_STRUCK = {"A": 0x1D538, "a": 0x1D552, "0": 0x1D7D8}
ALPHABETS = frozenset((*_LETTERLIKE, "Bbb"))


def alphabet_character(alphabet: str, character: str) -> str:
    """The character itself where few fonts know another one."""
    alphabet = "mathbb" if alphabet == "Bbb" else alphabet
    if found := _LETTERLIKE[alphabet].get(character):
        return found
    if alphabet == "mathbb" and character.isascii() and character.isalnum():
        first = "0" if character.isdigit() else "A" if character.isupper() else "a"
        return chr(_DOUBLE_STRUCK[first] + ord(character) - ord(first))
    return character


SUPERSCRIPTS = dict(zip("0123456789+−=()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ", strict=True))
SUBSCRIPTS = dict(zip("0123456789+−=()", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎", strict=True))
VULGAR_FRACTIONS = _pairs("1/2 ½ 1/3 ⅓ 2/3 ⅔ 1/4 ¼ 3/4 ¾ 1/5 ⅕ 2/5 ⅖ 3/5 ⅗ 4/5 ⅘ 1/6 ⅙ 5/6 ⅚ 1/8 ⅛ 3/8 ⅜ 5/8 ⅝ 7/8 ⅞")
ROOTS = {"3": "∛", "4": "∜"}
