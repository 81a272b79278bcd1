"""What is to be seen on pictures of the window: the same words, days and figures each time."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from support.choices import choice_of
from support.talks import conversation

from specchat.domain.conversations import Answer, Attachment, ConversationTree
from specchat.domain.media import Senses
from specchat.domain.translatable_text import TranslatableText, group_digits
from specchat.domain.types import Device, PairChoice
from specchat.services.models.pair_fit import (
    DeviceFit,
    DraftOption,
    DraftVerdict,
    Fit,
    LocalModel,
    MemoryBreakdown,
    Origin,
    PairFit,
)
from specchat.ui.pair.load_options import with_context

CONTEXT = 8192
"""Tokens."""
NOW = datetime(2026, 3, 12, 10, 24, tzinfo=UTC).timestamp()
_HOUR, _DAY = 3600.0, 86400.0
GIB = 2**30
_INCOMPLETE = TranslatableText(
    "{name} is incomplete: it ends within its header, after {size} bytes.", name="broken.gguf", size=group_digits(4096)
)

TARGET, DRAFT = "Qwen2.5-7B-Instruct-Q4_K_M.gguf", "Qwen2.5-0.5B-Instruct-Q8_0.gguf"
_PAIR = Answer(TARGET, DRAFT)

HOW = "What is a draft model, and why does the answer stay the same?"
PROSE = """A **draft model** guesses the next few tokens, and the *target* checks all of them in one pass:

1. The draft writes `K` tokens, one after the other. It is small, so this is quick.
2. The target reads them **at once**, which costs little more than reading one.
   - guesses that hold are kept
   - the first one that does not is replaced by the target’s own token
3. The next guesses begin from there.

Nothing is written that the target would not have written itself. A bad draft only makes it slower.

> The draft proposes, the target decides. See [the paper](https://arxiv.org/abs/2211.17192).
"""
THOUGHT = """<think>
They want one sentence. Keep to guessing and checking, and leave out the arithmetic.
</think>

A small model guesses ahead, and the large one keeps what it would have said anyway."""
CODE = """Compare the guesses with what the target chose, and stop at the first difference:

```python
def accepted(guesses: list[int], chosen: list[int]) -> int:
    \"\"\"How many of the guesses hold.\"\"\"
    for place, (guess, token) in enumerate(zip(guesses, chosen)):
        if guess != token:  # the target's own token takes its place
            return place
    return len(guesses)
```

How much that saves depends on how often they agree:

| Accepted | Tokens per pass | Tokens/s |
|:--|--:|--:|
| 40 % | 1.7 | 16.2 |
| 60 % | 2.4 | 22.8 |
| 80 % | 3.4 | 31.5 |

The figures are for a draft length of **4**.
"""
CACHE = r"""The cache keeps a key and a value of each token, so that attention needs only the newest row of \(Q\):

\[
\operatorname{Attention}(Q, K, V) = \operatorname{softmax}\left(\frac{Q K^\top}{\sqrt{d_k}}\right) V
\]

For \(n\) tokens it holds

$$
\begin{aligned}
N &= 2 \cdot n_{\text{layers}} \cdot n_{\text{heads}} \cdot d_k \cdot n \\
  &= 2 \cdot 28 \cdot 4 \cdot 128 \cdot 8192 \approx 2.3 \times 10^8
\end{aligned}
$$

numbers. Before they are kept, keys are turned by an angle \(\theta_i = 10^{-4 i/d_k}\) for each place \(m\):

\[
k' = \begin{pmatrix} \cos m\theta_i & -\sin m\theta_i \\ \sin m\theta_i & \cos m\theta_i \end{pmatrix} k,
\qquad |x| = \begin{cases} x & \text{if } x \geq 0 \\ -x & \text{otherwise} \end{cases}
\]

- With \(\gamma\) guesses, accepted with \(\alpha\), a pass gives \(\frac{1 - \alpha^{\gamma+1}}{1 - \alpha}\) tokens.
- It costs $0 more to guess than the draft's time \(t_d \ll t_t\), so \(\gamma \to \infty\) never pays.

| Accepted | Tokens per pass |
|:--|--:|
| $\alpha = 0.6$ | $\sum_{i=0}^{4} \alpha^i \approx 2.3$ |
| $\alpha = 0.8$ | $\boxed{3.4}$ |
"""
_TIDES = (
    (
        "Why are there two tides a day?",
        "The Moon pulls harder on the near side of the Earth than on the far side. "
        "Both sides bulge, and the Earth turns beneath the bulges: **two high tides** in about 25 hours.",
    ),
    (
        "And what is a spring tide?",
        "At new and at full Moon, Sun and Moon pull along the same line:\n\n"
        "- high water is *higher*\n- low water is *lower*\n- the current runs faster\n\nA week later comes the neap "
        "tide, the smallest of the month.",
    ),
    (
        "How do I read a tide table?",
        "Each line is a day. It gives the time and height of high and low water:\n\n"
        "| Time | Height |\n|:--|--:|\n| 03:12 | 1.1 m |\n| 09:31 | 4.8 m |\n| 15:40 | 1.3 m |\n\nHeights count from "
        "chart datum, the lowest water that the tide alone can bring.",
    ),
    (
        "How high is the water between those times?",
        "Use the rule of twelfths. In the six hours between low and high "
        "water it rises by 1, 2, 3, 3, 2 and 1 twelfths of the range, and half of it comes in the middle two hours.",
    ),
)


def long_conversation() -> ConversationTree:
    return _talk("Tides on the north coast", [*_TIDES] * 12, _HOUR)


def conversations() -> list[ConversationTree]:
    """The one that is open first, then the others of the list."""
    short = [("Hello?", "Hello! Ask me anything.")]
    reading = _talk("Reading list", short, 9 * _DAY)
    return [
        _talk("How drafting works", [(HOW, PROSE), ("Thanks. And in one sentence?", THOUGHT)], 0.0),
        _talk("Accepting guesses in Python", [("Which guesses hold? Write it in Python.", CODE)], _HOUR / 2),
        long_conversation(),
        _talk("A very long title that will certainly not fit into the narrow list at all", short, _DAY),
        _talk("Explain the KV cache", [("How large is the KV cache? Show the formulas.", CACHE)], _DAY + _HOUR),
        _talk("Regex for dates", short, 3 * _DAY),
        _talk("Bread without kneading", short, 4 * _DAY),
        _talk("Letter to the landlord", short, 5 * _DAY),
        _talk("Holiday plans", short, 20 * _DAY),
        _talk("Names for a sailing boat", short, 31 * _DAY),
        _talk("Übersetzung eines Gedichts", short, 40 * _DAY),
        replace(reading, conversation=replace(reading.conversation, pinned=True)),
    ]


def deleted_conversations() -> list[ConversationTree]:
    short = [("Hello?", "Hello!")]
    return [_talk(name, short, 12 * _DAY) for name in ("Old experiment", "Quiz about rivers", "Draft of a speech")]


def _talk(name: str, turns: Sequence[tuple[str, str]], ago: float) -> ConversationTree:
    return conversation(name, turns, now=NOW - ago, answer=_PAIR, tokens_per_s=31.4)


RIGHT_TO_LEFT_QUESTION = "ما هو النموذج المسودة؟"

RIGHT_TO_LEFT = """النموذج المسودة نموذج **صغير** يخمّن ما سيكتبه النموذج الكبير:

- يكتب عدة كلمات مقدمًا،
- ثم يتحقق الهدف منها كلها دفعة واحدة، وما يوافق عليه يبقى كما هو في الجواب
  - وما لا يوافق عليه يُستبدل

1. `draft` מנחש
2. היעד בודק
3. 2024

   ```python
   accepted = check(guesses)  # בבת אחת
   ```

| النموذج | الحجم | المقبول |
|---|---|---|
| الهدف | 7 GB | – |
| المسودة Qwen2.5 | 0.5 GB | 62 % |

> الجواب هو نفسه.
>
> The answer is the same.

Both in one document."""

MARKDOWN = """Water is H<sub>2</sub>O, and 2<sup>10</sup> is 1024[^1]. A cell may have two lines[^check]:

| Stage | What happens |
|---|---|
| Draft | It guesses 4 tokens<br>in 12 ms. |
| Target | It checks them in *one* pass<sup>[^1]</sup>. |

- [x] Load the pair
- [x] Ask with `temperature` 0
- [ ] Compare the answers
  - [ ] once more with another draft
- Not a task

```
specchat chat -m Qwen2.5-7B-Instruct-Q4_K_M.gguf -md Qwen2.5-0.5B-Instruct-Q8_0.gguf -p "Why is the sky blue?" --temp 0
specchat bench --k 0,2,4,8,auto
```

All other tags are text: <b>bold</b>, <u>under</u>.

[^1]: As in the *first* table of the paper, page 7.
[^check]: With `|` between the cells, a line of a table cannot be broken in another way, so models write a tag
    there. It is shown.
"""

MINUTES = Attachment("minutes-of-march.txt", "The meeting began at nine. " * 520)


def library(folder: Path) -> list[LocalModel]:
    def model(file: str, name: str, size: float, quantization: str, n_layer: int, origin: Origin) -> LocalModel:
        n_ctx = 131_072 if "Gemma" in name else 32_768
        return LocalModel(folder / file, name, origin, int(size * GIB), 0, quantization, n_ctx, n_layer)

    senses = Senses(sees=True, hears=True)
    able = model("gemma-4-E4B-it-Q4_K_M.gguf", "Gemma 4 E4B Instruct", 2.32, "Q4_K_M", 34, Origin.ADDED)
    return [
        replace(able, mmproj=folder / "mmproj-F16.gguf", mmproj_size=int(0.79 * GIB), senses=senses),
        model(DRAFT, "Qwen2.5 0.5B Instruct", 0.63, "Q8_0", 24, Origin.FOLDER),
        model(TARGET, "Qwen2.5 7B Instruct", 4.36, "Q4_K_M", 28, Origin.FOLDER),
        LocalModel(folder / "broken.gguf", "broken", Origin.ADDED, problems=(_INCOMPLETE,)),
    ]


def head(folder: Path) -> LocalModel:
    """For the largest of them."""
    file = folder / "eagle3-Qwen2.5-7B-Instruct.gguf"
    name, size = "EAGLE-3 for Qwen2.5 7B Instruct", int(0.48 * GIB)
    return LocalModel(file, name, Origin.FOLDER, size, 0, "Q8_0", 32_768, 1, head="eagle3")


def choice(models: Sequence[LocalModel]) -> PairChoice:
    """The largest target with the smallest draft."""
    _, draft, target, _ = models
    return with_context(choice_of(target.path, draft.path), CONTEXT)


def devices() -> list[Device]:
    card = Device("Vulkan0", "NVIDIA GeForce RTX 4070", "gpu", 12 * GIB, 11 * GIB)
    return [Device("CPU", "Processor", "cpu", 16 * GIB, 9 * GIB), card]


def draft_options(models: Sequence[LocalModel]) -> list[DraftOption]:
    llama, qwen, _, broken = models
    return [
        DraftOption("auto", qwen),
        DraftOption("model", qwen, DraftVerdict.IDENTICAL, "The tokenizers are identical."),
        DraftOption("model", llama, DraftVerdict.TRANSLATABLE, "The draft has a different vocabulary.", overlap=0.7),
        DraftOption("ngram"),
        DraftOption("none"),
        DraftOption("model", broken, DraftVerdict.UNUSABLE, broken.problems[0]),
    ]


def fit() -> PairFit:
    """With that context."""
    target = MemoryBreakdown(int(4.36 * GIB), int(0.44 * GIB), int(0.30 * GIB), int(0.02 * GIB))
    draft = MemoryBreakdown(int(0.63 * GIB), int(0.09 * GIB), int(0.15 * GIB), int(0.02 * GIB))
    return PairFit((DeviceFit("CPU", 16 * GIB, 9 * GIB, target, draft, Fit.FITS),))


def choice_on_machines(models: Sequence[LocalModel]) -> PairChoice:
    here = choice(models)
    addresses = ("192.168.1.20:50052", "den:50052")
    return replace(here, target_settings=replace(here.target_settings, rpc=addresses, tensor_split=(3, 2)))


def fit_on_machines() -> PairFit:
    (here,) = fit().devices
    nothing, part = MemoryBreakdown(), MemoryBreakdown(2 * GIB, GIB // 5, GIB // 6)
    there = [DeviceFit(f"RPC{n}", n * 8 * GIB, 7 * GIB, part, nothing, Fit.FITS) for n in (1, 2)]
    return PairFit((replace(here, target=MemoryBreakdown(GIB // 2)), *there))


def fit_with_head() -> PairFit:
    (device,) = fit().devices
    draft = MemoryBreakdown(int(0.48 * GIB), int(0.02 * GIB), int(0.15 * GIB), int(0.02 * GIB))
    return PairFit((replace(device, draft=draft),))
