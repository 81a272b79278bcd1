"""Explains the labels of quantized models in a few words."""

import re

from specchat.domain.translatable_text import TranslatableText

_MEANINGS = (
    (r"F32", TranslatableText("The full values: twice the size of the published model, without being better.")),
    (r"BF16|F16", TranslatableText("As published: nothing lost, but large.")),
    (r"Q8_\w+", TranslatableText("Half of the published size; the loss does not show.")),
    (r"Q6_\w+", TranslatableText("Hardly any loss.")),
    (r"Q5_\w+", TranslatableText("Medium-sized, very little loss.")),
    (r"Q4_K_M", TranslatableText("Small, little loss; the usual choice.")),
    (r"Q4_K(_\w+)?", TranslatableText("Small, little loss.")),
    (r"IQ4_\w+", TranslatableText("A little smaller than Q4_K, about as good, and slower without a graphics card.")),
    (r"Q4_\w+", TranslatableText("Small, some loss: an older way to pack four bits.")),
    (r"MXFP4\w*|NVFP4", TranslatableText("Four bits for each value; best for models that were trained this way.")),
    (r"I?Q3_\w+", TranslatableText("Very small, the loss shows.")),
    (r"I?Q2_\w+", TranslatableText("Tiny, with a strong loss: only where nothing larger fits.")),
    (r"I?Q1_\w+|TQ\d_\d", TranslatableText("As small as can be; expect nonsense from all but the largest models.")),
)
_MIXED = "UD-"
_MORE_PRECISE = TranslatableText("{meaning} The parts that matter most are kept more precisely.")


def describe_quantization(quantization: str) -> TranslatableText | None:
    label = quantization.upper()
    said = next((words for pattern, words in _MEANINGS if re.fullmatch(pattern, label.removeprefix(_MIXED))), None)
    return TranslatableText(_MORE_PRECISE, meaning=said) if said and label.startswith(_MIXED) else said
