"""Explains the labels of quantized models in a few words."""

import re

from specchat.domain.translatable_text import TranslatableText

_MEANINGS = (
    (r"F32", TranslatableText("Full 32-bit precision: twice the original size with no quality gain.")),
    (r"BF16|F16", TranslatableText("16-bit, not quantized. Twice the size of Q8_0 with little gain.")),
    (r"Q8_\w+", TranslatableText("Half the original size, no noticeable quality loss.")),
    (r"Q6_\w+", TranslatableText("Almost no quality loss.")),
    (r"Q5_\w+", TranslatableText("Medium size, very little quality loss.")),
    (r"Q4_K_M", TranslatableText("Small, little quality loss. The usual choice.")),
    (r"Q4_K(_\w+)?", TranslatableText("Small, little quality loss.")),
    (r"IQ4_\w+", TranslatableText("Slightly smaller than Q4_K with similar quality. Slower on CPU.")),
    (r"Q4_\w+", TranslatableText("Small, some quality loss: an older 4-bit format.")),
    (r"MXFP4\w*|NVFP4", TranslatableText("Four bits per weight. Best for models trained in this format.")),
    (r"I?Q3_\w+", TranslatableText("Very small, noticeable quality loss.")),
    (r"I?Q2_\w+", TranslatableText("Tiny, severe quality loss: only if nothing larger fits.")),
    (r"I?Q1_\w+|TQ\d_\d", TranslatableText("Smallest possible. Only usable with very large models.")),
)
_MIXED = "UD-"
_MORE_PRECISE = TranslatableText("{meaning} The most important layers keep more precision.")


def describe_quantization(quantization: str) -> TranslatableText | None:
    label = quantization.upper()
    said = next((words for pattern, words in _MEANINGS if re.fullmatch(pattern, label.removeprefix(_MIXED))), None)
    return TranslatableText(_MORE_PRECISE, meaning=said) if said and label.startswith(_MIXED) else said
